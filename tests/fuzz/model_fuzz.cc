// Models and checkpoints are read or refused; a model that is accepted, written again,
// reads back equal, and classifies an image.
#include "oa/base/error.h"
#include "oa/io/tensor/checkpoint_io.h"
#include "oa/io/tensor/model_io.h"
#include "oa/train/state.h"
#include "oa_test.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace oa;

io::Safetensors read(std::span<const std::byte> bytes) {
  io::Input input = io::Input::memory(bytes, "fuzz");
  return io::read_safetensors_file(input);
}

void check_model(const io::Safetensors& file) {
  const model::Model first = io::read_model(file, "fuzz");
  const std::string text =
      test::written([&](io::Output& output) { io::write_model(output, first); });
  const model::Model second = io::read_model(read(test::bytes_of(text)), "again");
  const std::string again =
      test::written([&](io::Output& output) { io::write_model(output, second); });
  if (first.config != second.config || text != again) {
    std::abort();
  }
}

void check_checkpoint(io::Safetensors file) {
  const model::Config config = io::read_config(file, "fuzz");
  const parts::Layout layout = model::Architecture(config).layout;
  if (layout.size() > 1'000'000) {
    return;  // a training has this memory five times
  }
  const io::Checkpoint checkpoint{std::move(file), "fuzz"};
  train::State state(layout);
  train::restore(checkpoint.metadata(), "fuzz", state);
  train::each_values(state, [&](const char* name, parts::Values& values) {
    values = checkpoint.set(name, layout);
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool model : {true, false}) {
    try {
      io::Safetensors file = read(std::as_bytes(std::span(data, size)));
      if (model) {
        check_model(file);
      } else {
        check_checkpoint(std::move(file));
      }
    } catch (const InputError&) {
      // Refusal is the other right answer.
    }
  }
  return 0;
}
