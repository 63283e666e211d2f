#include "oa/io/table/json_lists.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace oa::io {
namespace {

std::string place(std::string_view text, std::size_t at, const std::string& name) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::ranges::count(before, '\n');
  return name + ":" + format(std::int64_t{line});
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// True if a word accepted by parse_weight() is also a JSON number:
/// not "+1", "01", "1." or "inf".
bool is_json_number(std::string_view word) {
  const std::string_view digits = word.substr(word.starts_with('-') ? 1 : 0);
  const auto is_digit = [&](std::size_t at) {
    return at < digits.size() && digits[at] >= '0' && digits[at] <= '9';
  };
  const std::size_t point = digits.find('.');
  return is_digit(0) && !(digits[0] == '0' && is_digit(1)) &&
         (point == std::string_view::npos || is_digit(point + 1));
}

class Cutter {
 public:
  Cutter(std::string_view text,
         std::span<const std::string_view> keys,
         const std::string& name,
         const TakeNumbers& take)
      : text_(text),
        keys_(keys),
        name_(name),
        take_(take),
        seen_(keys.size()) {}

  std::string cut() {
    int depth = 0;
    bool any = false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '{' || c == '[') {
        if (depth == 0 && std::exchange(any, true)) {
          throw InputError(two_documents(text_, at_, name_));
        }
        ++depth;
      } else if (c == '}' || c == ']') {
        --depth;
      } else if (c == '"') {
        const std::string_view word = string();
        const auto key = std::ranges::find(keys_, word);
        if (depth == 1 && key != keys_.end() && list_follows()) {
          member(static_cast<std::size_t>(key - keys_.begin()));
        }
      }
    }
    rest_ += text_.substr(kept_);
    return std::move(rest_);
  }

 private:
  void skip_spaces() {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) {
      newlines_ += text_[at_] == '\n' ? 1 : 0;
    }
  }
  /// Skips spaces, then `c` if it comes next.
  bool skip(char c) {
    skip_spaces();
    const bool found = at_ < text_.size() && text_[at_] == c;
    at_ += found ? 1 : 0;
    return found;
  }
  bool list_follows() { return skip(':') && skip('['); }

  /// Returns the text before the closing quotation mark, with its escapes.
  std::string_view string() {
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    const std::string_view word = text_.substr(from, at_ - from);
    ++at_;
    return word;
  }

  /// Reads the list of keys_[k] after its bracket.
  void member(std::size_t k) {
    if (seen_[k]) {
      throw InputError(place(text_, at_, name_) + ": a second " +
                       std::string(keys_[k]));
    }
    seen_[k] = true;
    rest_ += text_.substr(kept_, at_ - kept_);
    newlines_ = 0;
    elements(k);
    rest_.append(newlines_, '\n');
    kept_ = at_ - 1;
  }

  void elements(std::size_t k) {
    std::array<double, 1024> some{};
    std::size_t count = 0;
    std::size_t first = 0;
    const auto hand_over = [&] {
      take_(k, first, std::span(some).first(count));
      first += count;
      count = 0;
    };
    if (!skip(']')) {
      do {
        if (count == some.size()) {
          hand_over();
        }
        some[count] = number(keys_[k], first + count);
        ++count;
      } while (skip(','));
      if (!skip(']')) {
        throw InputError(not_json(text_, at_, name_));
      }
    }
    hand_over();
  }

  double number(std::string_view key, std::size_t k) {
    skip_spaces();
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ']' &&
           !is_space(text_[at_])) {
      ++at_;
    }
    const std::string_view word = text_.substr(from, at_ - from);
    if (word.empty()) {
      throw InputError(not_json(text_, at_, name_));
    }
    const auto value = parse_weight(word);
    if (!value || !is_json_number(word) || rounds_integer(word)) {
      throw InputError(place(text_, from, name_) + ": " + std::string(key) + "[" +
                       format(static_cast<std::int64_t>(k)) +
                       (value && is_json_number(word)
                            ? "] has too many digits (expected a whole number below "
                              "2^53, or one with an exponent)"
                            : "] is not a finite number"));
    }
    return *value;
  }

  std::string_view text_;
  std::span<const std::string_view> keys_;
  const std::string& name_;
  const TakeNumbers& take_;
  std::vector<bool> seen_;
  std::string rest_;
  std::size_t at_ = 0;
  std::size_t kept_ = 0;      ///< text up to here is in rest_ or dropped
  std::size_t newlines_ = 0;  ///< lines skipped in the list
};

}  // namespace

std::string cut_lists(std::string_view text,
                      std::span<const std::string_view> keys,
                      const std::string& name,
                      const TakeNumbers& take) {
  refuse_nul(text, name);
  return Cutter(text, keys, name, take).cut();
}

std::string not_json(std::string_view text, std::size_t at, const std::string& name) {
  return place(text, at, name) + ": not JSON from here on";
}

std::string two_documents(std::string_view text,
                          std::size_t at,
                          const std::string& name) {
  return place(text, at, name) +
         ": two problems in one file (expected one JSON document)";
}

}  // namespace oa::io
