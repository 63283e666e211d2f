#pragma once

#include "oa/io/tensor/safetensors.h"
#include "oa/model/network.h"

#include <string>

namespace oa::io {

/// Model files, oa-model(5).

/// The model in a safetensors file or in the head of a stream.  Without "oa.attention"
/// in the metadata it is a checkpoint of the reference, and its configuration is
/// inferred.  Throws InputError, which names `where`, if a tensor is missing, has
/// another shape or is not finite.  Ignores other tensors.
[[nodiscard]] model::Model read_model(const Safetensors& file,
                                      const std::string& where);

/// The values of the tensors of `layout` in `file`, in any order.  Throws as
/// read_model().  The layout of a model::Readout reads the head of a stream.
[[nodiscard]] parts::Values read_values(const Safetensors& file,
                                        const parts::Layout& layout,
                                        const std::string& where);

/// The configuration in the metadata, or inferred.  Throws InputError.
[[nodiscard]] model::Config read_config(const Safetensors& file,
                                        const std::string& where);

/// Opens and reads the model file at `path`.
[[nodiscard]] model::Model read_model_file(const std::string& path);

/// `metadata` is written beside the configuration: provenance, training.
void write_model(Output& output, const model::Model& model, Metadata metadata = {});

/// Tensors to be written and their memory.
struct PackedTensors {
  std::vector<std::vector<float>> data;
  std::vector<TensorView> views;
};

/// Copies the tensors of `layout` without padding.  `values` may be those of a larger
/// model whose tensors are in `all`; tensors are found by name.
[[nodiscard]] PackedTensors pack(const parts::Layout& layout,
                                 const parts::Layout& all,
                                 const parts::Values& values);

}  // namespace oa::io
