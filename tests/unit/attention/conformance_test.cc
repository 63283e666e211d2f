// Requirements on every kind of attention, by the table of kinds: a new one is tested
// when it has a plain version in ref/kinds.
#include "oa/attention/kind_spec.h"
#include "oa/base/rng.h"
#include "oa/num/rows.h"
#include "ref/kinds/layer_reference.h"
#include "ref/larger.h"
#include "ref/targets.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

using namespace oa;
using attention::Batch;
using attention::Site;
using test::Counted;
using test::Grid;
using test::KindReference;
using test::LayerInputs;

namespace {

/// A kind with options at a site.
struct Case {
  std::string text;
  const attention::Kind* kind = nullptr;
  Site site;
  attention::Stage stage;

  explicit Case(const std::string& spec,
                bool causal,
                const std::function<void(Case& self)>& change = {})
      : text(spec + (causal ? " causal" : "")) {
    const attention::KindSpec parsed =
        attention::parse_kind_specs(spec, "test").front();
    kind = parsed.kind;
    site.tokens = 64;
    site.grid_cols = 3;
    // Keys of two columns are only signs after their normalisation.
    const bool four_heads = spec == "mqa" || spec == "gqa";
    site.width = site.dim = four_heads ? 16 : 8;
    site.causal = causal;
    site.options = parsed.options;
    site.coefficients = Coefficients::Continuous;
    site.value_scale = 4.0;
    site.lambda = 0.1;
    site.divide_output = false;
    site.solver.backward = attention::Backward::Implicit;
    if (change) {
      change(*this);
    }
    attention::check_site(*kind, site, "test");
  }
};

/// Options beside the defaults that are worth a test of their own.
const std::multimap<std::string, std::string> kMoreSpecs{
    {"optimizing", "thin=3"},
    {"optimizing", "thin=30,candidates=3"},
    {"optimizing", "keys=own"},
    {"softmax", "heads=2,scale=3,keys=shared"},
    {"softmax", "heads=2,score=sigmoid,scale=2,output=true"},
    {"softmax", "heads=2,loops=3"},
    {"softmax", "heads=2,score=sigmoid,keys=shared,loops=3"},
    {"hard", "heads=2,keys=shared"},
    {"optimizing", "keys=shared,heads=2,centre=false"},
    {"optimizing", "keys=shared,alpha=0"},
    {"optimizing", "keys=shared,heads=2,loops=2"},
    {"gqa", "heads=4,groups=2"},
    {"strided", "stride=4,radius=2"},
    {"sparse-transformer", "form=strided,block=3"},
    {"learned-mask", "block=2,relative=true,penalty=0,temperature=1"},
    {"longformer", "radius=1,globals=3"},
    {"bigbird", "block=4"},
    {"block-sparse", "block=4"},
    {"topk", "k=2,heads=2"},
    {"threshold", "tau=1,heads=2"},
    {"flash2", "scratch=16"},
    {"flash1", "block=16"},
    {"flash2", "block=32"},
    {"linformer", "k=5,heads=2,shared=false"},
    {"linear", "feature=exp,heads=2"},
    {"linear", "feature=relu"},
    {"performer", "features=7,heads=2"},
    {"rfa", "features=20,heads=2"},
    {"memory", "slots=3,heads=2"},
    {"gla", "heads=2,rank=3"},
    {"h3", "shift=2,states=6,head_dim=4"},
    {"h3", "shift=1,states=2"},
    {"mamba", "expand=3,states=5,conv=2,rank=3"},
    {"mamba", "expand=1,states=1,conv=1"},
    {"delta", "heads=2"},
    {"gated-delta", "heads=4,conv=1"},
    {"kda", "heads=2,conv=2,rank=3"},
    {"ttt", "heads=2,batch=4"},
    {"mesa", "heads=2"},
    {"identity-qk", "heads=2,temperature=true,values=true,output=true"},
    {"identity-qk", "self=false"},
    {"pool", "size=5"},
    {"mlp", "hidden=2"}};

bool has_option(const attention::Kind& kind, std::string_view name) {
  return kind.options.list != nullptr &&
         std::ranges::any_of(kind.options.list(), [&](const attention::KindOption& o) {
           return o.spec.name == name;
         });
}

/// A kind with Direction::Both, except the iterations of optimizing without J.
bool has_causal_form(const std::string& spec) {
  return spec.find("thin=") == std::string::npos;
}

/// Optimising attention whose keys are not the paper's.
bool has_keys(const Case& c) {
  return c.text.starts_with("optimizing:") && c.text.find("keys=") != std::string::npos;
}

/// 27 keys of 4 numbers each leave the minimum of the box QP almost undetermined: in
/// floats it is another.
bool vague(const Case& c) {
  return c.text.starts_with("optimizing:keys=separate,heads=2") && !c.stage.relaxed;
}

/// Variants of layers with keys, beside their options.
void add_keyed(std::vector<Case>& all) {
  const auto relaxed = [](Case& c) {
    c.text += " relaxed";
    c.stage = {.relaxed = true, .temperature = 0.7F};
  };
  const auto binary = [](Case& c) {
    c.text += " binary";
    c.stage.temperature = 0.5F;
    c.site.coefficients = Coefficients::Binary;
    c.site.solver.backward = attention::Backward::Smoothed;
  };
  for (const std::string spec :
       {"optimizing:keys=own,heads=2,beta=6,penalty=2",
        "optimizing:keys=shared,output=true,alpha=3",
        "optimizing:keys=separate,heads=2,plain=true,unit=false,penalty=0.3,alpha=1"}) {
    for (const bool causal : {false, true}) {
      all.emplace_back(spec, causal, relaxed);
      all.emplace_back(spec, causal, binary);
    }
  }
}

/// Queries of tokens of their own, and keys that see a part of the width.
void add_askers(std::vector<Case>& all) {
  for (const attention::Kind* kind : attention::all_kinds()) {
    const std::string name(kind->name);
    for (const std::string& options :
         {std::string(), std::string("heads=2,output=true")}) {
      if (kind->takes_queries && (options.empty() || has_option(*kind, "plain"))) {
        const bool keyed = name == "optimizing" && !options.empty();
        const std::string spec = name + (options.empty() ? "" : ":" + options) +
                                 (keyed ? ",keys=shared" : "");
        const bool narrow = kind->narrow_keys && (name != "optimizing" || keyed);
        all.emplace_back(spec, false, [&](Case& c) {
          c.text += " asking";
          c.site.asking = 3;
          c.site.key_width = narrow ? 5 : 0;
        });
      }
    }
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const attention::Kind* kind : attention::all_kinds()) {
    const std::string name(kind->name);
    // The penalty's gradient is not one of the output.
    const std::string usable =
        name == "learned-mask" ? name + ":penalty=0" : test::usable_spec(*kind, 64);
    std::vector<std::string> specs{usable};
    if (has_option(*kind, "plain")) {
      const std::string keys = name == "optimizing" ? "keys=separate," : "";
      const std::string more = usable + (usable == name ? ":" : ",") + keys;
      specs.push_back(more + "heads=2,plain=true,output=true");
      specs.push_back(more + "heads=2,output=true");
    }
    const auto [first, last] = kMoreSpecs.equal_range(name);
    for (auto more = first; more != last; ++more) {
      specs.push_back(name + ":" + more->second);
    }
    for (const std::string& spec : specs) {
      all.emplace_back(spec, false);
      if (kind->direction == attention::Direction::Both && has_causal_form(spec)) {
        all.emplace_back(spec, true);
      }
    }
  }
  add_keyed(all);
  add_askers(all);
  for (const std::string causal : {"rfa:features=20,gate=true,heads=2",
                                   "ttt:heads=2,batch=4,conv=2",
                                   "mesa:heads=2,conv=2"}) {
    all.emplace_back(causal, true);
  }
  return all;
}

constexpr int kLong = 300;

/// Layers that are wider than a vector of any instruction set, for sequences of several
/// tiles or chunks of their kernels.
std::vector<Case> large_cases() {
  std::vector<Case> all;
  for (const std::string spec : {"flash1",
                                 "flash2:heads=2",
                                 "gqa:heads=4,groups=2",
                                 "window",
                                 "strided:stride=4,radius=2",
                                 "longformer:radius=1,globals=3",
                                 "bigbird:heads=2",
                                 "csr",
                                 "learned-mask:block=16,penalty=0",
                                 "topk:heads=2",
                                 "threshold:heads=2",
                                 "linear:feature=exp,heads=2",
                                 "linear:feature=relu,heads=2",
                                 "linear",
                                 "performer:heads=2",
                                 "rfa:features=20,heads=2",
                                 "gla:heads=2,rank=3",
                                 "gla",
                                 "h3:shift=2,states=6,head_dim=4",
                                 "mamba:rank=3",
                                 "delta:heads=2",
                                 "gated-delta:heads=2",
                                 "kda:heads=2,rank=3",
                                 "ttt:heads=2",
                                 "mesa:heads=2"}) {
    const attention::Kind& kind =
        *attention::parse_kind_specs(spec, "test").front().kind;
    for (const bool causal : {false, true}) {
      if (causal && kind.direction != attention::Direction::Both) {
        continue;
      }
      const std::string usable = spec == "csr" ? test::usable_spec(kind, kLong) : spec;
      all.emplace_back(usable, causal, [](Case& c) {
        c.site.tokens = kLong;
        c.site.width = c.site.dim = 76;
      });
    }
  }
  return all;
}

template <class T = double>
Grid<T> grid_of(num::ConstView x) {
  Grid<T> grid(x.rows, x.cols);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; ++j) {
      grid(i, j) = static_cast<double>(x(i, j));
    }
  }
  return grid;
}

