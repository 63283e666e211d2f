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
  std::string recipe;                          ///< empty: that of the task, or "best"
  std::map<std::string, std::string> changes;  ///< metadata key -> value as given
  std::optional<std::int64_t> heads;           ///< for all kinds with heads
  std::string keys;                            ///< their source, for kinds with keys
  std::optional<std::int64_t> loops;           ///< for kinds with loops
  std::optional<bool> causal;
};

/// The recipe for `examples` like those of `data`, with all changes.  Its model begins
/// with `initial` in place of the recipe's.  Throws UsageError or InputError if that
/// makes no sense.
[[nodiscard]] train::Recipe make_recipe(const RecipeOptions& options,
                                        const Dataset& data,
                                        int examples,
                                        const train::TaskKind& task,
                                        const model::Config* initial = nullptr);

/// "lr" of the metadata key "oa.train.rate"; the key itself if no option sets it.
[[nodiscard]] std::string setting_of(const std::string& key);

}  // namespace oa::app
