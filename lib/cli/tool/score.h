#pragma once

#include "app/score/generate.h"
#include "app/score/scoring.h"
#include "cli/options.h"

#include <string>
#include <vector>

namespace oa::cli {

/// The options of oa-score.
struct ScoreOptions {
  app::Common common;
  app::ScoringOptions scoring;
  app::GenerateOptions generate;
  std::vector<std::string> compare;
};

void declare(App& app, ScoreOptions& options);
[[nodiscard]] app::Exit work(const ScoreOptions& options, app::Context& context);

}  // namespace oa::cli
