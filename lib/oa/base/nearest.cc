#include "oa/base/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace oa {
namespace {

/// The Damerau distance: letters to leave out, add, change or swap with the next.
/// No letter is edited twice.  O(a b).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t changed = last[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
      row[k] = std::min({changed, last[k] + 1, row[k - 1] + 1});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
        row[k] = std::min(row[k], before[k - 2] + 1);
      }
    }
  }
  return row.back();
}

/// "--batch-size" -> "-batch-size-", so that find() matches whole words only.
std::string between_dashes(std::string_view name) {
  const std::size_t begin = std::min(name.find_first_not_of('-'), name.size());
  return "-" + std::string(name.substr(begin)) + "-";
}

/// "Learning rate, of Adam" -> "-learning-rate-of-adam-"
std::string dashed(std::string_view text) {
  std::string words = "-";
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') {
      words += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      words += c;
    } else if (words.back() != '-') {
      words += '-';
    }
  }
  return words + "-";
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t kMaxLetters = 64;  // longer words are not misspelt names
  if (word.size() > kMaxLetters) {
    return {};
  }
  std::string best;
  const std::size_t letters = word.size() - std::min<std::size_t>(word.size(), 2);
  std::size_t least =
      std::max<std::size_t>(1, letters / 3);  // a larger distance is too far
  for (const std::string& name : names) {
    const std::size_t changes = distance(word, name);
    if (changes < least + (best.empty() ? 1 : 0)) {
      least = changes;
      best = name;
    }
  }
  if (!best.empty()) {
    return best;
  }
  const auto completes = [&](const std::string& name) {
    return name.starts_with(word);
  };
  const auto found = std::ranges::find_if(names, completes);
  const bool only =
      found != names.end() && std::ranges::count_if(names, completes) == 1;
  return only && word.size() > 3 ? *found : std::string();
}

std::string nearest_option(std::string_view word,
                           const std::vector<std::string>& names,
                           const std::vector<std::string>& descriptions) {
  if (std::string near = nearest(word, names); !near.empty()) {
    return near;
  }
  const std::string words = between_dashes(word);
  std::string longest;
  for (const std::string& name : names) {
    if (words.find(between_dashes(name)) != std::string::npos &&
        name.size() > longest.size()) {
      longest = name;
    }
  }
  for (std::size_t k = 0; k < names.size() && longest.empty(); ++k) {
    if (words.size() > 2 && dashed(descriptions[k]).starts_with(words)) {
      longest = names[k];
    }
  }
  return longest;
}

}  // namespace oa
