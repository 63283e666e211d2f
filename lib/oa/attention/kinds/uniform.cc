// Every query gets the mean of the values that it sees: an ablation of the choice of
// keys.  It costs one projection.
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/num/rows.h"
#include "oa/parts/layers.h"

#include <algorithm>
#include <array>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct UniformParts {
  parts::Projection value;

  UniformParts(const Site& site, parts::Layout& layout)
      : value(layout, site.prefix + "Wv", site.width, site.dim) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    return value.cost(site.keys(tokens));
  }
};

/// The weight of each of `values` values.
float share_of(const Site& site, int values) {
  const float share = 1.0F / static_cast<float>(values);
  return site.divide_output ? share * share : share;
}

class Uniform : public Attention {
 public:
  using Parts = UniformParts;

  Uniform(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : site_(site),
        parts_(parts),
        keys_(site.keys(tokens)),
        queries_(site.queries(tokens)),
        value_(parts.value.workspace(keys_, resources.kept)),
        v_(num::zeros(keys_, site.dim, resources.kept)),
        sum_(num::zeros(1, site.dim, resources.scratch)),
        dv_(num::zeros(keys_, site.dim, resources.scratch)) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.value.forward(weights, x.top(keys_), v_, value_);
    num::fill(sum_, 0.0F);
    if (!site_.causal) {
      num::add_rows(v_, {sum_.row(0), static_cast<std::size_t>(o.stride)});
    }
    num::fill(o, 0.0F);
    for (int i = 0; i < o.rows; ++i) {
      if (site_.causal) {
        num::add(row_block(v_, i, 1), sum_);
      }
      num::add_scaled(sum_, share_of(site_, seen(i)), row_block(o, i, 1));
    }
  }

  std::vector<num::Matrix> value_weights() const override {
    std::vector<num::Matrix> heads;
    num::Matrix& all = heads.emplace_back(queries_, keys_);
    for (int i = 0; i < queries_; ++i) {
      std::fill_n(all.row(i), seen(i), 1.0F / static_cast<float>(seen(i)));
    }
    return heads;
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    num::fill(sum_, 0.0F);
    num::fill(dv_, 0.0F);
    if (!site_.causal) {
      num::add_rows(d_o, {sum_.row(0), static_cast<std::size_t>(d_o.stride)});
    }
    for (int j = dv_.rows - 1; j >= 0; --j) {
      if (site_.causal) {  // queries from j on see it
        num::add_scaled(row_block(d_o, j, 1), share_of(site_, seen(j)), sum_);
        num::add(sum_, row_block(dv_, j, 1));
      } else {
        num::add_scaled(sum_, share_of(site_, keys_), row_block(dv_, j, 1));
      }
    }
    num::fill(dx, 0.0F);
    parts_.value.backward(weights, x.top(keys_), dv_, dx.top(keys_), gradient, value_);
  }

  ConstView values() const override { return v_; }

  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& site,
            const Parts& parts,
            int /*tokens*/,
            const Resources& resources)
        : site_(site),
          parts_(parts),
          value_(parts.value.workspace(1, resources.scratch)),
          v_(num::zeros(1, site.dim, resources.scratch)),
          sum_(num::zeros(1, site.dim, resources.kept)) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      parts_.value.forward(weights, x, v_, value_);
      num::add(v_, sum_);
      ++seen_;
      num::fill(y, 0.0F);
      num::add_scaled(sum_, share_of(site_, seen_), y);
    }
    void restart() override {
      num::fill(sum_, 0.0F);
      seen_ = 0;
    }

   private:
    Site site_;
    Parts parts_;
    parts::Projection::Workspace value_;
    View v_;
    View sum_;  // of the values so far
    int seen_ = 0;
  };

 private:
  /// The number of values that query i sees.
  [[nodiscard]] int seen(int i) const { return site_.causal ? i + 1 : keys_; }

  Site site_;
  Parts parts_;
  int keys_;
  int queries_;
  parts::Projection::Workspace value_;
  View v_;
  View sum_;  // of values, or of gradients
  View dv_;
};

constexpr std::array kUniformSettings{KindSetting{"divide_output"}};

}  // namespace

const Kind kUniform{
    .name = "uniform",
    .family = kKeylessFamily,
    .summary = "every query gets the mean of the values",
    .direction = Direction::Both,
    .takes_queries = true,
    .permutes = true,
    .settings = kUniformSettings,
    .declare = &declare<Uniform>,
};

}  // namespace oa::attention
