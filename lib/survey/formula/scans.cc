#include "survey/formula/scans.h"

#include "oa/num/rows.h"
#include "survey/kernel/delta/decays.h"
#include "survey/kernel/delta/delta_scan.h"
#include "survey/kernel/head_products.h"
#include "survey/kernel/scan/gated_scan.h"
#include "survey/kernel/scan/selective_scan.h"

#include <algorithm>
#include <cmath>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// Returns inputs or gradients in the order of a reading.
ConstView ordered(Reading reading, const ConstView& in) {
  return in_order(reading, in);
}
View ordered(Reading reading, const Target& in) {
  return in_order(reading, in.d);
}

class GatedScan : public Operation {
 public:
  GatedScan(const GatedScanInput& in, Reading reading)
      : Operation({.name = "gated_scan",
                   .in = {in.q, in.k, in.v, in.log_decay},
                   .rows = in.v.rows,
                   .cols = in.v.cols,
                   .reads_inputs = true,
                   .shows = true,
                   .settings = {{"heads", in.heads}, reversed_in(reading)}}),
        reading_(reading),
        shape_{.heads = in.heads,
               .key_width = in.k.cols / in.heads,
               .value_width = in.v.cols / in.heads,
               .scale = 1.0F / std::sqrt(static_cast<float>(in.k.cols / in.heads)),
               .threads = in.q.formula->threads()} {}

  parts::Cost cost() const override {
    const std::int64_t n = rows();
    const std::int64_t keys = in(0).cols;
    const std::int64_t scan = 4 * n * keys * shape_.value_width;
    return {.forward = scan,
            .backward = 3 * scan,
            .exponentials = 2 * n * keys,
            .traffic = 4 * n * (3 * keys + 2 * cols())};
  }
  std::size_t temporary(bool backward) const override {
    return backward ? gated_scan_backward_bytes(shape_) : gated_scan_bytes(shape_);
  }
  std::int64_t state() const override { return gated_state_size(shape_); }

  void forward(const ForwardRun& run) override {
    gated_scan(
        shape_, input(run.in), in_order(reading_, run.out), run.state, run.temporary);
  }
  void backward(const BackwardRun& run) override {
    gated_scan_backward(shape_,
                        input(run.in),
                        in_order(reading_, ConstView(run.d_out)),
                        {.q = ordered(reading_, run.d_in[0]),
                         .k = ordered(reading_, run.d_in[1]),
                         .log_decay = ordered(reading_, run.d_in[3]),
                         .v = ordered(reading_, run.d_in[2])},
                        run.temporary);
  }

 private:
  [[nodiscard]] GatedInput input(std::span<const ConstView> in) const {
    return {.q = ordered(reading_, in[0]),
            .k = ordered(reading_, in[1]),
            .log_decay = ordered(reading_, in[3]),
            .v = ordered(reading_, in[2])};
  }

  Reading reading_;
  GatedShape shape_;
};

std::vector<Value> inputs_of(const DeltaScanInput& in) {
  std::vector<Value> all{in.q, in.k, in.v, in.step};
  if (in.log_decay) {
    all.push_back(*in.log_decay);
  }
  return all;
}

class DeltaScan : public Operation {
 public:
  DeltaScan(const DeltaScanInput& in, Reading reading)
      : Operation({.name = "delta_scan",
                   .in = inputs_of(in),
                   .rows = in.v.rows,
                   .cols = in.v.cols,
                   .reads_inputs = true,
                   .shows = true,
                   .settings = {{"heads", in.heads}, reversed_in(reading)}}),
        reading_(reading),
        decays_(in.log_decay ? in.log_decay->cols : 0),
        shape_{.heads = in.heads,
               .key_width = in.k.cols / in.heads,
               .value_width = in.v.cols / in.heads,
               .threads = in.q.formula->threads()} {}

  parts::Cost cost() const override {
    const std::int64_t n = rows();
    const std::int64_t width = shape_.value_width;
    const std::int64_t chunk = std::min(rows(), kDeltaTokens);
    return {.forward = n * cols() * (6 * width + 6 * chunk),
            .backward = n * cols() * (14 * width + 20 * chunk),
            .exponentials = 2 * n * decays_,
            .traffic = 4 * n * (4 * cols() + shape_.heads + decays_)};
  }
  void reserve(const Arenas& arenas) override {
    if (arenas.backward) {
      checkpoints_ =
          num::zeros(delta_checkpoints(rows()), delta_state_size(shape_), arenas.kept);
    }
  }
  std::size_t temporary(bool backward) const override {
    return backward ? delta_scan_backward_bytes(shape_) : delta_scan_bytes(shape_);
  }
  std::int64_t state() const override { return delta_state_size(shape_); }

  void forward(const ForwardRun& run) override {
    delta_scan(shape_,
               input(run.in),
               in_order(reading_, run.out),
               run.state,
               checkpoints_,
               run.temporary);
  }
  void backward(const BackwardRun& run) override {
    delta_scan_backward(
        shape_,
        input(run.in),
        checkpoints_,
        in_order(reading_, ConstView(run.d_out)),
        {.q = ordered(reading_, run.d_in[0]),
         .k = ordered(reading_, run.d_in[1]),
         .v = ordered(reading_, run.d_in[2]),
         .step = ordered(reading_, run.d_in[3]),
         .log_decay = decays_ > 0 ? ordered(reading_, run.d_in[4]) : View{}},
        run.temporary);
  }

