#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/attention/formula/plan.h"
#include "oa/attention/kind.h"
#include "oa/attention/kind_options.h"
#include "oa/attention/layer_of.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace oa::attention {

/// The output of a layer, by the operations that it adds to a formula.
using BuildFormula = std::function<Value(Formula& formula)>;

/// A formula as declared: its tensors, and how to build it for any number of tokens.
class FormulaParts {
 public:
  FormulaParts(const Site& site, parts::Layout& layout, BuildFormula build);

  [[nodiscard]] std::unique_ptr<const Formula> formula(const Site& site,
                                                       int tokens,
                                                       Formula::Purpose purpose,
                                                       int threads) const;
  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const;

 private:
  BuildFormula build_;
  parts::Layout layout_;
  Constants constants_;
};

/// A formula at work: its operations in their order, and the buffers between them.
class FormulaRunner {
 public:
  /// States of a decoder are in `states`.
  FormulaRunner(std::unique_ptr<const Formula> formula,
                const Arenas& memory,
                Arena& states);

  void forward(const parts::Weights& weights, num::ConstView x, num::View o);
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView d_o,
                num::View dx,
                parts::Values& gradient);
  /// Starts a new sequence of a decoder.
  void restart();

  [[nodiscard]] const Formula& formula() const { return *formula_; }
  /// The value of the last forward; empty for tokens and none.
  [[nodiscard]] num::ConstView value(int id) const;
  /// The inputs of an operation in the last forward.
  [[nodiscard]] std::span<const num::ConstView> inputs(std::size_t operation) const {
    return inputs_[operation];
  }

 private:
  void find_inputs(const parts::Weights& weights, num::ConstView x);

  std::unique_ptr<const Formula> formula_;
  Plan plan_;
  std::vector<std::vector<num::ConstView>> inputs_;  // of each operation
  std::vector<std::span<float>> states_;             // of each operation of a decoder
  Arena temporary_;
  int token_ = 0;
};

/// Attention by a formula.
class FormulaAttention : public Attention {
 public:
  FormulaAttention(const Site& site,
                   const FormulaParts& parts,
                   int tokens,
                   const Resources& resources);

  void forward(const parts::Weights& weights, num::ConstView x, num::View o) override;
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView d_o,
                num::View dx,
                parts::Values& gradient) override;
  void draw_noise(const std::optional<Rng>& rng) override;

  [[nodiscard]] num::ConstView queries() const override;
  [[nodiscard]] num::ConstView values() const override;
  /// Of the first operation that has some.
  [[nodiscard]] std::vector<num::Matrix> value_weights() const override;
  [[nodiscard]] std::vector<Count> counts() const override;

 private:
  FormulaRunner runner_;
};

/// A formula token by token.
class FormulaDecoder : public Decoder {
 public:
  FormulaDecoder(const Site& site,
                 const FormulaParts& parts,
                 int tokens,
                 const Resources& resources);

  void step(const parts::Weights& weights, num::ConstView x, num::View y) override {
    runner_.forward(weights, x, y);
  }
  void restart() override { runner_.restart(); }

 private:
  FormulaRunner runner_;
};

/// Why a formula cannot stand at a site; empty if it can.
[[nodiscard]] std::string refusal_of_formula(const Site& site,
                                             const BuildFormula& build);

/// The options of a kind that has none.
struct NoOptions {};

/// Makes a kind of a formula with options O.
template <class O, Value (*Build)(Formula& formula, const O& options)>
class FormulaOf : public FormulaAttention {
 public:
  struct Parts : FormulaParts {
    Parts(const Site& site, parts::Layout& layout)
        : FormulaParts(site, layout, build_at(site)) {}
  };
  using Decoder = FormulaDecoder;
  using FormulaAttention::FormulaAttention;

  /// The kind with its options, its refusal and its layer.
  [[nodiscard]] static constexpr Kind kind(Kind all) {
    if constexpr (!std::is_same_v<O, NoOptions>) {
      all.options = options_from<O>();
    }
    all.refusal = [](const Site& site) {
      return refusal_of_formula(site, build_at(site));
    };
    all.declare = &declare<FormulaOf>;
    return all;
  }

 private:
  static BuildFormula build_at(const Site& site) {
    if constexpr (std::is_same_v<O, NoOptions>) {
      return [](Formula& f) { return Build(f, {}); };
    } else {
      return [options = options_of<O>(site)](Formula& f) { return Build(f, options); };
    }
  }
};

}  // namespace oa::attention
