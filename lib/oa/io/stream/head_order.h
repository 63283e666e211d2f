#pragma once

#include "oa/io/tensor/safetensors.h"

#include <cstdint>
#include <string>

namespace oa::io {

/// Where the problems of a frame stand: in this layer of the model, this head of so
/// many that work on the same example.
struct HeadPlace {
  int layer = 0;
  int head = 0;
  int heads = 1;
};

inline constexpr int kMostHeads = 65536;
inline constexpr int kMostLayers = 65536;

/// Reads it from the metadata of a task's frame.  Throws InputError, whose text begins
/// with `where`.
[[nodiscard]] HeadPlace head_place(const Safetensors& frame, const std::string& where);
void put_head_place(const HeadPlace& place, Metadata& metadata);

/// Sees that all heads of an example follow each other, from the first to the last.
class HeadOrder {
 public:
  /// The next frame of a part.  Throws InputError if another one was due.
  void next(const HeadPlace& place, std::int64_t index, const std::string& where);

  /// Nothing of the last example is missing.
  [[nodiscard]] bool whole() const { return last_.head + 1 == last_.heads; }
  /// "example 7 has 2 of its 4 heads"
  [[nodiscard]] std::string lacks() const;

 private:
  HeadPlace last_;
  std::int64_t index_ = 0;
};

}  // namespace oa::io
