#pragma once

#include "oa/io/tensor/model_io.h"

#include <map>
#include <string>

namespace oa::io {

/// Checkpoints, oa-model(5): metadata, and sets of values with one layout, whose
/// tensors are named "<set>.<tensor>".

/// Writes a checkpoint, which replaces an earlier one only when it is complete.
void write_checkpoint(const std::string& path,
                      const parts::Layout& layout,
                      const std::map<std::string, const parts::Values*>& sets,
                      const Metadata& metadata);

/// The content of a checkpoint.
struct Checkpoint {
  Safetensors file;
  std::string where;

  [[nodiscard]] const Metadata& metadata() const { return file.metadata; }
  /// The set `name`.  Throws InputError if it is missing or has another layout.
  [[nodiscard]] parts::Values set(const std::string& name,
                                  const parts::Layout& layout) const;
};

[[nodiscard]] Checkpoint read_checkpoint(const std::string& path);

/// Reads the file at `path`; true if it is a complete checkpoint.
[[nodiscard]] bool is_checkpoint(const std::string& path);

}  // namespace oa::io
