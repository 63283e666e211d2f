#include "cli/train_options.h"

#include "cli/cli.h"
#include "oa/attention/kind.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/data/digits.h"
#include "oa/io/tensor/idx.h"

#include <algorithm>

namespace oa::cli {
namespace {

using Texts = std::map<std::string, std::string>;

Texts texts_of(const train::Recipe& recipe) {
  Texts all = model::describe(recipe.model);
  all.merge(train::describe(recipe.training));
  return all;
}

train::Recipe recipe_named(const std::string& name) {
  return name == "best" ? train::best_recipe() : train::reference_recipe();
}

template <class T>
std::vector<std::string> names() {
  return {EnumNames<T>::kAll.begin(), EnumNames<T>::kAll.end()};
}

std::vector<std::string> kinds() {
  std::vector<std::string> all;
  for (const attention::Kind* kind : attention::all_kinds()) {
    all.emplace_back(kind->name);
  }
  return all;
}

Check is_number() {
  return {[](const std::string& text) {
    return parse_double(text) ? std::string{} : "'" + text + "' (expected a number)";
  }};
}

/// One choice of a recipe: an option, and the metadata key it changes.
struct Choice {
  const char* option;
  const char* type;
  const char* key;
  const char* description;
  Check check;
};

std::vector<Choice> choices() {
  return {
      {"--attention", "KIND", "oa.attention", "Kind of attention", one_of(kinds())},
      {"--coefficients",
       "KIND",
       "oa.coefficients",
       "What coefficients may be",
       one_of(names<Coefficients>())},
      {"--normalization",
       "HOW",
       "oa.normalization",
       "From coefficients to weights",
       one_of(names<attention::Normalization>())},
      {"--queries",
       "N",
       "oa.queries",
       "Learned queries; 0: one per patch",
       at_least(0)},
      {"--dim", "D", "oa.dim", "Width of queries and values", between(1, 4096)},
      {"--layers", "N", "oa.layers", "Layers of attention", between(1, 100)},
      {"--embedding",
       "KIND",
       "oa.embedding",
       "From patches to tokens",
       one_of(names<model::Embedding>())},
      {"--patch-norm",
       "BOOL",
       "oa.patch_norm",
       "Normalise each patch",
       one_of({"true", "false"})},
      {"--token-mlp",
       "N",
       "oa.token_mlp",
       "Hidden units behind the attention; 0: none",
       between(0, 4096)},
      {"--query-positions",
       "BOOL",
       "oa.query_positions",
       "A learned vector per query enters the token MLP",
       one_of({"true", "false"})},
      {"--pooling",
       "HOW",
       "oa.pooling",
       "From queries to one vector",
       one_of(names<model::Pooling>())},
      {"--head",
       "N",
       "oa.head",
       "Hidden units of the classifier; 0: linear",
       between(0, 4096)},
      {"--lambda",
       "X",
       "oa.lambda",
       "Penalty of a coefficient, times 1/m",
       is_number()},
      {"--value-scale",
       "X",
       "oa.value_scale",
       "Scale of the problem's values, times 1/m",
       is_number()},
      {"--divide-output",
       "BOOL",
       "oa.divide_output",
       "Divide what attention yields by m",
       one_of({"true", "false"})},
      {"--epochs",
       "N",
       "oa.train.epochs",
       "Passes over the training images",
       between(1, 1'000'000)},
      {"--batch", "N", "oa.train.batch", "Images per step", between(1, 1'000'000)},
      {"--lr", "X", "oa.train.rate", "Learning rate", is_number()},
      {"--schedule",
       "KIND",
       "oa.train.schedule",
       "How the learning rate falls",
       one_of(names<train::Schedule>())},
      {"--warmup",
       "N",
       "oa.train.warmup",
       "Steps until the learning rate is reached",
       between(0, 1'000'000)},
      {"--weight-decay",
       "X",
       "oa.train.weight_decay",
       "Decay of matrices, as in AdamW",
       is_number()},
      {"--clip",
       "X",
       "oa.train.clip",
       "Most the gradient's norm may be; 0: any",
       is_number()},
      {"--smoothing",
       "X",
       "oa.train.smoothing",
       "Share of a label that all classes get",
       is_number()},
      {"--double-softmax",
       "BOOL",
       "oa.train.double_softmax",
       "Softmax once more before the loss",
       one_of({"true", "false"})},
      {"--average",
       "X",
       "oa.train.average",
       "Decay of averaged weights; 0: none",
       is_number()},
      {"--shift",
       "X",
       "oa.train.shift",
       "Augmentation: shift up to X pixels",
       is_number()},
      {"--rotate",
       "X",
       "oa.train.rotate",
       "Augmentation: turn up to X degrees",
       is_number()},
      {"--scale",
       "X",
       "oa.train.scale",
       "Augmentation: size up to X of itself more or less",
       is_number()},
      {"--shear", "X", "oa.train.shear", "Augmentation: shear up to X", is_number()},
      {"--random-tokens",
       "X",
       "oa.train.random_tokens",
       "Share of tokens replaced by random ones",
       is_number()},
      {"--held-out",
       "N",
       "oa.train.held_out",
       "Last training images, kept to choose the epoch",
       between(0, 1'000'000'000)},
      {"--gradient",
       "KIND",
       "oa.train.gradient",
       "How gradients pass coefficients",
       one_of(names<attention::Backward>())},
      {"--exact",
       "BOOL",
       "oa.train.exact",
       "Train on the optima of the QUBOs",
       one_of({"true", "false"})},
      {"--temperature",
       "X",
       "oa.train.temperature",
       "Width of the smoothed threshold",
       is_number()},
      {"--tolerance",
       "X",
       "oa.train.tolerance",
       "Of the box QP while training",
       is_number()},
      {"--admm-iterations",
       "N",
       "oa.train.admm_iterations",
       "Of unrolled gradients and lasso coefficients",
       between(1, 1'000'000)},
  };
}

// Digits are drawn one by one from their index: blocks can be drawn apart.
Dataset built_in(Split split, int threads) {
  constexpr int kBlock = 500;
  constexpr std::uint64_t kSeed = 1;  // as oa-digits
  const int count = split == Split::Train ? 60000 : 10000;
  std::vector<Dataset> blocks(static_cast<std::size_t>(count / kBlock));
  parallel_for(std::ssize(blocks), threads, [&](std::int64_t k, int) {
    blocks[static_cast<std::size_t>(k)] =
        digits(kSeed, split, static_cast<int>(k) * kBlock, kBlock);
  });
  Dataset all = std::move(blocks.front());
  for (std::size_t k = 1; k < blocks.size(); ++k) {
    const Dataset& more = blocks[k];
    all.images.pixels.insert(
        all.images.pixels.end(), more.images.pixels.begin(), more.images.pixels.end());
    all.labels.insert(all.labels.end(), more.labels.begin(), more.labels.end());
  }
  all.images.count = count;
  return all;
}

}  // namespace

void add_recipe(App& app, TrainOptions& o) {
  app.add_option("--recipe", o.recipe, "What all choices below begin with")
      ->type_name("NAME")
      ->check(one_of({"best", "reference"}));
  app.add_option("--patch", o.patch, "Pixels from patch to patch")
      ->type_name("P")
      ->default_str("4")
      ->check(between(1, 4096));
  app.add_option("--window", o.window, "Side of the square a patch sees")
      ->type_name("W")
      ->default_str("best: 1.5 P, reference: P")
      ->check(between(1, 4096));
  const Texts best = texts_of(train::best_recipe());
  const Texts reference = texts_of(train::reference_recipe());
  for (const Choice& choice : choices()) {
    const std::string key = choice.key;
    const std::string& a = best.at(key);
    const std::string& b = reference.at(key);
    app.add_text(
           choice.option,
           [&o, key](const std::string& text) { o.changes[key] = text; },
           choice.description)
        ->type_name(choice.type)
        ->default_str(a == b ? a : "best: " + a + ", reference: " + b)
        ->check(choice.check);
  }
}

train::Recipe make_recipe(const TrainOptions& o, const Dataset& data) {
  const train::Recipe base = recipe_named(o.recipe);
  Texts texts = texts_of(base);
  const int patch = o.patch > 0 ? o.patch : base.model.stride;
  const int window = o.window > 0
                         ? o.window
                         : patch + patch * (base.model.patch - base.model.stride) /
                                       base.model.stride / 2 * 2;
  if (window < patch || (window - patch) % 2 != 0) {
    throw app::UsageError("--window " + format(window) + " (expected --patch " +
                          format(patch) + " or an even number of pixels more)");
  }
  texts["oa.patch"] = format(window);
  texts["oa.stride"] = format(patch);
  texts["oa.margin"] = format((window - patch) / 2);
  texts["oa.rows"] = format(data.images.rows);
  texts["oa.cols"] = format(data.images.cols);
  texts["oa.classes"] = format(1 + int{*std::ranges::max_element(data.labels)});
  for (const auto& [key, text] : o.changes) {
    texts[key] = text;
  }
  // The reference's binarised model passes no gradient because a threshold has none;
  // its continuous one is differentiated through a converged ADMM.
  if (o.recipe == "reference" && texts["oa.coefficients"] != "binary" &&
      !o.changes.contains("oa.train.gradient")) {
    texts["oa.train.gradient"] = "implicit";
  }
  // Learned queries are not alike as patches are: each may look for something else.
  if (o.recipe == "best" && o.changes.contains("oa.queries") &&
      o.changes.at("oa.queries") != "0" && !o.changes.contains("oa.pooling")) {
    texts["oa.pooling"] = "concat";
  }
  const train::Recipe recipe{model::parse_config(texts, "model"),
                             train::parse_settings(texts, "training")};
  if (recipe.training.held_out >= data.images.count) {
    throw InputError("--held-out " + format(recipe.training.held_out) +
                     " leaves none of the " + format(data.images.count) +
                     " training images");
  }
  return recipe;
}

void add_data(App& app, DataOptions& o) {
  app.add_option("DATA", o.folder, "Folder of the four files of MNIST");
  const auto add_file = [&](const char* name, std::string& path, const char* text) {
    app.add_option(name, path, text)->type_name("FILE");
  };
  add_file("--images", o.images, "Training images instead of DATA, IDX");
  add_file("--labels", o.labels, "Their labels (default: the file beside)");
  add_file("--test-images", o.test_images, "Test images, IDX");
  add_file("--test-labels", o.test_labels, "Their labels (default: the file beside)");
}

Dataset read_data(const DataOptions& o, Split split, int threads) {
  const bool train = split == Split::Train;
  const std::string& images = train ? o.images : o.test_images;
  Dataset data;
  if (!images.empty()) {
    data = io::read_idx_images_and_labels(images, train ? o.labels : o.test_labels);
    if (data.labels.empty()) {
      throw InputError(images + ": no labels beside it (name them with " +
                       (train ? "--labels" : "--test-labels") + ")");
    }
  } else if (!o.folder.empty()) {
    data = io::read_idx_dataset(o.folder, split);
  } else if (o.images.empty()) {
    data = built_in(split, threads);
  }
  if (train && data.images.count == 0) {
    throw InputError((o.folder.empty() ? images : o.folder) + ": no training images");
  }
  return data;
}

}  // namespace oa::cli
