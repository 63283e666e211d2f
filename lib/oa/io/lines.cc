#include "oa/io/lines.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace oa::io {
namespace {

constexpr std::size_t kFirst = std::size_t{1} << 18;
constexpr std::size_t kLongest = std::size_t{1} << 24;

/// The number that `digits` make, or -1.
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

}  // namespace

void refuse_nul(std::string_view text, const std::string& name) {
  if (text.find('\0') != text.npos) {
    throw InputError(name + ": not text (it holds a NUL byte)");
  }
}

LineReader::LineReader(Input& input)
    : input_(input),
      buffer_(std::make_unique_for_overwrite<char[]>(kFirst)),
      capacity_(kFirst) {}

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

// Reads more behind what is there.  False at the end of the input.
bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
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
  const std::span<char> room(buffer_.get() + end_, capacity_ - end_);
  const std::size_t n = input_.read(std::as_writable_bytes(room));
  refuse_nul({room.data(), n}, input_.name());
  end_ += n;
  return n > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t seen = 0;
  while (true) {
    const char* from = buffer_.get() + begin_;
    const auto* newline =
        static_cast<const char*>(std::memchr(from + seen, '\n', end_ - begin_ - seen));
    if (newline != nullptr) {
      line = {from, static_cast<std::size_t>(newline - from)};
      begin_ += line.size() + 1;
      break;
    }
    seen = end_ - begin_;
    if (!fill()) {
      if (seen == 0) {
        return false;
      }
      line = {buffer_.get() + begin_, seen};
      begin_ = end_;
      break;
    }
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  ++number_;
  return true;
}

std::optional<double> parse_weight(std::string_view word) {
  const bool negative = word.starts_with('-');
  const std::int64_t value = small_number(word.substr(negative ? 1 : 0));
  if (value >= 0) {
    return static_cast<double>(negative ? -value : value);
  }
  return parse_double(word);
}

std::optional<std::int32_t> parse_index(std::string_view word) {
  const std::int64_t value = word.size() > 9 ? -1 : small_number(word);
  return value < 0 ? std::nullopt
                   : std::optional<std::int32_t>(static_cast<std::int32_t>(value));
}

}  // namespace oa::io
