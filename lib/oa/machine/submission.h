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

/// A problem as it was submitted.
struct SubmittedQuery {
  std::int64_t task = -1;  ///< -1: nothing was left to solve
  int first = 0;           ///< its first variable in the task
  int extra = 0;           ///< auxiliary spins among its variables, the last ones
  Bits fixed;              ///< see PackedQuery
  TaskMatrix q;
};

struct SubmittedImage {
  qubo::Problem problem;
  std::vector<SubmittedQuery> queries;
  /// Where it is not a problem of a stream.
  std::shared_ptr<const Single> single = nullptr;
};

/// A block of a submitted matrix, and where it is kept.
struct SubmittedBlock {
  std::uint64_t place = 0;  ///< by which its store finds it
  std::int32_t n = 0;       ///< variables, extra spins among them
  std::int32_t first = 0;   ///< its first variable in the task
};

/// Keeps what was submitted.  Each call may read it anew, so that the memory of large
/// submissions does not grow with them.  Any thread may call.
class SubmissionStore {
 public:
  SubmissionStore() = default;
  SubmissionStore(const SubmissionStore&) = delete;
  SubmissionStore& operator=(const SubmissionStore&) = delete;
  virtual ~SubmissionStore() = default;

  [[nodiscard]] virtual SubmittedImage image(std::size_t i) const = 0;
  [[nodiscard]] virtual TaskMatrix matrix(const SubmittedBlock& block) const = 0;
};

/// A matrix that was submitted: blocks of variables that follow each other.
struct Task {
  std::int64_t number = 0;
  double offset = 0.0;         ///< returned energies less x'Qx
  std::uint64_t checksum = 0;  ///< of its cells: where it differs, matrices do
  /// Bit i: whether Q_ii is an odd multiple of 4; see may_have().
  std::uint64_t odd = 0;
  std::size_t first_block = 0;
  std::int32_t blocks = 0;
  std::int32_t n = 0;  ///< variables; or spins without the shared one
  bool ising = false;  ///< energies and solutions are those of spins, the shared last
  bool whole = true;   ///< its cells are whole numbers, so its energies are, too
  bool even = false;   ///< `odd` is known
};

/// All that was submitted, in the order of task numbers.
struct Submission {
  std::string name;  ///< of its uploads
  std::size_t images = 0;
  std::vector<Task> tasks;
  std::vector<SubmittedBlock> blocks;  ///< of all tasks
  std::shared_ptr<const SubmissionStore> store;

  /// Adds the tasks of the next image, whose numbers must be above those before.
  /// `places[i]` is where the store has the block of query i.
  void add_image(const SubmittedImage& image,
                 std::span<const std::uint64_t> places,
                 bool ising);
  /// The task of that number, or null.
  [[nodiscard]] const Task* find(std::int64_t number) const;
  [[nodiscard]] std::span<const SubmittedBlock> blocks_of(const Task& task) const {
    return std::span(blocks).subspan(task.first_block,
                                     static_cast<std::size_t>(task.blocks));
  }
};

/// A submission that is kept in memory.
[[nodiscard]] Submission submission_of(std::vector<SubmittedImage> images, bool ising);

/// Sets the first variable of each query in its task.
void place_blocks(SubmittedImage& image);

/// The x of a block, without its extra spins, from the x of its task.
[[nodiscard]] std::span<const std::uint8_t> block_x(const SubmittedQuery& query,
                                                    std::span<const std::uint8_t> x);

/// x'Qx of the block q that begins at variable `first` of its task, in a solution of
/// that.  `ones` is scratch.
[[nodiscard]] double block_energy(const TaskMatrix& q,
                                  int first,
                                  std::span<const std::uint8_t> x,
                                  std::vector<int>& ones);

/// Whether a solution of this energy may be one of the task, at a glance: where other
/// cells are multiples of 8, x'Qx / 4 is as odd as the number of ones of x in `odd`.
/// Refutes half of what is wrong, without the matrix.
[[nodiscard]] bool may_have(const Task& task,
                            double energy,
                            std::span<const std::uint8_t> x);

/// The energy that a machine should return for x: exact for whole numbers.
[[nodiscard]] double task_energy(const Submission& submission,
                                 const Task& task,
                                 std::span<const std::uint8_t> x,
                                 std::vector<int>& ones);

}  // namespace oa::machine
