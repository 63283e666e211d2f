#pragma once

#include "oa/io/stream/stream.h"
#include "oa/machine/single.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace oa::io {

/// The user's single problem as tensors of a manifest's frame,
/// without rounding: oa-cim(5), MANIFEST.
class SingleTensors {
 public:
  /// Keeps a reference.
  explicit SingleTensors(const machine::Single& single);

  [[nodiscard]] Metadata metadata() const;
  /// The tensors, which view this object.
  [[nodiscard]] std::vector<TensorView> tensors() const;

 private:
  const machine::Single& single_;
  std::vector<std::int32_t> pairs_;  // two indices for each weight
  std::vector<double> weights_;
};

/// Reads the single problem of a frame, whose problem has `variables` variables; null
/// if the frame has no single problem.  Throws InputError.
[[nodiscard]] std::shared_ptr<const machine::Single> read_single(const Frame& frame,
                                                                 int variables);

}  // namespace oa::io
