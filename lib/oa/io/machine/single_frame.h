#pragma once

#include "oa/io/stream/stream.h"
#include "oa/machine/single.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace oa::io {

/// What a frame of a manifest says of a single problem, oa-cim(5), MANIFEST: the
/// function that its user has, number by number.
class SingleTensors {
 public:
  /// Keeps a reference.
  explicit SingleTensors(const machine::Single& single);

  [[nodiscard]] Metadata metadata() const;
  /// They belong to this object.
  [[nodiscard]] std::vector<TensorView> tensors() const;

 private:
  const machine::Single& single_;
  std::vector<std::int32_t> pairs_;  // two for each weight
  std::vector<double> weights_;
};

/// The single problem of a frame whose problem has `variables`, or null if the frame
/// has none.  Throws InputError.
[[nodiscard]] std::shared_ptr<const machine::Single> read_single(const Frame& frame,
                                                                 int variables);

}  // namespace oa::io
