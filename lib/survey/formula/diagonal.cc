#include "oa/attention/kernel/heads.h"
#include "oa/base/index.h"
#include "oa/num/rows.h"
#include "survey/formula/scans.h"
#include "survey/kernel/head_products.h"
#include "survey/kernel/scan/diagonal_scan.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// The rows of `models`: poles, then factors of the output, then `skip`.
template <class Matrix>
struct Models {
  Matrix pole_re;
  Matrix pole_im;
  Matrix out_re;
  Matrix out_im;
  Matrix skip;

  Models(Matrix all, int pairs)
      : pole_re(row_block(all, 0, pairs)),
        pole_im(row_block(all, pairs, pairs)),
        out_re(row_block(all, 2 * pairs, pairs)),
        out_im(row_block(all, 3 * pairs, pairs)),
        skip(row_block(all, 4 * pairs, 1)) {}
};

/// Indices of tensors.
struct ModelTensors {
  int log_decay;
  int frequency;
  int out_re;
  int out_im;
  int skip;
};

std::vector<float> steps_of_heads(int heads) {
  std::vector<float> steps;
  for (int h = 0; h < heads; ++h) {
    steps.push_back(static_cast<float>(1e-3 * std::pow(100.0, (h + 0.5) / heads)));
  }
  return steps;
}

/// Repeats each column `times` times.
void repeat_columns(ConstView from, int times, View to) {
  for (int i = 0; i < to.rows; ++i) {
    for (int j = 0; j < to.cols; ++j) {
      to(i, j) = from(i, j / times);
    }
  }
}

/// Sums groups of `times` columns.
void add_repeated_columns(ConstView from, int times, View to) {
  for (int i = 0; i < from.rows; ++i) {
    for (int j = 0; j < from.cols; ++j) {
      to(i, j / times) += from(i, j);
    }
  }
}

class DiagonalModels : public Operation {
 public:
  DiagonalModels(int pairs, int heads, int times, const ModelTensors& tensors)
      : Operation({.name = "diagonal_models",
                   .in = {},
                   .rows = 4 * pairs + 1,
                   .cols = heads * times,
                   .once = true,
                   .settings = {{"pairs", pairs}, {"heads", heads}}}),
        pairs_(pairs),
        heads_(heads),
        times_(times),
        tensors_(tensors),
        steps_(steps_of_heads(heads)) {}

  std::vector<Setting> tables() const override { return {{"steps", {steps_}}}; }
  std::size_t temporary(bool /*backward*/) const override {
    return 2 * bytes_of(pairs_, heads_);
  }
  void forward(const ForwardRun& run) override {
    const parts::Values& values = run.weights.values();
    const View pole_re = num::zeros(pairs_, heads_, run.temporary);
    const View pole_im = num::zeros(pairs_, heads_, run.temporary);
    diagonal_poles(values.matrix(tensors_.log_decay),
                   values.matrix(tensors_.frequency),
                   steps_,
                   pole_re,
                   pole_im);
    const Models to(run.out, pairs_);
    repeat_columns(pole_re, times_, to.pole_re);
    repeat_columns(pole_im, times_, to.pole_im);
    repeat_columns(values.matrix(tensors_.out_re), times_, to.out_re);
    repeat_columns(values.matrix(tensors_.out_im), times_, to.out_im);
    repeat_columns(values.matrix(tensors_.skip), times_, to.skip);
  }
  void backward(const BackwardRun& run) override {
    const parts::Values& values = run.weights.values();
    const Models from(ConstView(run.d_out), pairs_);
    const View pole_re = num::zeros(pairs_, heads_, run.temporary);
    const View pole_im = num::zeros(pairs_, heads_, run.temporary);
    add_repeated_columns(from.pole_re, times_, pole_re);
    add_repeated_columns(from.pole_im, times_, pole_im);
    diagonal_poles_backward(values.matrix(tensors_.log_decay),
                            values.matrix(tensors_.frequency),
                            steps_,
                            pole_re,
                            pole_im,
                            run.gradient.matrix(tensors_.log_decay),
                            run.gradient.matrix(tensors_.frequency));
    add_repeated_columns(from.out_re, times_, run.gradient.matrix(tensors_.out_re));
    add_repeated_columns(from.out_im, times_, run.gradient.matrix(tensors_.out_im));
    add_repeated_columns(from.skip, times_, run.gradient.matrix(tensors_.skip));
  }