/// A layer with drawn parameters and sequences with drawn tokens.
class Bench {
 public:
  Bench(const Case& c, const std::vector<int>& lengths, float spread = 1.0F)
      : site_(c.site),
        stage_(c.stage),
        batch_(Batch::of_lengths(lengths)),
        layer_(c.kind->declare(c.site, layout_)),
        values_(layout_),
        weights_(layout_),
        x_(test::drawn_matrix(std::max(1, batch_.rows()), c.site.width, 11, spread)) {
    parts::initialize(layout_, Rng(7), values_);
    close_some_blocks();
    weights_.set(values_);
  }

  num::View x() { return x_.view().top(batch_.rows()); }
  const attention::Layer& layer() const { return *layer_; }
  const parts::Layout& layout() const { return layout_; }
  const parts::Weights& weights() const { return weights_; }
  const Batch& batch() const { return batch_; }

  /// Rows that go out.
  int outputs() const {
    int all = 0;
    for (int s = 0; s < batch_.sequences(); ++s) {
      all += site_.queries(batch_.length(s));
    }
    return all;
  }

  num::Matrix forward(int threads = 1) {
    const parts::Cost cost = layer_->cost(batch_, threads);
    Arena kept(cost.saved);
    Arena scratch(cost.workspace);
    const auto attention =
        layer_->make(batch_, {.kept = kept, .scratch = scratch, .threads = threads});
    attention->set_stage(stage_);
    num::Matrix o(outputs(), site_.dim);
    attention->forward(weights_, x(), o);
    return o;
  }

