#include "oa/io/bytes/lines.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace oa::io {
namespace {

constexpr std::size_t kFirst = std::size_t{1} << 18;
constexpr std::size_t kLongest = std::size_t{1} << 24;

/// The value of `digits`, or -1.
std::int64_t small_number(std::string_view digits) {
  if (digits.empty() || digits.size() > 15) {
    return -1;
  }
  std::int64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned>(c) - unsigned{'0'};
    if (digit > 9) {
      return -1;
    }
    value = 10 * value + digit;
  }
  return value;
}

/// The value of a short integer.
std::optional<double> small_weight(std::string_view word) {
  const bool negative = word.starts_with('-');
  const std::int64_t value = small_number(word.substr(negative ? 1 : 0));
  return value < 0 ? std::nullopt
                   : std::optional(static_cast<double>(negative ? -value : value));
}

}  // namespace

void refuse_nul(std::string_view text, const std::string& name) {
  if (text.find('\0') != text.npos) {
    throw InputError(name + ": not text (it holds a NUL byte)");
  }
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

void skip_mark(Input& input) {
  const std::string_view text = as_text(input.peek(3));
  std::array<std::byte, 3> mark{};
  (void)input.read(std::span(mark).first(text.size() - without_mark(text).size()));
}

std::string_view take_line(std::string_view& text) {
  const auto* at =
      std::ranges::find_if(text, [](char c) { return c == '\n' || c == '\r'; });
  const auto end = static_cast<std::size_t>(at - text.begin());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2
                                              : std::min<std::size_t>(1, text.size()));
  return line;
}

LineReader::LineReader(Input& input)
    : input_(input),
      buffer_(std::make_unique_for_overwrite<char[]>(kFirst)),
      capacity_(kFirst) {
  skip_mark(input_);
}

std::optional<std::uint64_t> LineReader::remaining() const {
  const auto unread = input_.remaining();
  return unread ? std::optional(*unread + (end_ - begin_)) : std::nullopt;
}

std::string LineReader::where() const {
  return input_.name() + ":" + format(number_);
}

void LineReader::fail(const std::string& what) const {
  throw InputError(where() + ": " + what);
}

// Reads more bytes into the buffer, after its content.  False at the end of the input.
bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    newline_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    if (capacity_ >= kLongest) {
      ++number_;
      fail("a line of over 16 MiB");
    }
    auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity_);
    std::memcpy(larger.get(), buffer_.get(), end_);
    buffer_ = std::move(larger);
    capacity_ *= 2;
  }
  // Reads only arrived bytes: a line from a pipe does not wait for the next line.
  const std::size_t there = input_.peek(1).size();
  const std::span<char> room(buffer_.get() + end_, std::min(capacity_ - end_, there));
  const std::size_t n = input_.read(std::as_writable_bytes(room));
  refuse_nul({room.data(), n}, input_.name());
  end_ += n;
  return n > 0;
}

std::size_t LineReader::find(char c, std::size_t from, std::size_t to) const {
  const void* found = std::memchr(buffer_.get() + from, c, to - from);
  return found == nullptr ? to
                          : static_cast<std::size_t>(static_cast<const char*>(found) -
                                                     buffer_.get());
}

bool LineReader::next(std::string_view& line) {
  for (std::size_t seen = begin_;;) {
    // Remembers the next LF: otherwise a file with CR line ends only would be searched
    // to its end for every line.
    newline_ = std::max(newline_, seen);
    if (newline_ == end_ || buffer_[newline_] != '\n') {
      newline_ = find('\n', newline_, end_);
    }
    const std::size_t end = find('\r', seen, newline_);
    // A CR at the end of the buffer may be half of a CR LF.
    const bool cut = end == end_ || (end + 1 == end_ && buffer_[end] == '\r');
    const std::size_t read = end - begin_;
    if (cut && fill()) {
      seen = begin_ + read;
      continue;
    }
    if (begin_ == end_) {
      return false;
    }
    line = {buffer_.get() + begin_, read};
    const bool both = end + 1 == newline_ && newline_ < end_;
    begin_ = std::min(end_, end + (both ? 2 : 1));
    break;
  }
  ++number_;
  return true;
}

std::optional<double> parse_weight(std::string_view word) {
  const auto small = small_weight(word);
  return small ? small : parse_double(word);
}

std::optional<TwoDoubles> parse_exact_weight(std::string_view word) {
  const auto small = small_weight(word);
  return small ? small : parse_exact(word);
}

std::optional<std::int32_t> parse_index(std::string_view word) {
  const std::int64_t value = word.size() > 9 ? -1 : small_number(word);
  return value < 0 ? std::nullopt
                   : std::optional<std::int32_t>(static_cast<std::int32_t>(value));
}

}  // namespace oa::io
