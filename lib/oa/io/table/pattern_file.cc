#include "oa/io/table/pattern_file.h"

#include "oa/attention/kernel/pattern/pattern_builder.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/lines.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oa::io {
namespace {

constexpr std::int32_t kMaxTokens = 1 << 24;

// The next line with a word, without its comment.
bool next_words(LineReader& lines, std::string_view& line) {
  while (lines.next(line)) {
    line = line.substr(0, line.find('#'));
    if (!Words(line).next().empty()) {
      return true;
    }
  }
  return false;
}

std::string quoted(std::string_view word) {
  return "'" + printable(word.substr(0, 40)) + "'";
}

std::int32_t read_tokens(LineReader& lines, const std::string& name) {
  std::string_view line;
  if (!next_words(lines, line)) {
    throw InputError(name + ": empty (expected the number of tokens)");
  }
  Words words(line);
  const std::string_view word = words.next();
  const auto n = parse_index(word);
  if (!n || *n < 1 || *n > kMaxTokens || !words.next().empty()) {
    lines.fail(quoted(word) + " (expected the number of tokens alone, from 1 to " +
               format(kMaxTokens) + ")");
  }
  return *n;
}

// A range of keys.
struct Keys {
  std::int32_t first;
  std::int32_t last;
};

std::optional<Keys> parse_keys(std::string_view word) {
  const auto dash = word.find('-');
  const auto first = parse_index(word.substr(0, dash));
  const auto last = dash == word.npos ? first : parse_index(word.substr(dash + 1));
  if (!first || !last || *last < *first) {
    return std::nullopt;
  }
  return Keys{*first, *last};
}

// Reads the keys of `query`; `most` is the last key that it may see.
void read_query(const LineReader& lines,
                Words words,
                int query,
                std::int32_t most,
                attention::PatternBuilder& builder) {
  std::string_view word = words.next();
  if (word == "-") {
    if (!words.next().empty()) {
      lines.fail("something behind '-', which says that the query sees no key");
    }
    return;
  }
  std::int32_t before = -1;
  for (; !word.empty(); word = words.next()) {
    const auto keys = parse_keys(word);
    if (!keys) {
      lines.fail(quoted(word) + " (expected a key, a range of keys such as 3-7, or -)");
    }
    if (keys->last > most) {
      lines.fail("query " + format(query) + " sees key " + format(keys->last) +
                 " (expected keys up to " + format(most) + ")");
    }
    if (keys->first <= before) {
      lines.fail("key " + format(keys->first) + " after key " + format(before) +
                 " (keys must increase)");
    }
    builder.see(keys->first, std::int64_t{keys->last} + 1);
    before = keys->last;
  }
}

}  // namespace

attention::Pattern read_pattern(Input& input, bool causal) {
  LineReader lines(input);
  const std::int32_t n = read_tokens(lines, input.name());
  attention::PatternBuilder builder(n);
  std::string_view line;
  int query = 0;
  for (; next_words(lines, line); ++query) {
    if (query == n) {
      lines.fail("a line too many (the file says " + format(n) + " tokens)");
    }
    read_query(lines, Words(line), query, causal ? query : n - 1, builder);
    builder.end_query();
  }
  if (query < n) {
    throw InputError(input.name() + ": ends after " + format(query) + " of " +
                     format(n) + " queries");
  }
  return builder.take();
}

}  // namespace oa::io
