// A user's kind of attention: each column is a moving average of values, whose
// decay the training learns.  y_i = a y_(i-1) + (1 - a) v_i with a = 1 / (1 + exp -w).
#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/kind_library.h"
#include "oa/base/version.h"

#include <array>

using namespace oa;
using namespace oa::attention;

namespace {

/// The averages of v (n,d) with decays a (1,d).
class MovingAverage : public Operation {
 public:
  MovingAverage(Value v, Value a)
      : Operation({.name = "moving_average",
                   .in = {v, a},
                   .rows = v.rows,
                   .cols = v.cols,
                   .reads_inputs = true,
                   .reads_output = true}) {}

  /// A decoder keeps the last row between tokens.
  std::int64_t state() const override { return cols(); }
  void forward(const ForwardRun& run) override {
    for (int i = 0; i < run.out.rows; ++i) {
      for (int c = 0; c < cols(); ++c) {
        float& y = run.state[static_cast<std::size_t>(c)];
        y += (1.0F - run.in[1](0, c)) * (run.in[0](i, c) - y);
        run.out(i, c) = y;
      }
    }
  }
  void backward(const BackwardRun& run) override {
    for (int c = 0; c < cols(); ++c) {
      const float a = run.in[1](0, c);
      float dy = 0.0F;
      float da = 0.0F;
      for (int i = rows() - 1; i >= 0; --i) {
        dy = run.d_out(i, c) + a * dy;
        run.d_in[0].d(i, c) = (1.0F - a) * dy;
        da += dy * ((i > 0 ? run.out(i - 1, c) : 0.0F) - run.in[0](i, c));
      }
      run.d_in[1].d(0, c) = da;
    }
  }
};

Value average(Formula& f, const NoOptions& /*options*/) {
  f.require(f.causal(), "needs a causal layer");
  const Value x = f.tokens();
  const Value v = linear("Wv", x, f.dim());
  const Value a = logistic(f.parameter("decay", {f.dim()}, parts::constant(1.0)));
  const Value y = f.apply<MovingAverage>(v, a);
  return linear("Wo", y * silu(linear("Wg", x, f.dim())), f.dim());
}

constexpr Kind kAverage = formula_kind<NoOptions, average>({
    .name = "average",
    .family = kRecurrentFamily,
    .summary = "moving averages with learned decays",
    .direction = Direction::Both,
});
constexpr std::array kKinds{&kAverage};

}  // namespace

const KindLibrary oa_kinds{kVersion, kKinds};
