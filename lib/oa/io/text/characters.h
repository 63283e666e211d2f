#pragma once

#include "oa/data/dataset.h"
#include "oa/io/bytes/input.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// The signs of a text: code points, or bytes where it is not UTF-8.
struct Signs {
  bool bytes = false;
  std::vector<char32_t> signs;
};

[[nodiscard]] Signs signs_of(std::string_view text);

struct CharacterOptions {
  int context = 64;  ///< tokens of a window
  int stride = 64;  ///< from a training window to the next; test windows do not overlap
};

/// A text as sequences.  Token t of the alphabet is its sign alphabet[t]; signs ascend.
struct Characters {
  Dataset data;
  bool bytes = false;  ///< signs are bytes, not code points
  std::vector<char32_t> alphabet;
};

/// Windows of the text, which share one row of tokens; what follows is asked of each
/// token.  The last tenth of the text is for tests.  The alphabet is that of all of it,
/// and a byte order mark is passed over.  Throws InputError where a part is shorter
/// than a window and the token after it, and on a text of over 256 MiB.
[[nodiscard]] Characters read_characters(Input& input,
                                         const CharacterOptions& options,
                                         Split split);

}  // namespace oa::io
