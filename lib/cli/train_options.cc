#include "cli/train_options.h"

#include "cli/cli.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/data/digits.h"
#include "oa/io/tensor/idx.h"

#include <algorithm>

namespace oa::cli {
namespace {

constexpr const char* kWindow = "oa.patch";  // its default follows --patch

train::Recipe recipe_named(const std::string& name) {
  return name == "best" ? train::best_recipe() : train::reference_recipe();
}

/// An option for each field that has one; help shows what both recipes choose.
template <class S>
void add_fields(App& app,
                const FieldTable<S>& table,
                const S& best,
                const S& reference,
                TrainOptions& o) {
  for (const Field<S>& field : table.fields) {
    if (field.option_name().empty()) {
      continue;
    }
    const std::string key = table.key(field);
    const std::string a = field.text(best);
    const std::string b = field.text(reference);
    add_field(app, field, [&o, key](const std::string& text) { o.changes[key] = text; })
        ->default_str(key == kWindow ? "best: 1.5 P, reference: P"
                      : a == b       ? a
                                     : "best: " + a + ", reference: " + b);
  }
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
  const train::Recipe best = train::best_recipe();
  const train::Recipe reference = train::reference_recipe();
  add_fields(app, model::config_fields(), best.model, reference.model, o);
  add_fields(app, train::settings_fields(), best.training, reference.training, o);
}

train::Recipe make_recipe(const TrainOptions& o, const Dataset& data) {
  const auto given = [&](const char* key) { return o.changes.contains(key); };
  train::Recipe recipe = recipe_named(o.recipe);
  model::Config& model = recipe.model;
  train::Settings& training = recipe.training;
  const int overlap = model.window - model.stride;
  const int stride = model.stride;
  model::config_fields().parse(o.changes, "model", model);
  train::settings_fields().parse(o.changes, "training", training);
  if (const auto kinds = attention::parse_kind_specs(model.attention, "--attention");
      kinds.size() > 1 && !given("oa.layers")) {
    model.layers = static_cast<int>(std::ssize(kinds));
  }
  if (!given(kWindow)) {
    model.window = model.stride + model.stride * overlap / stride / 2 * 2;
  }
  if (model.window < model.stride || (model.window - model.stride) % 2 != 0) {
    throw app::UsageError("--window " + format(model.window) + " (expected --patch " +
                          format(model.stride) + " or an even number of pixels more)");
  }
  model.margin = (model.window - model.stride) / 2;
  model.rows = data.images.rows;
  model.cols = data.images.cols;
  model.classes = 1 + int{*std::ranges::max_element(data.labels)};
  // The reference's binarised model passes no gradient because a threshold has none;
  // its continuous one is differentiated through a converged ADMM.
  if (o.recipe == "reference" && model.coefficients != Coefficients::Binary &&
      !given("oa.train.gradient")) {
    training.backward = attention::Backward::Implicit;
  }
  // Learned queries are not alike as patches are: each may look for something else.
  if (o.recipe == "best" && model.queries > 0 && !given("oa.pooling")) {
    model.pooling = model::Pooling::Concat;
  }
  model::check(model, "model");
  if (training.held_out >= data.images.count) {
    throw InputError("--held-out " + format(training.held_out) +
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
