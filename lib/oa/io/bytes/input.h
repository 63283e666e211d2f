#pragma once

#include "oa/base/error.h"
#include "oa/base/large_allocator.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// An error whose cause another program has reported: a pipe that closed without data,
/// or a failed writer of a stream.  Tools do not report it again.
class CauseReported : public InputError {
 public:
  using InputError::InputError;
};

/// The source of an Input's bytes.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Reads some bytes, at least one; 0 at the end.
  virtual std::size_t read(std::span<std::byte> to) = 0;
  /// Skips up to `count` bytes without reading them.  Returns the number of bytes
  /// skipped; 0 if the source can only read.
  virtual std::uint64_t skip(std::uint64_t count);
  /// The number of bytes not read yet, if known.
  [[nodiscard]] virtual std::optional<std::uint64_t> remaining() const = 0;
};

/// A buffered source of bytes: a file, standard input or memory.  Data of gzip, xz,
/// zstd and bzip2 are recognised and decompressed, also several members in a row.
class Input {
 public:
  /// Opens `path`; "-" is standard input.
  /// After a stop request, the input seems to end, even while waiting for data.
  /// Throws IoError, or CauseReported if a pipe ends without any byte.
  [[nodiscard]] static Input open(const std::string& path,
                                  const std::stop_token& stop = {});

  /// Reads `bytes`, which must stay alive.  `name` is for messages.
  [[nodiscard]] static Input memory(std::span<const std::byte> bytes, std::string name);

  /// Fills `to`; returns fewer bytes only at the end of the input or after a stop.
  std::size_t read(std::span<std::byte> to);

  /// Skips `count` bytes, in a file without reading them.  Returns the number of bytes
  /// skipped: below `count` only at the end of the input or after a stop.
  std::uint64_t skip(std::uint64_t count);

  /// Returns the next bytes but does not consume them: at least `wanted` bytes (up to
  /// 16 MiB) unless the input ends.  Valid until the next call.
  [[nodiscard]] std::span<const std::byte> peek(std::size_t wanted);

  /// True when no byte is left (or after a stop).
  [[nodiscard]] bool at_end() { return peek(1).empty(); }

  /// The number of bytes not read yet, if known.  A header that claims more is wrong.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const;

  [[nodiscard]] bool is_pipe() const { return pipe_; }

  [[nodiscard]] const std::stop_token& token() const { return stop_; }
  /// True if a stop was requested: a short read is not the end of the input.
  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t position() const { return position_; }

 private:
  Input(std::unique_ptr<ByteSource> source, std::string name, std::stop_token stop);
  [[nodiscard]] static Input of_file(int fd,
                                     bool owned,
                                     const std::string& name,
                                     const std::stop_token& stop);
  void unpack();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::stop_token stop_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;
  bool pipe_ = false;
};

/// Returns the bytes as characters.
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT
}

/// A buffer that reads `claimed` bytes of an input, and reserves at most twice the
/// bytes that arrived.  The buffer has fewer bytes if the input ends.
class Bytes {
 public:
  /// Reads `claimed` bytes of `input` and puts `before` in front of them.
  void read(Input& input, std::size_t claimed, std::span<const std::byte> before = {});
  /// Makes room for `size` bytes; earlier content is lost.
  void resize(std::size_t size);

  /// Moves the bytes out.
  [[nodiscard]] std::vector<std::byte, LargeAllocator<std::byte>> take() {
    return std::move(bytes_);
  }

  [[nodiscard]] std::byte* data() { return bytes_.data(); }
  [[nodiscard]] const std::byte* data() const { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> span() const { return bytes_; }

 private:
  std::vector<std::byte, LargeAllocator<std::byte>> bytes_;
};

}  // namespace oa::io
