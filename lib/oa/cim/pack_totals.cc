#include "oa/cim/pack_totals.h"

#include <algorithm>
#include <cstddef>

namespace oa::cim {

void PackTotals::count_image(const machine::PackedImage& image) {
  const bool first = images++ == 0;
  const auto smaller = [](auto& least, auto value, bool begin) {
    least = begin ? value : std::min(least, value);
  };
  bool none = first || scale_max == 0.0;
  for (const machine::PackedQuery& q : image.queries) {
    ++problems;
    free_variables += q.free();
    unchecked += q.kept.known ? 0 : 1;
    kept_some += q.kept.some ? 1 : 0;
    kept_first += q.kept.first ? 1 : 0;
    kept_every += q.kept.every ? 1 : 0;
    energy_lost += q.energy_lost;
    energy_lost_max = std::max(energy_lost_max, q.energy_lost);
    if (!q.block) {
      ++fixed_whole;
      continue;
    }
    smaller(scale_min, q.loss.scale, none);
    smaller(coupling_bits_min, q.loss.coupling_bits, none);
    none = false;
    scale_max = std::max(scale_max, q.loss.scale);
    coupling_bits_max = std::max(coupling_bits_max, q.loss.coupling_bits);
    field_bits_max = std::max(field_bits_max, q.loss.field_bits);
    couplings += q.loss.couplings;
    couplings_lost += q.loss.couplings_lost;
    worst_error = std::max(worst_error, q.loss.worst_error);
    whole += q.effort.whole ? 1 : 0;
    clipped += q.effort.clipped ? 1 : 0;
    searched += q.effort.searched ? 1 : 0;
    ++auxiliaries[std::min<std::size_t>(static_cast<std::size_t>(q.effort.auxiliaries),
                                        auxiliaries.size() - 1)];
    split += q.copies.empty() ? 0 : 1;
    copies += q.block->n - q.free();
  }
  for (const std::vector<int>& task : image.tasks) {
    int size = 1;
    for (const int i : task) {
      size += image.queries[static_cast<std::size_t>(i)].block->size();
    }
    if (!task.empty()) {
      ++tasks;
      spins += size;
      spins_max = std::max(spins_max, size);
    }
  }
}

}  // namespace oa::cim
