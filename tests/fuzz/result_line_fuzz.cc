// Results that are accepted, written again, make the same claim; times are no less than
// 0.
#include "oa/io/quadratic/result_line.h"

#include "fuzz/fuzz.h"
#include "oa_test.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) {
    for (const io::Claim& claim : io::read_claims(input)) {
      io::ResultLine line;
      line.energy = claim.energy;
      line.x = claim.x;
      for (const auto vartype : {qubo::Vartype::Binary, qubo::Vartype::Spin}) {
        qubo::Quadratic f(static_cast<int>(claim.x.size()));
        f.vartype = vartype;
        const std::string text = io::to_json(line, f) + "\n";
        const auto again = read_from(test::bytes_of(text), io::read_claims);
        require(again.size() == 1);
        require(again[0].energy == claim.energy && again[0].x == claim.x);
      }
    }
  });
  read_or_refuse(bytes, [](io::Input& input) {
    for (const io::TimedResult& result : io::read_timed_results(input)) {
      require(result.seconds >= 0.0);
    }
  });
}

}  // namespace oa