 private:
  int pairs_;
  int heads_;
  int times_;  // channels per head
  ModelTensors tensors_;
  std::vector<float> steps_;
};

/// A diagonal scan; backward computes the products k v' again.
class DiagonalScan : public Operation {
 public:
  DiagonalScan(Value k, Value v, Value models, int width, Reading reading)
      : Operation({.name = "diagonal_scan",
                   .in = {k, v, models},
                   .rows = k.rows,
                   .cols = models.cols,
                   .reads_inputs = true,
                   .shows = true,
                   .settings = {{"head_width", width}, reversed_in(reading)}}),
        width_(width),
        reading_(reading),
        shape_{.channels = models.cols,
               .pairs = models.rows / 4,
               .threads = k.formula->threads()} {}

  parts::Cost cost() const override {
    const std::int64_t elements = std::int64_t{rows()} * cols();
    const std::int64_t scan = elements * (12 * shape_.pairs + 2);
    return {.forward = scan,
            .backward = 4 * elements + 4 * scan,
            .traffic = 4 * (3 * std::int64_t{rows()} * in(0).cols + 2 * elements)};
  }
  void reserve(const Arenas& arenas) override {
    if (arenas.backward) {
      checkpoints_ = num::zeros(diagonal_checkpoint_size(shape_, rows()), arenas.kept);
    }
  }
  std::size_t temporary(bool backward) const override {
    const std::size_t products = bytes_of(rows(), cols());
    return backward ? 2 * products + bytes_of(rows(), in(1).cols) +
                          diagonal_scan_backward_bytes(shape_)
                    : products + diagonal_scan_bytes(shape_);
  }
  std::int64_t state() const override { return diagonal_state_size(shape_); }

  void forward(const ForwardRun& run) override {
    diagonal_scan(shape_,
                  input(run.in, run.temporary),
                  in_order(reading_, run.out),
                  run.state,
                  checkpoints_,
                  run.temporary);
  }
  void backward(const BackwardRun& run) override {
    const DiagonalInput from = input(run.in, run.temporary);
    const View dp = num::zeros(rows(), cols(), run.temporary);
    num::fill(run.d_in[2].d, 0.0F);
    const Models to(run.d_in[2].d, shape_.pairs);
    diagonal_scan_backward(shape_,
                           from,
                           checkpoints_,
                           in_order(reading_, ConstView(run.d_out)),
                           {.p = in_order(reading_, dp),
                            .pole_re = to.pole_re,
                            .pole_im = to.pole_im,
                            .out_re = to.out_re,
                            .out_im = to.out_im,
                            .skip = {to.skip.data, at(to.skip.stride)}},
                           run.temporary);
    head_sum_rows(dp, run.in[0], width_, run.d_in[1].d);
    head_sum_columns(dp, run.in[1], width_, run.d_in[0].d);
  }

 private:
  [[nodiscard]] DiagonalInput input(std::span<const ConstView> in,
                                    Arena& temporary) const {
    const View p = num::zeros(rows(), cols(), temporary);
    head_outer(in[0], in[1], width_, p);
    const Models models(in[2], shape_.pairs);
    return {.p = in_order(reading_, ConstView(p)),
            .pole_re = models.pole_re,
            .pole_im = models.pole_im,
            .out_re = models.out_re,
            .out_im = models.out_im,
            .skip = {models.skip.data, at(models.skip.stride)}};
  }

  int width_;
  Reading reading_;
  DiagonalShape shape_;
  std::span<float> checkpoints_;
};

}  // namespace

Value diagonal_models(Formula& f, int pairs, int width) {
  const int heads = f.dim() / width;
  const auto tensor = [&](const char* name, const parts::Init& init) {
    return f.tensor(name, {pairs, heads}, init);
  };
  const parts::Init drawn = parts::gaussian(std::sqrt(0.5));
  const ModelTensors tensors{
      .log_decay = tensor("log_decay", parts::constant(std::log(0.5))),
      .frequency = tensor("frequency",
                          {.of_row = [](int pair) { return std::numbers::pi * pair; }}),
      .out_re = tensor("C.re", drawn),
      .out_im = tensor("C.im", drawn),
      .skip = f.tensor("skip", {heads}, parts::constant(1.0))};
  return f.apply<DiagonalModels>(pairs, heads, width * width, tensors);
}

Value diagonal_scan(Value k, Value v, Value models, int width, Reading reading) {
  return k.formula->apply<DiagonalScan>(k, v, models, width, reading);
}

}  // namespace oa::attention
