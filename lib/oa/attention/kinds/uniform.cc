#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/heads.h"
#include "oa/attention/kinds.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// Computes the mean of the values that a query sees; a decoder keeps their sum.
class MeanOfValues : public Operation {
 public:
  MeanOfValues(Value v, int queries)
      : Operation({.name = "mean_of_values",
                   .in = {v},
                   .rows = queries,
                   .cols = v.cols,
                   .shows = true,
                   .settings = {{"causal", v.formula->causal()},
                                {"divide_output", v.formula->site().divide_output}}}),
        site_(v.formula->site()) {}

  std::size_t temporary(bool backward) const override {
    return backward ? bytes_of(1, cols()) : 0;
  }
  std::int64_t state() const override { return num::padded(cols()); }

  void forward(const ForwardRun& run) override {
    const View sum{run.state.data(), 1, cols(), num::padded(cols())};
    if (!site_.causal) {
      num::add_rows(run.in[0], run.state);
    }
    num::fill(run.out, 0.0F);
    for (int i = 0; i < rows(); ++i) {
      if (site_.causal) {
        num::add(row_block(run.in[0], i, 1), sum);
      }
      num::add_scaled(sum, share(run.token + i), row_block(run.out, i, 1));
    }
  }
  void backward(const BackwardRun& run) override {
    const View dv = run.d_in[0].d;
    const View sum = num::zeros(1, cols(), run.temporary);
    num::fill(dv, 0.0F);
    if (!site_.causal) {
      num::add_rows(run.d_out, first_of_row(sum, 0, sum.stride));
    }
    for (int j = dv.rows - 1; j >= 0; --j) {
      if (site_.causal) {  // queries from j on see value j
        num::add_scaled(row_block(run.d_out, j, 1), share(j), sum);
        num::add(sum, row_block(dv, j, 1));
      } else {
        num::add_scaled(sum, share(j), row_block(dv, j, 1));
      }
    }
  }

  std::vector<num::Matrix> value_weights(
      std::span<const ConstView> /*in*/) const override {
    std::vector<num::Matrix> heads;
    num::Matrix& all = heads.emplace_back(rows(), in(0).rows);
    for (int i = 0; i < rows(); ++i) {
      std::fill_n(all.row(i), seen(i), 1.0F / static_cast<float>(seen(i)));
    }
    return heads;
  }

 private:
  /// The number of values that query i sees.
  [[nodiscard]] int seen(int i) const { return site_.causal ? i + 1 : in(0).rows; }
  [[nodiscard]] float share(int i) const {
    const float one = 1.0F / static_cast<float>(seen(i));
    return site_.divide_output ? one * one : one;
  }

  const Site& site_;
};

Value uniform(Formula& f, const NoOptions& /*options*/) {
  const Value x = f.tokens();
  const Value v = projection("Wv", x, {0, f.site().keys(x.rows)}, f.dim());
  f.show({}, v);
  return f.apply<MeanOfValues>(v, f.site().queries(x.rows));
}

constexpr std::array kUniformSettings{KindSetting{"divide_output"}};

}  // namespace

const Kind kUniform = formula_kind<NoOptions, uniform>({
    .name = "uniform",
    .family = kKeylessFamily,
    .summary = "every query gets the mean of the values",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .settings = kUniformSettings,
});

}  // namespace oa::attention
