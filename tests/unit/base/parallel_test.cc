#include "oa/base/parallel.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace oa;

namespace {

/// Work whose length varies, so that results are ready out of order.
int square_slowly(int i) {
  volatile int sink = 0;
  for (int k = 0; k < (i * 7919) % 5000; ++k) {
    sink = sink + k;
  }
  return i * i;
}

std::vector<int> squares(int threads, int n) {
  std::vector<int> written;
  int next = 0;
  ordered_pipeline(
      threads,
      std::stop_source{},
      [&]() -> std::optional<int> {
        return next < n ? std::optional(next++) : std::nullopt;
      },
      [](int i, int) { return square_slowly(i); },
      [&](int r) { written.push_back(r); });
  return written;
}

/// Runs a pipeline over 0..99 in which `phase` throws at item 40; returns what was
/// written.
std::vector<int> written_before_failure(int threads, const std::string& phase) {
  std::vector<int> written;
  int next = 0;
  const auto fail_at = [&](const char* here, int i) {
    if (phase == here && i == 40) {
      throw std::runtime_error(phase);
    }
  };
  CHECK_THROWS_WITH(ordered_pipeline(
                        threads,
                        std::stop_source{},
                        [&]() -> std::optional<int> {
                          fail_at("read", next);
                          return next < 100 ? std::optional(next++) : std::nullopt;
                        },
                        [&](int i, int) {
                          fail_at("work", i);
                          return square_slowly(i) * 0 + i;
                        },
                        [&](int r) {
                          fail_at("write", r);
                          written.push_back(r);
                        }),
                    phase.c_str());
  return written;
}

}  // namespace

TEST_SUITE_BEGIN("base");

TEST_CASE("a pipeline writes every result once and in order, whatever the threads") {
  std::vector<int> expected(300);
  for (int i = 0; i < 300; ++i) {
    expected[static_cast<std::size_t>(i)] = i * i;
  }
  for (const int threads : {1, 2, 3, 8}) {
    CHECK(squares(threads, 300) == expected);
    CHECK(squares(threads, 0).empty());
    CHECK(squares(threads, 1) == std::vector<int>{0});
  }
}

TEST_CASE(
    "a failing pipeline has written every result before the failure and none after") {
  std::vector<int> expected(40);
  std::iota(expected.begin(), expected.end(), 0);
  for (const int threads : {1, 2, 7}) {
    for (const char* phase : {"read", "work", "write"}) {
      CAPTURE(threads);
      CAPTURE(phase);
      CHECK(written_before_failure(threads, phase) == expected);
    }
  }
}

TEST_CASE("a failure requests a stop, so that a waiting read can return") {
  std::stop_source stop;
  int next = 0;
  CHECK_THROWS(ordered_pipeline(
      2,
      stop,
      [&]() -> std::optional<int> {
        if (next < 1) {
          return next++;
        }
        while (!stop.stop_requested()) {
          std::this_thread::yield();
        }
        return std::nullopt;
      },
      [](int, int) -> int { throw std::runtime_error("work"); },
      [](int) {}));
  CHECK(stop.stop_requested());
}

TEST_CASE("a pipeline holds a bounded number of items") {
  std::atomic<int> read = 0;
  std::atomic<int> written = 0;
  int most = 0;
  ordered_pipeline(
      3,
      std::stop_source{},
      [&]() -> std::optional<int> {
        most = std::max(most, read - written);
        return read < 1000 ? std::optional(read++) : std::nullopt;
      },
      [](int i, int) { return square_slowly(i); },
      [&](int) { ++written; });
  CHECK(most <= 6);
}

TEST_CASE(
    "cheap items are left to one thread, and expensive ones after them are shared") {
  constexpr int kCheap = 2000;
  constexpr int kDear = 200;
  int next = 0;
  std::array<std::atomic<int>, 4> expensive{};  // items of each worker
  std::vector<int> written;
  ordered_pipeline(
      4,
      {},
      [&] { return next < kCheap + kDear ? std::optional<int>(next++) : std::nullopt; },
      [&](int i, int worker) {
        if (i >= kCheap) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          ++expensive[static_cast<std::size_t>(worker)];
        }
        return i;
      },
      [&](int i) { written.push_back(i); });
  std::vector<int> all(kCheap + kDear);
  std::iota(all.begin(), all.end(), 0);
  CHECK(written == all);
  for (const std::atomic<int>& items : expensive) {
    CHECK(items > 0);
  }
}

