#include "cli/train_options.h"

#include "oa/base/error.h"
#include "oa/data/task.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

using namespace oa;

namespace {

/// The values next to a limit of a field: the last that it may be, the first that not.
struct Limit {
  std::string last;
  std::string beyond;
};

std::string text_of(double value, bool whole) {
  return whole ? format(static_cast<std::int64_t>(value)) : format(value);
}

template <class S>
std::vector<Limit> limits_of(const Field<S>& field) {
  const bool whole = field.noun == std::string("a whole number");
  const auto limit = [&](double at, bool is_out, double outwards) {
    const auto next = [&](double to) {
      return whole ? at + to : std::nextafter(at, at + to);
    };
    return Limit{text_of(is_out ? next(-outwards) : at, whole),
                 text_of(is_out ? at : next(outwards), whole)};
  };
  std::vector<Limit> all;
  if (field.range.has_low()) {
    all.push_back(limit(field.range.low, field.range.above_low, -1.0));
  }
  if (field.range.has_high()) {
    all.push_back(limit(field.range.high, field.range.below_high, 1.0));
  }
  return all;
}

template <class S>
void read_and_check(const FieldTable<S>& table,
                    const Field<S>& field,
                    const std::string& text) {
  S s;
  table.parse({{table.key(field), text}}, "f", s);
  table.check(s, "f");
  CHECK(field.text(s) == text);
}

template <class S>
void walk(const FieldTable<S>& table) {
  for (const Field<S>& field : table.fields) {
    CAPTURE(field.name);
    CHECK_FALSE(field.summary.empty());
    CHECK(field.option_name().empty() != field.no_option.empty());
    read_and_check(table, field, field.text(S{}));
    CHECK(field.refusal(field.text(S{})).empty());
    if (field.number(S{})) {
      CHECK_FALSE(field.refusal("many").empty());
    }
    for (const Limit& limit : limits_of(field)) {
      CAPTURE(limit.last);
      CHECK(field.refusal(limit.last).empty());
      read_and_check(table, field, limit.last);
      CHECK_FALSE(field.refusal(limit.beyond).empty());
      CHECK_THROWS_AS(read_and_check(table, field, limit.beyond), InputError);
    }
    if (field.choices != nullptr) {
      for (const std::string& name : field.choices()) {
        CHECK(field.refusal(name).empty());
        read_and_check(table, field, name);
      }
      CHECK_FALSE(field.refusal("none of them").empty());
    }
  }
}

struct Parsed {
  app::RecipeOptions options;
  cli::App app{"oa-train"};

  explicit Parsed(const std::vector<std::string>& arguments = {}) {
    cli::add_recipe(app, options);
    app.parse(arguments);
  }
  [[nodiscard]] const cli::Option& option(const std::string& name) const {
    return **std::ranges::find_if(app.options(),
                                  [&](const auto& o) { return o->name() == name; });
  }
};

Dataset images_of_mnist_size() {
  Dataset data;
  data.images.rows = data.images.cols = 28;
  data.images.count = 60000;
  data.labels = {0, 9};
  return data;
}

train::Recipe recipe(const std::vector<std::string>& arguments) {
  return app::make_recipe(Parsed(arguments).options, images_of_mnist_size(), 60000, {});
}

/// The entry of an option in the manual, on one line.
std::string entry_of(const std::string& option) {
  std::ifstream page(OA_MAN "/oa-train.1");
  std::string entry;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with(".It Fl") || line.starts_with(".Sh")) {
      inside = line.starts_with(".It Fl " + option.substr(1) + " ");
    }
    entry += inside ? line + " " : "";
  }
  return entry;
}

