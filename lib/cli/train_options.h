#pragma once

#include "app/initial_model.h"
#include "cli/options.h"
#include "oa/data/dataset.h"
#include "oa/train/settings.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace oa::cli {

/// A recipe and what the command line changes of it.
struct TrainOptions {
  std::string recipe = "best";
  std::map<std::string, std::string> changes;  ///< metadata key -> value as given
  std::optional<std::int64_t> heads;           ///< of every kind that has some
};

/// --recipe and an option for every choice that a recipe makes.
void add_recipe(App& app, TrainOptions& options);

/// The recipe for images like those of `data`, with all changes; its model begins with
/// `initial` in place of the recipe's.  Throws app::UsageError or InputError if that
/// makes no sense.
[[nodiscard]] train::Recipe make_recipe(const TrainOptions& options,
                                        const Dataset& data,
                                        const model::Config* initial = nullptr);

/// --init, --convert and --mixing.
void add_initial(App& app, app::InitialOptions& options);

/// What is trained on and tested with.
struct DataOptions {
  std::string folder;  ///< of the four files with MNIST names; empty: see below
  std::string images, labels;
  std::string test_images, test_labels;  ///< nothing at all named: the built-in digits
};

void add_data(App& app, DataOptions& options);

/// A split; without labels and images if it is Test and no such file is there.
[[nodiscard]] Dataset read_data(const DataOptions& options, Split split, int threads);

}  // namespace oa::cli
