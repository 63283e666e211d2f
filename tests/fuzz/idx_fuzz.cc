// Images, labels and other arrays, gzip or not, are read or refused; what is read has
// the size it says.
#include "oa/io/tensor/idx.h"

#include "oa/base/error.h"
#include "oa/io/tensor/idx_array.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// `read` refuses the bytes, or its result has the size that it states.
void read_or_refuse(const std::uint8_t* data, std::size_t size, auto read) {
  using namespace oa;
  try {
    io::Input input = io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
    if (!read(input)) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const auto whole = [](const Images& images) {
    return images.pixels.size() ==
           static_cast<std::size_t>(images.count) * images.image_size();
  };
  read_or_refuse(
      data, size, [&](io::Input& input) { return whole(io::read_idx_images(input)); });
  read_or_refuse(data, size, [&](io::Input& input) {
    return whole(io::read_idx_pictures(input).images);
  });
  read_or_refuse(data, size, [](io::Input& input) {
    [[maybe_unused]] const auto labels = io::read_idx_labels(input);
    return true;
  });
  for (const int dimensions : {1, 2, 3}) {
    read_or_refuse(data, size, [&](io::Input& input) {
      const io::IdxHeader header = io::read_idx_header(input, dimensions, "an array");
      return io::read_idx_whole(input, header).size() == header.elements();
    });
    read_or_refuse(data, size, [&](io::Input& input) {
      const io::IdxHeader header = io::read_idx_header(input, dimensions, "an array");
      return io::read_idx_numbers(input, header).size() == header.elements();
    });
  }
  return 0;
}