TEST_CASE("threads are of use again when items take long") {
  SharedWork shared(2);
  CHECK(shared.pays());
  for (int i = 0; i < 1000; ++i) {
    CHECK_FALSE(shared.add(std::chrono::microseconds(1)));
  }
  CHECK_FALSE(shared.pays());
  CHECK(shared.add(std::chrono::milliseconds(10)));
  CHECK(shared.pays());
  CHECK_FALSE(shared.add(std::chrono::milliseconds(10)));
}

TEST_CASE("parallel_for runs every job once and reports the lowest failure") {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> runs(500, 0);
    parallel_for(500, threads, [&](std::int64_t i, int) {
      ++runs[static_cast<std::size_t>(i)];
    });
    CHECK(runs == std::vector<int>(500, 1));
    CHECK_THROWS_WITH(parallel_for(500,
                                   threads,
                                   [&](std::int64_t i, int) {
                                     if (i >= 17) {
                                       throw std::runtime_error(std::to_string(i));
                                     }
                                   }),
                      "17");
  }
}

TEST_CASE("parallel_stretches runs every job once, by its own thread or another") {
  for (const int threads : {1, 2, 5}) {
    for (const int jobs : {0, 1, 3, 500}) {
      std::vector<int> runs(static_cast<std::size_t>(jobs), 0);
      parallel_stretches(jobs, threads, [&](std::int64_t i, int) {
        ++runs[static_cast<std::size_t>(i)];
      });
      CHECK(runs == std::vector<int>(static_cast<std::size_t>(jobs), 1));
    }
  }
  // The first job waits for all others, those behind it in its stretch, too.
  std::atomic<int> done = 0;
  int done_by_others = 0;
  parallel_stretches(100, 2, [&](std::int64_t i, int) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (i == 0 && done < 99 && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    if (i == 0) {
      done_by_others = done;
    }
    ++done;
  });
  CHECK(done_by_others == 99);
  CHECK(done == 100);
}

TEST_CASE("parallel_stretches throws what a job throws, and others do the rest") {
  std::atomic<int> ran = 0;
  CHECK_THROWS_WITH(parallel_stretches(100,
                                       2,
                                       [&](std::int64_t i, int) {
                                         if (i == 60) {
                                           throw std::runtime_error("60");
                                         }
                                         ++ran;
                                       }),
                    "60");
  CHECK(ran == 99);
}

TEST_CASE("threads are used again, and runs within runs have their own") {
  const auto ids_of_run = [](bool nested) {
    std::mutex guard;
    std::set<std::thread::id> ids;
    std::atomic<int> inner = 0;
    run_workers(3, [&](int) {
      if (nested) {
        run_workers(2, [&](int) { ++inner; });
      }
      const std::lock_guard lock(guard);
      ids.insert(std::this_thread::get_id());
    });
    CHECK(inner == (nested ? 6 : 0));
    return ids;
  };
  const auto first = ids_of_run(false);
  CHECK(first.size() == 3);
  CHECK(first.contains(std::this_thread::get_id()));
  CHECK(ids_of_run(true) == first);
  CHECK(ids_of_run(false) == first);
}

TEST_CASE("runs beside each other do not wait for each other") {
  std::atomic<int> met = 0;
  const auto meet = [&] {
    run_workers(2, [&](int) {
      ++met;
      while (met < 4) {
        std::this_thread::yield();
      }
    });
  };
  std::jthread other(meet);
  meet();
  other.join();
  CHECK(met == 4);
}

#if defined(__SANITIZE_THREAD__) || defined(OA_EMULATED)
constexpr bool kThreadsAfterFork = false;  // neither supports them
#else
constexpr bool kThreadsAfterFork = true;
#endif

TEST_CASE("a copy of the process has threads, too" *
          doctest::skip(!kThreadsAfterFork)) {
  run_workers(2, [](int) {});
  const int child = ::fork();
  if (child == 0) {
    std::atomic<int> ran = 0;
    run_workers(2, [&](int) { ++ran; });
    ::_exit(ran);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 2);
}

TEST_CASE("no job starts after a stop") {
  std::stop_source stop;
  std::atomic<int> ran = 0;
  parallel_for(
      100,
      1,
      [&](std::int64_t i, int) {
        ++ran;
        if (i == 9) {
          stop.request_stop();
        }
      },
      stop.get_token());
  CHECK(ran == 10);
}

TEST_SUITE_END();
