// Manifests are read or refused; every task of one that is accepted has an energy.
#include "oa/io/machine/manifest.h"

#include "fuzz/fuzz.h"

#include <cmath>

namespace oa {

void fuzz::one_input(Bytes bytes) {
  or_refuse([&] {
    const io::Manifest manifest = io::read_manifest(io::Input::memory(bytes, "fuzz"));
    const machine::Submission& all = manifest.submission;
    std::vector<int> ones;
    for (const machine::Task& task : all.tasks) {
      const std::vector<std::uint8_t> x(static_cast<std::size_t>(task.n), 1);
      require(all.find(task.number) != nullptr);
      require(!std::isnan(machine::task_energy(all, task, x, ones)));
    }
    for (std::size_t i = 0; i < all.images; ++i) {
      (void)all.store->image(i);
    }
  });
}

}  // namespace oa
