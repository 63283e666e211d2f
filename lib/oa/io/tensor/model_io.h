#pragma once

#include "oa/io/tensor/safetensors.h"
#include "oa/model/network.h"

#include <string>

namespace oa::io {

/// Model files, oa-model(5).

/// The model in a safetensors file or in the head of a stream.  Without "oa.attention"
/// in the metadata it is a checkpoint of the reference and its configuration is
/// inferred.  Throws InputError, which names `where`, if a tensor is missing, of
/// another shape or not finite; further tensors are not looked at.
[[nodiscard]] model::Model read_model(const Safetensors& file,
                                      const std::string& where);

/// The values of the tensors of `layout`, wherever they stand in `file`.  Throws as
/// read_model().  With the layout of a model::Readout: what the head of a stream holds.
[[nodiscard]] parts::Values read_values(const Safetensors& file,
                                        const parts::Layout& layout,
                                        const std::string& where);

/// The configuration in the metadata, or else inferred.  Throws InputError.
[[nodiscard]] model::Config read_config(const Safetensors& file,
                                        const std::string& where);

/// Opens and reads the model file at `path`.
[[nodiscard]] model::Model read_model_file(const std::string& path);

/// `metadata` is what is said beside the configuration: provenance, training.
void write_model(Output& output, const model::Model& model, Metadata metadata = {});

/// Tensors to be written, and the memory they stand in.
struct PackedTensors {
  std::vector<std::vector<float>> data;
  std::vector<TensorView> views;
};

/// The tensors of `layout` without the padding that they have in memory; `values` may
/// be those of a larger model whose tensors `all` lists, found by name.
[[nodiscard]] PackedTensors pack(const parts::Layout& layout,
                                 const parts::Layout& all,
                                 const parts::Values& values);

}  // namespace oa::io
