#include "oa/machine/submission.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace oa::machine {
namespace {

/// Returns the constant -s'Ms - x'Qx, evaluated at x = 0, where x'Qx = 0.
///
/// Then the shared spin is +1 and all other spins are -1,
/// and the constant is 2 sum of fields - 2 sum of couplings, where Q_ij = -8 M_ij,
/// Q_ii = 4 sum over j of M_ij - 4 field_i.
double ising_offset(const TaskMatrix& q) {
  double pairs = 0.0;
  double diagonal = 0.0;
  for (int i = 0; i < q.n; ++i) {
    diagonal += double{q.row(i)[0]};
    for (int k = 1; k < q.n - i; ++k) {
      pairs += double{q.row(i)[k]};
    }
  }
  const double couplings = -pairs / 8.0;
  const double fields = 2.0 * couplings - diagonal / 4.0;
  return 2.0 * fields - 2.0 * couplings;
}

/// Extends an FNV-1a checksum by the cells of q.
std::uint64_t extend(std::uint64_t sum, const TaskMatrix& q) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const float cell : q.cells) {
    sum = (sum ^ std::bit_cast<std::uint32_t>(cell)) * kPrime;
  }
  return (sum ^ static_cast<std::uint64_t>(q.n)) * kPrime;
}

bool is_whole(const TaskMatrix& q) {
  return std::ranges::all_of(q.cells,
                             [](float cell) { return cell == std::nearbyint(cell); });
}

/// True for a single matrix of at most 64 variables whose diagonal has multiples of 4,
/// and whose other cells are multiples of 8: Task::odd is defined for such a matrix.
bool is_even(const TaskMatrix& q) {
  if (q.n > 64) {
    return false;
  }
  const auto divides = [](float by, float cell) { return std::fmod(cell, by) == 0.0F; };
  for (int i = 0; i < q.n; ++i) {
    const float* row = q.row(i);
    if (!divides(4.0F, row[0]) || !std::all_of(row + 1, row + q.n - i, [&](float c) {
          return divides(8.0F, c);
        })) {
      return false;
    }
  }
  return true;
}

std::uint64_t odd_of(const TaskMatrix& q) {
  std::uint64_t odd = 0;
  for (int i = 0; i < q.n; ++i) {
    odd |= std::uint64_t{std::fmod(q.row(i)[0], 8.0F) != 0.0F} << i;
  }
  return odd;
}

/// The key of a block: its image and query.
std::uint64_t place_of(std::size_t image, std::size_t query) {
  return std::uint64_t{image} << 32U | query;
}

class InMemory : public SubmissionStore {
 public:
  explicit InMemory(std::vector<SubmittedImage> images) : images_(std::move(images)) {}

  [[nodiscard]] SubmittedImage image(std::size_t i) const override {
    return images_[i];
  }
  [[nodiscard]] TaskMatrix matrix(const SubmittedBlock& block) const override {
    constexpr std::uint64_t kQuery = 0xffffffff;
    return images_[block.place >> 32U].queries[block.place & kQuery].q;
  }

 private:
  std::vector<SubmittedImage> images_;
};

}  // namespace

void Submission::add_image(const SubmittedImage& image,
                           std::span<const std::uint64_t> places,
                           bool ising) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < image.queries.size(); ++i) {
    if (image.queries[i].task >= 0) {
      order.push_back(i);
    }
  }
  const auto number_of = [&](std::size_t i) { return image.queries[i].task; };
  std::ranges::stable_sort(order, {}, number_of);
  for (const std::size_t i : order) {
    const SubmittedQuery& query = image.queries[i];
    if (tasks.empty() || tasks.back().number != query.task) {
      Task& task = tasks.emplace_back();
      task.number = query.task;
      task.first_block = blocks.size();
      task.ising = ising;
    }
    Task& task = tasks.back();
    blocks.push_back({places[i], query.q.n, query.first});
    ++task.blocks;
    task.n += query.q.n;
    task.offset += ising ? ising_offset(query.q) : 0.0;
    task.whole = task.whole && is_whole(query.q);
    task.checksum = extend(task.checksum, query.q);
    task.even = task.blocks == 1 && is_even(query.q);
    task.odd = task.even ? odd_of(query.q) : 0;
  }
  ++images;
}

Submission submission_of(std::vector<SubmittedImage> images, bool ising) {
  Submission submission;
  for (std::size_t i = 0; i < images.size(); ++i) {
    place_blocks(images[i]);
    std::vector<std::uint64_t> places;
    for (std::size_t k = 0; k < images[i].queries.size(); ++k) {
      places.push_back(place_of(i, k));
    }
    submission.add_image(images[i], places, ising);
  }
  submission.store = std::make_shared<InMemory>(std::move(images));
  return submission;
}

void place_blocks(SubmittedImage& image) {
  std::unordered_map<std::int64_t, int> filled;
  for (SubmittedQuery& query : image.queries) {
    if (query.task >= 0) {
      query.first = std::exchange(filled[query.task], filled[query.task] + query.q.n);
    }
  }
}

const Task* Submission::find(std::int64_t number) const {
  const auto place = std::ranges::lower_bound(tasks, number, {}, &Task::number);
  return place != tasks.end() && place->number == number ? &*place : nullptr;
}

std::span<const std::uint8_t> block_x(const SubmittedQuery& query,
                                      std::span<const std::uint8_t> x) {
  return x.subspan(static_cast<std::size_t>(query.first),
                   static_cast<std::size_t>(query.q.n - query.extra));
}

double block_energy(const TaskMatrix& q,
                    int first,
                    std::span<const std::uint8_t> x,
                    std::vector<int>& ones) {
  ones.clear();
  for (int i = 0; i < q.n; ++i) {
    if (x[static_cast<std::size_t>(first + i)] != 0) {
      ones.push_back(i);
    }
  }
  return q.energy(ones);
}

bool may_have(const Task& task, double energy, std::span<const std::uint8_t> x) {
  if (!task.even) {
    return true;
  }
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ones |= std::uint64_t{x[i] != 0} << i;
  }
  const bool odd = std::popcount(ones & task.odd) % 2 != 0;
  return std::abs(std::fmod(energy - task.offset, 8.0)) == (odd ? 4.0 : 0.0);
}

double task_energy(const Submission& submission,
                   const Task& task,
                   std::span<const std::uint8_t> x,
                   std::vector<int>& ones) {
  double sum = task.offset;
  for (const SubmittedBlock& block : submission.blocks_of(task)) {
    sum += block_energy(submission.store->matrix(block), block.first, x, ones);
  }
  return sum;
}

}  // namespace oa::machine
