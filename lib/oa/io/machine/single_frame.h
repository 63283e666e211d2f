#pragma once

#include "oa/io/stream/stream.h"
#include "oa/machine/single.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace oa::io {

/// A single problem in a frame of a manifest, oa-cim(5), MANIFEST: the user's function,
/// number by number.
class SingleTensors {
 public:
  /// Keeps a reference.
  explicit SingleTensors(const machine::Single& single);

  [[nodiscard]] Metadata metadata() const;
  /// They view this object.
  [[nodiscard]] std::vector<TensorView> tensors() const;

 private:
  const machine::Single& single_;
  std::vector<std::int32_t> pairs_;  // two for each weight
  std::vector<double> weights_;
};

/// The single problem of a frame whose problem has `variables`, or null if it has none.
/// Throws InputError.
[[nodiscard]] std::shared_ptr<const machine::Single> read_single(const Frame& frame,
                                                                 int variables);

}  // namespace oa::io
