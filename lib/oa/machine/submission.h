#pragma once

#include "oa/machine/block.h"
#include "oa/machine/single.h"
#include "oa/qubo/problem.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oa::machine {

/// A problem as submitted to the machine.
struct SubmittedQuery {
  std::int64_t task = -1;  ///< -1: solved without the machine
  int first = 0;           ///< first variable in the task
  int extra = 0;           ///< auxiliary spins, after the variables
  Bits fixed;              ///< see PackedQuery
  TaskMatrix q;
  std::vector<int> copies = {};  ///< see PackedQuery
};

struct SubmittedImage {
  qubo::Problem problem;
  std::vector<SubmittedQuery> queries;
  /// Null for a problem from a stream.
  std::shared_ptr<const Single> single = nullptr;
};

/// A block of a submitted matrix and its key in the store.
struct SubmittedBlock {
  std::uint64_t place = 0;  ///< key of its SubmissionStore
  std::int32_t n = 0;       ///< variables, including extra spins
  std::int32_t first = 0;   ///< first variable in the task
};

/// Stores submissions.  A call may read from a file, to bound memory.  Thread-safe.
class SubmissionStore {
 public:
  SubmissionStore() = default;
  SubmissionStore(const SubmissionStore&) = delete;
  SubmissionStore& operator=(const SubmissionStore&) = delete;
  virtual ~SubmissionStore() = default;

  [[nodiscard]] virtual SubmittedImage image(std::size_t i) const = 0;
  [[nodiscard]] virtual TaskMatrix matrix(const SubmittedBlock& block) const = 0;
};

/// A submitted matrix: blocks of consecutive variables.
struct Task {
  std::int64_t number = 0;
  double offset = 0.0;         ///< returned energy - x'Qx
  std::uint64_t checksum = 0;  ///< of the cells; distinguishes matrices
  /// Bit i is set if Q_ii is an odd multiple of 4; see may_have().
  std::uint64_t odd = 0;
  std::size_t first_block = 0;
  std::int32_t blocks = 0;
  std::int32_t n = 0;  ///< variables; for Ising, spins without the shared one
  bool ising = false;  ///< x holds spins, the shared one last
  bool whole = true;   ///< cells, hence energies, are whole numbers
  bool even = false;   ///< `odd` is valid
};

/// All submitted tasks, sorted by number.
struct Submission {
  std::string name;  ///< prefix of upload files
  std::size_t images = 0;
  std::vector<Task> tasks;
  std::vector<SubmittedBlock> blocks;  ///< blocks of all tasks
  std::shared_ptr<const SubmissionStore> store;

  /// Adds the next image's tasks, whose numbers must exceed all earlier numbers.
  /// places[i] is the key of query i's block.
  void add_image(const SubmittedImage& image,
                 std::span<const std::uint64_t> places,
                 bool ising);
  /// Returns the task with this number, or null.
  [[nodiscard]] const Task* find(std::int64_t number) const;
  [[nodiscard]] std::span<const SubmittedBlock> blocks_of(const Task& task) const {
    return std::span(blocks).subspan(task.first_block,
                                     static_cast<std::size_t>(task.blocks));
  }
};

/// A submission kept in memory.
[[nodiscard]] Submission submission_of(std::vector<SubmittedImage> images, bool ising);

/// Sets `first` of each query in its task.
void place_blocks(SubmittedImage& image);

/// Returns the part of the task's x that belongs to a block, without extra spins.
[[nodiscard]] std::span<const std::uint8_t> block_x(const SubmittedQuery& query,
                                                    std::span<const std::uint8_t> x);

/// Returns x'Qx of block q, at variables from `first` on, for a solution of its task.
/// `ones` is scratch memory.
[[nodiscard]] double block_energy(const TaskMatrix& q,
                                  int first,
                                  std::span<const std::uint8_t> x,
                                  std::vector<int>& ones);

/// Quickly tests whether the task may have a solution of this energy.  If cells off the
/// diagonal are multiples of 8, x'Qx / 4 has the parity of the ones of x in `odd`.
/// Rejects half of the wrong pairs without reading the matrix.
[[nodiscard]] bool may_have(const Task& task,
                            double energy,
                            std::span<const std::uint8_t> x);

/// The energy the machine should return for x; exact for whole numbers.
[[nodiscard]] double task_energy(const Submission& submission,
                                 const Task& task,
                                 std::span<const std::uint8_t> x,
                                 std::vector<int>& ones);

}  // namespace oa::machine
