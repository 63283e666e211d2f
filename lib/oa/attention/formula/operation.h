#pragma once

#include "oa/attention/kind.h"
#include "oa/base/arena.h"
#include "oa/base/json_text.h"
#include "oa/base/rng.h"
#include "oa/num/matrix.h"
#include "oa/parts/cost.h"
#include "oa/parts/params.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::attention {

class Formula;

/// A number, a name or rows of numbers given to an operation, such as "heads".
struct Setting {
  std::string_view name;
  JsonValue value;
};

/// A matrix of a formula: the tokens, a tensor, or the output of an operation.
struct Value {
  Formula* formula = nullptr;
  int id = -1;
  int rows = 0;
  int cols = 0;
};

/// Describes an operation: its name, inputs, size of the output, and use of memory.
struct OperationForm {
  std::string_view name;  ///< as oa-view(1) prints it
  std::vector<Value> in;
  int rows = 0;  ///< rows of the output
  int cols = 0;
  bool reads_inputs = false;  ///< backward reads the inputs
  bool reads_output = false;  ///< backward reads the output
  /// True if the output may overwrite the first input.  Backward then computes the
  /// gradient of the first input last, and may overwrite the gradient of the output.
  bool in_place = false;
  bool adds = false;   ///< backward can add to the inputs' gradients
  bool shows = false;  ///< statistics read the inputs after a forward
  /// The output depends only on tensors; a decoder computes it once for a sequence.
  bool once = false;
  std::vector<Setting> settings{};
};

/// Memory that an operation reserves.
struct Arenas {
  Arena& kept;     ///< for what backward needs of forward
  Arena& scratch;  ///< for other memory, valid in one call
  Arena& state;    ///< for a decoder's state between tokens
  bool backward;   ///< false: forward keeps nothing for backward
};

/// A forward call.
struct ForwardRun {
  const parts::Weights& weights;
  std::span<const num::ConstView> in;
  num::View out;
  std::span<float> state;  ///< zeros before the first token
  int token = 0;           ///< number of earlier tokens of a decoder
  Arena& temporary;
};

/// The destination of an input's gradient, which is overwritten or added to.
struct Target {
  num::View d;
  bool add = false;
};

/// A backward call.
struct BackwardRun {
  const parts::Weights& weights;
  std::span<const num::ConstView> in;
  num::ConstView out;
  num::View d_out;  ///< may be overwritten, unless it is the formula's
  std::span<const Target> d_in;
  parts::Values& gradient;
  Arena& temporary;
};

/// An operation of a formula for one sequence: an output from inputs and tensors.
class Operation {
 public:
  explicit Operation(OperationForm form) : form_(std::move(form)) {}
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  [[nodiscard]] const OperationForm& form() const { return form_; }
  /// Rows of numbers that forward reads beside inputs and tensors.
  [[nodiscard]] virtual std::vector<Setting> tables() const { return {}; }

  /// The cost; by default zero.
  [[nodiscard]] virtual parts::Cost cost() const { return {}; }
  /// Reserves memory for the operation's lifetime.
  virtual void reserve(const Arenas& /*arenas*/) {}
  /// The bytes that a call takes of its temporary arena.
  [[nodiscard]] virtual std::size_t temporary(bool /*backward*/) const { return 0; }
  /// Reserved memory of the first input's shape that backward may overwrite with the
  /// gradient of this input; empty: none.
  [[nodiscard]] virtual num::View replaceable() const { return {}; }
  /// Floats of a decoder's state, known after reserve().
  [[nodiscard]] virtual std::int64_t state() const { return 0; }

  virtual void forward(const ForwardRun& run) = 0;
  virtual void backward(const BackwardRun& run) = 0;

  /// Poses the problems of the operation, if any, and computes the given rows of h.
  /// Values have the width of the output, and zeros outside the columns of their head.
  virtual std::span<const Problem> pose(const ForwardRun& /*run*/,
                                        const QueryRows& /*rows*/) {
    return {};
  }
  virtual void set_stage(const Stage& /*stage*/) {}
  [[nodiscard]] virtual const CoefficientLayer* coefficients() const { return nullptr; }
  [[nodiscard]] virtual float residual() const { return 0.0F; }

  virtual void draw_noise(const std::optional<Rng>& /*rng*/) {}
  [[nodiscard]] virtual std::vector<Count> counts() const { return {}; }
  [[nodiscard]] virtual std::vector<num::Matrix> value_weights(
      std::span<const num::ConstView> /*in*/) const {
    return {};
  }

 protected:
  [[nodiscard]] int rows() const { return form_.rows; }
  [[nodiscard]] int cols() const { return form_.cols; }
  [[nodiscard]] const Value& in(std::size_t i) const { return form_.in[i]; }

 private:
  OperationForm form_;
};

/// Bytes of the matrix num::zeros(rows, cols, arena), or of an array of `floats`.
[[nodiscard]] inline std::size_t bytes_of(int rows, int cols) {
  return bytes_taken([&](Arena& arena) { return num::zeros(rows, cols, arena); });
}
[[nodiscard]] inline std::size_t bytes_of(std::int64_t floats) {
  return bytes_taken([&](Arena& arena) { return num::zeros(floats, arena); });
}

}  // namespace oa::attention
