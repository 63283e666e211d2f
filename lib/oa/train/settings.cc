#include "oa/train/settings.h"

#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace oa::train {
namespace {

const char* name_of(Schedule s) {
  return s == Schedule::Constant ? "constant"
         : s == Schedule::Cosine ? "cosine"
                                 : "step";
}

const char* name_of(model::Backward b) {
  switch (b) {
    case model::Backward::Smoothed: return "smoothed";
    case model::Backward::Implicit: return "implicit";
    case model::Backward::Unrolled: return "unrolled";
    case model::Backward::None: break;
  }
  return "none";
}

}  // namespace

std::map<std::string, std::string> describe(const Settings& s) {
  return {{"oa.train.epochs", format(s.epochs)},
          {"oa.train.batch", format(s.batch)},
          {"oa.train.rate", format(s.rate)},
          {"oa.train.schedule", name_of(s.schedule)},
          {"oa.train.warmup", format(s.warmup)},
          {"oa.train.weight_decay", format(s.weight_decay)},
          {"oa.train.clip", format(s.clip)},
          {"oa.train.smoothing", format(s.smoothing)},
          {"oa.train.double_softmax", s.double_softmax ? "true" : "false"},
          {"oa.train.average", format(s.average)},
          {"oa.train.shift", format(s.augmentation.shift)},
          {"oa.train.rotate", format(s.augmentation.rotate)},
          {"oa.train.scale", format(s.augmentation.scale)},
          {"oa.train.shear", format(s.augmentation.shear)},
          {"oa.train.held_out", format(s.held_out)},
          {"oa.train.gradient", name_of(s.backward)},
          {"oa.train.temperature", format(s.temperature)},
          {"oa.train.tolerance", format(s.tolerance)},
          {"oa.train.admm_iterations", format(s.admm_iterations)},
          {"oa.train.seed", format(static_cast<std::int64_t>(s.seed))}};
}

Recipe reference_recipe() {
  Recipe r;
  r.training.epochs = 50;
  r.training.batch = 128;
  r.training.rate = 1e-3;
  r.training.schedule = Schedule::Constant;
  r.training.warmup = 0;
  r.training.double_softmax = true;
  r.training.backward = model::Backward::None;
  return r;
}

Recipe best_recipe() {
  Recipe r;
  r.model.embedding = model::Embedding::Mlp;
  r.model.patch_norm = false;
  r.model.token_mlp = 128;
  r.model.head = 128;
  r.training.epochs = 30;
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
