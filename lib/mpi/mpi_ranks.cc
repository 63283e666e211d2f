// Ranks on MPI: a module that oa-train loads if mpirun or srun has started it.
// No other code needs MPI.
#include "app/train/ranks.h"
#include "oa/base/stopwatch.h"
#include "oa/base/version.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include <mpi.h>

namespace oa {
namespace {

/// True from joining to MPI_Finalize(): if it ends then, a process must end all ranks.
bool joined = false;
void end_all(int status, void* /*unused*/) {
  if (joined) {
    MPI_Abort(MPI_COMM_WORLD,
              status != 0 ? status : static_cast<int>(app::Exit::System));
  }
}

class MpiRanks final : public train::Ranks {
 public:
  explicit MpiRanks(app::Joining joining) : joining_(std::move(joining)) {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    joined = true;
    ::on_exit(end_all, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  /// After an error, end_all() has ended the other ranks when the error was reported.
  ~MpiRanks() override {
    if (std::uncaught_exceptions() == 0) {
      MPI_Finalize();
      joined = false;
    }
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }

  void send(int to, std::span<const std::byte> bytes) override {
    each_piece(bytes, [&](std::span<const std::byte> piece) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(
          piece.data(), size_of(piece), MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
      wait(request, to);
    });
  }

  void receive(int from, std::span<std::byte> bytes) override {
    each_piece(bytes, [&](std::span<std::byte> piece) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(
          piece.data(), size_of(piece), MPI_BYTE, from, 0, MPI_COMM_WORLD, &request);
      wait(request, from);
    });
  }

  [[nodiscard]] double waited() const override { return waited_; }

 private:
  static int size_of(std::span<const std::byte> piece) {
    return static_cast<int>(piece.size());
  }

  /// Splits messages, because MPI counts in int.
  template <class S, class F>
  static void each_piece(S bytes, F&& f) {
    constexpr std::size_t kMax = std::size_t{1} << 30;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(kMax, bytes.size()))) {
      f(bytes.first(std::min(kMax, bytes.size())));
    }
  }

  /// Polls without pauses while a message may be on its way, then with pauses, which
  /// leave the processor to the other rank.
  void wait(MPI_Request& request, int peer) {
    constexpr double kOnItsWay_s = 100e-6;
    constexpr std::chrono::microseconds kPause{50};
    constexpr double kPatience_s = 0.5;
    const Stopwatch waiting;
    std::optional<Stopwatch> stopping;  // since the first look at a stop request
    while (true) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) {
        break;
      }
      if (waiting.seconds() < kOnItsWay_s) {
        continue;
      }
      std::this_thread::sleep_for(kPause);
      if (!warned_ && joining_.stop.stop_requested()) {
        if (!stopping) {
          stopping.emplace();
        } else if (stopping->seconds() > kPatience_s) {
          warned_ = true;
          joining_.warn(
              "asked to stop while rank " + std::to_string(rank_) + " waits for rank " +
              std::to_string(peer) +
              ", which may have died; --resume continues from the last checkpoint");
        }
      }
    }
    waited_ += waiting.seconds();
  }

  app::Joining joining_;
  int rank_ = 0;
  int count_ = 1;
  double waited_ = 0.0;  // seconds of waiting
  bool warned_ = false;
};

}  // namespace
}  // namespace oa

extern "C" {
__attribute__((visibility("default"))) const char* oa_ranks_version();
__attribute__((visibility("default"))) oa::train::Ranks* oa_join_ranks(
    const oa::app::Joining& joining);

const char* oa_ranks_version() {
  return oa::kVersion.data();  // a string literal, so zero-terminated
}

oa::train::Ranks* oa_join_ranks(const oa::app::Joining& joining) {
  return new oa::MpiRanks(joining);  // join_ranks() owns the object
}
}
