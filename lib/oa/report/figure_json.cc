#include "oa/report/figure_json.h"

#include "oa/base/index.h"
#include "oa/base/json_text.h"

#include <cstddef>
#include <limits>
#include <span>

namespace oa::report {
namespace {

std::string line(const JsonObject& json) {
  return json.text() + "\n";
}

void add_rate(const plot::HitRate& rate, JsonObject& json) {
  json.members({{"hits", rate.hits},
                {"runs_of_hits", rate.runs},
                {"rate_low", rate.low},
                {"rate_high", rate.high}});
}

}  // namespace

std::string json(const plot::SparsityMap& map) {
  JsonObject all{{"figure", "sparsity"}, {"images", map.images}};
  if (map.images == 1) {
    all.member("index", map.index).member("label", map.label);
  }
  const int rows_of_grid = plot::grid_rows(map.m);
  all.members({{"queries", map.n}, {"values", map.m}});
  if (map.heads > 1) {
    all.members({{"head", map.head}, {"heads", map.heads}});
  }
  if (map.sizes.empty()) {
    all.member("grid", JsonArray{rows_of_grid, map.m / rows_of_grid});
  }
  all.members({{"binary", map.binary},
               {"mean_chosen", map.mean_chosen()},
               {"problems", map.problems},
               {"proved_optimal", map.proved_optimal}});
  JsonArray rows;
  for (int query = 0; query < map.n; ++query) {
    const auto m = at(map.m);
    const auto size = map.sizes.empty() ? m : at(map.sizes[at(query)]);
    const auto row = std::span(map.value).subspan(at(query) * m, size);
    rows.element(std::vector<double>(row.begin(), row.end()));
  }
  all.member("value", rows);
  if (!map.energy.empty()) {
    all.member("energy", map.energy);
  }
  if (!map.query_names.empty()) {
    all.member("query_names", map.query_names);
    all.member("value_names", map.value_names);
  }
  return line(all);
}

std::string json(const plot::BoxPlot& plot) {
  JsonArray runs;
  for (const plot::BoxPlot::Run& run : plot.runs) {
    JsonArray boxes;
    for (std::size_t k = 0; k < run.boxes.size(); ++k) {
      const plot::Box& box = run.boxes[k];
      JsonObject one{{"class", k}, {"count", box.count}};
      if (box.count > 0) {
        one.members({{"median", box.median},
                     {"quartiles", JsonArray{box.low_quartile, box.high_quartile}},
                     {"whiskers", JsonArray{box.low_whisker, box.high_whisker}},
                     {"notch", JsonArray{box.notch_low, box.notch_high}},
                     {"outliers", box.outliers.size()}});
      }
      boxes.element(one);
    }
    runs.element(JsonObject{{"name", run.name}, {"classes", boxes}});
  }
  return line({{"figure", "boxplot"}, {"runs", runs}});
}

std::string json(const plot::Confusion& confusion) {
  JsonArray rows;
  for (int label = 0; label < confusion.classes; ++label) {
    JsonArray row;
    for (int predicted = 0; predicted < confusion.classes; ++predicted) {
      row.element(confusion.at(label, predicted));
    }
    rows.element(row);
  }
  return line({{"figure", "confusion"},
               {"name", confusion.name},
               {"images", confusion.total()},
               {"correct", confusion.correct()},
               {"confusion", rows}});
}

std::string json(const std::vector<score::Curve>& curves, bool steps) {
  const auto list = [](const score::Curve& curve, auto score::Curve::Epoch::*field) {
    JsonArray values;
    for (const score::Curve::Epoch& epoch : curve.epochs) {
      values.element(epoch.*field);
    }
    return values;
  };
  JsonArray runs;
  for (const score::Curve& curve : curves) {
    runs.element(JsonObject{
        {"name", curve.name},
        {steps ? "step" : "epoch", list(curve, &score::Curve::Epoch::epoch)},
        {"train_loss", list(curve, &score::Curve::Epoch::train_loss)},
        {"train_accuracy", list(curve, &score::Curve::Epoch::train_accuracy)},
        {"held_out", curve.held_out},
        {"test_loss", list(curve, &score::Curve::Epoch::test_loss)},
        {"test_accuracy", list(curve, &score::Curve::Epoch::test_accuracy)}});
  }
  return line({{"figure", "curves"}, {"runs", runs}});
}

std::string json(const plot::Gaps& gaps) {
  JsonArray runs;
  for (const plot::Gaps::Run& run : gaps.runs) {
    JsonObject one{{"name", run.name},
                   {"problems", run.problems()},
                   {"optimal", run.optimal},
                   {"gap_mean", run.mean()},
                   {"gap_worst", run.worst()},
                   {"seconds", run.seconds}};
    if (run.rate.runs > 0) {
      add_rate(run.rate, one);
    }
    runs.element(one);
  }
  return line({{"figure", "gaps"}, {"unproved", gaps.unproved}, {"runs", runs}});
}

std::string json(const plot::Targets& targets) {
  JsonArray solvers;
  for (const plot::Targets::Solver& solver : targets.solvers) {
    const auto interval = solver.median_interval();
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    JsonObject one{{"name", solver.name},
                   {targets.of_tasks ? "tasks" : "runs", solver.runs},
                   {"reached", solver.seconds.size()},
                   {"median", solver.median()},
                   {"median_low", interval ? interval->low : kNone},
                   {"median_high", interval ? interval->high : kNone},
                   {"seconds", solver.seconds}};
    add_rate(solver.rate, one);
    if (!targets.of_tasks) {
      one.members({{"seconds_to_99", solver.to_99},
                   {"seconds_to_99_low", solver.to_99_range.low},
                   {"seconds_to_99_high", solver.to_99_range.high}});
    }
    solvers.element(one);
  }
  JsonObject all{{"figure", "targets"}};
  if (!targets.of_tasks) {
    all.members({{"problem", targets.problem}, {"target", targets.target}});
  }
  return line(all.member("solvers", solvers));
}

std::string json(const score::Scatter& scatter) {
  JsonArray groups;
  for (const score::Scatter::Group& group : scatter.groups) {
    JsonArray points;
    for (const score::Scatter::Item& item : group.items) {
      points.element(JsonObject{{"x", item.x}, {"y", item.y}, {"label", item.label}});
    }
    groups.element(JsonObject{{"name", group.name}, {"points", points}});
  }
  return line({{"figure", "scatter"},
               {"x", scatter.x_name},
               {"y", scatter.y_name},
               {"groups", groups}});
}

std::string json(const plot::Levels& levels) {
  const auto use = [](const std::vector<std::int64_t>& counts) {
    const plot::LevelUse u = plot::level_use(counts);
    return JsonObject{{"largest", u.largest},
                      {"levels", u.distinct},
                      {"zeros", u.zeros},
                      {"total", u.total},
                      {"histogram", counts}};
  };
  return line({{"figure", "levels"},
               {"tasks", levels.tasks},
               {"spins_max", levels.spins_max},
               {"couplings", use(levels.couplings)},
               {"fields", use(levels.fields)}});
}

std::string json(const score::BenchChart& chart) {
  JsonArray lines;
  for (const score::BenchChart::Line& one : chart.lines) {
    JsonArray tokens;
    JsonArray ms;
    JsonArray flops_per_byte;
    JsonArray gflops;
    JsonArray memory;
    for (const score::BenchChart::Point& p : one.points) {
      tokens.element(JsonValue::shortest(p.tokens));
      ms.element(p.ms);
      flops_per_byte.element(p.flops_per_byte());
      gflops.element(p.gflops());
      memory.element(JsonValue::shortest(p.memory));
    }
    lines.element(JsonObject{{"name", one.name},
                             {"power", one.power()},
                             {"n", tokens},
                             {"ms", ms},
                             {"flops_per_byte", flops_per_byte},
                             {"gflops", gflops},
                             {"memory_bytes", memory}});
  }
  return line({{"figure", "bench"},
               {"fma_gflops", chart.peak_gflops},
               {"copy_gbs", chart.copy_gbs},
               {"kinds", lines}});
}

std::string json(const plot::AccuracyChart& chart) {
  JsonArray models;
  for (const plot::AccuracyChart::Model& one : chart.models) {
    models.element(JsonObject{{"name", one.accuracy.name},
                              {"attention", one.accuracy.attention},
                              {"ms", one.ms},
                              {"accuracy", one.accuracy.share},
                              {"accuracy_sd", one.accuracy.deviation}});
  }
  return line({{"figure", "bench"},
               {"n", JsonValue::shortest(chart.tokens)},
               {"models", models}});
}

}  // namespace oa::report
