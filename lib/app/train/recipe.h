#pragma once

#include "oa/data/dataset.h"
#include "oa/train/settings.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace oa::app {

/// A recipe and changes to it.
struct RecipeOptions {
  std::string recipe;                          ///< empty: the task's recipe, or "best"
  std::map<std::string, std::string> changes;  ///< metadata key -> value as given
  std::optional<std::int64_t> heads;           ///< for all kinds with heads
  std::string keys;                            ///< their source, for kinds with keys
  std::optional<std::int64_t> loops;           ///< for kinds with loops
  std::optional<bool> causal;
};

/// Makes the recipe for `examples` examples like `data`, with all changes.
/// `initial`, if not null, replaces the recipe's model.
/// Throws UsageError or InputError if the settings contradict each other.
[[nodiscard]] train::Recipe make_recipe(const RecipeOptions& options,
                                        const Dataset& data,
                                        int examples,
                                        const train::TaskKind& task,
                                        const model::Config* initial = nullptr);

/// The option for a metadata key: "lr" for "oa.train.rate"; without an option, the key.
[[nodiscard]] std::string setting_of(const std::string& key);

}  // namespace oa::app
