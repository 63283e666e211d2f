#pragma once

#include "oa/io/tensor/safetensors.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <string>

namespace oa::io {

inline constexpr int kMaxHeads = 65536;
inline constexpr int kMaxLayers = 65536;

/// Reads example, layer and head from the metadata of a task's frame.
/// Throws InputError, whose message begins with `where`.
[[nodiscard]] qubo::Place head_place(const Safetensors& frame,
                                     const std::string& where);
void put_head_place(const qubo::Place& place, Metadata& metadata);

/// Checks that the heads of an example come in order from first to last.
class HeadOrder {
 public:
  /// Takes the next frame of a part.  Throws InputError if the frame is out of order.
  void next(const qubo::Place& place, std::int64_t index, const std::string& where);

  /// True if the last example has all its heads.
  [[nodiscard]] bool whole() const { return last_.head + 1 == last_.heads; }
  /// "example 7 has 2 of its 4 heads".
  [[nodiscard]] std::string lacks() const;

 private:
  qubo::Place last_;
  std::int64_t index_ = 0;
};

}  // namespace oa::io
