// Accepted input, written again, reads back equal.
#include "oa/io/tensor/safetensors.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const auto read = [](std::span<const std::byte> bytes) {
    io::Input input = io::Input::memory(bytes, "fuzz");
    return io::read_safetensors_file(input);
  };
  try {
    const io::Safetensors first = read(std::as_bytes(std::span(data, size)));
    const std::string again = test::written([&](io::Output& output) {
      io::write_safetensors(output, first.metadata, first.tensors());
    });
    const io::Safetensors second = read(std::as_bytes(std::span(again)));
    if (first.metadata != second.metadata ||
        first.tensors().size() != second.tensors().size()) {
      std::abort();
    }
    for (const io::TensorView& t : first.tensors()) {
      const io::TensorView* same = second.find(t.name);
      if (same == nullptr || same->dtype != t.dtype || same->shape != t.shape ||
          !std::ranges::equal(same->bytes, t.bytes)) {
        std::abort();
      }
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
