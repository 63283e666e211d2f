#pragma once

#include "oa/attention/formula/formula.h"

#include <vector>

namespace oa::attention {

/// The destination of the gradient of an operation's input.
struct Written {
  num::View d;     ///< the gradient; empty for tokens and tensors
  num::View part;  ///< if not empty: receives the gradient, which is then added to d
  bool add = false;
};

/// The buffers of an operation.  Tokens, tensors and the formula's output have no
/// buffer: the caller gives their memory with each call.
struct Buffers {
  num::View out;  ///< empty: the formula's output
  num::View d_out;
  std::vector<Written> d_in;
};

/// The buffers of a formula's values and gradients.  A value that backward or
/// statistics read has its own memory until backward has read it; further values and
/// gradients of equal shapes reuse buffers.  Values that operations in place turn into
/// the formula's output are computed in its memory.
class Plan {
 public:
  /// The operations have reserved their memory.
  Plan(const Formula& formula, const Arenas& arenas);

  [[nodiscard]] const Buffers& of(std::size_t operation) const {
    return buffers_[operation];
  }
  /// The buffer of a value; empty for tokens, tensors, and values in the memory of the
  /// formula's output.
  [[nodiscard]] num::View value(int id) const {
    return values_[static_cast<std::size_t>(id)];
  }
  /// True if the output is computed into a buffer, because backward reads it.
  [[nodiscard]] bool copies_output() const {
    return value(formula_.operations().back().output).rows > 0;
  }

 private:
  class Pool;

  [[nodiscard]] bool is_computed(int id) const;
  [[nodiscard]] bool is_output(int id) const;
  /// True if no operation after this one reads the computed value, nor backward.
  [[nodiscard]] bool ends_at(int operation, int id) const;
  /// True if the operation's output may overwrite its first input.
  [[nodiscard]] bool replaces_input(int operation) const;
  void find_uses(bool backward);
  void find_values_in_output();
  void place_values(const Arenas& arenas, Pool& pool);
  void place_gradients(Pool& pool);
  /// Gives back a kept value if backward's last reader is this operation.
  void free_value(int id, int operation, Pool& pool);

  const Formula& formula_;
  std::vector<bool> kept_;       // kept_[v]: backward or statistics read value v
  std::vector<bool> in_output_;  // in_output_[v]: its memory is the formula's output
  std::vector<int> last_use_;    // last_use_[v]: the last operation that reads value v
  // last_read_[v]: the last operation whose backward reads value v; kNone: none
  std::vector<int> last_read_;
  std::vector<num::View> values_;
  std::vector<Buffers> buffers_;
};

}  // namespace oa::attention