  /// dx and the gradient of the parameters for that of the output.
  struct Gradients {
    num::Matrix dx;
    parts::Values values;
  };
  Gradients backward(num::ConstView d_o, int threads = 1) {
    const parts::Cost cost = layer_->cost(batch_, threads);
    Arena kept(cost.saved);
    Arena scratch(cost.workspace);
    const auto attention =
        layer_->make(batch_, {.kept = kept, .scratch = scratch, .threads = threads});
    attention->set_stage(stage_);
    num::Matrix o(outputs(), site_.dim);
    attention->forward(weights_, x(), o);
    Gradients all{num::Matrix(batch_.rows(), site_.width), parts::Values(layout_)};
    attention->backward(weights_, x(), d_o, all.dx, all.values);
    return all;
  }

  template <class T>
  LayerInputs<T> inputs() {
    LayerInputs<T> in{.site = site_, .tensors = {}, .x = {}, .stage = stage_};
    for (int t = 0; t < static_cast<int>(std::ssize(layout_.tensors())); ++t) {
      const parts::Tensor& tensor = layout_[t];
      in.tensors[tensor.name] = grid_of<T>(values_.matrix(t).top(tensor.rows));
    }
    in.x = grid_of<T>(x());
    return in;
  }

 private:
  /// A mask that begins with all blocks seen is not tested by that.
  void close_some_blocks() {
    for (int t = 0; t < static_cast<int>(std::ssize(layout_.tensors())); ++t) {
      if (layout_[t].name == "mask") {
        Rng rng(5);
        for (int k = 0; k < layout_[t].cols; ++k) {
          values_.vector(t)[static_cast<std::size_t>(k)] =
              static_cast<float>(rng.normal());
        }
      }
    }
  }

  Site site_;
  attention::Stage stage_;
  Batch batch_;
  parts::Layout layout_;
  std::unique_ptr<const attention::Layer> layer_;
  parts::Values values_;
  parts::Weights weights_;
  num::Matrix x_;
};

