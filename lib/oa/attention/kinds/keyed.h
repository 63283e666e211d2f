#pragma once

#include "oa/attention/head_maps.h"
#include "oa/attention/kind.h"
#include "oa/attention/kinds/keyed_head.h"
#include "oa/attention/kinds/keyed_steps.h"
#include "oa/attention/layer_of.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// The source of keys of optimising attention.
enum class OptimizingKeys : std::uint8_t {
  Paper,     ///< keys are the values: the layer of the paper
  Own,       ///< keys are the values, with heads and learned scales
  Shared,    ///< one map for keys and queries
  Separate,  ///< a map for keys
};

/// Options of the kind "optimizing".
struct OptimizingOptions {
  int thin = 0;
  int candidates = 0;
  bool warm = false;
  OptimizingKeys keys = OptimizingKeys::Paper;
  HeadOptions maps;
  bool unit = true;
  bool centre = true;
  bool isometric = false;
  double alpha = 4.0;
  double beta = 8.0;
  double penalty = 3.0;

  static std::span<const Field<OptimizingOptions>> fields();
};

/// True if an option applies beside the given ones.
[[nodiscard]] bool optimizing_option_applies(const OptionTexts& texts,
                                             const std::string& name);

/// Why a layer cannot stand at a site; empty if it can.
[[nodiscard]] std::string refusal_of_optimizing(const Site& site);

/// The maps and scales of optimising attention with keys.
struct KeyedParts {
  OptimizingOptions options;
  HeadMaps maps;
  std::optional<int> log_alpha;  // tensors, one number for each head; none: alpha is 0
  int log_beta;
  int penalty;

  KeyedParts(const Site& site, parts::Layout& layout);

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const;
  [[nodiscard]] KeyForm form(const Site& site) const;
  [[nodiscard]] KeyedScales scales(const parts::Weights& weights, int head) const;
  /// Adds to the gradients of a head's scales.
  void add(const KeyedScalesGradient& from, int head, parts::Values& gradient) const;
};

/// Optimising attention with keys, on one sequence.
class Keyed : public Attention {
 public:
  using Parts = KeyedParts;
  class Decoder;

  Keyed(const Site& site, const Parts& parts, int tokens, const Resources& resources);

  void set_stage(const Stage& stage) override;
  std::span<const Problem> pose(const parts::Weights& weights,
                                num::ConstView x,
                                const QueryRows& rows) override;
  void forward(const parts::Weights& weights, num::ConstView x, num::View o) override;
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::ConstView d_o,
                num::View dx,
                parts::Values& gradient) override;

  [[nodiscard]] num::ConstView queries() const override { return at_.q; }
  [[nodiscard]] num::ConstView values() const override { return at_.v; }
  [[nodiscard]] const CoefficientLayer* coefficients() const override {
    return &heads_.front().coefficients();
  }
  [[nodiscard]] float residual() const override;

 private:
  template <class Matrix>
  [[nodiscard]] Matrix of_head(Matrix all, int head) const {
    return columns(all, head * parts_.maps.head_dim(), parts_.maps.head_dim());
  }
  void pose_heads(const parts::Weights& weights,
                  num::ConstView x,
                  const QueryRows& rows);
  /// (m,dim): the values that a head's coefficients weigh in the output.
  void posed_values(const parts::Weights& weights, int head, num::View to) const;

  Parts parts_;
  HeadMaps::Workspace at_;
  bool causal_;
  std::vector<KeyedHead> heads_;
  std::vector<Problem> problems_;
  std::vector<num::View> posed_;  // the values of each problem
  num::View spread_;
};

/// Optimising attention with keys, token by token.
class Keyed::Decoder : public attention::Decoder {
 public:
  Decoder(const Site& site, const Parts& parts, int tokens, const Resources& resources);

  void step(const parts::Weights& weights, num::ConstView x, num::View y) override;
  void restart() override { steps_.restart(); }

 private:
  Parts parts_;
  HeadMaps::Workspace at_;
  KeyedSteps steps_;
};

}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::OptimizingKeys> {
  static constexpr std::array kAll{"paper", "own", "shared", "separate"};
};

}  // namespace oa
