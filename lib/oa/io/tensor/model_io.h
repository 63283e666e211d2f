#pragma once

#include "oa/io/tensor/safetensors.h"
#include "oa/model/network.h"

#include <string>

namespace oa::io {

/// Model files, oa-model(5).

/// Reads the model of a safetensors file or of a stream's head.
/// A file without "oa.attention" in the metadata is a checkpoint of the reference,
/// whose configuration is inferred.  Throws InputError, which names `where`,
/// if a tensor is missing, has another shape or is not finite.  Ignores other tensors.
[[nodiscard]] model::Model read_model(const Safetensors& file,
                                      const std::string& where);

/// Reads the tensors of `layout` from `file`, in any order.  Throws as read_model()
/// does.  With the layout of a model::Readout it reads a stream's head.
[[nodiscard]] parts::Values read_values(const Safetensors& file,
                                        const parts::Layout& layout,
                                        const std::string& where);

/// Reads or infers the configuration.  Throws InputError.
[[nodiscard]] model::Config read_config(const Safetensors& file,
                                        const std::string& where);

/// Opens and reads the model file at `path`.
[[nodiscard]] model::Model read_model_file(const std::string& path);

/// Writes a model; `metadata` comes beside the configuration: provenance, training.
void write_model(Output& output, const model::Model& model, Metadata metadata = {});

/// Tensors to write, and the memory that they view.
struct PackedTensors {
  std::vector<std::vector<float>> data;
  std::vector<TensorView> views;
};

/// Copies the tensors of `layout` without padding.  `values` has the layout `all`,
/// which may be that of a larger model; tensors are found by name.
[[nodiscard]] PackedTensors pack(const parts::Layout& layout,
                                 const parts::Layout& all,
                                 const parts::Values& values);

}  // namespace oa::io
