#include "cli/training_files.h"

#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

namespace oa::cli {

Option* add_training_files(App& app, app::TrainingFiles& files) {
  auto* resume = app.add_option("--resume FILE",
                                files.resume,
                                "Continue from this checkpoint if it exists; with "
                                "--epochs 0, write its best model");
  app.add_option("--checkpoint FILE",
                 files.checkpoint,
                 "Save a checkpoint after each epoch and on SIGINT (an old one is "
                 "replaced only with --resume)");
  app.add_option("--log FILE", files.logs.json, "Write a log, one JSON object a line");
  app.add_option("--csv FILE", files.logs.csv, "Write a table of the epochs");
  app.add_option(
      "--tensorboard DIR", files.logs.tensorboard, "Write events for TensorBoard");
  return resume;
}

std::vector<std::int64_t> seeds_of(const std::optional<IndexSet>& seeds,
                                   std::uint64_t seed) {
  if (!seeds) {
    return {static_cast<std::int64_t>(seed)};
  }
  constexpr std::int64_t kMax = 1000;
  if (seeds->size() > kMax) {
    throw app::UsageError("--seeds names more than " + format(kMax) + " seeds");
  }
  std::vector<std::int64_t> all;
  for (const auto& range : seeds->ranges()) {
    for (std::int64_t one = range.first; one <= range.last; ++one) {
      all.push_back(one);
    }
  }
  return all;
}

bool asks_for_best(const app::RecipeOptions& recipe, const app::TrainingFiles& files) {
  const auto epochs = recipe.changes.find("oa.train.epochs");
  return !files.resume.empty() && epochs != recipe.changes.end() &&
         parse_int(epochs->second) == 0;
}

void check_distinct(const app::TrainingFiles& files, const std::string& model) {
  std::map<std::filesystem::path, std::string> option_of{
      {std::filesystem::path(model).lexically_normal(), "--output"}};
  for (const auto& [option, path] : {std::pair{"--checkpoint", files.checkpoint},
                                     std::pair{"--log", files.logs.json},
                                     std::pair{"--csv", files.logs.csv}}) {
    if (path.empty() || path == "-" || path.starts_with("/dev/")) {
      continue;
    }
    const auto [other, added] =
        option_of.emplace(std::filesystem::path(path).lexically_normal(), option);
    if (!added) {
      throw app::UsageError(option + (" " + path) + " is also the file of " +
                            other->second + " (expected two files)");
    }
  }
}

void check_asks_for_best(const App& app) {
  constexpr std::array kUsed{
      "--output", "--resume", "--epochs", "--threads", "--json", "--quiet"};
  for (const auto& option : app.options()) {
    if (option->count() > 0 &&
        std::ranges::find(kUsed, option->name()) == kUsed.end()) {
      throw app::UsageError(option->name() +
                            " has no effect with --resume and --epochs 0, which write "
                            "the best model of a checkpoint");
    }
  }
}

}  // namespace oa::cli
