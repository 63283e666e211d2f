#pragma once

#include "oa/cim/optima.h"
#include "oa/cim/precision.h"
#include "oa/cim/quantise.h"
#include "oa/qubo/problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::cim {

struct PackSettings {
  int bits = 8;   ///< of a coupling, sign included; at most 8
  int spins = 0;  ///< of a task, at most; 0: no limit
  Precision precision = Precision::Vendor;
  bool fix = true;     ///< with Precision::Best: fix what the root bound decides
  bool merge = false;  ///< several problems of an image in one task
};

inline constexpr std::uint8_t kFree = 2;

/// A problem on its way to the machine.
struct PackedQuery {
  /// (m): 0 or 1 where the value is known, kFree where the machine is asked.
  Bits fixed;
  /// Over the free variables; nothing where none is left.
  std::optional<Block> block;
  Means means;
  Loss loss;
  Kept kept;
  double energy_lost =
      0.0;  ///< E of the quantised problem's first optimum above E's own

  [[nodiscard]] int free() const { return block ? block->n : 0; }
};

/// The problems of an image, quantised, and how they are spread over tasks: tasks[t]
/// lists the queries whose blocks follow each other in matrix t.  Not merged, task t is
/// that of query t, and empty if nothing is left to solve.
struct PackedImage {
  qubo::ImageProblem problem;
  std::vector<PackedQuery> queries;
  std::vector<std::vector<int>> tasks;
};

/// Throws InputError, which begins with `where`, if a problem has too many variables.
[[nodiscard]] PackedImage pack(qubo::ImageProblem problem,
                               const PackSettings& settings,
                               const std::string& where);

/// Items of these sizes in bins of `room`, few of them: first fit, the largest first.
/// The bins in order of their first items, items in order.  Every size is at most
/// `room`.
[[nodiscard]] std::vector<std::vector<int>> fill_bins(const std::vector<int>& sizes,
                                                      int room);

/// x of the problem from that of its block.
[[nodiscard]] Bits restored(const Bits& fixed, std::span<const std::uint8_t> block_x);

/// What became of all problems.
struct Tally {
  std::int64_t images = 0;
  std::int64_t problems = 0;
  std::int64_t tasks = 0;
  std::int64_t free_variables = 0;
  std::int64_t spins = 0;  ///< of all tasks
  int spins_max = 0;       ///< of a task
  std::int64_t kept_some = 0;
  std::int64_t kept_first = 0;
  std::int64_t kept_every = 0;
  double energy_lost = 0.0;      ///< of all problems
  double energy_lost_max = 0.0;  ///< of a problem
  double scale_min = 0.0;
  double scale_max = 0.0;
  int coupling_bits_min = 0;
  int coupling_bits_max = 0;
  int field_bits_max = 0;
  std::int64_t couplings = 0;
  std::int64_t couplings_lost = 0;
  double worst_error = 0.0;
  std::int64_t fixed_whole = 0;               ///< problems with nothing left to solve
  std::int64_t clipped = 0;                   ///< that needed cut fields
  std::int64_t searched = 0;                  ///< that needed another scale
  std::array<std::int64_t, 9> auxiliaries{};  ///< by number of auxiliary spins

  void add(const PackedImage& image);
};

}  // namespace oa::cim
