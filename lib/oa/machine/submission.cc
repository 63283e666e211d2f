#include "oa/machine/submission.h"

#include <algorithm>
#include <cmath>

namespace oa::machine {
namespace {

/// The constant -s'Ms - x'Qx: it is -s'Ms at x = 0, where x'Qx = 0.
///
/// There all variables are -1 and the shared spin +1, so it is 2 sum of fields - 2 sum
/// of couplings; and Q_ij = -8 M_ij, Q_ii = 4 sum over j of M_ij - 4 field_i.
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

}  // namespace

void Submission::index_tasks(bool ising) {
  tasks.clear();
  for (SubmittedImage& image : images) {
    for (SubmittedQuery& query : image.queries) {
      if (query.task < 0) {
        continue;
      }
      // Numbers rise from image to image; within one they may not.
      auto place = std::ranges::lower_bound(tasks, query.task, {}, &Task::number);
      if (place == tasks.end() || place->number != query.task) {
        Task task;
        task.number = query.task;
        task.ising = ising;
        place = tasks.insert(place, std::move(task));
      }
      query.first = place->n;
      place->n += query.q.n;
      place->offset += ising ? ising_offset(query.q) : 0.0;
      place->whole = place->whole && std::ranges::all_of(query.q.cells, [](float cell) {
                       return cell == std::nearbyint(cell);
                     });
      place->blocks.push_back(&query);
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

double block_energy(const SubmittedQuery& query,
                    std::span<const std::uint8_t> x,
                    std::vector<int>& ones) {
  ones.clear();
  for (int i = 0; i < query.q.n; ++i) {
    if (x[static_cast<std::size_t>(query.first + i)] != 0) {
      ones.push_back(i);
    }
  }
  return query.q.energy(ones);
}

double task_energy(const Task& task,
                   std::span<const std::uint8_t> x,
                   std::vector<int>& ones) {
  double sum = task.offset;
  for (const SubmittedQuery* block : task.blocks) {
    sum += block_energy(*block, x, ones);
  }
  return sum;
}

}  // namespace oa::machine
