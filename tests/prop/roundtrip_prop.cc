#include "oa/base/number.h"
#include "oa/io/stream/problem_io.h"
#include "oa_test.h"
#include "prop/prop.h"

#include <bit>
#include <cmath>

namespace oa::test {
namespace {

const Register numbers("a number printed reads back as itself", [](Rng& rng) {
  const double value = std::bit_cast<double>(rng.u64());
  if (std::isfinite(value)) {
    require(parse_double(format(value)) == value, format(value));
  }
});

const Register streams("a stream written reads back as itself", [](Rng& rng) {
  const int images = static_cast<int>(rng.below(4));
  const bool complete = rng.below(2) == 0;
  std::vector<qubo::SolvedProblem> sent;
  for (int i = 0; i < images; ++i) {
    sent.push_back(random_solution(rng,
                                   1 + static_cast<int>(rng.below(12)),
                                   1 + static_cast<int>(rng.below(5)),
                                   1 + static_cast<int>(rng.below(9))));
  }
  const std::string bytes = written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({{"lambda", "1"}}, {});
    for (const auto& s : sent) {
      io::write_solution(writer, s, {{"note", "\"quoted\"\n\xc3\xa9"}});
    }
    writer.finish(complete);
  });
  io::StreamReader reader(io::Input::memory(std::as_bytes(std::span(bytes)), "memory"));
  auto head = reader.next();
  require(head && head->data.metadata.at("lambda") == "1", "the head");
  for (const auto& s : sent) {
    const auto frame = reader.next();
    require(frame.has_value(), "a frame");
    const qubo::SolvedProblem got = io::read_solution(*frame);
    require(
        got.problem.index == s.problem.index && got.problem.label == s.problem.label,
        "index and label");
    require(got.problem.j == s.problem.j && got.problem.h == s.problem.h &&
                got.problem.v == s.problem.v,
            "the problem");
    require(got.x == s.x && got.energy == s.energy && got.bound == s.bound &&
                got.status == s.status && got.seconds == s.seconds,
            "the solution");
    require(frame->data.metadata.at("note") == "\"quoted\"\n\xc3\xa9", "the metadata");
  }
  require(!reader.next(), "the end");
  require(reader.complete() == complete, "the mark");
});

}  // namespace
}  // namespace oa::test