 private:
  [[nodiscard]] DeltaInput input(std::span<const ConstView> in) const {
    return {.q = ordered(reading_, in[0]),
            .k = ordered(reading_, in[1]),
            .v = ordered(reading_, in[2]),
            .step = ordered(reading_, in[3]),
            .log_decay = decays_ > 0 ? ordered(reading_, in[4]) : ConstView{}};
  }

  Reading reading_;
  int decays_;  // columns
  DeltaShape shape_;
  View checkpoints_;
};

class SelectiveScan : public Operation {
 public:
  SelectiveScan(const SelectiveScanInput& in, Reading reading, int skip)
      : Operation({.name = "selective_scan",
                   .in = {in.x, in.dt, in.b, in.c, in.a},
                   .rows = in.x.rows,
                   .cols = in.x.cols,
                   .reads_inputs = true,
                   .settings = {reversed_in(reading)}}),
        reading_(reading),
        skip_(skip),
        shape_{.channels = in.x.cols,
               .states = in.a.rows,
               .threads = in.x.formula->threads()} {}

  parts::Cost cost() const override {
    const std::int64_t elements = std::int64_t{rows()} * cols();
    const std::int64_t states = shape_.states;
    return {.forward = elements * (6 * states + 2),
            .backward = elements * (22 * states + 8),
            .exponentials = elements * states,
            .traffic = 4 * (3 * elements + 2 * rows() * states)};
  }
  void reserve(const Arenas& arenas) override {
    if (arenas.backward) {
      checkpoints_ = num::zeros(selective_checkpoint_size(shape_, rows()), arenas.kept);
    }
  }
  std::size_t temporary(bool backward) const override {
    return backward ? selective_scan_backward_bytes(shape_, rows())
                    : selective_scan_bytes(shape_);
  }
  std::int64_t state() const override { return selective_state_size(shape_); }

  void forward(const ForwardRun& run) override {
    selective_scan(shape_,
                   input(run.in, run.weights),
                   in_order(reading_, run.out),
                   run.state,
                   checkpoints_,
                   run.temporary);
  }
  void backward(const BackwardRun& run) override {
    num::fill(run.d_in[4].d, 0.0F);
    selective_scan_backward(shape_,
                            input(run.in, run.weights),
                            checkpoints_,
                            in_order(reading_, ConstView(run.d_out)),
                            {.x = ordered(reading_, run.d_in[0]),
                             .dt = ordered(reading_, run.d_in[1]),
                             .b = ordered(reading_, run.d_in[2]),
                             .c = ordered(reading_, run.d_in[3]),
                             .a = run.d_in[4].d,
                             .skip = run.gradient.vector(skip_)},
                            run.temporary);
  }

 private:
  [[nodiscard]] SelectiveInput input(std::span<const ConstView> in,
                                     const parts::Weights& weights) const {
    return {.x = ordered(reading_, in[0]),
            .dt = ordered(reading_, in[1]),
            .b = ordered(reading_, in[2]),
            .c = ordered(reading_, in[3]),
            .a = in[4],
            .skip = weights.values().vector(skip_)};
  }

  Reading reading_;
  int skip_;  // tensor
  SelectiveShape shape_;
  std::span<float> checkpoints_;
};

class ReadHeads : public Operation {
 public:
  ReadHeads(Value p, Value q, int width)
      : Operation({.name = "read_heads",
                   .in = {p, q},
                   .rows = q.rows,
                   .cols = q.cols,
                   .reads_inputs = true,
                   .settings = {{"head_width", width}}}),
        width_(width) {}

  parts::Cost cost() const override {
    const std::int64_t products = std::int64_t{2} * rows() * in(0).cols;
    return {.forward = products, .backward = 2 * products};
  }
  void forward(const ForwardRun& run) override {
    head_sum_rows(run.in[0], run.in[1], width_, run.out);
  }
  void backward(const BackwardRun& run) override {
    head_sum_columns(run.in[0], run.d_out, width_, run.d_in[1].d);
    head_outer(run.in[1], run.d_out, width_, run.d_in[0].d);
  }

 private:
  int width_;
};

}  // namespace

Value gated_scan(const GatedScanInput& in, Reading reading) {
  in.q.formula->show(in.q, in.v);
  return in.q.formula->apply<GatedScan>(in, reading);
}

Value delta_scan(const DeltaScanInput& in, Reading reading) {
  in.q.formula->show(in.q, in.v);
  return in.q.formula->apply<DeltaScan>(in, reading);
}

Value selective_scan(const SelectiveScanInput& in, Reading reading) {
  Formula& f = *in.x.formula;
  const int skip = f.tensor("skip", {in.x.cols}, parts::constant(1.0));
  return f.apply<SelectiveScan>(in, reading, skip);
}

Value read_heads(Value p, Value q, int width) {
  return q.formula->apply<ReadHeads>(p, q, width);
}

}  // namespace oa::attention
