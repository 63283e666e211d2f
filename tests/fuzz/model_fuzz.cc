// Models and checkpoints are read or refused; a model that is accepted, written again,
// reads back equal, and classifies an image.
#include "fuzz/fuzz.h"
#include "oa/io/tensor/checkpoint_io.h"
#include "oa/io/tensor/model_io.h"
#include "oa/train/state.h"
#include "oa_test.h"

namespace oa {
namespace {

void check_model(const io::Safetensors& file) {
  const model::Model first = io::read_model(file, "fuzz");
  const std::string text =
      test::written([&](io::Output& output) { io::write_model(output, first); });
  const io::Safetensors read =
      fuzz::read_from(test::bytes_of(text), io::read_safetensors_file);
  const model::Model second = io::read_model(read, "again");
  const std::string again =
      test::written([&](io::Output& output) { io::write_model(output, second); });
  fuzz::require(first.config == second.config && text == again);
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

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(
      bytes, [](io::Input& input) { check_model(io::read_safetensors_file(input)); });
  read_or_refuse(bytes, [](io::Input& input) {
    check_checkpoint(io::read_safetensors_file(input));
  });
}

}  // namespace oa
