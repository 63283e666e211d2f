#include "oa/io/text/characters.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/utf8.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/bytes/whole_text.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>

namespace oa::io {
namespace {

constexpr std::size_t kMaxText = std::size_t{1} << 28;  // oa-formats(5), LIMITS

std::vector<char32_t> alphabet_of(std::vector<char32_t> signs) {
  std::ranges::sort(signs);
  const auto rest = std::ranges::unique(signs);
  signs.erase(rest.begin(), rest.end());
  return signs;
}

/// Cuts `ids` into windows; the target of each token is the next token.
Dataset windows_of(std::vector<std::int32_t> ids,
                   int vocabulary,
                   int context,
                   int stride) {
  Dataset set;
  Sequences& all = set.sequences;
  const std::int64_t last = std::ssize(ids) - 1 - context;
  for (std::int64_t begin = 0; begin <= last; begin += stride) {
    all.places.push_back({begin, context});
  }
  all.vocabulary = vocabulary;
  set.targets.objective = Objective::Positions;
  set.targets.classes = vocabulary;
  set.targets.numbers.assign(ids.begin() + 1, ids.end());
  set.targets.numbers.push_back(-1);
  all.ids = std::move(ids);
  return set;
}

}  // namespace

Signs signs_of(std::string_view text) {
  Signs result;
  for (std::string_view left = text; !left.empty();) {
    const auto sign = take_code_point(left);
    if (!sign) {
      result.bytes = true;
      result.signs.clear();
      break;
    }
    result.signs.push_back(*sign);
  }
  if (result.bytes) {
    for (const char c : text) {
      result.signs.push_back(static_cast<unsigned char>(c));
    }
  }
  return result;
}

Characters read_characters(Input& input, const CharacterOptions& o, Split split) {
  assert(o.context > 0 && o.stride > 0);
  skip_mark(input);
  const Signs text = signs_of(
      read_whole_text(input, kMaxText, "is longer than 256 MiB (expected a text)"));
  Characters result;
  result.bytes = text.bytes;
  result.alphabet = alphabet_of(text.signs);
  const std::size_t train = text.signs.size() - text.signs.size() / 10;
  const auto part = split == Split::Train ? std::span(text.signs).first(train)
                                          : std::span(text.signs).subspan(train);
  if (std::ssize(part) <= o.context) {
    throw InputError(input.name() + ": " + format(std::ssize(part)) + " signs for " +
                     (split == Split::Train ? "training" : "tests") +
                     " (expected more than the " + format(o.context) +
                     " of a window; the last 10 % of a text are for tests)");
  }
  std::vector<std::int32_t> ids(part.size());
  std::ranges::transform(part, ids.begin(), [&](char32_t sign) {
    const auto found = std::ranges::lower_bound(result.alphabet, sign);
    return static_cast<std::int32_t>(found - result.alphabet.begin());
  });
  result.data = windows_of(std::move(ids),
                           static_cast<int>(std::ssize(result.alphabet)),
                           o.context,
                           split == Split::Train ? o.stride : o.context);
  return result;
}

}  // namespace oa::io
