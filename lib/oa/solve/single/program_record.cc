#include "oa/solve/single/program_record.h"

#include "oa/base/index.h"

#include <cmath>

namespace oa::solve {

ProgramRecord::ProgramRecord(const qubo::Polynomial& p, const ModelSettings& settings)
    : p_(p),
      settings_(settings) {
  const auto first = state_of(settings.initial, 0);
  x_.assign(first.begin(), first.end());
  x_.resize(at(p.n));
  feasible_ = qubo::violated(p, x_) < 0;
  if (feasible_) {
    report();
  }
  for (std::vector<std::uint8_t> x : settings.initial) {
    x.resize(at(p.n));
    offer(x, method_);
  }
  found_by_initial_ = feasible_ && !settings.initial.empty();
}

bool ProgramRecord::offer(std::span<const std::uint8_t> x, std::string_view method) {
  if (qubo::violated(p_, x) >= 0) {
    if (!feasible_) {
      x_.assign(x.begin(), x.end());
    }
    return false;
  }
  if (feasible_ && gap_to(minimised(x)) <= 0.0) {
    return false;
  }
  feasible_ = true;
  found_by_initial_ = false;
  x_.assign(x.begin(), x.end());
  method_ = method;
  report();
  return true;
}

void ProgramRecord::report() {
  const double energy = qubo::exact_value(p_, x_).value();
  enough_ = settings_.target && !qubo::better(p_.sense, *settings_.target, energy);
  if (settings_.improved &&
      (!reported_ || qubo::better(p_.sense, energy, *reported_))) {
    reported_ = energy;
    settings_.improved(energy);
  }
}

void ProgramRecord::prove(std::string_view by) {
  proved_by_ = by;
  if (!feasible_) {
    method_ = by;
  }
}

bool ProgramRecord::raise_bound(const TwoDoubles& bound) {
  const double low =
      bound.rest < 0.0 ? std::nextafter(bound.value, -HUGE_VAL) : bound.value;
  if (!(low > bound_)) {
    return false;
  }
  bound_ = low;
  if (settings_.bounded) {
    settings_.bounded(sign() * low);
  }
  return true;
}

ExactSum ProgramRecord::minimised(std::span<const std::uint8_t> x) const {
  ExactSum value;
  p_.sense == qubo::Sense::Max ? value.subtract(qubo::exact_value(p_, x))
                               : value.add(qubo::exact_value(p_, x));
  return value;
}

double ProgramRecord::gap_to(const ExactSum& bound) const {
  ExactSum gap = minimised(x_);
  gap.subtract(bound);
  return gap.value();
}

ModelResult ProgramRecord::result(bool stopped) const {
  ModelResult result;
  const TwoDoubles energy = qubo::exact_value(p_, x_).two();
  result.method = method_;
  result.found_by = found_by_initial_ ? "initial" : method_;
  result.proved_by = proved_by_;
  result.searched = p_.n;
  result.status = proved()  ? qubo::Status::ProvedOptimal
                  : stopped ? qubo::Status::Stopped
                            : qubo::Status::BestFound;
  result.bound = proved() ? energy.value : sign() * bound_;
  if (feasible_ && qubo::better(p_.sense, energy.value, result.bound)) {
    result.bound = energy.value;  // rounded
  }
  result.best.emplace_back(energy, x_);
  return result;
}

}  // namespace oa::solve
