#include "oa/train/settings.h"

#include "oa/base/number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string_view>

namespace oa::train {
namespace {

constexpr Range kOneToMillion{.low = 1, .high = 1'000'000};
constexpr Range kAboveZero{.low = 0, .above_low = true};
constexpr Range kShare{.low = 0, .high = 1, .below_high = true};

constexpr std::array kFields{
    field<&Settings::epochs>(
        "epochs",
        "Passes over the training data (with --init or --resume 0 is allowed)",
        {.range = {.low = 0, .high = 1'000'000}}),
    field<&Settings::batch>("batch", "Examples per step", {.range = kOneToMillion}),
    field<&Settings::parts>("parts",
                            "Parts of a batch, divided among threads and ranks",
                            {.range = {.low = 1, .high = 4096}, .later = true}),
    field<&Settings::rate>(
        "rate", "Learning rate", {.option = "--lr", .range = kAboveZero}),
    field<&Settings::schedule>("schedule", "How the learning rate falls"),
    field<&Settings::warmup>("warmup",
                             "Warm-up steps, with a rising learning rate",
                             {.range = {.low = 0, .high = 1'000'000}}),
    field<&Settings::weight_decay>("weight_decay",
                                   "Weight decay of matrices, as in AdamW"),
    field<&Settings::clip>("clip", "Largest norm of a gradient (0: no limit)"),
    field<&Settings::smoothing>("smoothing",
                                "Label smoothing: share spread over all classes",
                                {.range = kShare}),
    field<&Settings::double_softmax>("double_softmax",
                                     "Apply softmax twice before the loss"),
    field<&Settings::average>("average",
                              "Decay of the moving average of parameters (0: none)",
                              {.range = kShare}),
    field<&Settings::augmentation, &Augmentation::shift>(
        "shift", "Augmentation: shift up to X pixels"),
    field<&Settings::augmentation, &Augmentation::rotate>(
        "rotate", "Augmentation: rotate up to X degrees"),
    field<&Settings::augmentation, &Augmentation::scale>(
        "scale",
        "Augmentation: change the size by a factor of 1-X to 1+X",
        {.range = {.high = 1, .below_high = true}}),
    field<&Settings::augmentation, &Augmentation::shear>("shear",
                                                         "Augmentation: shear up to X"),
    field<&Settings::augmentation, &Augmentation::mirror>(
        "mirror", "Augmentation: mirror half of the images", {.later = true}),
    field<&Settings::random_tokens>("random_tokens",
                                    "Augmentation: share of tokens replaced at random",
                                    {.range = kShare}),
    field<&Settings::held_out>("held_out",
                               "Last training examples, held out to choose the epoch",
                               {.range = {.low = 0, .high = 1'000'000'000}}),
    field<&Settings::backward>("gradient", "How gradients pass through coefficients"),
    field<&Settings::exact>("exact", "Train on the optima of the QUBOs"),
    field<&Settings::max_nodes>(
        "max_nodes",
        "With --exact, during training: most nodes of a search for an optimum",
        {.range = kOneToMillion, .later = true}),
    field<&Settings::curriculum>(
        "curriculum",
        "Relax the coefficients in the first half of the training",
        {.later = true}),
    field<&Settings::temperature>(
        "temperature", "Width of the smoothed threshold", {.range = kAboveZero}),
    field<&Settings::tolerance>("tolerance",
                                "Tolerance of the relaxation during training",
                                {.range = kAboveZero}),
    field<&Settings::admm_iterations>(
        "admm_iterations",
        "Iterations of unrolled gradients and of the lasso",
        {.range = kOneToMillion}),
    field<&Settings::seed>(
        "seed",
        "Seed of all random choices",
        {.range = {.low = 0}, .no_option = "--seed is the same in all tools"}),
};

}  // namespace

const FieldTable<Settings>& settings_fields() {
  static constexpr FieldTable<Settings> kTable{"oa.train.", kFields};
  return kTable;
}

std::map<std::string, std::string> describe(const Settings& settings) {
  return settings_fields().describe(settings);
}

Recipe reference_recipe() {
  Recipe r;
  r.training.epochs = 50;
  r.training.batch = 128;
  r.training.rate = 1e-3;
  r.training.schedule = RateSchedule::Constant;
  r.training.warmup = 0;
  r.training.double_softmax = true;
  r.training.backward = attention::Backward::None;
  return r;
}

Recipe best_recipe() {
  Recipe r;
  r.model.embedding = model::Embedding::Mlp;
  r.model.patch_norm = false;
  r.model.window = 6;
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

namespace {

/// The recipe of digits, but wider and with three layers.
Recipe colour_recipe(const TaskKind& /*task*/) {
  Recipe r = best_recipe();
  r.model.attention = "optimizing:keys=separate,heads=3,output=true,plain=true";
  r.model.divide_output = false;
  r.model.residual = true;
  r.model.layers = 3;
  r.model.dim = 96;
  r.model.token_mlp = 192;
  r.model.query_positions = false;
  r.training.epochs = 10;
  r.training.rate = 2e-3;
  r.training.warmup = 400;
  r.training.weight_decay = 0.05;
  r.training.clip = 1.0;
  r.training.exact = true;
  r.training.curriculum = true;
  r.training.augmentation = {.shift = 3.0, .scale = 0.1, .mirror = true};
  return r;
}

/// Settings that most tasks share.
Recipe common_recipe(int heads = 1) {
  Recipe r;
  r.model.attention = "optimizing:keys=separate," +
                      (heads > 1 ? "heads=" + format(heads) + "," : "") +
                      "output=true,plain=true";
  r.model.divide_output = false;
  r.model.residual = true;
  r.model.positions = false;
  r.model.token_mlp = 128;
  r.model.patch_norm = false;
  r.training.epochs = 4;
  r.training.held_out = 1000;
  r.training.rate = 3e-3;
  r.training.clip = 1.0;
  r.training.exact = true;
  r.training.curriculum = true;
  return r;
}

Recipe recall_recipe(const TaskKind& /*task*/) {
  Recipe r = common_recipe();
  r.model.causal = true;
  r.model.previous = true;
  r.training.epochs = 2;
  return r;
}

Recipe induction_recipe(const TaskKind& /*task*/) {
  Recipe r = common_recipe();
  r.model.causal = true;
  r.model.positions = true;
  r.model.layers = 2;
  return r;
}

Recipe copy_recipe(const TaskKind& /*task*/) {
  Recipe r = common_recipe(2);
  r.model.positions = true;
  r.model.layers = 2;
  return r;
}

/// If beta = alpha, the optimum best fits the sum.  A larger beta fits a larger sum,
/// and takes too many keys if few keys belong to the sum.
std::string superposed_keys(const TaskKind& task) {
  if (task.overlaid > 0) {
    return "alpha=0.5,beta=" + format(0.5 * task.overlaid) + ",penalty=0.2";
  }
  // A map that preserves angles also works for vectors not seen in training.
  return task.amounts > 1 ? "alpha=48,beta=96,penalty=6"
                          : "isometric=true,alpha=64,beta=64,penalty=6.4";
}

Recipe superposed_recipe(const TaskKind& task) {
  Recipe r = common_recipe();
  r.model.attention =
      "optimizing:keys=shared,output=true,plain=true,unit=false,centre=false," +
      superposed_keys(task);
  r.model.residual = false;  // a token is a vector with a label
  r.model.token_mlp = 0;
  r.training.curriculum = false;
  r.training.epochs = 1;
  r.training.rate = 1e-2;
  if (task.overlaid > 0) {
    r.training.epochs = 4;
    r.training.rate = 2e-2;
    r.training.warmup = 200;  // with few labels known, larger steps only add keys
  } else if (task.amounts > 1) {
    // Amounts of values count, so the output must be the sum.
    r.model.coefficients = Coefficients::Levels;
    r.model.levels = task.amounts + 1;
    r.model.normalization = attention::Normalization::None;
    r.model.token_mlp = 64;
    r.training.epochs = 6;
    r.training.warmup = 200;
  } else {
    r.training.batch = 16;
    r.training.max_nodes = 300;  // sums of many vectors have long proofs at first
  }
  return r;
}

Recipe scenes_recipe(const TaskKind& /*task*/) {
  Recipe r = common_recipe(4);
  r.model.residual = false;  // a query is no token
  r.model.positions = true;
  r.model.embedding = model::Embedding::Mlp;
  r.model.window = r.model.stride = 8;
  r.model.queries = 10;
  r.model.query_positions = true;
  r.training.epochs = 12;  // nothing is visibly learned in the first 500 steps
  return r;
}

Recipe text_recipe(const TaskKind& /*task*/) {
  Recipe r = common_recipe(2);
  r.model.causal = true;
  r.model.positions = true;
  r.model.layers = 2;
  r.model.token_mlp = 256;
  return r;
}

Recipe sentences_recipe(const TaskKind& /*task*/) {
  Recipe r = common_recipe();
  r.model.queries = 4;
  r.model.pooling = model::Pooling::Concat;
  r.model.residual = false;
  return r;
}

struct TaskRecipe {
  std::string_view task;
  Recipe (*make)(const TaskKind& task);
};

constexpr std::array kTaskRecipes{TaskRecipe{"recall", recall_recipe},
                                  TaskRecipe{"induction", induction_recipe},
                                  TaskRecipe{"copy", copy_recipe},
                                  TaskRecipe{"superposed", superposed_recipe},
                                  TaskRecipe{"scenes", scenes_recipe},
                                  TaskRecipe{"text", text_recipe},
                                  TaskRecipe{"sentences", sentences_recipe},
                                  TaskRecipe{"colours", colour_recipe}};

}  // namespace

std::optional<Recipe> task_recipe(const TaskKind& task) {
  const auto* const found =
      std::ranges::find(kTaskRecipes, task.name, &TaskRecipe::task);
  return found == kTaskRecipes.end() ? std::nullopt : std::optional(found->make(task));
}

namespace {

// Steps for 60 pictures: fewer learn little, however often each picture is shown.
constexpr std::int64_t kMaxSteps = 2000;
constexpr int kMinBatch = 8;

std::int64_t steps_of_epoch(const Settings& s, int examples) {
  return (examples + s.batch - 1) / s.batch;
}

}  // namespace

void fit_to_few(int examples,
                const Settings& recipe,
                const std::function<bool(const char*)>& is_set,
                Settings& s) {
  if (steps_of_epoch(recipe, examples) * recipe.epochs >= kMaxSteps) {
    return;
  }
  if (!is_set("oa.train.batch")) {
    const auto eighth = static_cast<unsigned>(examples) / 8U;
    s.batch = std::clamp(static_cast<int>(std::bit_floor(eighth)),
                         std::min(kMinBatch, recipe.batch),
                         recipe.batch);
  }
  const std::int64_t steps = steps_of_epoch(s, examples);
  if (!is_set("oa.train.epochs")) {
    s.epochs = static_cast<int>((kMaxSteps + steps - 1) / steps);
  }
  if (!is_set("oa.train.warmup")) {
    s.warmup =
        static_cast<int>(std::min<std::int64_t>(s.warmup, steps * s.epochs / 10));
  }
}

double learning_rate(const Settings& s, std::int64_t step, std::int64_t total) {
  if (step < s.warmup) {
    return s.rate * static_cast<double>(step + 1) / s.warmup;
  }
  const double done = static_cast<double>(step - s.warmup) /
                      static_cast<double>(std::max<std::int64_t>(1, total - s.warmup));
  switch (s.schedule) {
    case RateSchedule::Cosine:
      return s.rate * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
    case RateSchedule::Step:
      return s.rate * (done < 0.5 ? 1.0 : done < 0.75 ? 0.1 : 0.01);
    case RateSchedule::Constant: break;
  }
  return s.rate;
}

}  // namespace oa::train
