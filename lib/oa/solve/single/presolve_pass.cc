#include "oa/solve/single/presolve_pass.h"

#include "oa/base/index.h"
#include "oa/solve/exact/presolve/presolve.h"
#include "oa/solve/heuristic/descent.h"
#include "oa/solve/polynomial/presolve.h"
#include "oa/solve/single/posed.h"

#include <algorithm>
#include <utility>

namespace oa::solve {
namespace {

/// A pass that applies Presolve or PolynomialPresolve.
template <class AnyPresolve>
class PresolvePass final : public Pass {
 public:
  PresolvePass(AnyPresolve presolve, qubo::Model rest, int size, bool symmetric)
      : presolve_(std::move(presolve)),
        model_(std::move(rest)),
        size_(at(size)),
        symmetric_(symmetric) {}

  const qubo::Model& model() const override { return model_; }
  std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const override {
    std::vector<std::uint8_t> whole(size_);
    for (std::size_t k = 0; k < x.size(); ++k) {
      whole[at(presolve_.variables()[k])] = x[k];
    }
    presolve_.restore(whole);
    return whole;
  }
  std::vector<std::uint8_t> forward(std::span<const std::uint8_t> x) const override {
    std::vector<std::uint8_t> part = part_of(x, presolve_.variables());
    if (symmetric_) {  // a fixed spin chooses one of x and -x
      std::vector<std::uint8_t> other = part;
      std::ranges::for_each(other, [](std::uint8_t& one) { one ^= 1U; });
      const qubo::Quadratic& f = model_.f;
      if (qubo::better(f.sense, qubo::energy(f, other), qubo::energy(f, part))) {
        return other;
      }
    }
    return part;
  }

 private:
  AnyPresolve presolve_;
  qubo::Model model_;
  std::size_t size_;
  bool symmetric_;  // f(x) = f(-x)
};

/// True if f(x) = f(-x) and there is no preferred start.
bool symmetric(const qubo::Quadratic& f, const ModelSettings& settings) {
  return f.vartype == qubo::Vartype::Spin && settings.initial.empty() &&
         std::ranges::all_of(f.linear, [](double h) { return h == 0.0; }) &&
         std::ranges::all_of(f.rests(), [](const qubo::Term& t) {
           return t.first == qubo::kConstant || t.first != t.second;
         });
}

/// Descends before presolving: this may end lower than a descent after presolving.
void descend_first(const qubo::Quadratic& f,
                   const Posed& posed,
                   ModelSettings& settings,
                   const Stop& stop) {
  std::vector<std::uint8_t> x =
      descend(posed.g, std::vector<std::uint8_t>(posed.g.linear.size()), stop);
  if (settings.known.empty() ||
      qubo::better(f.sense, qubo::energy(f, x), qubo::energy(f, settings.known))) {
    settings.known = std::move(x);
  }
  if (settings.improved) {
    settings.improved(qubo::energy(f, settings.known));
  }
}

std::unique_ptr<Pass> presolve_function(const qubo::Quadratic& f,
                                        ModelSettings& settings,
                                        const Stop& stop) {
  const Posed posed = pose(f);
  const Presolve::Options options{
      .symmetric = symmetric(f, settings),
      .ties = f.size() <= kMaxOrdered ? Ties::Smallest : Ties::Any};
  if (posed.error != 0.0 || posed.scale != 0 || !Presolve::pays(posed.g, options)) {
    return nullptr;
  }
  descend_first(f, posed, settings, stop);
  Presolve reduced(posed.g, posed.unit, options, stop);
  if (stop()) {
    return nullptr;
  }
  qubo::Quadratic rest =
      f.sense == qubo::Sense::Max ? negated(reduced.rest()) : reduced.rest();
  return std::make_unique<PresolvePass<Presolve>>(
      std::move(reduced), std::move(rest), f.size(), options.symmetric);
}

std::unique_ptr<Pass> presolve_polynomial(const qubo::Model& model) {
  WholePolynomial whole = in_whole_numbers(qubo::polynomial_of(model));
  if (whole.error != 0.0) {
    return nullptr;
  }
  PolynomialPresolve reduced(std::move(whole));
  if (std::ssize(reduced.variables()) == model.size()) {
    return nullptr;
  }
  qubo::Polynomial rest = in_doubles(reduced.rest());
  if (model.f.sense == qubo::Sense::Max) {
    rest.sense = qubo::Sense::Max;
    for (qubo::Monomial& m : rest.monomials) {
      m.weight = -m.weight;
    }
  }
  return std::make_unique<PresolvePass<PolynomialPresolve>>(
      std::move(reduced), qubo::model_of(std::move(rest)), model.size(), false);
}

}  // namespace

std::unique_ptr<Pass> presolve(const qubo::Model& model,
                               ModelSettings& settings,
                               const Stop& stop) {
  if (!settings.presolve || !settings.one_best() || !model.constraints.empty() ||
      !model.soft.empty() || stop()) {
    return nullptr;
  }
  return model.higher.empty() ? presolve_function(model.f, settings, stop)
                              : presolve_polynomial(model);
}

}  // namespace oa::solve
