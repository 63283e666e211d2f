#include "oa/attention/formula/loops.h"

#include "oa/base/index.h"

#include <array>

namespace oa::attention {
namespace {

using num::ConstView;

// The length of the initial step: gradient descent towards keys whose sum is the query.
constexpr double kFirstStep = 0.3;

class NextQueries : public Operation {
 public:
  /// The numbers of tensors: factors of the three inputs.
  using Factors = std::array<int, 3>;

  NextQueries(Value q, Value first, Value r, int heads, const Factors& factors)
      : Operation({.name = "next_queries",
                   .in = {q, first, r},
                   .rows = q.rows,
                   .cols = q.cols,
                   .reads_inputs = true}),
        width_(q.cols / heads),
        factors_(factors) {}

  void forward(const ForwardRun& run) override {
    const ConstView q = run.in[0];
    const ConstView first = run.in[1];
    const ConstView r = run.in[2];
    for (int c = 0; c < cols(); ++c) {
      const auto [keep, query, read] = factors_of(run.weights, c);
      for (int i = 0; i < rows(); ++i) {
        run.out(i, c) = keep * q(i, c) + query * first(i, c) - read * r(i, c);
      }
    }
  }
  void backward(const BackwardRun& run) override {
    for (int c = 0; c < cols(); ++c) {
      const auto [keep, query, read] = factors_of(run.weights, c);
      const std::array signed_factors{keep, query, -read};
      for (std::size_t k = 0; k < factors_.size(); ++k) {
        double along = 0.0;
        for (int i = 0; i < rows(); ++i) {
          run.d_in[k].d(i, c) = signed_factors[k] * run.d_out(i, c);
          along += double{run.d_out(i, c)} * double{run.in[k](i, c)};
        }
        run.gradient.vector(factors_[k])[at(c / width_)] +=
            static_cast<float>(k == 2 ? -along : along);
      }
    }
  }

 private:
  std::array<float, 3> factors_of(const parts::Weights& weights, int column) const {
    std::array<float, 3> all{};
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k] = weights.values().vector(factors_[k])[at(column / width_)];
    }
    return all;
  }

  int width_;  // columns of a head
  Factors factors_;
};

}  // namespace

Value next_queries(Value q, Value first, Value r, int heads) {
  Formula& f = *q.formula;
  const auto tensor = [&](const char* name, double start) {
    return f.tensor(name, {heads}, parts::constant(start));
  };
  return f.apply<NextQueries>(q,
                              first,
                              r,
                              heads,
                              NextQueries::Factors{tensor("loop_keep", 1.0),
                                                   tensor("loop_query", kFirstStep),
                                                   tensor("loop_read", kFirstStep)});
}

}  // namespace oa::attention
