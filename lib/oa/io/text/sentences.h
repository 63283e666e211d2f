#pragma once

#include "oa/data/dataset.h"
#include "oa/io/bytes/input.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// The words of a sentence: runs of letters in lower case.  Bytes from 0x80 on count as
/// letters, so that words of other alphabets stay whole.
[[nodiscard]] std::vector<std::string> words_of(std::string_view sentence);

struct SentenceOptions {
  int vocabulary = 10000;  ///< limit of words, with token 0
};

/// Sentences as sequences of words.  Token t is words[t]; token 0, with empty text, is
/// every word outside the vocabulary.
struct Sentences {
  Dataset data;
  std::vector<std::string> words;
};

/// Reads lines of a label (0 to 255), a tab and a sentence.  The last 10 % of the
/// lines are for tests.  The vocabulary has the most frequent words of the other lines,
/// sorted by frequency, then alphabetically.  Throws InputError "file:12: why" on a
/// malformed line or a sentence without words.
[[nodiscard]] Sentences read_sentences(Input& input,
                                       const SentenceOptions& options,
                                       Split split);

}  // namespace oa::io
