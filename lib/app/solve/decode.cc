#include "app/solve/decode.h"

#include "oa/base/counted.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::app {

namespace {

/// Sets the values of integers and the prices of violated soft constraints.
void break_down(const qubo::Model& model, io::ResultLine& line) {
  line.values.clear();
  for (const qubo::Integer& integer : model.integers) {
    line.values.emplace_back(integer.name, qubo::value_of(integer, line.x));
  }
  if (model.soft.empty()) {
    return;
  }
  line.paid.emplace();
  ExactSum penalty;
  for (const qubo::SoftConstraint& soft : model.soft) {
    const ExactSum price = qubo::exact_price(soft, line.x);
    penalty.add(price);
    if (const double paid = price.value(); paid > 0.0) {
      line.paid->emplace_back(soft.constraint.name, paid);
    }
  }
  line.objective = qubo::exact_objective(model, line.x).value();
  line.penalty = penalty.value();
}

}  // namespace

void judge(const qubo::Model& model, io::ResultLine& line) {
  break_down(model, line);
  if (model.constraints.empty()) {
    return;
  }
  const int broken = qubo::violated(model, line.x);
  line.feasible = broken < 0;
  line.tolerant = std::ranges::any_of(
      model.constraints, [](const qubo::Constraint& c) { return c.tolerance > 0.0; });
  if (broken >= 0) {
    line.violated = model.constraints[static_cast<std::size_t>(broken)].name;
    line.infeasible = line.status == qubo::Status::ProvedOptimal;
    line.status = qubo::Status::BestFound;
    line.proved_by = line.infeasible ? line.proved_by : "";
    const double none = std::numeric_limits<double>::infinity();
    line.bound = model.f.sense == qubo::Sense::Max ? none : -none;
  }
}

void decode(const qubo::Model& model, io::ResultLine& line) {
  const auto n = static_cast<std::size_t>(model.size());
  line.x.resize(n);
  line.energy = qubo::exact_value(model, line.x).value();
  judge(model, line);
  // Removes copies: several x of the function may be one x of the model.
  decltype(line.top) top;
  for (auto& [energy, x] : line.top) {
    x.resize(n);
    const auto same = [&x = x](const auto& other) { return other.second == x; };
    if (qubo::violated(model, x) < 0 && std::ranges::none_of(top, same)) {
      top.emplace_back(qubo::exact_value(model, x).value(), x);
    }
  }
  line.top = std::move(top);
}

namespace {

/// "; weights from 1 to 300 (10 bits with a sign)", in multiples of their greatest
/// common divisor or, if some weights are not whole, of the smallest weight.
std::string weights_text(const qubo::Quadratic& f) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  double divisor = 0.0;
  bool whole = true;
  const auto look = [&](double weight) {
    least = weight == 0.0 ? least : std::min(least, std::abs(weight));
    most = std::max(most, std::abs(weight));
    whole = whole && std::trunc(weight) == weight;
    for (double rest = std::abs(weight); whole && rest != 0.0;) {  // Euclid's algorithm
      divisor = std::fmod(divisor, rest);
      std::swap(divisor, rest);
    }
  };
  std::ranges::for_each(f.linear, look);
  for (const qubo::Term& t : f.terms()) {
    look(t.weight);
  }
  if (most == 0.0) {
    return {};
  }
  const int bits = std::ilogb(most / (whole ? divisor : least)) + 2;
  return "; weights from " + format(least) + " to " + format(most) + " (" +
         format(bits) + " bits with a sign)";
}

}  // namespace

std::string penalty_warning(const qubo::Model& model,
                            const qubo::Quadratic& f,
                            const std::string& name) {
  const std::int64_t count = std::ssize(model.constraints) + std::ssize(model.soft);
  const std::int64_t integers = std::ssize(model.integers);
  const std::int64_t added = f.size() - model.size();
  if (count + integers == 0) {
    return {};
  }
  std::string text = name + ": ";
  if (integers > 0) {
    text += counted(integers, "integer became digits", "integers became digits");
  }
  if (count > 0) {
    text +=
        (integers > 0 ? ", " : "") +
        counted(count, "constraint became a penalty", "constraints became penalties") +
        ", with " + counted(added, "more variable");
  }
  return text + weights_text(f);
}

std::vector<std::string> conversion_warnings(const qubo::Model& model,
                                             const qubo::Quadratic& f,
                                             io::ProblemFormat to,
                                             const std::string& name) {
  std::vector<std::string> all;
  const std::string format_name(io::info(to).name);
  const bool max = f.sense == qubo::Sense::Max;
  if (auto text = penalty_warning(model, f, name); !text.empty()) {
    all.push_back(std::move(text));
  }
  if (f.sense != io::info(to).sense) {
    all.push_back(name + ": " + format_name + " is " +
                  (max ? "minimised, the problem is maximised"
                       : "maximised, the problem is minimised") +
                  ": written negated");
  }
  if (to == io::ProblemFormat::Kaiwu) {
    const double constant = qubo::converted(f, qubo::Vartype::Spin).f.offset;
    if (constant != 0.0) {
      all.push_back(name + ": kaiwu has no constant: add " +
                    format(max ? -constant : constant) + " to energies of the matrix");
    }
  }
  return all;
}

}  // namespace oa::app
