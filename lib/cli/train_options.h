#pragma once

#include "app/train/initial_model.h"
#include "cli/options.h"
#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/train/settings.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace oa::cli {

/// A recipe and what the command line changes of it.
struct TrainOptions {
  std::string recipe;                          ///< empty: that of the task, or "best"
  std::map<std::string, std::string> changes;  ///< metadata key -> value as given
  std::optional<std::int64_t> heads;           ///< of every kind that has some
  std::string keys;  ///< of every kind that has them; or empty
  bool causal = false;
};

/// --recipe and an option for every choice that a recipe makes.
void add_recipe(App& app, TrainOptions& options);

/// The recipe for `examples` like those of `data`, with all changes: that of the task,
/// if it has one.  Its model begins with `initial` in place of the recipe's.  Throws
/// app::UsageError or InputError if that makes no sense.
[[nodiscard]] train::Recipe make_recipe(const TrainOptions& options,
                                        const Dataset& data,
                                        int examples,
                                        const train::TaskKind& task,
                                        const model::Config* initial = nullptr);

/// --init, --convert and --mixing.
void add_initial(App& app, app::InitialOptions& options);

/// What is trained on and tested with.
struct DataOptions {
  std::string folder;         ///< of a data set; empty: see below
  std::string text;           ///< a text file
  std::int64_t context = 64;  ///< its characters that a model sees at once
  std::string sentences;      ///< a file of labels and sentences
  std::string images, labels;
  std::string test_images, test_labels;  ///< nothing at all named: the built-in digits
  PictureForm form;                      ///< of pictures
  bool grey = false;                     ///< they become grey
  std::optional<std::int64_t> first;     ///< training examples
};

void add_data(App& app, DataOptions& options);

/// Stores in `model` the form that pictures are converted to before it sees them.
void record_form(const DataOptions& options, model::Config& model);

/// What a recipe is chosen by; no name where nothing says.
[[nodiscard]] train::TaskKind task_of(const DataOptions& options);

/// The names of its classes with a slash between two, where these are names of folders.
[[nodiscard]] std::string class_names(const DataOptions& options);

/// What is selected of a split; nothing if it is Test and no such file is there.
[[nodiscard]] Dataset read_data(const DataOptions& options,
                                Split split,
                                int threads,
                                const Selection& selection);

}  // namespace oa::cli
