#include "oa/solve/single/presolve_pass.h"

#include "oa/base/index.h"
#include "oa/solve/exact/presolve/presolve.h"
#include "oa/solve/heuristic/descent.h"
#include "oa/solve/single/posed.h"

#include <algorithm>
#include <utility>

namespace oa::solve {
namespace {

class PresolvePass final : public Pass {
 public:
  PresolvePass(const qubo::Quadratic& f, Presolve presolve)
      : size_(f.linear.size()),
        presolve_(std::move(presolve)),
        model_(f.sense == qubo::Sense::Max ? negated(presolve_.rest())
                                           : presolve_.rest()) {}

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
    return part_of(x, presolve_.variables());
  }

 private:
  std::size_t size_;
  Presolve presolve_;
  qubo::Model model_;
};

/// True if f(x) = f(-x) and no start is preferred.
bool symmetric(const qubo::Quadratic& f, const ModelSettings& settings) {
  return f.vartype == qubo::Vartype::Spin && settings.initial.empty() &&
         std::ranges::all_of(f.linear, [](double h) { return h == 0.0; }) &&
         std::ranges::all_of(f.rests(), [](const qubo::Term& t) {
           return t.first == qubo::kConstant || t.first != t.second;
         });
}

/// The result is no worse than a descent, which may end lower before presolving
/// than after it.
void descend_first(const qubo::Quadratic& f,
                   const Posed& posed,
                   ModelSettings& settings,
                   const Stop& stop) {
  settings.known =
      descend(posed.g, std::vector<std::uint8_t>(posed.g.linear.size()), stop);
  if (settings.improved) {
    settings.improved(qubo::energy(f, settings.known));
  }
}

}  // namespace

std::unique_ptr<Pass> presolve(const qubo::Model& model,
                               ModelSettings& settings,
                               const Stop& stop) {
  if (!model.quadratic() || !settings.presolve || !settings.one_best() || stop()) {
    return nullptr;
  }
  const Posed posed = pose(model.f);
  const Presolve::Options options{
      .symmetric = symmetric(model.f, settings),
      .ties = model.size() <= kMostOrdered ? Ties::Smallest : Ties::Any};
  if (posed.error != 0.0 || posed.scale != 0 || !Presolve::pays(posed.g, options)) {
    return nullptr;
  }
  descend_first(model.f, posed, settings, stop);
  Presolve reduced(posed.g, posed.unit, options, stop);
  return stop() ? nullptr : std::make_unique<PresolvePass>(model.f, std::move(reduced));
}

}  // namespace oa::solve
