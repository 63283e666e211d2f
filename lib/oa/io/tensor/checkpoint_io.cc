#include "oa/io/tensor/checkpoint_io.h"

#include "oa/base/error.h"
#include "oa/io/bytes/kept_inputs.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace oa::io {

void write_checkpoint(const std::string& path,
                      const parts::Layout& layout,
                      const std::map<std::string, const parts::Values*>& sets,
                      const Metadata& metadata) {
  std::vector<PackedTensors> packed;
  std::vector<TensorView> views;
  for (const auto& [name, values] : sets) {
    packed.push_back(pack(layout, layout, *values));
    for (TensorView& view : packed.back().views) {
      view.name = name + "." + view.name;
      views.push_back(view);
    }
  }
  Output output(path);
  write_safetensors(output, metadata, std::move(views));
  output.commit();
}

parts::Values Checkpoint::set(const std::string& name,
                              const parts::Layout& layout) const {
  parts::Values all(layout);
  for (int k = 0; k < static_cast<int>(std::ssize(layout.tensors())); ++k) {
    const parts::Tensor& tensor = layout[k];
    const auto values = file.get<float>(name + "." + tensor.name, tensor.shape, where);
    const num::View to = all.matrix(k);
    for (int i = 0; i < to.rows; ++i) {
      std::copy_n(
          values.data() + static_cast<std::ptrdiff_t>(i) * to.cols, to.cols, to.row(i));
    }
  }
  return all;
}

Checkpoint read_checkpoint(const std::string& path) {
  Input input = Input::open(path);
  KeptInputs::forget_reading(path);  // so that the training can replace it
  Checkpoint checkpoint{read_safetensors_file(input), path};
  if (!checkpoint.metadata().contains("oa.state.step")) {
    throw InputError(path +
                     ": not a checkpoint (expected what oa-train --checkpoint writes; "
                     "--init begins with a model)");
  }
  return checkpoint;
}

bool is_checkpoint(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return false;
  }
  try {
    (void)read_checkpoint(path);
    return true;
  } catch (const InputError&) {
    return false;  // not a checkpoint, or an incomplete one
  }
}

}  // namespace oa::io
