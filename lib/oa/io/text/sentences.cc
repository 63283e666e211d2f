#include "oa/io/text/sentences.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace oa::io {
namespace {

struct Sentence {
  std::uint8_t label = 0;
  std::vector<std::string> words;
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

Sentence sentence_of(std::string_view line, const LineReader& lines) {
  const auto tab = line.find('\t');
  if (tab == line.npos) {
    lines.fail("no tab (expected a label, a tab and a sentence)");
  }
  const auto label = parse_int(line.substr(0, tab));
  if (!label || *label < 0 || *label > std::numeric_limits<std::uint8_t>::max()) {
    lines.fail("the label is not a whole number from 0 to 255");
  }
  Sentence sentence{static_cast<std::uint8_t>(*label), words_of(line.substr(tab + 1))};
  if (sentence.words.empty()) {
    lines.fail("a sentence without words");
  }
  return sentence;
}

std::vector<Sentence> read_lines(Input& input) {
  std::vector<Sentence> all;
  LineReader lines(input);
  std::string_view line;
  while (lines.next(line)) {
    if (!line.empty()) {
      all.push_back(sentence_of(line, lines));
    }
  }
  return all;
}

/// Returns the most frequent words after one empty word, which means all other words.
std::vector<std::string> frequent_words(std::span<const Sentence> sentences, int most) {
  std::map<std::string, std::int64_t> count;
  for (const Sentence& sentence : sentences) {
    for (const std::string& word : sentence.words) {
      ++count[word];
    }
  }
  std::vector<std::pair<std::string, std::int64_t>> ranked(count.begin(), count.end());
  std::ranges::stable_sort(
      ranked, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> words{{}};
  for (const auto& [word, n] : ranked) {
    if (std::ssize(words) == most) {
      break;
    }
    words.push_back(word);
  }
  return words;
}

Dataset sequences_of(std::span<const Sentence> sentences,
                     const std::vector<std::string>& words) {
  std::map<std::string_view, std::int32_t> number;
  for (std::size_t i = 1; i < words.size(); ++i) {
    number[words[i]] = static_cast<std::int32_t>(i);
  }
  Dataset set;
  set.sequences.vocabulary = static_cast<int>(std::ssize(words));
  for (const Sentence& sentence : sentences) {
    set.labels.push_back(sentence.label);
    set.sequences.places.push_back(
        {std::ssize(set.sequences.ids), static_cast<int>(std::ssize(sentence.words))});
    for (const std::string& word : sentence.words) {
      const auto found = number.find(word);
      set.sequences.ids.push_back(found == number.end() ? 0 : found->second);
    }
  }
  return set;
}

}  // namespace

std::vector<std::string> words_of(std::string_view sentence) {
  std::vector<std::string> words;
  bool inside = false;
  for (char c : sentence) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!is_letter(c)) {
      inside = false;
      continue;
    }
    if (!inside) {
      words.emplace_back();
      inside = true;
    }
    words.back() += c;
  }
  return words;
}

Sentences read_sentences(Input& input, const SentenceOptions& o, Split split) {
  assert(o.vocabulary > 0);
  const std::vector<Sentence> all = read_lines(input);
  const auto train = std::span(all).first(all.size() - all.size() / 10);
  const auto part =
      split == Split::Train ? train : std::span(all).subspan(train.size());
  if (part.empty()) {
    throw InputError(input.name() + ": no sentences for " +
                     (split == Split::Train ? "training" : "tests") +
                     " (the last 10 % of the lines are for tests)");
  }
  Sentences result;
  result.words = frequent_words(train, o.vocabulary);
  result.data = sequences_of(part, result.words);
  return result;
}

}  // namespace oa::io
