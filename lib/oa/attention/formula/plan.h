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
  num::View out;
  num::View d_out;
  std::vector<Written> d_in;
};

/// The buffers of a formula's values and gradients.  Each value that backward or
/// statistics read has a buffer of its own; other values of equal shapes share buffers.
class Plan {
 public:
  Plan(const Formula& formula, const Arenas& arenas);

  [[nodiscard]] const Buffers& of(std::size_t operation) const {
    return buffers_[operation];
  }
  /// Returns the buffer of a value, or an empty view.
  [[nodiscard]] num::View value(int id) const {
    return values_[static_cast<std::size_t>(id)];
  }
  /// True if the output is computed into a buffer, because backward reads it.
  [[nodiscard]] bool copies_output() const {
    return kept_[static_cast<std::size_t>(formula_.operations().back().output)];
  }

 private:
  class Pool;

  [[nodiscard]] bool is_computed(int id) const;
  [[nodiscard]] bool is_output(int id) const;
  void find_uses(bool backward);
  void place_values(const Arenas& arenas, Pool& pool);
  void place_gradients(Pool& pool);

  const Formula& formula_;
  std::vector<bool> kept_;     // kept_[v]: backward or statistics read value v
  std::vector<int> last_use_;  // last_use_[v]: the last operation that reads value v
  std::vector<num::View> values_;
  std::vector<Buffers> buffers_;
};

}  // namespace oa::attention
