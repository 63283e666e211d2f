#include "oa/train/state.h"

#include "oa/base/error.h"
#include "oa/base/field.h"

namespace oa::train {
namespace {

template <class S, class F>
void each_number(S& state, F&& f) {
  f("step", state.step);
  f("best_accuracy", state.best_accuracy);
  f("best_epoch", state.best_epoch);
  f("loss_sum", state.loss_sum);
  f("correct", state.correct);
  f("seen", state.seen);
}

/// Reads a number that older checkpoints lack; without it, the value stays.
template <class T>
void restore_if_there(const std::map<std::string, std::string>& metadata,
                      const std::string& name,
                      const std::string& where,
                      T& to) {
  const auto found = metadata.find(name);
  if (found != metadata.end() && !parse_field(found->second, to)) {
    throw InputError(where + ": " + name + " is '" + found->second + "'");
  }
}

}  // namespace

std::map<std::string, std::string> describe(const State& state) {
  std::map<std::string, std::string> all;
  each_number(state, [&](const char* name, const auto& value) {
    all[std::string("oa.state.") + name] = field_text(value);
  });
  all["oa.state.best_loss"] = field_text(state.best_loss);
  // Not written if every example has one question: earlier versions had no such field.
  if (state.asked != state.seen) {
    all["oa.state.asked"] = field_text(state.asked);
  }
  return all;
}

void restore(const std::map<std::string, std::string>& metadata,
             const std::string& where,
             State& state) {
  each_number(state, [&](const char* name, auto& value) {
    const auto found = metadata.find(std::string("oa.state.") + name);
    if (found == metadata.end() || !parse_field(found->second, value)) {
      throw InputError(where + ": no oa.state." + name + " (expected a checkpoint)");
    }
  });
  state.asked = state.seen;
  restore_if_there(metadata, "oa.state.asked", where, state.asked);
  restore_if_there(metadata, "oa.state.best_loss", where, state.best_loss);
}

}  // namespace oa::train
