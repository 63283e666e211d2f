#pragma once

#include "oa/data/dataset.h"
#include "oa/io/bytes/input.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// The words of a sentence: letters in a row, A to Z made small.  Bytes from 0x80 on
/// count as letters, so that words of other alphabets stay whole.
[[nodiscard]] std::vector<std::string> words_of(std::string_view sentence);

struct SentenceOptions {
  int vocabulary = 10000;  ///< words at most, with the one for all others
};

/// Sentences as sequences of words.  Token t of the vocabulary is words[t]; 0 stands
/// for all words that are not in it, and its text is empty.
struct Sentences {
  Dataset data;
  std::vector<std::string> words;
};

/// Reads lines of a label (0 to 255), a tab and a sentence.  The last tenth of the
/// lines is for tests; the vocabulary is the most frequent words of the others, in that
/// order, and among equals in that of the alphabet.  Throws InputError, "file:12: why",
/// on a line that is none and on a sentence without words.
[[nodiscard]] Sentences read_sentences(Input& input,
                                       const SentenceOptions& options,
                                       Split split);

}  // namespace oa::io
