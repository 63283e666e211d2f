#include "oa/train/settings.h"

#include "oa/base/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace oa::train {
namespace {

// Every field once.
template <class S, class F>
void each_field(S& s, F&& f) {
  f("epochs", s.epochs);
  f("batch", s.batch);
  f("rate", s.rate);
  f("schedule", s.schedule);
  f("warmup", s.warmup);
  f("weight_decay", s.weight_decay);
  f("clip", s.clip);
  f("smoothing", s.smoothing);
  f("double_softmax", s.double_softmax);
  f("average", s.average);
  f("shift", s.augmentation.shift);
  f("rotate", s.augmentation.rotate);
  f("scale", s.augmentation.scale);
  f("shear", s.augmentation.shear);
  f("random_tokens", s.random_tokens);
  f("held_out", s.held_out);
  f("gradient", s.backward);
  f("exact", s.exact);
  f("temperature", s.temperature);
  f("tolerance", s.tolerance);
  f("admm_iterations", s.admm_iterations);
  f("seed", s.seed);
}

void check(const Settings& s, const std::string& where) {
  const auto require = [&](bool good, const char* what) {
    if (!good) {
      throw InputError(where + ": " + what);
    }
  };
  require(s.epochs >= 1 && s.batch >= 1, "epochs and batch must be at least 1");
  require(s.rate > 0.0, "the learning rate must be positive");
  require(s.warmup >= 0 && s.held_out >= 0, "a count is negative");
  require(s.average >= 0.0 && s.average < 1.0, "average must be in [0,1)");
  require(s.smoothing >= 0.0 && s.smoothing < 1.0, "smoothing must be in [0,1)");
  require(s.temperature > 0.0 && s.tolerance > 0.0,
          "temperature and tolerance must be positive");
  require(s.random_tokens >= 0.0 && s.random_tokens < 1.0,
          "random_tokens must be in [0,1)");
  require(s.admm_iterations >= 1, "ADMM needs an iteration");
  require(s.augmentation.scale < 1.0, "scale must be less than 1");
}

}  // namespace

std::map<std::string, std::string> describe(const Settings& settings) {
  std::map<std::string, std::string> all;
  each_field(settings, [&](const char* name, const auto& value) {
    all[std::string("oa.train.") + name] = field_text(value);
  });
  return all;
}

Settings parse_settings(const std::map<std::string, std::string>& metadata,
                        const std::string& where) {
  Settings settings;
  each_field(settings, [&](const char* name, auto& value) {
    const auto found = metadata.find(std::string("oa.train.") + name);
    if (found != metadata.end() && !parse_field(found->second, value)) {
      throw InputError(where + ": " + name + " is '" + found->second + "'");
    }
  });
  check(settings, where);
  return settings;
}

Recipe reference_recipe() {
  Recipe r;
  r.training.epochs = 50;
  r.training.batch = 128;
  r.training.rate = 1e-3;
  r.training.schedule = Schedule::Constant;
  r.training.warmup = 0;
  r.training.double_softmax = true;
  r.training.backward = attention::Backward::None;
  return r;
}

Recipe best_recipe() {
  Recipe r;
  r.model.embedding = model::Embedding::Mlp;
  r.model.patch_norm = false;
  r.model.patch = 6;
  r.model.margin = 1;
  r.model.token_mlp = 128;
  r.model.query_positions = true;
  r.model.head = 128;
  r.training.epochs = 100;
  r.training.batch = 64;
  r.training.augmentation = {1.5, 10.0, 0.1, 0.1};
  r.training.average = 0.999;
  return r;
}

double learning_rate(const Settings& s, std::int64_t step, std::int64_t total) {
  if (step < s.warmup) {
    return s.rate * static_cast<double>(step + 1) / s.warmup;
  }
  const double done = static_cast<double>(step - s.warmup) /
                      static_cast<double>(std::max<std::int64_t>(1, total - s.warmup));
  switch (s.schedule) {
    case Schedule::Cosine:
      return s.rate * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
    case Schedule::Step: return s.rate * (done < 0.5 ? 1.0 : done < 0.75 ? 0.1 : 0.01);
    case Schedule::Constant: break;
  }
  return s.rate;
}

}  // namespace oa::train
