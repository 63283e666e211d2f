#include "oa/io/quadratic/solution_file.h"

#include "oa/base/number.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace oa::io {
namespace {

class SolutionWriter {
 public:
  SolutionWriter(Output& output, const SolvedFile& solved)
      : output_(output),
        solved_(solved),
        feasible_(solved.result.feasible.value_or(true)) {}

  void values() {
    if (!feasible_) {
      output_.write("# no feasible solution\n");
      return;
    }
    output_.write("# Objective value = " + format(solved_.result.energy) + "\n");
    const bool spins = face().vartype == qubo::Vartype::Spin;
    std::vector<bool> is_digit(x().size());
    for (const qubo::Integer& integer : solved_.model.integers) {
      for (const qubo::Term& digit : integer.digits) {
        is_digit[static_cast<std::size_t>(digit.first)] = true;
      }
    }
    for (std::size_t i = 0; i < x().size(); ++i) {
      const char* zero = spins ? "-1" : "0";
      if (!is_digit[i]) {
        output_.write(name(i) + " " + (x()[i] != 0 ? "1" : zero) + "\n");
      }
    }
    for (const qubo::Integer& integer : solved_.model.integers) {
      output_.write(integer.name + " " + format(qubo::value_of(integer, x())) + "\n");
    }
  }

  /// Writes a line for each vertex of the set, or for each vertex and its colour.
  void vertices() {
    const int colours = solved_.graph ? solved_.graph->colours : 0;
    for (std::size_t i = 0; feasible_ && i < x().size(); ++i) {
      if (x()[i] != 0 && colours > 0) {
        const auto k = static_cast<std::size_t>(colours);
        output_.write(std::to_string(i / k + 1) + " " + std::to_string(i % k + 1) +
                      "\n");
      } else if (x()[i] != 0) {
        output_.write(std::to_string(i + 1) + "\n");
      }
    }
  }

  /// Writes lines o, s and v, as in pseudo-Boolean and MAX-SAT competitions.
  void competition(bool clauses) {
    const bool proved = solved_.result.status == qubo::Status::ProvedOptimal;
    if (!feasible_) {
      output_.write(solved_.result.infeasible ? "s UNSATISFIABLE\n" : "s UNKNOWN\n");
      return;
    }
    output_.write("o " + format(solved_.result.energy) + "\n");
    output_.write(proved ? "s OPTIMUM FOUND\n" : "s SATISFIABLE\n");
    output_.write("v");
    for (std::size_t i = 0; i < x().size(); ++i) {
      const std::string text = name(i);
      // Auxiliary variables have a blank in their names.
      if (text.find(' ') == text.npos) {
        output_.write((x()[i] != 0 ? " " : " -") + text);
      }
    }
    output_.write(clauses ? " 0\n" : "\n");
  }

 private:
  [[nodiscard]] const qubo::Quadratic& face() const { return solved_.model.f; }
  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return solved_.result.x; }

  [[nodiscard]] std::string name(std::size_t i) const {
    if (face().names.empty()) {
      const auto first = static_cast<std::size_t>(info(solved_.format).first);
      return std::to_string(i + first);
    }
    const auto json = nlohmann::json::parse(face().names[i]);
    return json.is_string() ? json.get<std::string>() : json.dump();
  }

  Output& output_;
  const SolvedFile& solved_;
  bool feasible_;
};

}  // namespace

void write_solution_file(Output& output,
                         const std::string& path,
                         const SolvedFile& solved) {
  SolutionWriter writer(output, solved);
  const bool plain = path.ends_with(".sol");
  if (!plain && solved.format == ProblemFormat::Dimacs) {
    writer.vertices();
  } else if (!plain && (solved.format == ProblemFormat::Opb ||
                        solved.format == ProblemFormat::Cnf)) {
    writer.competition(solved.format == ProblemFormat::Cnf);
  } else {
    writer.values();
  }
}

}  // namespace oa::io
