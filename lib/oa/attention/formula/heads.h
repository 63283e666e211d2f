#pragma once

#include "oa/attention/formula/formula.h"
#include "oa/attention/head_options.h"
#include "oa/attention/kernel/heads.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::attention {

/// Queries, keys and values, with heads side by side.  A group of heads shares keys and
/// values, which have groups * width columns.
struct Heads {
  Value q;
  Value k;
  Value v;
  int heads = 1;
  int groups = 1;
  float scale = 1.0F;  ///< factor of the logits

  [[nodiscard]] int width() const { return q.cols / heads; }
  /// HeadsView with these shapes, without data.
  [[nodiscard]] HeadsView shapes() const {
    return {.q = {nullptr, q.rows, q.cols, num::padded(q.cols)},
            .k = {nullptr, k.rows, k.cols, num::padded(k.cols)},
            .v = {nullptr, v.rows, v.cols, num::padded(v.cols)},
            .heads = heads,
            .groups = groups,
            .scale = scale};
  }
};

/// The maps Wq, Wk, Wv, and optionally Wo.  If the last tokens of a site are queries
/// only, keys and values come from the other tokens.  Maps of keys and queries have
/// fewer inputs if the site lets them see only the first columns.
class HeadLayer {
 public:
  /// Maps x, with `groups` groups of heads; 0: one for each head.
  HeadLayer(Value x,
            const HeadOptions& options,
            int groups = 0,
            const MapSettings& settings = {});

  [[nodiscard]] const Heads& heads() const { return heads_; }
  /// Maps the heads' output to the layer's output: Wo, or unchanged.
  [[nodiscard]] Value output(Value mixed) const;

 private:
  HeadOptions options_;
  parts::Bias bias_;  // tells if Wo has a bias
  Heads heads_;
};

/// Maps rows first .. first + rows - 1 of x to `width` columns: parts::Projection.
struct MapRows {
  int first = 0;
  int rows = 0;
};
[[nodiscard]] Value projection(const std::string& name,
                               Value x,
                               const MapRows& rows,
                               int width,
                               parts::MapStyle style = parts::MapStyle::Normalized,
                               double stretch = 0.0);

/// Returns learned queries, or queries by the map Wq of the tokens that have queries.
[[nodiscard]] Value queries_of(Value seen,
                               parts::MapStyle style = parts::MapStyle::Normalized,
                               const std::string& prefix = "");

/// An operation on heads with inputs q, k, v and maybe more; each query has a row.
class HeadsOperation : public Operation {
 public:
  struct Uses {
    std::string_view name;
    bool output = true;           ///< backward reads the output
    std::vector<Value> others{};  ///< inputs after q, k and v
    std::vector<Setting> settings{};
  };

  HeadsOperation(const Heads& heads, Uses uses);

 protected:
  [[nodiscard]] const Heads& heads() const { return heads_; }
  [[nodiscard]] HeadsView view(std::span<const num::ConstView> in) const;
  [[nodiscard]] static HeadsGradient gradient(const BackwardRun& run) {
    return {.q = run.d_in[0].d, .k = run.d_in[1].d, .v = run.d_in[2].d};
  }
  [[nodiscard]] const Formula& formula() const { return *heads_.q.formula; }

 private:
  Heads heads_;
};

}  // namespace oa::attention
