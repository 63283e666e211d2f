// Tables of predictions that are accepted, written again, read back equal.
#include "oa/io/table/scores_csv.h"

#include "fuzz/fuzz.h"
#include "oa_test.h"

#include <algorithm>

namespace oa {

void fuzz::one_input(Bytes bytes) {
  const auto read = [](io::Input& input) { return io::read_scores(input); };
  read_or_refuse(bytes, [&](io::Input& input) {
    const auto first = read(input);
    const std::string text = test::written([&](io::Output& output) {
      io::ScoresWriter writer(output);
      for (const score::Prediction& p : first) {
        writer.write(p);
      }
    });
    const auto same = [](const score::Prediction& a, const score::Prediction& b) {
      return a.index == b.index && a.label == b.label && a.predicted == b.predicted &&
             a.probabilities == b.probabilities;
    };
    const auto again = first.empty() ? first : read_from(test::bytes_of(text), read);
    require(std::ranges::equal(first, again, same));
  });
}

}  // namespace oa
