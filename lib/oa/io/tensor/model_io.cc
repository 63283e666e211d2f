#include "oa/io/tensor/model_io.h"

#include "oa/base/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::io {
model::Config read_config(const Safetensors& file, const std::string& where) {
  if (file.metadata.contains("oa.attention")) {
    return model::parse_config(file.metadata, where);
  }
  model::Shapes shapes;
  for (const TensorView& tensor : file.tensors()) {
    shapes[tensor.name] = tensor.shape;
  }
  return model::infer_config(shapes, where);
}

parts::Values read_values(const Safetensors& file,
                          const parts::Layout& layout,
                          const std::string& where) {
  parts::Values all(layout);
  for (int k = 0; k < static_cast<int>(std::ssize(layout.tensors())); ++k) {
    const parts::Tensor& tensor = layout[k];
    const auto values = file.get<float>(tensor.name, tensor.shape, where);
    if (!std::ranges::all_of(values, [](float v) { return std::isfinite(v); })) {
      throw InputError(where + ": tensor " + tensor.name + " is not finite");
    }
    const num::View to = all.matrix(k);
    for (int i = 0; i < tensor.used_rows; ++i) {
      std::copy_n(
          values.data() + static_cast<std::ptrdiff_t>(i) * to.cols, to.cols, to.row(i));
    }
  }
  return all;
}

model::Model read_model(const Safetensors& file, const std::string& where) {
  if (file.metadata.contains("oa.state.step")) {
    throw InputError(where +
                     ": a checkpoint (expected a model, which oa-train --resume "
                     "CHECKPOINT --epochs 0 writes)");
  }
  model::Model model(read_config(file, where));
  model.values = read_values(file, model.layout, where);
  return model;
}

model::Model read_model_file(const std::string& path) {
  Input input = Input::open(path);
  return read_model(read_safetensors_file(input), path);
}

PackedTensors pack(const parts::Layout& layout,
                   const parts::Layout& all,
                   const parts::Values& values) {
  PackedTensors packed;
  for (const parts::Tensor& tensor : layout.tensors()) {
    const auto same =
        std::ranges::find(all.tensors(), tensor.name, &parts::Tensor::name);
    assert(same != all.tensors().end() && same->shape == tensor.shape);
    const num::ConstView from =
        values.matrix(static_cast<int>(same - all.tensors().begin()));
    std::vector<float>& data = packed.data.emplace_back();
    for (int i = 0; i < from.rows; ++i) {
      data.insert(data.end(), from.row(i), from.row(i) + from.cols);
    }
    packed.views.push_back(TensorView::of<float>(tensor.name, tensor.shape, data));
  }
  return packed;
}

void write_model(Output& output, const model::Model& model, Metadata metadata) {
  metadata.merge(model::describe(model.config));
  PackedTensors packed = pack(model.layout, model.layout, model.values);
  write_safetensors(output, metadata, std::move(packed.views));
}

}  // namespace oa::io
