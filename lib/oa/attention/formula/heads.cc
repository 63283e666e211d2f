#include "oa/attention/formula/heads.h"

#include "oa/attention/formula/maps.h"
#include "oa/base/number.h"
#include "oa/num/rows.h"

#include <cmath>
#include <utility>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

class ProjectedRows : public Operation {
 public:
  ProjectedRows(Value x, const MapRows& some, int width, const parts::Projection& map)
      : Operation({.name = "projection",
                   .in = {x},
                   .rows = some.rows,
                   .cols = width,
                   .reads_inputs = true,
                   .adds = true,
                   .settings = {{"first_row", some.first}}}),
        first_(some.first),
        map_(map) {}

  parts::Cost cost() const override { return map_.cost(rows()); }
  void reserve(const Arenas& arenas) override {
    workspace_ = map_.workspace(rows(), arenas.kept);
  }
  void forward(const ForwardRun& run) override {
    map_.forward(
        run.weights, row_block(run.in[0], first_, rows()), run.out, workspace_);
  }
  void backward(const BackwardRun& run) override {
    const Target& to = run.d_in[0];
    if (!to.add) {
      num::fill(to.d, 0.0F);
    }
    map_.backward(run.weights,
                  row_block(run.in[0], first_, rows()),
                  run.d_out,
                  row_block(to.d, first_, rows()),
                  run.gradient,
                  workspace_);
  }

 private:
  int first_;
  parts::Projection map_;
  parts::Projection::Workspace workspace_;
};

/// The operation that selects a block of rows and columns.
class Block : public Operation {
 public:
  Block(Value x, const MapRows& some, int cols)
      : Operation({.name = "block",
                   .in = {x},
                   .rows = some.rows,
                   .cols = cols,
                   .adds = true,
                   .settings = {{"first_row", some.first}}}),
        first_(some.first) {}

  void forward(const ForwardRun& run) override {
    copy_rows(columns(row_block(run.in[0], first_, rows()), 0, cols()), run.out);
  }
  void backward(const BackwardRun& run) override {
    const Target& to = run.d_in[0];
    if (!to.add) {
      num::fill(to.d, 0.0F);
    }
    for (int i = 0; i < rows(); ++i) {
      for (int c = 0; c < cols(); ++c) {
        to.d(first_ + i, c) += run.d_out(i, c);
      }
    }
  }

 private:
  int first_;
};

/// Returns a block of x as a value; x itself if the block is all of x.
Value block(Value x, const MapRows& some, int cols) {
  return some.rows == x.rows && cols == x.cols ? x
                                               : x.formula->apply<Block>(x, some, cols);
}

/// The rows of the tokens that have queries.
MapRows asking_of(Value x) {
  const int n = x.formula->site().queries(x.rows);
  return {x.formula->site().learned_queries > 0 ? 0 : x.rows - n, n};
}

}  // namespace

HeadLayer::HeadLayer(Value x,
                     const HeadOptions& options,
                     int groups,
                     const MapSettings& settings)
    : options_(options),
      bias_(options.plain ? parts::Bias::No : settings.output_bias) {
  Formula& f = *x.formula;
  const Site& site = f.site();
  heads_.heads = options.heads;
  heads_.groups = groups > 0 ? groups : options.heads;
  f.refuse(refusal_of_heads(f.dim(), options.heads, heads_.groups));
  const int head_width = f.dim() / options.heads;
  heads_.scale =
      static_cast<float>(settings.scale) / std::sqrt(static_cast<float>(head_width));
  const parts::MapStyle style =
      options.plain ? parts::MapStyle::Plain : parts::MapStyle::Normalized;
  const int width = heads_.groups * head_width;
  const MapRows asking = asking_of(x);
  const MapRows keys{0, site.keys(x.rows)};
  const Value seen = block(x, {0, x.rows}, site.seen_by_keys());
  if (settings.source == KeySource::Shared) {
    const Value both = projection(
        settings.prefix + "Wqk", seen, {0, x.rows}, width, style, settings.stretch);
    heads_.q = block(both, asking, width);
    heads_.k = block(both, keys, width);
  } else {
    heads_.q = queries_of(seen, style, settings.prefix);
    if (settings.source == KeySource::Separate) {
      heads_.k = projection(
          settings.prefix + "Wk", seen, keys, width, style, settings.stretch);
    }
  }
  heads_.v = projection(settings.prefix + "Wv", x, keys, width, style);
  if (settings.source == KeySource::Own) {
    heads_.k = heads_.v;
  }
  f.show(heads_.q, heads_.v);
  if (options.output) {
    f.place("Wo.weight", {f.dim(), f.dim()}, parts::for_inputs(f.dim()));
    if (bias_ == parts::Bias::Yes) {
      f.place("Wo.bias", {f.dim()}, parts::for_inputs(f.dim()));
    }
  }
}

Value HeadLayer::output(Value mixed) const {
  return !options_.output            ? mixed
         : bias_ == parts::Bias::Yes ? linear_with_bias("Wo", mixed, mixed.cols)
                                     : linear("Wo", mixed, mixed.cols);
}

Value projection(const std::string& name,
                 Value x,
                 const MapRows& rows,
                 int width,
                 parts::MapStyle style,
                 double stretch) {
  Formula& f = *x.formula;
  return f.apply<ProjectedRows>(
      x,
      rows,
      width,
      f.part<parts::Projection>(
          name,
          x.cols,
          width,
          style,
          stretch > 0.0 ? parts::orthogonal(stretch) : parts::for_inputs(x.cols)));
}

Value queries_of(Value seen, parts::MapStyle style, const std::string& prefix) {
  Formula& f = *seen.formula;
  const MapRows asking = asking_of(seen);
  if (f.site().learned_queries > 0) {
    // The gain of layer normalisation.
    return f.parameter(
        prefix + "queries", {asking.rows, f.dim()}, parts::gaussian(1.0));
  }
  return projection(prefix + "Wq", seen, asking, f.dim(), style);
}

namespace {

OperationForm form_of(const Heads& heads, HeadsOperation::Uses uses) {
  OperationForm form{.name = uses.name,
                     .in = {heads.q, heads.k, heads.v},
                     .rows = heads.q.rows,
                     .cols = heads.q.cols,
                     .reads_inputs = true,
                     .reads_output = uses.output,
                     .shows = true,
                     .settings = {{"heads", heads.heads},
                                  {"groups", heads.groups},
                                  {"scale", JsonValue::of_json(format(heads.scale))},
                                  {"causal", heads.q.formula->causal()}}};
  form.settings.insert(form.settings.end(), uses.settings.begin(), uses.settings.end());
  form.in.insert(form.in.end(), uses.others.begin(), uses.others.end());
  return form;
}

}  // namespace

HeadsOperation::HeadsOperation(const Heads& heads, Uses uses)
    : Operation(form_of(heads, std::move(uses))),
      heads_(heads) {}

HeadsView HeadsOperation::view(std::span<const ConstView> in) const {
  return {.q = in[0],
          .k = in[1],
          .v = in[2],
          .heads = heads_.heads,
          .groups = heads_.groups,
          .scale = heads_.scale};
}

}  // namespace oa::attention
