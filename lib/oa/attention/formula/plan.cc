#include "oa/attention/formula/plan.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {

using num::View;

/// Free buffers by shape: equal shapes have equal padding, which stays zero.
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
      last_use_(formula.nodes().size(), -1),
      values_(formula.nodes().size()),
      buffers_(formula.operations().size()) {
  Pool pool(arenas.scratch);
  find_uses(arenas.backward);
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

void Plan::find_uses(bool backward) {
  for (const int shown : {formula_.queries(), formula_.values()}) {
    if (shown >= 0) {
      kept_[at(shown)] = true;
    }
  }
  const auto& all = formula_.operations();
  for (int i = 0; i < std::ssize(all); ++i) {
    const OperationForm& form = all[at(i)].operation->form();
    for (const Value& in : form.in) {
      last_use_[at(in.id)] = i;
      kept_[at(in.id)] =
          kept_[at(in.id)] || form.shows || (backward && form.reads_inputs);
    }
    const auto out = at(all[at(i)].output);
    kept_[out] = kept_[out] || (backward && form.reads_output);
  }
}

void Plan::place_values(const Arenas& arenas, Pool& pool) {
  const auto& all = formula_.operations();
  for (int i = 0; i < std::ssize(all); ++i) {
    const OperationForm& form = all[at(i)].operation->form();
    const int id = all[at(i)].output;
    const auto ends_here = [&](int in) {
      return is_computed(in) && !kept_[at(in)] && last_use_[at(in)] == i;
    };
    View& out = values_[at(id)];
    bool replaced = false;
    if (form.once && formula_.decodes()) {
      kept_[at(id)] = true;
      out = num::zeros(form.rows, form.cols, arenas.state);
    } else if (kept_[at(id)]) {
      out = num::zeros(form.rows, form.cols, arenas.kept);
    } else if (form.in_place && ends_here(form.in[0].id) && !is_output(id)) {
      out = values_[at(form.in[0].id)];
      replaced = true;
    } else if (!is_output(id)) {
      out = pool.take(form.rows, form.cols);
    }
    buffers_[at(i)].out = out;
    for (std::size_t j = 0; j < form.in.size(); ++j) {
      const int in = form.in[j].id;
      if (ends_here(in) && !(replaced && j == 0)) {
        pool.give_back(values_[at(in)]);
        last_use_[at(in)] = -1;  // to be given back only once
      }
    }
  }
}

void Plan::place_gradients(Pool& pool) {
  const auto& nodes = formula_.nodes();
  std::vector<View> d(nodes.size());
  std::vector<bool> begun(nodes.size());
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    begun[v] = nodes[v].tensor >= 0;
  }
  const auto& all = formula_.operations();
  for (int i = static_cast<int>(std::ssize(all)) - 1; i >= 0; --i) {
    const OperationForm& form = all[at(i)].operation->form();
    const int id = all[at(i)].output;
    assert(is_output(id) || begun[at(id)]);
    const View d_out = d[at(id)];
    // Stays true while the gradient of an input may replace d_out.
    bool is_free = !is_output(id);
    buffers_[at(i)].d_out = d_out;
    std::vector<View> spare;
    for (std::size_t j = 0; j < form.in.size(); ++j) {
      const auto in = at(form.in[j].id);
      const bool replaces = form.in_place && j == 0 && is_free;
      const auto take = [&] {
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
  }
}

}  // namespace oa::attention
