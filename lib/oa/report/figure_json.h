#pragma once

#include "oa/plot/chart/accuracy.h"
#include "oa/plot/chart/bench.h"
#include "oa/plot/chart/boxplot.h"
#include "oa/plot/chart/confusion.h"
#include "oa/plot/chart/curves.h"
#include "oa/plot/chart/gaps.h"
#include "oa/plot/chart/levels.h"
#include "oa/plot/chart/scatter.h"
#include "oa/plot/chart/targets.h"
#include "oa/plot/map/sparsity.h"

#include <string>
#include <vector>

namespace oa::report {

// json() formats the numbers of a figure as an object described in oa-heatmap(1).

[[nodiscard]] std::string json(const plot::SparsityMap& map);
[[nodiscard]] std::string json(const plot::BoxPlot& plot);
[[nodiscard]] std::string json(const plot::Confusion& confusion);
[[nodiscard]] std::string json(const std::vector<score::Curve>& curves, bool steps);
[[nodiscard]] std::string json(const plot::Gaps& gaps);
[[nodiscard]] std::string json(const plot::Targets& targets);
[[nodiscard]] std::string json(const score::Scatter& scatter);
[[nodiscard]] std::string json(const plot::Levels& levels);
[[nodiscard]] std::string json(const score::BenchChart& chart);
[[nodiscard]] std::string json(const plot::AccuracyChart& chart);

}  // namespace oa::report
