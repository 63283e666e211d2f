// Results that are accepted, written again, make the same claim; times are no less than
// 0.
#include "oa/io/quadratic/result_line.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<oa::io::Claim> read(std::span<const std::byte> bytes) {
  oa::io::Input input = oa::io::Input::memory(bytes, "fuzz");
  return oa::io::read_claims(input);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    for (const io::Claim& claim : read(std::as_bytes(std::span(data, size)))) {
      io::ResultLine line;
      line.energy = claim.energy;
      line.x = claim.x;
      for (const auto vartype : {qubo::Vartype::Binary, qubo::Vartype::Spin}) {
        qubo::Quadratic f(static_cast<int>(claim.x.size()));
        f.vartype = vartype;
        const std::string text = io::to_json(line, f) + "\n";
        const auto again = read(test::bytes_of(text));
        if (again.size() != 1 || again[0].energy != claim.energy ||
            again[0].x != claim.x) {
          std::abort();
        }
      }
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  try {
    io::Input input = io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
    for (const io::TimedResult& result : io::read_timed_results(input)) {
      if (!(result.seconds >= 0.0)) {
        std::abort();
      }
    }
  } catch (const InputError&) {
    // So it is here.
  }
  return 0;
}
