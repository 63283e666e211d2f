// Accepted arrays, written again, read back equal.
#include "oa/io/tensor/npy.h"

#include "fuzz/fuzz.h"
#include "oa_test.h"

#include <algorithm>

namespace oa {

void fuzz::one_input(Bytes bytes) {
  const auto read = [](io::Input& input) { return io::read_npy(input); };
  read_or_refuse(bytes, [&](io::Input& input) {
    const io::NpyArray first = read(input);
    const std::string again = test::written([&](io::Output& output) {
      io::write_npy(output, first.dtype, first.shape, first.data.span());
    });
    const io::NpyArray second = read_from(test::bytes_of(again), read);
    require(first.dtype == second.dtype && first.shape == second.shape);
    require(std::ranges::equal(first.data.span(), second.data.span()));
  });
}

}  // namespace oa
