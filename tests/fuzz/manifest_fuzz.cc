// Manifests are read or refused; every task of one that is accepted has an energy.
#include "oa/io/machine/manifest.h"

#include "oa/base/error.h"

#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    const io::Manifest manifest = io::read_manifest(
        io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz"));
    std::vector<int> ones;
    for (const machine::Task& task : manifest.submission.tasks) {
      const std::vector<std::uint8_t> x(static_cast<std::size_t>(task.n), 1);
      if (manifest.submission.find(task.number) == nullptr ||
          std::isnan(machine::task_energy(manifest.submission, task, x, ones))) {
        std::abort();
      }
    }
    for (std::size_t i = 0; i < manifest.submission.images; ++i) {
      (void)manifest.submission.store->image(i);
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
