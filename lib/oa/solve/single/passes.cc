#include "oa/qubo/defined.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/lowered.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/recover/products.h"
#include "oa/solve/single/pass.h"
#include "oa/solve/single/presolve_pass.h"
#include "oa/solve/single/solve_model.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace oa::solve {
namespace {

/// Replaces integers by the equations that define them.
class DefinedPass final : public Pass {
 public:
  explicit DefinedPass(qubo::Defined defined) : defined_(std::move(defined)) {}

  const qubo::Model& model() const override { return defined_.model(); }
  bool keeps_optima() const override { return defined_.unique(); }
  std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const override {
    return defined_.back(x);
  }
  std::vector<std::uint8_t> forward(std::span<const std::uint8_t> x) const override {
    return part_of(x, defined_.variables());
  }

 private:
  qubo::Defined defined_;
};

std::unique_ptr<Pass> define(const qubo::Model& model,
                             ModelSettings& settings,
                             const Stop& /*stop*/) {
  // Digits that the user fixed may forbid values.
  if (model.integers.empty() || !settings.presolve || !settings.fixed.empty()) {
    return nullptr;
  }
  qubo::Defined defined(model);
  if (!defined.any()) {
    return nullptr;
  }
  settings.count_optima = settings.count_optima && defined.unique();
  return std::make_unique<DefinedPass>(std::move(defined));
}

/// Makes constraints linear and hard.
class LowerPass final : public Pass {
 public:
  explicit LowerPass(const qubo::Model& model) : lowered_(model) {}

  const qubo::Model& model() const override { return lowered_.model(); }
  bool keeps_optima() const override { return lowered_.unique(); }
  std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const override {
    return lowered_.back(x);
  }
  std::vector<std::uint8_t> forward(std::span<const std::uint8_t> x) const override {
    return lowered_.forward(x);
  }

 private:
  qubo::Lowered lowered_;
};

std::unique_ptr<Pass> lower(const qubo::Model& model,
                            ModelSettings& settings,
                            const Stop& /*stop*/) {
  if (!qubo::Lowered::needed(model)) {
    return nullptr;
  }
  auto pass = std::make_unique<LowerPass>(model);
  if (!settings.fixed.empty()) {
    settings.fixed.resize(pass->model().f.linear.size(), qubo::kFree);
  }
  settings.count_optima = settings.count_optima && pass->keeps_optima();
  return pass;
}

/// Substitutes the values that the user fixed.
class FixPass final : public Pass {
 public:
  FixPass(const qubo::Model& model, std::vector<std::uint8_t> values)
      : fixed_(model, std::move(values)) {}

  const qubo::Model& model() const override { return fixed_.rest(); }
  bool keeps_optima() const override { return true; }
  std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const override {
    return fixed_.whole(x);
  }
  std::vector<std::uint8_t> forward(std::span<const std::uint8_t> x) const override {
    return fixed_.part(x);
  }

 private:
  qubo::Fixed fixed_;
};

std::unique_ptr<Pass> fix(const qubo::Model& model,
                          ModelSettings& settings,
                          const Stop& /*stop*/) {
  if (settings.fixed.empty()) {
    return nullptr;
  }
  return std::make_unique<FixPass>(model, std::exchange(settings.fixed, {}));
}

/// Replaces variables by the products that they equal.
class ProductsPass final : public Pass {
 public:
  explicit ProductsPass(Products products)
      : products_(std::move(products)),
        model_(qubo::model_of(std::exchange(products_.p, {}))) {}

  const qubo::Model& model() const override { return model_; }
  void tell(qubo::Recovered& recovered) const override {
    recovered.products += std::ssize(products_.products);
  }
  std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const override {
    return products_.whole(x);
  }
  std::vector<std::uint8_t> forward(std::span<const std::uint8_t> x) const override {
    return products_.part(x);
  }

 private:
  Products products_;
  qubo::Model model_;
};

/// Polynomials pay off if half of the variables are products.
std::unique_ptr<Pass> recover_products(const qubo::Model& model,
                                       ModelSettings& settings,
                                       const Stop& stop) {
  if (!model.quadratic() || settings.method->solve_polynomial == nullptr ||
      !settings.presolve || !settings.solver.recover || !settings.one_best() ||
      settings.count_optima) {
    return nullptr;
  }
  Products products = find_products(model.f, model.size() <= kMaxOrdered, stop);
  const std::int64_t found = std::ssize(products.products);
  if (found == 0 || 2 * found < model.size()) {
    return nullptr;
  }
  return std::make_unique<ProductsPass>(std::move(products));
}

/// Reduces products and constraints to a quadratic function.
class QuadraticPass final : public Pass {
 public:
  explicit QuadraticPass(const qubo::Model& model)
      : variables_(model.f.linear.size()),
        penalises_(!model.constraints.empty()),
        model_(qubo::reduced(qubo::polynomial_of(model), "the problem").f) {}

  bool penalises() const override { return penalises_; }

  const qubo::Model& model() const override { return model_; }
  std::vector<std::uint8_t> back(std::span<const std::uint8_t> x) const override {
    return {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(variables_)};
  }
  /// Added variables start at 0.
  std::vector<std::uint8_t> forward(std::span<const std::uint8_t> x) const override {
    std::vector<std::uint8_t> all(x.begin(), x.end());
    all.resize(model_.f.linear.size());
    return all;
  }

 private:
  std::size_t variables_;
  bool penalises_;
  qubo::Model model_;
};

/// Long lists of solutions use penalties,
/// because under constraints each solution takes a separate search.
std::unique_ptr<Pass> make_quadratic(const qubo::Model& model,
                                     ModelSettings& settings,
                                     const Stop& /*stop*/) {
  const bool kept =
      model.constraints.empty()
          ? model.higher.empty() || settings.method->solve_polynomial != nullptr
          : settings.solver.top <= kMaxKept;
  if (kept) {
    return nullptr;
  }
  settings.count_optima = false;  // several x of the function may be one here
  return std::make_unique<QuadraticPass>(model);
}

constexpr std::array kPasses{NamedPass{"defined", define},
                             NamedPass{"lowered", lower},
                             NamedPass{"fixed", fix},
                             NamedPass{"products", recover_products},
                             NamedPass{"quadratic", make_quadratic},
                             NamedPass{"presolve", presolve}};

}  // namespace

std::span<const NamedPass> passes() {
  return kPasses;
}

}  // namespace oa::solve
