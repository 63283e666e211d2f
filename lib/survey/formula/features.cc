#include "survey/formula/features.h"

#include "oa/base/index.h"
#include "oa/base/number.h"
#include "survey/kernel/scan/linear_scan.h"

#include <array>
#include <utility>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

std::string_view name_of(Feature feature) {
  switch (feature) {
    case Feature::Identity: return "identity_features";
    case Feature::Relu: return "relu_features";
    case Feature::Elu: return "elu_features";
    case Feature::Exp: return "exp_features";
    case Feature::Positive: return "positive_features";
    case Feature::Fourier: return "fourier_features";
  }
  return "";
}

class FeatureAttention : public HeadsOperation {
 public:
  FeatureAttention(const Heads& of, FeatureSettings settings, int inverse_sigma)
      : HeadsOperation(
            of,
            {.name = name_of(settings.feature),
             .others =
                 settings.gate ? std::vector{*settings.gate} : std::vector<Value>{},
             .settings = {{"epsilon", JsonValue::of_json(format(settings.epsilon))}}}),
        settings_(std::move(settings)),
        inverse_sigma_(inverse_sigma) {
    shape_.heads = of.heads;
    shape_.key_width = shape_.value_width = of.width();
    shape_.features.kind = settings_.feature;
    shape_.features.head_width = of.width();
    if (settings_.directions) {
      shape_.features.directions = settings_.directions->columns;
      shape_.features.transposed = settings_.directions->rows;
    }
    shape_.causal = formula().causal();
    shape_.clamped =
        settings_.feature == Feature::Fourier || settings_.feature == Feature::Identity;
    shape_.epsilon = settings_.epsilon;
    shape_.threads = formula().threads();
  }

  std::vector<Setting> tables() const override {
    std::vector<std::vector<float>> directions;
    for (int i = 0; settings_.directions && i < settings_.directions->rows.rows();
         ++i) {
      const float* row = settings_.directions->rows.row(i);
      directions.emplace_back(row, row + heads().width());
    }
    return {{"directions", directions}};
  }
  parts::Cost cost() const override {
    const std::int64_t elements = std::int64_t{rows()} * cols();
    const int drawn = settings_.directions ? settings_.directions->columns.cols() : 0;
    const int features = drawn == 0                              ? heads().width()
                         : settings_.feature == Feature::Fourier ? 2 * drawn
                                                                 : drawn;
    const std::int64_t products = 4 * elements * (features + drawn);
    return {.forward = products,
            .backward = 3 * products,
            .exponentials = rows() * heads().heads * settings_.per_token,
            .traffic = 4 * 4 * elements};
  }
  void reserve(const Arenas& arenas) override {
    sum_ = num::zeros(rows(), heads().heads, arenas.kept);
    reference_ = num::zeros(rows(), heads().heads, arenas.kept);
  }
  std::size_t temporary(bool backward) const override {
    return backward ? linear_backward_scratch_bytes(shape_, rows())
                    : linear_scratch_bytes(shape_);
  }
  std::int64_t state() const override {
    return shape_.causal ? linear_state_size(shape_) : 0;
  }

  void forward(const ForwardRun& run) override {
    const LinearInput from = input(run.in, run.weights);
    const LinearOutput to{.o = run.out, .sum = sum_, .reference = reference_};
    clamps_ = shape_.causal ? linear_scan(shape_, from, to, run.state, run.temporary)
                            : linear_sums(shape_, from, to, run.temporary);
  }
  void backward(const BackwardRun& run) override {
    std::array<float, 1024> sigma{};  // for the largest number of heads
    const auto count = learns_sigma() ? at(heads().heads) : 0;
    // The output is only read.
    const View out{
        const_cast<float*>(run.out.data), run.out.rows, run.out.cols, run.out.stride};
    linear_backward(shape_,
                    input(run.in, run.weights),
                    {.o = out, .sum = sum_, .reference = reference_},
                    run.d_out,
                    {.q = run.d_in[0].d,
                     .k = run.d_in[1].d,
                     .v = run.d_in[2].d,
                     .gate = settings_.gate ? run.d_in[3].d : View{},
                     .inverse_sigma = std::span(sigma).first(count)},
                    run.temporary);
    for (std::size_t h = 0; h < count; ++h) {
      run.gradient.vector(inverse_sigma_)[h] += sigma[h];
    }
  }

  std::vector<Count> counts() const override {
    return shape_.clamped ? std::vector<Count>{{"clamps", clamps_}}
                          : std::vector<Count>{};
  }

 private:
  [[nodiscard]] bool learns_sigma() const { return inverse_sigma_ >= 0; }
  [[nodiscard]] LinearInput input(std::span<const ConstView> in,
                                  const parts::Weights& weights) const {
    return {.q = in[0],
            .k = in[1],
            .v = in[2],
            .gate = settings_.gate ? in[3] : ConstView{},
            .inverse_sigma =
                learns_sigma()
                    ? weights.values().vector(inverse_sigma_).first(at(heads().heads))
                    : std::span<const float>{}};
  }

  FeatureSettings settings_;
  int inverse_sigma_;  // tensor; -1: none
  LinearShape shape_;
  View sum_;
  View reference_;
  std::int64_t clamps_ = 0;
};

}  // namespace

Directions::Directions(int d, int m, bool orthogonal, std::int64_t seed)
    : columns(d, m),
      rows(m, d) {
  Rng rng(static_cast<std::uint64_t>(seed));
  Arena arena((at(d) + 2) * at(d) * sizeof(double) + 2 * Arena::kAlignment);
  draw_directions(rng, orthogonal, columns, rows, arena);
}

Value feature_attention(const Heads& heads, const FeatureSettings& settings) {
  Formula& f = *heads.q.formula;
  const int inverse_sigma =
      settings.learns_sigma
          ? f.tensor("inverse_sigma", {heads.heads}, parts::constant(1.0))
          : -1;
  return f.apply<FeatureAttention>(heads, settings, inverse_sigma);
}

}  // namespace oa::attention
