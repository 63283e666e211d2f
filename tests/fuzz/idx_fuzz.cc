// Images and labels, gzip or not, are read or refused; what is read has the size it
// says.
#include "oa/io/tensor/idx.h"

#include "oa/base/error.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    io::Input input = io::Input::memory(bytes, "fuzz");
    const Images images = io::read_idx_images(input);
    if (images.pixels.size() !=
        static_cast<std::size_t>(images.count) * images.image_size()) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  try {
    io::Input input = io::Input::memory(bytes, "fuzz");
    [[maybe_unused]] const auto labels = io::read_idx_labels(input);
  } catch (const InputError&) {
    // As above.
  }
  return 0;
}