const KindReference& reference_of(const attention::Kind& kind) {
  const auto all = test::kind_references();
  const auto found = std::ranges::find(all, kind.name, &KindReference::name);
  REQUIRE_MESSAGE(found != all.end(), "no plain version of ", kind.name);
  return *found;
}

double largest(const Grid<double>& grid) {
  double most = 0.0;
  for (const double value : grid.values) {
    most = std::max(most, std::abs(value));
  }
  return most;
}

/// Largest difference, as a share of the largest value of `expected`.
double error(num::ConstView found, const Grid<double>& expected) {
  double most = 0.0;
  for (int i = 0; i < found.rows; ++i) {
    for (int j = 0; j < found.cols; ++j) {
      const double difference = static_cast<double>(found(i, j)) - expected(i, j);
      most = test::larger(most, std::abs(difference));
    }
  }
  return most / std::max(1e-30, largest(expected));
}

double loss(const KindReference& reference,
            const LayerInputs<double>& in,
            const LayerInputs<double>& base,
            num::ConstView d_o) {
  const Grid<double> o =
      reference.slope != nullptr ? reference.slope(in, base) : reference.plain(in);
  double sum = 0.0;
  for (int i = 0; i < o.rows; ++i) {
    for (int j = 0; j < o.cols; ++j) {
      sum += o(i, j) * static_cast<double>(d_o(i, j));
    }
  }
  return sum;
}

/// The gradient with respect to `values`, which are a part of `in`.
Grid<double> central_differences(const KindReference& reference,
                                 const LayerInputs<double>& in,
                                 Grid<double>& values,
                                 num::ConstView d_o) {
  constexpr double kStep = 1e-5;
  const LayerInputs<double> base = in;
  Grid<double> slope(values.rows, values.cols);
  for (std::size_t k = 0; k < values.values.size(); ++k) {
    const double at = values.values[k];
    values.values[k] = at + kStep;
    const double above = loss(reference, in, base, d_o);
    values.values[k] = at - kStep;
    const double below = loss(reference, in, base, d_o);
    values.values[k] = at;
    slope.values[k] = (above - below) / (2.0 * kStep);
  }
  return slope;
}

/// A random direction of the tokens, or of all parameters that have a gradient.
class Direction {
 public:
  Direction(Bench& bench, const Bench::Gradients& slopes, bool parameters) {
    const double all = std::sqrt(num::dot(slopes.dx, slopes.dx));
    for (const auto& [name, slope] : parts_of(bench, slopes)) {
      const double size = std::sqrt(num::dot(slope, slope));
      if (name.empty() == parameters || size < 1e-4 * all) {
        continue;
      }
      Grid<double> way(slope.rows, slope.cols);
      for (double& x : way.values) {
        x = rng_.normal() / (parameters ? size : 1.0);  // all tensors count alike
      }
      ways_[name] = way;
      tolerance_ = std::hypot(tolerance_, 1e-3 * (parameters ? 1.0 : size));
    }
  }

  void check(Bench& bench, const Bench::Gradients& slopes, double expected) const {
    double sum = 0.0;
    for (const auto& [name, slope] : parts_of(bench, slopes)) {
      const auto way = ways_.find(name);
      for (int i = 0; i < slope.rows && way != ways_.end(); ++i) {
        for (int j = 0; j < slope.cols; ++j) {
          sum += way->second(i, j) * static_cast<double>(slope(i, j));
        }
      }
    }
    CHECK(std::abs(sum - expected) <= tolerance_);
  }

  /// The slope of the loss along the direction, by differences.
  [[nodiscard]] double expected(const KindReference& reference,
                                const LayerInputs<double>& base,
                                num::ConstView d_o) const {
    constexpr double kStep = 1e-5;
    const auto moved = [&](double step) {
      LayerInputs<double> in = base;
      for (const auto& [name, way] : ways_) {
        Grid<double>& to = name.empty() ? in.x : in.tensors.at(name);
        for (std::size_t k = 0; k < way.values.size(); ++k) {
          to.values[k] += step * way.values[k];
        }
      }
      return loss(reference, in, base, d_o);
    };
    return (moved(kStep) - moved(-kStep)) / (2.0 * kStep);
  }

 private:
  /// Gradients by the names of tensors, those of the tokens first, without a name.
  static std::vector<std::pair<std::string, num::ConstView>> parts_of(
      Bench& bench, const Bench::Gradients& slopes) {
    std::vector<std::pair<std::string, num::ConstView>> all{{"", slopes.dx}};
    for (int t = 0; t < static_cast<int>(std::ssize(bench.layout().tensors())); ++t) {
      const parts::Tensor& tensor = bench.layout()[t];
      all.emplace_back(tensor.name, slopes.values.matrix(t).top(tensor.rows));
    }
    return all;
  }

