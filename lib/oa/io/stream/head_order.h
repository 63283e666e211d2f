#pragma once

#include "oa/io/tensor/safetensors.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <string>

namespace oa::io {

inline constexpr int kMostHeads = 65536;
inline constexpr int kMostLayers = 65536;

/// Reads it from the metadata of a task's frame.  Throws InputError, whose text begins
/// with `where`.
[[nodiscard]] qubo::Place head_place(const Safetensors& frame,
                                     const std::string& where);
void put_head_place(const qubo::Place& place, Metadata& metadata);

/// Sees that all heads of an example follow each other, from the first to the last.
class HeadOrder {
 public:
  /// The next frame of a part.  Throws InputError if another one was due.
  void next(const qubo::Place& place, std::int64_t index, const std::string& where);

  /// Nothing of the last example is missing.
  [[nodiscard]] bool whole() const { return last_.head + 1 == last_.heads; }
  /// "example 7 has 2 of its 4 heads"
  [[nodiscard]] std::string lacks() const;

 private:
  qubo::Place last_;
  std::int64_t index_ = 0;
};

}  // namespace oa::io
