#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

namespace oa {

/// The number of threads that the process may use, by its processor affinity.
[[nodiscard]] int usable_threads();

/// Runs job(worker) for workers 0 to threads-1, worker 0 on the calling thread,
/// and waits for all of them.  If too few threads start, those that run do all jobs.
/// Rethrows the exception of the lowest worker.
void run_workers(int threads, const std::function<void(int)>& job);

/// Runs job(i, worker) for every i in [0, n) on up to `threads` threads.
/// Jobs are independent; `worker` numbers the thread, for scratch space.  After a stop
/// request no new job starts.  Rethrows the exception of the lowest i that threw.
void parallel_for(std::int64_t n,
                  int threads,
                  const std::function<void(std::int64_t, int)>& job,
                  const std::stop_token& stop = {});

/// Like parallel_for(), but for short jobs whose neighbours share data.
/// Each thread takes a contiguous range, which stays in its cache,
/// then helps other threads.  Rethrows the exception of the lowest worker.
void parallel_stretches(std::int64_t n,
                        int threads,
                        const std::function<void(std::int64_t, int)>& job);

/// Decides from the times of past items whether several threads are faster than one:
/// passing an item to a thread costs microseconds, in virtual machines tens of them.
class SharedWork {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SharedWork(int threads)
      : enough_(std::chrono::microseconds(50) / (threads - 1)),
        mean_(2 * enough_) {}

  [[nodiscard]] bool pays() const { return mean_ >= enough_; }

  /// Adds the time of an item.  Returns true if several threads pay off from now on.
  bool add(Clock::duration took) {
    constexpr int kMemory = 64;  // items
    const bool before = pays();
    mean_ += (took - mean_) / kMemory;
    return pays() && !before;
  }

 private:
  Clock::duration enough_;
  Clock::duration mean_;
};

/// Items are read by read() -> optional<Item> and results written by write(Result),
/// one at a time and in order. work(Item, worker) -> Result runs on `threads` threads,
/// with at most 2 * threads items in flight.  A result is written when it and all
/// earlier results are ready, while input still arrives.
/// If passing items to threads costs more than it saves, one thread does all.
///
/// If an item throws, writes all earlier results and no later one, requests `stop` so
/// that a waiting read returns, and rethrows.  The output does not depend on `threads`.
template <class Read, class Work, class Write>
void ordered_pipeline(
    int threads, std::stop_source stop, Read read, Work work, Write write) {
  using Item = typename decltype(read())::value_type;
  using Result = decltype(work(std::declval<Item>(), 0));
  using Slot = std::variant<std::monostate, Result, std::exception_ptr>;

  if (threads == 1) {
    while (auto item = read()) {
      write(work(std::move(*item), 0));
    }
    return;
  }

  const auto window = static_cast<std::size_t>(2 * threads);
  std::mutex reading;  // serialises read(); taken before `state`, never after it
  std::mutex state;    // guards everything below
  std::condition_variable room;
  std::vector<Slot> slots(window);
  std::size_t next_read = 0;
  std::size_t next_write = 0;
  bool ended = false;  // nothing more will be read
  bool writing = false;
  std::exception_ptr failure;
  SharedWork shared(threads);  // whether several threads help
  std::condition_variable useful;

  const auto fail = [&](std::exception_ptr error) {  // the caller locked `state`
    failure = std::move(error);
    ended = true;
    room.notify_all();
    useful.notify_all();
    stop.request_stop();
  };

  // Reads the next item and numbers it.  A read that throws also takes a slot.
  const auto read_next = [&]() -> std::optional<std::pair<std::size_t, Item>> {
    const std::lock_guard one_reader(reading);
    {
      std::unique_lock lock(state);
      room.wait(lock, [&] { return ended || next_read - next_write < window; });
      if (ended) {
        return std::nullopt;
      }
    }
    std::optional<Item> item;
    std::exception_ptr error;
    try {
      item = read();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(state);
    if (item) {
      return std::pair(next_read++, std::move(*item));
    }
    ended = true;
    useful.notify_all();
    if (error) {
      slots[next_read++ % window] = error;
    }
    return std::nullopt;
  };

  // Writes the results that are ready.  Returns immediately if another thread is
  // writing, because that thread will write these results.
  const auto drain = [&](std::unique_lock<std::mutex>& lock) {
    if (writing) {
      return;
    }
    writing = true;
    while (!failure && next_write < next_read) {
      Slot slot = std::exchange(slots[next_write % window], Slot{});
      if (std::holds_alternative<std::monostate>(slot)) {
        break;
      }
      if (auto* error = std::get_if<std::exception_ptr>(&slot)) {
        fail(*error);
        break;
      }
      lock.unlock();
      std::exception_ptr error;
      try {
        write(std::move(std::get<Result>(slot)));
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) {
        fail(error);
        break;
      }
      ++next_write;
      room.notify_all();
    }
    writing = false;
  };

  const auto wait_until_useful = [&](int worker) {
    if (worker > 0) {
      std::unique_lock lock(state);
      useful.wait(lock, [&] { return ended || shared.pays(); });
    }
  };

  run_workers(threads, [&](int worker) {
    wait_until_useful(worker);
    while (auto taken = read_next()) {
      Slot result;
      const SharedWork::Clock::time_point begin = SharedWork::Clock::now();
      try {
        result.template emplace<Result>(work(std::move(taken->second), worker));
      } catch (...) {
        result = std::current_exception();
      }
      const SharedWork::Clock::duration took = SharedWork::Clock::now() - begin;
      std::unique_lock lock(state);
      slots[taken->first % window] = std::move(result);
      if (shared.add(took)) {
        useful.notify_all();
      }
      drain(lock);
      lock.unlock();
      wait_until_useful(worker);
    }
    std::unique_lock lock(state);
    drain(lock);
  });
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace oa
