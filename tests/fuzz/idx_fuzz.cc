// Images, labels and other arrays, gzip or not, are read or refused; what is read has
// the size it says.
#include "oa/io/tensor/idx.h"

#include "fuzz/fuzz.h"
#include "oa/io/tensor/idx_array.h"

namespace oa {
namespace {

void check(const Images& images) {
  fuzz::require(images.pixels.size() ==
                static_cast<std::size_t>(images.count) * images.image_size());
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) { check(io::read_idx_images(input)); });
  read_or_refuse(bytes,
                 [](io::Input& input) { check(io::read_idx_pictures(input).images); });
  read_or_refuse(bytes, [](io::Input& input) { (void)io::read_idx_labels(input); });
  for (const int dimensions : {1, 2, 3}) {
    read_or_refuse(bytes, [&](io::Input& input) {
      const io::IdxHeader header = io::read_idx_header(input, dimensions, "an array");
      require(io::read_idx_whole(input, header).size() == header.elements());
    });
    read_or_refuse(bytes, [&](io::Input& input) {
      const io::IdxHeader header = io::read_idx_header(input, dimensions, "an array");
      require(io::read_idx_numbers(input, header).size() == header.elements());
    });
  }
}

}  // namespace oa
