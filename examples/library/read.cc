// Reads a problem in the format of qbsolv and solves it by tabu search.
#include "oa/base/error.h"
#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/solve/single/solve_model.h"

#include <iostream>
#include <span>
#include <string_view>

int main() {
  constexpr std::string_view kText =
      "p qubo 0 3 3 2\n"
      "0 0 -1\n1 1 -1\n2 2 -1\n"
      "0 1 2\n1 2 2\n";
  try {
    oa::io::Input input =
        oa::io::Input::memory(std::as_bytes(std::span(kText)), "example");
    const oa::io::ProblemFile file =
        oa::io::read_problems(input, oa::io::ProblemFormat::Qubo, {});

    oa::solve::ModelSettings settings;
    settings.method = oa::solve::find_method("tabu");
    const oa::solve::ModelResult result =
        oa::solve::solve_model(file.problems.front(), settings, oa::Rng(1), {});
    std::cout << "energy " << result.best.front().energy << '\n';
    return result.best.front().energy == -2.0 ? 0 : 1;
  } catch (const oa::InputError& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
