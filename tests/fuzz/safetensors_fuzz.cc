// Accepted input, written again, reads back equal.
#include "oa/io/tensor/safetensors.h"

#include "fuzz/fuzz.h"
#include "oa_test.h"

#include <algorithm>

namespace oa {

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) {
    const io::Safetensors first = io::read_safetensors_file(input);
    const std::string again = test::written([&](io::Output& output) {
      io::write_safetensors(output, first.metadata, first.tensors());
    });
    const io::Safetensors second =
        read_from(test::bytes_of(again), io::read_safetensors_file);
    require(first.metadata == second.metadata);
    require(first.tensors().size() == second.tensors().size());
    for (const io::TensorView& t : first.tensors()) {
      const io::TensorView* same = second.find(t.name);
      require(same != nullptr && same->dtype == t.dtype && same->shape == t.shape);
      require(std::ranges::equal(same->bytes, t.bytes));
    }
  });
}

}  // namespace oa
