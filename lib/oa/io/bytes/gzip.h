#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace oa::io {

/// Whether `start`, the first bytes of an input, begin a gzip file.  No safetensors
/// file does: one with these first eight bytes has '{' as its ninth, which no gzip file
/// has.
[[nodiscard]] bool looks_like_gzip(std::span<const std::byte> start);

/// The contents of the gzip file that begins with `start` and goes on in `source`.
/// `name` is for messages.  After a stop request the end of `source` is no truncation.
[[nodiscard]] std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> source,
                                                 std::span<const std::byte> start,
                                                 std::string name,
                                                 std::stop_token stop);

/// Makes a gzip file without a name or a time, the same bytes each time.
class Gzip {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;

  /// `level`: 1, fast, to 9, small.
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