  Rng rng_{23};
  std::map<std::string, Grid<double>> ways_;
  double tolerance_ = 1e-9;
};

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("every kind computes its definition") {
  ref::on_each_target([&] {
    for (const Case& c : all_cases()) {
      for (const int n : {1, 2, 9, 27}) {
        if (c.site.keys(n) < 1 || (n > 9 && vague(c))) {
          continue;
        }
        CAPTURE(c.text);
        CAPTURE(n);
        Bench bench(c, {n});
        const auto in = bench.inputs<double>();
        CHECK(error(bench.forward(), reference_of(*c.kind).plain(in)) < 1e-5);
      }
    }
  });
}

TEST_CASE("wide and long layers compute their definition, and so do their gradients") {
  for (const Case& c : large_cases()) {
    CAPTURE(c.text);
    const KindReference& reference = reference_of(*c.kind);
    const float spread = c.kind->name == "gla" ? 200.0F : 1.0F;  // decays of nearly 0
    Bench bench(c, {kLong}, spread);
    const LayerInputs<double> in = bench.inputs<double>();
    const Grid<double> o = reference.plain(in);
    const num::Matrix d_o = test::drawn_matrix(bench.outputs(), c.site.dim, 5);
    const Bench::Gradients some = bench.backward(d_o);
    const Direction tokens(bench, some, false);
    const Direction parameters(bench, some, true);
    const double by_tokens = tokens.expected(reference, in, d_o);
    const double by_parameters = parameters.expected(reference, in, d_o);
    ref::on_each_target([&] {
      CHECK(error(bench.forward(), o) < 1e-5);
      const Bench::Gradients found = bench.backward(d_o);
      tokens.check(bench, found, by_tokens);
      parameters.check(bench, found, by_parameters);
    });
  }
}

TEST_CASE("every kind's gradients agree with its definition") {
  for (const Case& c : all_cases()) {
    CAPTURE(c.text);
    const KindReference& reference = reference_of(*c.kind);
    Bench bench(c, {9});
    const num::Matrix d_o = test::drawn_matrix(bench.outputs(), c.site.dim, 5);
    auto in = bench.inputs<double>();
    const Bench::Gradients found = bench.backward(d_o);
    CHECK(error(found.dx, central_differences(reference, in, in.x, d_o)) < 1e-4);
    for (int t = 0; t < static_cast<int>(std::ssize(bench.layout().tensors())); ++t) {
      const parts::Tensor& tensor = bench.layout()[t];
      CAPTURE(tensor.name);
      Grid<double>& values = in.tensors.at(tensor.name);
      const Grid<double> slope = central_differences(reference, in, values, d_o);
      if (largest(slope) > 1e-6) {
        CHECK(error(found.values.matrix(t).top(tensor.rows), slope) < 1e-4);
      }
    }
  }
}

TEST_CASE("gradients go through sequences that are longer than a block of any kernel") {
  for (const Case& c : all_cases()) {
    if (has_keys(c) && !c.stage.relaxed) {
      continue;  // as vague()
    }
    CAPTURE(c.text);
    Bench bench(c, {61});
    const num::Matrix d_o = test::drawn_matrix(bench.outputs(), c.site.dim, 5);
    const Bench::Gradients found = bench.backward(d_o);
    const Direction tokens(bench, found, false);
    tokens.check(bench,
                 found,
                 tokens.expected(reference_of(*c.kind), bench.inputs<double>(), d_o));
  }
}

TEST_CASE("a causal kind does not look ahead") {
  for (const Case& c : all_cases()) {
    if (!c.site.causal) {
      continue;
    }
    bool seen = false;  // by itself and its successor, in one of them at least
    for (const int n : {5, 40}) {
      CAPTURE(c.text);
      CAPTURE(n);
      Bench bench(c, {n});
      const num::Matrix before = bench.forward();
      for (int j = 0; j < c.site.width; ++j) {
        bench.x()(n - 2, j) += j % 2 == 0 ? 3.0F : -3.0F;
      }
      const num::Matrix after = bench.forward();
      seen = seen || !test::same_bits(before, after);
      if (c.stage.relaxed) {
        // Newton's method ends for many queries at once: near enough, not bit for bit.
        CHECK(error(before.view().top(n - 2), grid_of(after.view().top(n - 2))) < 1e-2);
      } else {
        CHECK(test::same_bits(before.view().top(n - 2), after.view().top(n - 2)));
        // Plain kinds multiply what is not seen by 0.
        if (c.kind->name == "softmax" || c.kind->name == "optimizing") {
          continue;
        }
        bench.x()(n - 2, 1) = std::numeric_limits<float>::quiet_NaN();
        const num::Matrix bad = bench.forward();
        CHECK(error(bad.view().top(n - 2), grid_of(before.view().top(n - 2))) < 1e-5);
      }
    }
    CHECK(seen);
  }
}