template <class S>
void compare_with_manual(const FieldTable<S>& table) {
  for (const Field<S>& field : table.fields) {
    CAPTURE(field.name);
    if (!field.option_name().empty() && !limits_of(field).empty()) {
      CHECK(entry_of(field.option_name()).find(field.range.text()) !=
            std::string::npos);
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("fields of a recipe are read back at both ends of their range, not beyond") {
  walk(model::config_fields());
  walk(train::settings_fields());
}

TEST_CASE("both recipes are within the ranges of their fields") {
  for (const train::Recipe& r : {train::best_recipe(), train::reference_recipe()}) {
    model::check(r.model, "model");
    train::settings_fields().check(r.training, "training");
  }
}

TEST_CASE("help shows what the recipes choose") {
  const Parsed parsed;
  const auto compare = [&](const auto& table, const auto& best, const auto& reference) {
    for (const auto& field : table.fields) {
      if (field.option_name().empty() || field.name == "patch") {
        continue;
      }
      const std::string a = field.text(best);
      const std::string b = field.text(reference);
      CHECK(parsed.option(field.option_name()).default_text() ==
            (a == b ? a : "best: " + a + ", reference: " + b));
    }
  };
  const train::Recipe best = train::best_recipe();
  const train::Recipe reference = train::reference_recipe();
  compare(model::config_fields(), best.model, reference.model);
  compare(train::settings_fields(), best.training, reference.training);
  CHECK(parsed.option("--window").default_text() == "best: 1.5 P, reference: P");
}

TEST_CASE("the manual says the range of every option of a recipe") {
  compare_with_manual(model::config_fields());
  compare_with_manual(train::settings_fields());
}

TEST_CASE("options change the recipe that they are given with") {
  const train::Recipe plain = recipe({"--recipe", "reference"});
  CHECK(plain.training == train::reference_recipe().training);
  CHECK(plain.model == train::reference_recipe().model);
  const train::Recipe r = recipe({"--dim", "65", "--lr", "0.5", "--shear", "0.25"});
  CHECK(r.model.dim == 65);
  CHECK(r.training.rate == 0.5);
  CHECK(r.training.augmentation.shear == 0.25);
  CHECK(r.training.augmentation.shift ==
        train::best_recipe().training.augmentation.shift);
}

TEST_CASE("a window follows the patch, and background follows the window") {
  CHECK(recipe({}).model.margin == 1);
  CHECK(recipe({"--patch", "7"}).model.window == 9);
  CHECK(recipe({"--patch", "7", "--recipe", "reference"}).model.window == 7);
  const model::Config wide = recipe({"--patch", "2", "--window", "8"}).model;
  CHECK(wide.stride == 2);
  CHECK(wide.margin == 3);
  CHECK_THROWS_AS((void)recipe({"--patch", "7", "--window", "8"}), app::UsageError);
}

TEST_CASE("settings that depend on a choice follow it, unless given") {
  using attention::Backward;
  const std::vector<std::string> box{
      "--recipe", "reference", "--coefficients", "continuous"};
  CHECK(recipe(box).training.backward == Backward::Implicit);
  auto given = box;
  given.insert(given.end(), {"--gradient", "none"});
  CHECK(recipe(given).training.backward == Backward::None);
  CHECK(recipe({"--queries", "3"}).model.pooling == model::Pooling::Concat);
  CHECK(recipe({"--queries", "3", "--pooling", "mean"}).model.pooling ==
        model::Pooling::Mean);
}

TEST_CASE("at most 10 % of the examples are held out by default") {
  const Dataset few = images_of_mnist_size();
  const auto held_out = [&](const std::vector<std::string>& arguments) {
    return app::make_recipe(Parsed(arguments).options, few, 60, {}).training.held_out;
  };
  CHECK(held_out({}) == 6);
  CHECK(held_out({"--recipe", "reference"}) == 6);
  CHECK(held_out({"--held-out", "30"}) == 30);
  CHECK_THROWS_AS((void)held_out({"--held-out", "60"}), InputError);
}

TEST_CASE("an initial model replaces the recipe's, and options change it") {
  model::Config initial;
  initial.dim = 48;
  initial.window = 8;
  initial.margin = 2;
  initial.attention = "softmax:heads=4";
  const auto with = [&](const std::vector<std::string>& arguments) {
    return app::make_recipe(
        Parsed(arguments).options, images_of_mnist_size(), 60000, {}, &initial);
  };
  CHECK(with({}).model == initial);
  CHECK(with({}).training == train::best_recipe().training);
  CHECK(with({"--attention", "flash2"}).model.attention == "flash2");
  CHECK(with({"--epochs", "0"}).training.epochs == 0);
}

TEST_CASE("--heads sets the heads of every kind that does not set its own") {
  const auto attention = [](const std::string& text) {
    return recipe({"--attention", text, "--heads", "4"}).model.attention;
  };
  CHECK(attention("softmax") == "softmax:heads=4");
  CHECK(attention("softmax*2,pool,gqa:heads=8,groups=2") ==
        "softmax:heads=4*2,pool,gqa:heads=8,groups=2");
  CHECK_THROWS_AS((void)attention("uniform"), app::UsageError);
}

TEST_CASE("the kind csr takes its pattern from a file") {
  const test::Folder folder;
  const std::string name = folder.path("p");
  std::string pattern = "49\n";
  std::string rows;
  for (int q = 0; q < 49; ++q) {
    pattern += "0 2-3\n";
    rows += rows.empty() ? "0+2-3" : ";0+2-3";
  }
  test::spill(name, pattern);
  const auto attention = [](const std::string& text) {
    return recipe({"--attention", text}).model.attention;
  };
  CHECK(attention("csr:file=" + name) == "csr:rows=" + rows);
  CHECK(attention("csr:heads=4,file=" + name + "*2,pool") ==
        "csr:heads=4,rows=" + rows + "*2,pool");
  CHECK(test::message_of<IoError>([&] {
          (void)attention("csr:file=none");
        }).starts_with("none: "));
  CHECK_THROWS_AS((void)attention("softmax:file=" + name), app::UsageError);
  test::spill(name, "49\n0-50\n");
  CHECK(test::message_of<InputError>([&] {
          (void)attention("csr:file=" + name);
        }).starts_with(name + ":2: "));
}

TEST_CASE("each task has a recipe, and its model takes the task's examples") {
  for (const Task task :
       {Task::Recall, Task::Induction, Task::Copy, Task::Superposed, Task::Scenes}) {
    const std::string name = field_text(task);
    CAPTURE(name);
    const Dataset data = draw_task(task, {}, Pictures(), 1, Split::Train, 0, 30);
    const train::Recipe found = app::make_recipe(
        Parsed().options, data, data.count(), {name});  // checks the model
    CHECK(found.model.objective == data.targets.objective);
    CHECK(found.model.attention.starts_with("optimizing:keys="));
    CHECK(found.training.exact);
    CHECK(found.training.held_out == 3);
    // The command line goes before the recipe.
    CHECK(app::make_recipe(Parsed({"--dim", "32"}).options, data, data.count(), {name})
              .model.dim == 32);
  }
  CHECK_FALSE(train::task_recipe({"mnist"}).has_value());
  // An overlay of four is their mean, so beta is four times alpha.
  const std::string overlays =
      train::task_recipe({.name = "superposed", .overlaid = 4})->model.attention;
  CHECK(overlays.find("alpha=0.5,beta=2,") != std::string::npos);
}

TEST_CASE("the recipe of sums has an isometric map where one fits") {
  const Dataset data =
      draw_task(Task::Superposed, {}, Pictures(), 1, Split::Train, 0, 30);
  const auto is_isometric = [&](const std::vector<std::string>& arguments) {
    return app::make_recipe(
               Parsed(arguments).options, data, data.count(), {"superposed"})
               .model.attention.find("isometric=true") != std::string::npos;
  };
  CHECK(is_isometric({}));
  CHECK(is_isometric({"--dim", "16"}));
  CHECK_FALSE(is_isometric({"--dim", "8"}));
  CHECK_FALSE(is_isometric({"--heads", "2"}));
  CHECK_FALSE(is_isometric({"--keys", "separate"}));
}

TEST_CASE("sums with amounts have a level for each amount and one for none") {
  const TaskOptions options{.amounts = 4, .width = 32};
  const Dataset data =
      draw_task(Task::Superposed, options, Pictures(), 1, Split::Train, 0, 30);
  const auto made = [&](const std::vector<std::string>& arguments) {
    return app::make_recipe(
               Parsed(arguments).options, data, data.count(), {"superposed", 4})
        .model;
  };
  CHECK(made({}).coefficients == Coefficients::Levels);
  CHECK(made({}).levels == 5);
  CHECK(made({}).normalization == attention::Normalization::None);
  CHECK(made({"--coefficients", "binary"}).levels == 2);
}

TEST_CASE("colour pictures have a recipe of their own, unless one is asked for") {
  Dataset data = images_of_mnist_size();
  data.images.rows = data.images.cols = 32;
  data.images.channels = 3;
  const auto chosen = [&](const std::vector<std::string>& arguments) {
    return app::make_recipe(Parsed(arguments).options, data, 45000, {});
  };
  const train::Recipe own = chosen({"--layers", "2"});
  CHECK(own.model.layers == 2);
  CHECK(own.model.dim == 96);
  CHECK(own.model.channels == 3);
  CHECK(own.training.augmentation.mirror);
  CHECK(own.training.exact);
  const train::Recipe best = chosen({"--recipe", "best"});
  CHECK(best.model.layers == 1);
  CHECK_FALSE(best.training.augmentation.mirror);
  CHECK_FALSE(recipe({}).training.augmentation.mirror);
}

TEST_CASE("few pictures get smaller batches, more epochs and a shorter warm-up") {
  Dataset data = images_of_mnist_size();
  data.images.channels = 3;
  const auto training = [&](const std::vector<std::string>& arguments, int count) {
    const train::TaskKind own{.own = true};
    return app::make_recipe(Parsed(arguments).options, data, count, own).training;
  };
  const train::Settings few = training({}, 60);
  const int steps_of_epoch = (54 + 7) / 8;
  CHECK(few.batch == 8);
  CHECK(few.epochs * steps_of_epoch >= 2000);
  CHECK((few.epochs - 1) * steps_of_epoch < 2000);
  CHECK(few.warmup == few.epochs * steps_of_epoch / 10);
  CHECK(training({}, 1000).batch == 64);
  CHECK(training({}, 400).batch == 32);
  // Given settings stay, and the settings that depend on them follow.
  CHECK(training({"--epochs", "20"}, 60).epochs == 20);
  CHECK(training({"--epochs", "20"}, 60).warmup == 20 * steps_of_epoch / 10);
  CHECK(training({"--warmup", "400"}, 60).warmup == 400);
  CHECK(training({"--batch", "27"}, 60).epochs == 1000);
  // Data sets that recipes were made for have them as they are.
  CHECK(app::make_recipe(Parsed().options, data, 60, {}).training.batch == 64);
  CHECK(training({}, 50000) == train::task_recipe({"colours"})->training);
  CHECK(training({"--recipe", "best", "--held-out", "5000"}, 60000) ==
        train::best_recipe().training);
  CHECK(training({"--recipe", "reference"}, 60).epochs ==
        train::reference_recipe().training.epochs);
}

TEST_SUITE_END();
