#pragma once

#include "oa/base/exact_sum.h"
#include "oa/io/bytes/input.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace oa::io {

/// Throws InputError "name: why" on a NUL byte:
/// no text has NUL bytes, and some parsers stop reading at NUL.
void refuse_nul(std::string_view text, const std::string& name);

/// Skips a UTF-8 byte order mark, if the input begins with one.
void skip_mark(Input& input);
[[nodiscard]] std::string_view without_mark(std::string_view text);

/// Removes the first line of `text` and returns it without its end (LF, CR LF or CR).
[[nodiscard]] std::string_view take_line(std::string_view& text);

/// Reads text line by line without copying it, with any line ending.
class LineReader {
 public:
  /// Skips a byte order mark.  Keeps a reference.
  explicit LineReader(Input& input);

  /// The next line without its end, valid until the next call.  False at the end.
  /// Throws InputError on a line of over 16 MiB and on a NUL byte.
  [[nodiscard]] bool next(std::string_view& line);

  /// The number of bytes after the last line, if known.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const;

  /// "file:12", the line that was read last, for messages.
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
  std::size_t newline_ = 0;  ///< no LF between begin_ and here
  std::int64_t number_ = 0;
};

/// The words of a line, separated by spaces and tabs.
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

/// Parses as parse_double() does, faster for short integers, which most weights are.
[[nodiscard]] std::optional<double> parse_weight(std::string_view word);

/// Parses as parse_exact() does, faster for short integers.
[[nodiscard]] std::optional<TwoDoubles> parse_exact_weight(std::string_view word);

/// Parses a whole number below 10^9 without a sign; returns nothing for any other word.
[[nodiscard]] std::optional<std::int32_t> parse_index(std::string_view word);

}  // namespace oa::io
