#pragma once

#include "oa/plot/accuracy_chart.h"
#include "oa/plot/bench_chart.h"
#include "oa/plot/boxplot.h"
#include "oa/plot/confusion.h"
#include "oa/plot/curves.h"
#include "oa/plot/gaps.h"
#include "oa/plot/levels.h"
#include "oa/plot/scatter.h"
#include "oa/plot/sparsity.h"
#include "oa/plot/targets.h"

#include <string>
#include <vector>

namespace oa::report {

// The numbers of a figure as one JSON object; oa-heatmap(1) lists its members.

[[nodiscard]] std::string json(const plot::SparsityMap& map);
[[nodiscard]] std::string json(const plot::BoxPlot& plot);
[[nodiscard]] std::string json(const plot::Confusion& confusion);
[[nodiscard]] std::string json(const std::vector<plot::Curve>& curves, bool steps);
[[nodiscard]] std::string json(const plot::Gaps& gaps);
[[nodiscard]] std::string json(const plot::Targets& targets);
[[nodiscard]] std::string json(const plot::Scatter& scatter);
[[nodiscard]] std::string json(const plot::Levels& levels);
[[nodiscard]] std::string json(const plot::BenchChart& chart);
[[nodiscard]] std::string json(const plot::AccuracyChart& chart);

}  // namespace oa::report