TEST_CASE("token by token is the same as all at once") {
  for (const Case& c : all_cases()) {
    Bench bench(c, {21});
    Arena counting;
    Arena counting_scratch;
    const auto exists =
        bench.layer().make_decoder(21, {.kept = counting, .scratch = counting_scratch});
    if (!c.site.causal) {
      CHECK(exists == nullptr);
      continue;
    }
    if (exists == nullptr || c.stage.relaxed) {
      continue;  // decoding needs no test of training
    }
    CAPTURE(c.text);
    Arena kept(counting.high_water());
    Arena scratch(counting_scratch.high_water());
    const auto decoder = bench.layer().make_decoder(
        21, {.kept = kept, .scratch = scratch, .backward = false});
    const num::Matrix expected = bench.forward();
    num::Matrix found(21, c.site.dim);
    for (int round = 0; round < 2; ++round) {
      decoder->restart();
      for (int i = 0; i < 21; ++i) {
        const num::View x = bench.x();
        decoder->step(bench.weights(),
                      {x.row(i), 1, x.cols, x.stride},
                      {found.row(i), 1, c.site.dim, found.view().stride});
      }
      CHECK(error(found, grid_of(expected)) < 1e-5);
    }
  }
}

TEST_CASE("permuted tokens give permuted rows, for kinds that declare it") {
  constexpr int kTokens = 60;
  for (const Case& c : all_cases()) {
    if (c.site.asking > 0) {
      continue;  // there the order says who asks
    }
    if (has_keys(c) && !c.stage.relaxed) {
      continue;  // 60 short keys: many coefficients are as good, values differ
    }
    CAPTURE(c.text);
    Bench bench(c, {kTokens});
    const num::Matrix before = bench.forward();
    std::vector<int> order(kTokens);
    std::iota(order.begin(), order.end(), 0);
    Rng(3).shuffle(std::span(order));
    num::Matrix x(kTokens, c.site.width);
    num::copy(bench.x(), x);
    num::Matrix expected(kTokens, c.site.dim);
    for (int i = 0; i < kTokens; ++i) {
      const int from = order[static_cast<std::size_t>(i)];
      std::copy_n(x.row(from), c.site.width, bench.x().row(i));
      std::copy_n(before.row(from), c.site.dim, expected.row(i));
    }
    const num::Matrix after = bench.forward();
    // Causal layers know an order, but for those that look at one token alone.
    const bool one_by_one = !c.kind->positions;
    CHECK((error(after, grid_of(expected)) < 1e-4) ==
          (c.kind->permutes && (!c.site.causal || one_by_one)));
  }
}

TEST_CASE("sequences of a batch do not see each other") {
  const std::vector<int> lengths{4, 1, 0, 9, 17};
  for (const Case& c : all_cases()) {
    CAPTURE(c.text);
    Bench bench(c, lengths);
    const num::Matrix all = bench.forward();
    const num::Matrix d_o = test::drawn_matrix(bench.outputs(), c.site.dim, 9);
    const Bench::Gradients gradients = bench.backward(d_o);
    int first = 0;  // of the rows that go out
    for (int s = 0; s < bench.batch().sequences(); ++s) {
      const int n = bench.batch().length(s);
      const int begin = bench.batch().begin(s);
      const int queries = c.site.queries(n);
      first += queries;
      if (c.site.keys(n) < 1) {
        continue;
      }
      Bench alone(c, {n});
      num::Matrix d_one(queries, c.site.dim);
      for (int i = 0; i < n; ++i) {
        std::copy_n(bench.x().row(begin + i), c.site.width, alone.x().row(i));
      }
      for (int i = 0; i < queries; ++i) {
        std::copy_n(d_o.row(first - queries + i), c.site.dim, d_one.row(i));
      }
      const num::Matrix o = alone.forward();
      const num::Matrix dx = alone.backward(d_one).dx;
      for (int i = 0; i < queries; ++i) {
        CHECK(
            std::equal(o.row(i), o.row(i) + c.site.dim, all.row(first - queries + i)));
      }
      for (int i = 0; i < n; ++i) {
        CHECK(std::equal(
            dx.row(i), dx.row(i) + c.site.width, gradients.dx.row(begin + i)));
      }
    }
  }
}

