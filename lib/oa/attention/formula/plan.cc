#include "oa/attention/formula/plan.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {

using num::View;

namespace {

constexpr int kNone = -1;  // no operation, no value

}  // namespace

/// Free buffers, by shape: equal shapes have equal padding, which stays zero.
class Plan::Pool {
 public:
  explicit Pool(Arena& arena) : arena_(arena) {}

  View take(int rows, int cols) {
    const auto found = std::ranges::find_if(
        free_, [&](const View& one) { return one.rows == rows && one.cols == cols; });
    if (found == free_.end()) {
      return num::zeros(rows, cols, arena_);
    }
    const View taken = *found;
    free_.erase(found);
    return taken;
  }
  void give_back(View buffer) { free_.push_back(buffer); }

 private:
  Arena& arena_;
  std::vector<View> free_;
};

Plan::Plan(const Formula& formula, const Arenas& arenas)
    : formula_(formula),
      kept_(formula.nodes().size(), false),
      in_output_(formula.nodes().size(), false),
      last_use_(formula.nodes().size(), kNone),
      last_read_(formula.nodes().size(), kNone),
      values_(formula.nodes().size()),
      buffers_(formula.operations().size()) {
  Pool pool(arenas.scratch);
  find_uses(arenas.backward);
  find_values_in_output();
  place_values(arenas, pool);
  if (arenas.backward) {
    place_gradients(pool);
  }
}

bool Plan::is_computed(int id) const {
  return id > 0 && formula_.nodes()[at(id)].tensor < 0;
}

bool Plan::is_output(int id) const {
  return id == formula_.operations().back().output;
}

bool Plan::ends_at(int operation, int id) const {
  return is_computed(id) && !kept_[at(id)] && last_use_[at(id)] == operation;
}

bool Plan::replaces_input(int operation) const {
  const OperationForm& form = formula_.operations()[at(operation)].operation->form();
  return form.in_place && ends_at(operation, form.in[0].id);
}

void Plan::find_uses(bool backward) {
  for (const int shown : {formula_.queries(), formula_.values()}) {
    if (shown >= 0) {
      kept_[at(shown)] = true;
    }
  }
  const auto read_by = [&](int operation, int id) {
    kept_[at(id)] = true;
    // Backward comes to the first operation last.
    last_read_[at(id)] = last_read_[at(id)] == kNone ? operation : last_read_[at(id)];
  };
  const auto& all = formula_.operations();
  for (int i = 0; i < std::ssize(all); ++i) {
    const OperationForm& form = all[at(i)].operation->form();
    for (const Value& in : form.in) {
      last_use_[at(in.id)] = i;
      kept_[at(in.id)] = kept_[at(in.id)] || form.shows;
      if (backward && form.reads_inputs) {
        read_by(i, in.id);
      }
    }
    const int out = all[at(i)].output;
    kept_[at(out)] = kept_[at(out)] || (form.once && formula_.decodes());
    if (backward && form.reads_output) {
      read_by(i, out);
    }
  }
}

void Plan::find_values_in_output() {
  const auto& all = formula_.operations();
  int id = all.back().output;
  for (int i = static_cast<int>(std::ssize(all)) - 1; i >= 0 && !kept_[at(id)]; --i) {
    if (all[at(i)].output == id) {
      in_output_[at(id)] = true;
      if (!replaces_input(i)) {
        return;
      }
      id = all[at(i)].operation->form().in[0].id;
    }
  }
}

void Plan::place_values(const Arenas& arenas, Pool& pool) {
  const auto& all = formula_.operations();
  for (int i = 0; i < std::ssize(all); ++i) {
    const OperationForm& form = all[at(i)].operation->form();
    const int id = all[at(i)].output;
    const int replaced = !kept_[at(id)] && replaces_input(i) ? form.in[0].id : kNone;
    View& out = values_[at(id)];
    if (kept_[at(id)]) {
      const bool is_state = form.once && formula_.decodes();
      out = num::zeros(form.rows, form.cols, is_state ? arenas.state : arenas.kept);
    } else if (replaced != kNone) {
      out = values_[at(replaced)];
    } else if (!in_output_[at(id)]) {
      out = pool.take(form.rows, form.cols);
    }
    buffers_[at(i)].out = out;
    for (const Value& in : form.in) {
      if (ends_at(i, in.id) && in.id != replaced) {
        pool.give_back(values_[at(in.id)]);
        last_use_[at(in.id)] = kNone;  // to be given back only once
      }
    }
  }
}

void Plan::free_value(int id, int operation, Pool& pool) {
  if (is_computed(id) && kept_[at(id)] && last_read_[at(id)] == operation) {
    pool.give_back(values_[at(id)]);
    kept_[at(id)] = false;  // to be given back only once
  }
}

void Plan::place_gradients(Pool& pool) {
  const auto& nodes = formula_.nodes();
  std::vector<View> d(nodes.size());
  std::vector<bool> begun(nodes.size());
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    begun[v] = nodes[v].tensor >= 0;
    free_value(static_cast<int>(v), kNone, pool);
  }
  const auto& all = formula_.operations();
  for (int i = static_cast<int>(std::ssize(all)) - 1; i >= 0; --i) {
    const Operation& operation = *all[at(i)].operation;
    const OperationForm& form = operation.form();
    const int id = all[at(i)].output;
    assert(is_output(id) || begun[at(id)]);
    const View d_out = d[at(id)];
    const View own = operation.replaceable();
    // True while the gradient of an input may replace d_out.
    bool is_free = !is_output(id);
    buffers_[at(i)].d_out = d_out;
    std::vector<View> spare;
    for (std::size_t j = 0; j < form.in.size(); ++j) {
      const auto in = at(form.in[j].id);
      const auto take = [&] {
        if (j == 0 && own.rows > 0) {
          return own;
        }
        const bool replaces = form.in_place && j == 0 && is_free;
        is_free = is_free && !replaces;
        return replaces ? d_out : pool.take(nodes[in].rows, nodes[in].cols);
      };
      Written& to = buffers_[at(i)].d_in.emplace_back();
      if (begun[in] && !form.adds) {
        to.part = take();
        spare.push_back(to.part);
      } else if (!begun[in] && is_computed(form.in[j].id)) {
        d[in] = take();
      }
      to.d = d[in];
      to.add = begun[in];
      begun[in] = true;
    }
    for (const View buffer : spare) {
      pool.give_back(buffer);
    }
    if (is_free) {
      pool.give_back(d_out);
    }
    for (const Value& in : form.in) {
      free_value(in.id, i, pool);
    }
    free_value(id, i, pool);
  }
}

}  // namespace oa::attention
