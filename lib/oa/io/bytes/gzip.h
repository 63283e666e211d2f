#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace oa::io {

/// True if `start`, the first bytes of an input, begin a gzip file.  A safetensors file
/// may begin with the same 8 bytes; its ninth byte is '{', which no gzip file has.
[[nodiscard]] bool looks_like_gzip(std::span<const std::byte> start);

/// The contents of the gzip file that begins with `start` and continues in `source`.
/// `name` is for messages.  After a stop request, the end of `source` is not an error.
[[nodiscard]] std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> source,
                                                 std::span<const std::byte> start,
                                                 std::string name,
                                                 std::stop_token stop);

/// Writes a gzip file without name and time: the same content gives the same bytes.
class Gzip {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;

  /// `level`: 1 (fast) to 9 (small).
  Gzip(Sink sink, int level);
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip();

  void write(std::span<const std::byte> bytes);
  void finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace oa::io