TEST_CASE("costs equal counted operations") {
  for (const Case& c : all_cases()) {
    CAPTURE(c.text);
    Bench bench(c, {13});
    const parts::Cost cost = bench.layer().cost(bench.batch());
    CHECK(cost.parameters == bench.layout().parameter_count());
    Counted::flops = 0;
    Counted::exponentials = 0;
    LayerInputs<Counted> in = bench.inputs<Counted>();
    if (in.text("tau", "8") != "8") {
      continue;  // a cost is that of all keys kept
    }
    if (in.has("mask")) {  // a cost is that of all blocks seen
      std::ranges::fill(in.tensors["mask"].values, Counted(1.0));
    }
    (void)reference_of(*c.kind).counted(in);
    CHECK(cost.forward == Counted::flops);
    CHECK(cost.exponentials == Counted::exponentials);
    CHECK(cost.projections <= cost.forward);
  }
}

TEST_CASE("a layer takes the memory that its cost declares") {
  for (const Case& c : all_cases()) {
    CAPTURE(c.text);
    Bench bench(c, {13, 5});
    const parts::Cost cost = bench.layer().cost(bench.batch());
    Arena kept(cost.saved);
    Arena scratch(cost.workspace);
    const auto attention =
        bench.layer().make(bench.batch(), {.kept = kept, .scratch = scratch});
    num::Matrix o(bench.outputs(), c.site.dim);
    num::Matrix dx(18, c.site.width);
    parts::Values gradient(bench.layout());
    attention->forward(bench.weights(), bench.x(), o);
    attention->backward(bench.weights(), bench.x(), o, dx, gradient);
    CHECK(kept.high_water() == cost.saved);
    CHECK(scratch.high_water() == cost.workspace);
    // Without a backward pass less is kept.
    Arena small;
    Arena other;
    (void)bench.layer().make(bench.batch(),
                             {.kept = small, .scratch = other, .backward = false});
    CHECK(small.high_water() + other.high_water() <= cost.saved + cost.workspace);
  }
}

TEST_CASE("without a backward pass a layer computes the same") {
  for (const Case& c : all_cases()) {
    if (c.text.find("thin=") != c.text.npos) {
      continue;  // another method
    }
    CAPTURE(c.text);
    Bench bench(c, {64, 5});
    const auto make = [&](Arena& kept, Arena& scratch) {
      return bench.layer().make(bench.batch(),
                                {.kept = kept, .scratch = scratch, .backward = false});
    };
    Arena counted;
    Arena counted_scratch;
    (void)make(counted, counted_scratch);
    Arena kept(counted.high_water());
    Arena scratch(counted_scratch.high_water());
    const auto attention = make(kept, scratch);
    attention->set_stage(c.stage);
    num::Matrix o(bench.outputs(), c.site.dim);
    attention->forward(bench.weights(), bench.x(), o);
    CHECK(error(o, grid_of(bench.forward())) < 1e-4);
  }
}

TEST_CASE("extreme tokens give numbers") {
  for (const Case& c : all_cases()) {
    CAPTURE(c.text);
    for (const float spread : {50.0F, 1e-30F, 0.0F}) {
      CAPTURE(spread);
      Bench bench(c, {19}, spread);
      const num::Matrix d_o = test::drawn_matrix(bench.outputs(), c.site.dim, 2);
      const num::Matrix o = bench.forward();
      const Bench::Gradients g = bench.backward(d_o);
      CHECK(std::isfinite(num::dot(o, o)));
      CHECK(std::isfinite(num::dot(g.dx, g.dx)));
    }
  }
}

