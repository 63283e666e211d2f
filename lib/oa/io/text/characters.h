#pragma once

#include "oa/data/dataset.h"
#include "oa/io/bytes/input.h"

#include <string_view>
#include <vector>

namespace oa::io {

/// The characters of a text: code points, or bytes if the text is not UTF-8.
struct Signs {
  bool bytes = false;
  std::vector<char32_t> signs;
};

[[nodiscard]] Signs signs_of(std::string_view text);

struct CharacterOptions {
  int context = 64;  ///< tokens of a window
  int stride = 64;   ///< between the starts of training windows
};

/// A text as sequences.  Token t is the character alphabet[t]; alphabet is sorted.
struct Characters {
  Dataset data;
  bool bytes = false;  ///< characters are bytes, not code points
  std::vector<char32_t> alphabet;
};

/// Cuts a text into windows, which share one row of tokens; the target of each token is
/// the next token.  The last 10 % of the text are for tests; the alphabet is that of
/// the whole text.  Skips a byte order mark.  Throws InputError if a part is shorter
/// than a window plus one token, or if the text exceeds 256 MiB.
[[nodiscard]] Characters read_characters(Input& input,
                                         const CharacterOptions& options,
                                         Split split);

}  // namespace oa::io
