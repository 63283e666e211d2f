// Tables of predictions that are accepted, written again, read back equal.
#include "oa/io/table/scores_csv.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<oa::score::Prediction> read(std::span<const std::byte> bytes) {
  oa::io::Input input = oa::io::Input::memory(bytes, "fuzz");
  return oa::io::read_scores(input);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    const auto first = read(std::as_bytes(std::span(data, size)));
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
    if (!first.empty() &&
        !std::ranges::equal(first, read(test::bytes_of(text)), same)) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