TEST_CASE("NaN stays in its sequence") {
  for (const Case& c : all_cases()) {
    CAPTURE(c.text);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
      CAPTURE(bad);
      Bench bench(c, {19, 6});
      const num::Matrix d_o = test::drawn_matrix(bench.outputs(), c.site.dim, 2);
      const num::Matrix o = bench.forward();
      const Bench::Gradients g = bench.backward(d_o);
      bench.x()(7, 1) = bad;
      bench.x()(11, 0) = -bad;
      const num::Matrix other = bench.forward();
      const Bench::Gradients of_other = bench.backward(d_o);
      for (int i = c.site.queries(19); i < bench.outputs(); ++i) {
        CHECK(std::equal(o.row(i), o.row(i) + c.site.dim, other.row(i)));
      }
      for (int i = 19; i < 25; ++i) {
        CHECK(std::equal(g.dx.row(i), g.dx.row(i) + c.site.width, of_other.dx.row(i)));
      }
    }
  }
}

TEST_CASE("queries that see nothing yield 0, and so does their gradient") {
  // Six queries, and as many more as a site of 64 tokens has.
  const Case c("csr:heads=2,plain=true,rows=0;;0+2;;;0-5" + std::string(58, ';'),
               false);
  Bench bench(c, {6});
  const num::Matrix o = bench.forward();
  const num::Matrix d_o = test::drawn_matrix(6, c.site.dim, 2);
  const Bench::Gradients g = bench.backward(d_o);
  for (const int blind : {1, 3, 4}) {
    for (int j = 0; j < c.site.dim; ++j) {
      CHECK(o(blind, j) == 0.0F);
    }
  }
  // Whatever is asked of the blind rows changes nothing.
  num::Matrix other = test::drawn_matrix(6, c.site.dim, 2);
  for (const int blind : {1, 3, 4}) {
    std::fill_n(other.row(blind), c.site.dim, 9.0F);
  }
  const Bench::Gradients of_other = bench.backward(other);
  CHECK(test::same_bits(g.dx, of_other.dx));
}

TEST_CASE("a layer that is too large is refused with its size") {
  for (const attention::Kind* kind : attention::all_kinds()) {
    CAPTURE(kind->name);
    attention::Site site;
    site.tokens = 1 << 24;
    site.width = site.dim = 1 << 16;
    if (kind->name == "csr") {
      site.options["rows"] = "0";
    } else if (kind->name == "sparse-transformer") {
      site.options["form"] = "strided";  // the other one has an order that pays
    }
    const std::string refusal = kind->refusal == nullptr ? "" : kind->refusal(site);
    const bool large =
        std::set<std::string_view>{
            "sparse-transformer", "block-sparse", "learned-mask", "performer"}
            .contains(kind->name);
    CHECK((refusal.find(" bytes (expected at most 4,294,967,296)") !=
           std::string::npos) == large);
    site.tokens = 49;
    site.width = site.dim = 64;
    CHECK((kind->refusal == nullptr || kind->name == "csr" ||
           kind->refusal(site).empty()));
  }
}

TEST_CASE("threads change nothing") {
  for (const Case& c : all_cases()) {
    CAPTURE(c.text);
    Bench bench(c, {45, 64});
    const num::Matrix d_o = test::drawn_matrix(bench.outputs(), c.site.dim, 2);
    const num::Matrix o = bench.forward(1);
    Bench::Gradients g = bench.backward(d_o, 1);
    for (const int threads : {2, 4}) {
      CHECK(test::same_bits(bench.forward(threads), o));
      Bench::Gradients again = bench.backward(d_o, threads);
      CHECK(test::same_bits(again.dx, g.dx));
      CHECK(std::ranges::equal(again.values.flat(), g.values.flat()));
    }
  }
}

TEST_CASE("optimising attention without J is the same as with it") {
  // With more candidates than there are tokens all may be chosen.
  for (const char* spec : {"optimizing:thin=4000",
                           "optimizing:thin=4000,warm=true",
                           "optimizing:thin=4000,candidates=64"}) {
    Case c(spec, false);
    c.site.divide_output = true;
    for (const auto coefficients : {Coefficients::Continuous, Coefficients::Lasso}) {
      if (coefficients == Coefficients::Lasso && c.text.find("cand") != c.text.npos) {
        continue;  // which they do not know
      }
      c.site.coefficients = coefficients;
      for (const int n : {5, 30, 60}) {
        Bench bench(c, {n});
        const num::Matrix expected = bench.forward();  // could go back: not thin
        Arena kept(1U << 22);
        const auto thin = bench.layer().make(
            bench.batch(), {.kept = kept, .scratch = kept, .backward = false});
        num::Matrix o(n, c.site.dim);
        thin->forward(bench.weights(), bench.x(), o);
        CAPTURE(n);
        CHECK(error(o, grid_of(expected)) <
              5e-3);  // both end a little above the minimum
      }
    }
  }
}

TEST_SUITE_END();
