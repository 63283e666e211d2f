#include "cli/train_options.h"

#include "app/kind_text.h"
#include "cli/cli.h"
#include "oa/base/number.h"

namespace oa::cli {
namespace {

constexpr const char* kWindow = "oa.patch";  // defaults to --patch
constexpr const char* kAttention = "oa.attention";

/// Adds an option for each field with an option name.  Help shows both recipes' values.
template <class S>
void add_fields(App& app,
                const FieldTable<S>& table,
                const S& best,
                const S& reference,
                app::RecipeOptions& o) {
  for (const Field<S>& field : table.fields) {
    if (field.option_name().empty()) {
      continue;
    }
    const std::string key = table.key(field);
    const std::string a = field.text(best);
    const std::string b = field.text(reference);
    const auto take = [&o, key](const std::string& text) { o.changes[key] = text; };
    // Command lines may name files of patterns, but metadata may not.
    Option* option =
        key == kAttention
            ? app.add_text(field.option_name(), take, std::string(field.summary))
                  ->type_name(std::string(field.value_name))
                  ->check({app::refusal_of_kinds, {}, field.examples()})
            : add_field(app, field, take);
    option->default_str(key == kWindow ? "best: 1.5 P, reference: P"
                        : a == b       ? a
                                       : "best: " + a + ", reference: " + b);
  }
}

}  // namespace

void add_recipe(App& app, app::RecipeOptions& o) {
  app.add_option("--recipe NAME", o.recipe, "Set of defaults for all other options")
      ->default_str("that of the task if data has one, else best")
      ->check(one_of({"best", "reference"}));
  const train::Recipe best = train::best_recipe();
  const train::Recipe reference = train::reference_recipe();
  add_fields(app, model::config_fields(), best.model, reference.model, o);
  app.add_option("--heads N", o.heads, "Number of heads, for kinds with heads")
      ->check(between(1, 1024));
  const auto take_keys = [&o](const std::string& source) { o.keys = source; };
  app.add_text(
         "--keys SOURCE", take_keys, "Source of the keys, for kinds with that option")
      ->check(one_of({"paper", "own", "shared", "separate"}));
  app.add_option("--loops N",
                 o.loops,
                 "Times that a layer is applied, for kinds that refine their queries")
      ->default_str("1")
      ->check(between(1, 256));
  app.add_switch("--causal", o.causal, "Causal layers: no token sees a later token");
  add_fields(app, train::settings_fields(), best.training, reference.training, o);
}

void add_initial(App& app, app::InitialOptions& o) {
  auto* init =
      app.add_option("--init FILE", o.file, "Start from the parameters of this model");
  const auto take = [&o](const std::string& name) {
    model::Sharing how{};
    if (parse_field(name, how)) {
      o.convert = how;
    }
  };
  auto* convert = app.add_text("--convert HOW",
                               take,
                               "With --init: how heads come to share keys and values")
                      ->check(one_of(names_of<model::Sharing>()))
                      ->needs(init);
  app.add_option("--mixing STEPS",
                 o.mixing,
                 "With --convert mean: steps until heads share them")
      ->check(between(0, 1'000'000'000))
      ->needs(convert);
}

namespace {

/// Parses "28" or "28x20", rows and columns.
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

void add_form(App& app, app::DataOptions& o) {
  app.add_text(
         "--resize SIZE",
         [&o](const std::string& text) { (void)parse_size(text, o.form); },
         "Resize images: pixels a side, or ROWSxCOLUMNS")
      ->check({[](const std::string& text) {
        PictureForm parsed;
        return parse_size(text, parsed)
                   ? std::string{}
                   : "'" + text +
                         "' (expected a size as 28 or 28x20, 1 to 4096 a side)";
      }});
  app.add_flag("--grey", o.grey, "Convert colour images to grey");
  app.add_flag("--invert", o.form.invert, "Invert images, for dark ink on white paper");
}

}  // namespace

void add_data(App& app, app::DataOptions& o) {
  auto* folder =
      app.add_option("DATA",
                     o.folder,
                     "Folder of a data set: MNIST, CIFAR-10, a task of oa-tasks, or "
                     "CLASS/NAME.png (without DATA: built-in digits)");
  auto* text_file =
      app.add_option(
             "--text FILE", o.text, "Learn to continue this text, instead of DATA")
          ->excludes(folder);
  app.add_option("--context N", o.context, "With --text: characters of an example")
      ->check(between(1, 65536))
      ->needs(text_file);
  app.add_option("--sentences FILE",
                 o.sentences,
                 "Learn from lines of label, tab and sentence instead")
      ->excludes(folder)
      ->excludes(text_file);
  const auto add_file =
      [&](const std::string& name, std::string& path, const char* text) {
        return app.add_option(name + " FILE", path, text);
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
  app.add_option("--first N", o.first, "Use only the first N training examples")
      ->check(between(1, 2'147'483'647));
}

}  // namespace oa::cli
