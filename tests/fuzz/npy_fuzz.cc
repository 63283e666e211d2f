// Accepted arrays, written again, read back equal.
#include "oa/io/tensor/npy.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const auto read = [](std::span<const std::byte> bytes) {
    io::Input input = io::Input::memory(bytes, "fuzz");
    return io::read_npy(input);
  };
  try {
    const io::NpyArray first = read(std::as_bytes(std::span(data, size)));
    const std::string again = test::written([&](io::Output& output) {
      io::write_npy(output, first.dtype, first.shape, first.data.span());
    });
    const io::NpyArray second = read(std::as_bytes(std::span(again)));
    if (first.dtype != second.dtype || first.shape != second.shape ||
        !std::ranges::equal(first.data.span(), second.data.span())) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
