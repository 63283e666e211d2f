#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/attention/formula/plan.h"
#include "oa/attention/kind.h"
#include "oa/attention/kind_options.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace oa::attention {

/// Adds operations to a formula, and returns the layer's output.
using BuildFormula = std::function<Value(Formula& formula)>;

/// A layer that builds its formula for sequences of any length.
class FormulaLayer : public Layer {
 public:
  /// Declares the tensors.
  FormulaLayer(const Site& site, parts::Layout& layout, BuildFormula build);

  using Layer::cost;
  [[nodiscard]] parts::Cost cost(const Batch& batch, int threads) const override;
  [[nodiscard]] std::unique_ptr<Attention> make(
      const Batch& batch, const Resources& resources) const override;
  [[nodiscard]] std::unique_ptr<Decoder> make_decoder(
      int tokens, const Resources& resources) const override;
  [[nodiscard]] std::unique_ptr<const Formula> formula(int tokens) const override;

 private:
  [[nodiscard]] std::unique_ptr<const Formula> built(int tokens,
                                                     Formula::Purpose purpose,
                                                     int threads) const;

  Site site_;
  BuildFormula build_;
  parts::Layout layout_;
  Constants constants_;
  std::int64_t parameters_;
};

/// A formula with memory: operations in order, and buffers for values.
class FormulaRunner {
 public:
  FormulaRunner(std::unique_ptr<const Formula> formula, const Arenas& arenas);

  void forward(const parts::Weights& weights, num::ConstView x, num::View o);
  /// The problems of the last operation that poses some; values have output width.
  std::span<const Problem> pose(const parts::Weights& weights,
                                num::ConstView x,
                                const QueryRows& rows);
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView d_o,
                num::View dx,
                parts::Values& gradient);
  /// Starts a new sequence of a decoder.
  void restart();

  [[nodiscard]] const Formula& formula() const { return *formula_; }
  /// The value computed by the last forward; empty for tokens, and for -1.
  [[nodiscard]] num::ConstView value(int id) const;
  /// The inputs of an operation in the last forward.
  [[nodiscard]] std::span<const num::ConstView> inputs(std::size_t operation) const {
    return inputs_[operation];
  }

 private:
  /// Values without buffers are in `o`.
  void find_inputs(const parts::Weights& weights, num::ConstView x, num::ConstView o);
  /// The arguments for an operation, with its output in `out`.
  [[nodiscard]] ForwardRun call(std::size_t operation,
                                const parts::Weights& weights,
                                num::View out);
  /// Passes values of an operation's problems through all later operations.
  [[nodiscard]] num::ConstView posed_values(std::size_t operation,
                                            const parts::Weights& weights,
                                            num::ConstView values);

  std::unique_ptr<const Formula> formula_;
  Plan plan_;
  const parts::Weights* weights_ = nullptr;  // the weights of the last call
  // inputs_[i] and states_[i] belong to operation i; only decoders have states.
  std::vector<std::vector<num::ConstView>> inputs_;
  std::vector<std::span<float>> states_;
  Arena temporary_;
  int token_ = 0;
  std::vector<Problem> problems_;
  std::vector<num::Matrix> posed_;  // the problems' values
};

/// An attention that evaluates a formula.
class FormulaAttention : public Attention {
 public:
  FormulaAttention(std::unique_ptr<const Formula> formula, const Resources& resources);

  void forward(const parts::Weights& weights, num::ConstView x, num::View o) override;
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView d_o,
                num::View dx,
                parts::Values& gradient) override;
  std::span<const Problem> pose(const parts::Weights& weights,
                                num::ConstView x,
                                const QueryRows& rows) override {
    return runner_.pose(weights, x, rows);
  }
  void set_stage(const Stage& stage) override;
  void draw_noise(const std::optional<Rng>& rng) override;

  [[nodiscard]] num::ConstView queries() const override;
  [[nodiscard]] num::ConstView values() const override;
  /// Weights of the last operation with weights; counts of the first with counts.
  [[nodiscard]] std::vector<num::Matrix> value_weights() const override;
  [[nodiscard]] std::vector<Count> counts() const override;
  [[nodiscard]] const CoefficientLayer* coefficients() const override;
  [[nodiscard]] float residual() const override;

 private:
  FormulaRunner runner_;
};

/// A decoder that evaluates a formula token by token.
class FormulaDecoder : public Decoder {
 public:
  FormulaDecoder(std::unique_ptr<const Formula> formula, const Resources& resources);

  void step(const parts::Weights& weights, num::ConstView x, num::View y) override {
    runner_.forward(weights, x, y);
  }
  void restart() override { runner_.restart(); }

 private:
  FormulaRunner runner_;
};

/// Error message if a formula cannot be used at `site`; else empty.
[[nodiscard]] std::string refusal_of_formula(const Site& site,
                                             const BuildFormula& build);

/// Options of kinds without options.
struct NoOptions {};

/// Returns the formula of a kind with the site's options.
template <class O, Value (*Build)(Formula& formula, const O& options)>
[[nodiscard]] BuildFormula formula_at(const Site& site) {
  if constexpr (std::is_same_v<O, NoOptions>) {
    return [](Formula& f) { return Build(f, {}); };
  } else {
    return [options = options_of<O>(site)](Formula& f) { return Build(f, options); };
  }
}

/// Completes `all`, a kind, by a formula: sets options, refusal and layer.
template <class O, Value (*Build)(Formula& formula, const O& options)>
[[nodiscard]] constexpr Kind formula_kind(Kind all) {
  if constexpr (!std::is_same_v<O, NoOptions>) {
    all.options = options_from<O>();
  }
  all.refusal = [](const Site& site) {
    return refusal_of_formula(site, formula_at<O, Build>(site));
  };
  all.declare = [](const Site& site,
                   parts::Layout& layout) -> std::unique_ptr<const Layer> {
    return std::make_unique<FormulaLayer>(site, layout, formula_at<O, Build>(site));
  };
  return all;
}

}  // namespace oa::attention
