#include "cli/train_options.h"

#include "cli/cli.h"
#include "cli/kind_text.h"
#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/data/digits.h"
#include "oa/io/tensor/dataset_io.h"
#include "oa/io/tensor/picture_file.h"
#include "oa/io/tensor/task_file.h"
#include "oa/io/text/characters.h"
#include "oa/io/text/sentences.h"
#include "oa/train/effect.h"

#include <algorithm>

namespace oa::cli {
namespace {

constexpr const char* kWindow = "oa.patch";  // its default follows --patch
constexpr const char* kAttention = "oa.attention";

train::Recipe recipe_named(const std::string& name) {
  return name == "reference" ? train::reference_recipe() : train::best_recipe();
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
    const auto take = [&o, key](const std::string& text) { o.changes[key] = text; };
    // A command line may name files that metadata cannot.
    Option* option =
        key == kAttention
            ? app.add_text(field.option_name(), take, std::string(field.summary))
                  ->type_name(std::string(field.value_name))
                  ->check({refusal_of_kinds, {}, field.examples()})
            : add_field(app, field, take);
    option->default_str(key == kWindow ? "best: 1.5 P, reference: P"
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
  app.add_option("--recipe", o.recipe, "Set of defaults for all other options")
      ->type_name("NAME")
      ->default_str("that of the task if data has one, else best")
      ->check(one_of({"best", "reference"}));
  const train::Recipe best = train::best_recipe();
  const train::Recipe reference = train::reference_recipe();
  add_fields(app, model::config_fields(), best.model, reference.model, o);
  app.add_option("--heads", o.heads, "Number of heads, for kinds with heads")
      ->type_name("N")
      ->check(between(1, 1024));
  const auto take_keys = [&o](const std::string& source) { o.keys = source; };
  app.add_text("--keys", take_keys, "Source of the keys, for kinds with that option")
      ->type_name("SOURCE")
      ->check(one_of({"paper", "own", "shared", "separate"}));
  app.add_flag("--causal", o.causal, "Causal layers: no token sees a later token");
  add_fields(app, train::settings_fields(), best.training, reference.training, o);
}

namespace {

/// What the examples decide of a model.
void fit_to_pictures(const Dataset& data, model::Config& model) {
  if (model.window < model.stride || (model.window - model.stride) % 2 != 0) {
    throw app::UsageError("--window " + format(model.window) + " (expected --patch " +
                          format(model.stride) + " or an even number of pixels more)");
  }
  model.margin = (model.window - model.stride) / 2;
  model.rows = data.images.rows;
  model.cols = data.images.cols;
  model.channels = data.images.channels;
}

void fit_to_sequences(const Dataset& data, model::Config& model) {
  const Sequences& all = data.sequences;
  model.length = std::max(model.length, all.longest);
  for (const Sequences::Place& place : all.places) {
    model.length = std::max(model.length, place.length);
  }
  model.vocabulary = all.vocabulary;
  model.vector_width = all.width;
  model.asking = all.asking;
  model.alphabet = all.alphabet;
}

void fit_to_targets(const Dataset& data, model::Config& model) {
  model.objective = data.targets.objective;
  model.classes = std::max(model.classes, data.targets.classes);
  if (model.objective == Objective::Class && !data.labels.empty()) {
    model.classes =
        std::max(model.classes, 1 + int{*std::ranges::max_element(data.labels)});
  }
  if (model.objective == Objective::Cells && model.queries != data.targets.rows) {
    throw app::UsageError("--queries " + format(model.queries) + " (the targets have " +
                          format(data.targets.rows) + " classes to look for)");
  }
}

/// "--lr" of "oa.train.rate"
template <class S>
std::string option_of(const FieldTable<S>& table, const std::string& key) {
  const auto field = std::ranges::find(
      table.fields, key, [&](const Field<S>& f) { return table.key(f); });
  return field == table.fields.end() ? std::string{} : field->option_name();
}

/// An option that would do nothing is refused.
void check_effects(const TrainOptions& o, const train::Recipe& recipe) {
  for (const auto& [key, value] : o.changes) {
    const std::string refusal = train::refusal_without_effect(recipe, key, value);
    if (!refusal.empty()) {
      throw app::UsageError(option_of(model::config_fields(), key) +
                            option_of(train::settings_fields(), key) + " " + value +
                            " " + refusal);
    }
  }
}

}  // namespace

train::Recipe make_recipe(const TrainOptions& o,
                          const Dataset& data,
                          int examples,
                          const train::TaskKind& task,
                          const model::Config* initial) {
  const auto given = [&](const char* key) { return o.changes.contains(key); };
  const train::TaskKind kind =
      data.images.channels > 1 ? train::TaskKind{.name = "colours"} : task;
  const auto for_task =
      o.recipe.empty() ? train::task_recipe(kind) : std::optional<train::Recipe>();
  train::Recipe recipe = for_task ? *for_task : recipe_named(o.recipe);
  const train::Settings chosen = recipe.training;
  model::Config& model = recipe.model;
  train::Settings& training = recipe.training;
  model.classes = 1;
  if (initial != nullptr) {
    model = *initial;
  }
  const int overlap = model.window - model.stride;
  const int stride = model.stride;
  model::config_fields().parse(o.changes, "model", model);
  train::settings_fields().parse(o.changes, "training", training);
  if (!model::agree_on_levels(given("oa.coefficients"), given("oa.levels"), model)) {
    throw app::UsageError("--coefficients levels needs --levels (2 to " +
                          format(kMostLevels) + ")");
  }
  if (!given("oa.train.held_out")) {
    training.held_out = std::min(training.held_out, examples / 10);
  }
  if (task.own && o.recipe != "reference" && training.held_out < examples) {
    train::fit_to_few(examples - training.held_out, chosen, given, training);
  }
  model.causal = model.causal || o.causal;
  // Queries of a causal layer see unequal numbers of values.
  if (initial == nullptr && model.causal && !given("oa.divide_output")) {
    model.divide_output = false;
  }
  model.attention = with_patterns(model.attention);
  if (!o.keys.empty()) {
    model.attention = with_keys(model.attention, o.keys);
  }
  if (o.heads) {
    model.attention = with_heads(model.attention, static_cast<int>(*o.heads));
  }
  if (const auto kinds = attention::parse_kind_specs(model.attention, "--attention");
      kinds.size() > 1 && !given("oa.layers")) {
    model.layers = static_cast<int>(std::ssize(kinds));
  }
  if (!given(kWindow)) {
    model.window = model.stride + model.stride * overlap / stride / 2 * 2;
  }
  if (data.has_sequences()) {
    fit_to_sequences(data, model);
  } else {
    fit_to_pictures(data, model);
  }
  fit_to_targets(data, model);
  // The reference's binarised model passes no gradient because a threshold has none;
  // its continuous one is differentiated through a converged ADMM.
  if (o.recipe == "reference" && model.coefficients != Coefficients::Binary &&
      !given("oa.train.gradient")) {
    training.backward = attention::Backward::Implicit;
  }
  // Learned queries are not alike as patches are: each may look for something else.
  if (initial == nullptr && o.recipe != "reference" && model.queries > 0 &&
      !given("oa.pooling")) {
    model.pooling = model::Pooling::Concat;
  }
  model::check(model, "model");
  check_effects(o, recipe);
  if (training.held_out >= examples) {
    throw InputError("--held-out " + format(training.held_out) +
                     " leaves none of the " + format(examples) + " training examples");
  }
  return recipe;
}

void add_initial(App& app, app::InitialOptions& o) {
  auto* init =
      app.add_option("--init", o.file, "Start from the parameters of this model")
          ->type_name("FILE");
  const auto take = [&o](const std::string& name) {
    model::Sharing how{};
    if (parse_field(name, how)) {
      o.convert = how;
    }
  };
  auto* convert =
      app.add_text(
             "--convert", take, "With --init: how heads come to share keys and values")
          ->type_name("HOW")
          ->check(one_of(names_of<model::Sharing>()))
          ->needs(init);
  app.add_option(
         "--mixing", o.mixing, "With --convert mean: steps until heads share them")
      ->type_name("STEPS")
      ->check(between(0, 1'000'000'000))
      ->needs(convert);
}

namespace {

/// "28" or "28x20", rows and columns.
bool parse_size(const std::string& text, PictureForm& form) {
  const auto x = text.find('x');
  const auto rows = parse_int(text.substr(0, x));
  const auto cols = x == text.npos ? rows : parse_int(text.substr(x + 1));
  const auto good = [](const std::optional<std::int64_t>& n) {
    return n && *n >= 1 && *n <= 4096;
  };
  if (!good(rows) || !good(cols)) {
    return false;
  }
  form.rows = static_cast<int>(*rows);
  form.cols = static_cast<int>(*cols);
  return true;
}

void add_form(App& app, DataOptions& o) {
  app.add_text(
         "--resize",
         [&o](const std::string& text) { (void)parse_size(text, o.form); },
         "Resize images: pixels a side, or ROWSxCOLUMNS")
      ->type_name("SIZE")
      ->check({[](const std::string& text) {
        PictureForm parsed;
        return parse_size(text, parsed)
                   ? std::string{}
                   : "'" + text +
                         "' (expected a size as 28 or 28x20, 1 to 4096 a side)";
      }});
  app.add_flag("--grey", o.grey, "Colour images are converted to grey");
  app.add_flag("--invert", o.form.invert, "Invert images, for dark ink on white paper");
}

}  // namespace

void add_data(App& app, DataOptions& o) {
  auto* folder =
      app.add_option("DATA",
                     o.folder,
                     "Folder of a data set: MNIST, CIFAR-10, a task of oa-tasks, or "
                     "CLASS/NAME.png (without DATA: built-in digits)");
  auto* text_file =
      app.add_option("--text", o.text, "Learn to continue this text, instead of DATA")
          ->type_name("FILE")
          ->excludes(folder);
  app.add_option("--context", o.context, "With --text: characters of an example")
      ->type_name("N")
      ->check(between(1, 65536))
      ->needs(text_file);
  app.add_option("--sentences",
                 o.sentences,
                 "Learn from lines of label, tab and sentence instead")
      ->type_name("FILE")
      ->excludes(folder)
      ->excludes(text_file);
  const auto add_file = [&](const char* name, std::string& path, const char* text) {
    return app.add_option(name, path, text)->type_name("FILE");
  };
  auto* images =
      add_file("--images", o.images, "Training images instead of DATA, IDX or .npy")
          ->excludes(folder);
  add_file("--labels", o.labels, "Their labels (default: the file beside)")
      ->needs(images);
  auto* tests = add_file("--test-images", o.test_images, "Test images, IDX or .npy");
  add_file("--test-labels", o.test_labels, "Their labels (default: the file beside)")
      ->needs(tests);
  add_form(app, o);
  app.add_option("--first", o.first, "Use only the first N training examples")
      ->type_name("N")
      ->check(between(1, 2'147'483'647));
}

void record_form(const DataOptions& o, model::Config& model) {
  model.resized = o.form.rows > 0;
  model.grey = o.grey;
  model.inverted = o.form.invert;
}

train::TaskKind task_of(const DataOptions& o) {
  if (!o.text.empty()) {
    return {"text"};
  }
  if (!o.sentences.empty()) {
    return {"sentences"};
  }
  const auto task = o.folder.empty() ? std::nullopt : io::task_of(o.folder);
  if (!task) {
    return {.own = !class_names(o).empty()};
  }
  const auto number = [&](const char* name, std::int64_t most) {
    const auto found = task->options.find(name);
    const auto said =
        found == task->options.end() ? std::nullopt : parse_int(found->second);
    return static_cast<int>(std::clamp<std::int64_t>(said.value_or(1), 1, most));
  };
  constexpr std::int64_t kMostSummed = 4096;
  const auto pictures = task->options.find("pictures");
  const bool overlays = pictures != task->options.end() && pictures->second == "true";
  return {.name = task->task,
          .amounts = number("amounts", kMostLevels - 1),
          .overlaid = overlays ? number("sum", kMostSummed) : 0};
}

namespace {

Dataset read_text(const DataOptions& o, Split split) {
  const auto context = static_cast<int>(o.context);
  io::Input input = io::Input::open(o.text);
  io::Characters text =
      io::read_characters(input, {.context = context, .stride = context}, split);
  Sequences& all = text.data.sequences;
  for (const char32_t sign : text.alphabet) {
    all.alphabet += io::utf8(sign);
  }
  all.slack = split == Split::Train ? context - 1 : 0;
  return std::move(text.data);
}

Dataset read_folder(const DataOptions& o,
                    Split split,
                    const PictureForm& form,
                    const Selection& selection) {
  if (split == Split::Test && io::has_no_parts(o.folder)) {
    throw InputError(
        o.folder + ": no test pictures (expected them in test/, the others in train/)");
  }
  Dataset data = io::read_dataset(o.folder, split, form, selection);
  if (data.targets.objective == Objective::Class && data.targets.classes == 0) {
    throw InputError(o.folder + ": pictures without classes (expected CLASS/NAME.png)");
  }
  return data;
}

Dataset read_any(const DataOptions& o,
                 Split split,
                 int threads,
                 const Selection& selection) {
  const bool train = split == Split::Train;
  const std::string& images = train ? o.images : o.test_images;
  if (!o.text.empty()) {
    return select(read_text(o, split), selection);
  }
  if (!o.sentences.empty()) {
    io::Input input = io::Input::open(o.sentences);
    return select(io::read_sentences(input, {}, split).data, selection);
  }
  PictureForm form = o.form;
  form.channels = o.grey ? 1 : 0;
  if (!images.empty()) {
    Dataset data = io::read_pictures_and_labels(
        images, train ? o.labels : o.test_labels, form, {}, selection);
    if (data.targets.classes == 0) {
      throw InputError(images + ": no labels beside it (name them with " +
                       (train ? "--labels" : "--test-labels") + ")");
    }
    return data;
  }
  if (!o.folder.empty()) {
    return read_folder(o, split, form, selection);
  }
  if (!o.images.empty()) {
    return {};
  }
  Dataset data = built_in(split, threads);
  data.images = in_form(std::move(data.images), form);
  return select(std::move(data), selection);
}

}  // namespace

std::string class_names(const DataOptions& o) {
  return o.folder.empty() ? "" : io::class_names(o.folder);
}

Dataset read_data(const DataOptions& o,
                  Split split,
                  int threads,
                  const Selection& selection) {
  int there = 0;
  Selection some = selection;
  some.keep = [&](int count) {
    there = count;
    return selection.kept(count);
  };
  if (split == Split::Train && o.first) {
    some.first = *o.first;
  }
  Dataset data = read_any(o, split, threads, some);
  const bool formed = o.form.rows > 0 || o.grey || o.form.invert;
  if (formed && data.has_sequences()) {
    throw app::UsageError("--resize, --grey and --invert are for pictures");
  }
  if (split == Split::Train && there == 0) {
    throw InputError((o.folder.empty() ? o.images : o.folder) +
                     ": no training examples");
  }
  return data;
}

}  // namespace oa::cli
