#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace oa::io {

/// Throws InputError on a NUL byte, "name: why": text has none, and packages take it
/// for the end of a line or of their input, and would pass over the rest.
void refuse_nul(std::string_view text, const std::string& name);

/// Passes over the byte order mark that some programs begin UTF-8 with, if the next
/// bytes are one.
void skip_mark(Input& input);
[[nodiscard]] std::string_view without_mark(std::string_view text);

/// The first line of `text`, without its end, LF, CR LF or CR; both leave `text`.
[[nodiscard]] std::string_view take_line(std::string_view& text);

/// Reads text line by line, as fast as memory: any line ending, no copies.
class LineReader {
 public:
  /// Passes over a byte order mark.  Keeps a reference.
  explicit LineReader(Input& input);

  /// The next line without its end, valid until the next call.  False at the end.
  /// Throws InputError on a line of over 16 MiB and on a NUL byte.
  [[nodiscard]] bool next(std::string_view& line);

  /// Bytes behind that line, if known.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const;

  /// "file:12", the line last read, for messages.
  [[nodiscard]] std::string where() const;

  /// Throws InputError: "file:12: what".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool fill();
  [[nodiscard]] std::size_t find(char c, std::size_t from, std::size_t to) const;

  Input& input_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t newline_ = 0;  ///< no LF from begin_ up to here
  std::int64_t number_ = 0;
};

/// The words of a line: what lies between spaces and tabs.
class Words {
 public:
  explicit Words(std::string_view line) : left_(line) {}

  /// The next word; empty if there is none.
  std::string_view next() {
    std::size_t from = 0;
    while (from < left_.size() && blank(left_[from])) {
      ++from;
    }
    std::size_t to = from;
    while (to < left_.size() && !blank(left_[to])) {
      ++to;
    }
    const std::string_view word = left_.substr(from, to - from);
    left_.remove_prefix(to);
    return word;
  }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t'; }

  std::string_view left_;
};

/// As parse_double(), sooner for the short integers that most weights are.
[[nodiscard]] std::optional<double> parse_weight(std::string_view word);

/// A whole number without a sign, below 10^9; what is none of these is nothing.
[[nodiscard]] std::optional<std::int32_t> parse_index(std::string_view word);

}  // namespace oa::io
