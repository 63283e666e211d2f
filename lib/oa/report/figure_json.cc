#include "oa/report/figure_json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace oa::report {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// JSON knows no NaN and no infinity.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json label_of(const std::optional<std::int64_t>& label) {
  return label ? Json(*label) : Json();
}

}  // namespace

std::string json(const plot::SparsityMap& map) {
  Json all{{"figure", "sparsity"}, {"images", map.images}};
  if (map.images == 1) {
    all["index"] = map.index;
    all["label"] = label_of(map.label);
  }
  all["queries"] = map.n;
  all["values"] = map.m;
  all["grid"] = {plot::grid_rows(map.m), map.m / plot::grid_rows(map.m)};
  all["binary"] = map.binary;
  all["mean_chosen"] = number(map.mean_chosen());
  all["problems"] = map.problems;
  all["proved_optimal"] = map.proved_optimal;
  Json rows = Json::array();
  for (int query = 0; query < map.n; ++query) {
    const auto m = static_cast<std::size_t>(map.m);
    const auto row =
        std::span(map.value).subspan(static_cast<std::size_t>(query) * m, m);
    rows.emplace_back(std::vector<double>(row.begin(), row.end()));
  }
  all["value"] = std::move(rows);
  if (!map.energy.empty()) {
    all["energy"] = map.energy;
  }
  return line(all);
}

std::string json(const plot::BoxPlot& plot) {
  Json runs = Json::array();
  for (const plot::BoxPlot::Run& run : plot.runs) {
    Json boxes = Json::array();
    for (std::size_t k = 0; k < run.boxes.size(); ++k) {
      const plot::Box& box = run.boxes[k];
      Json one{{"class", k}, {"count", box.count}};
      if (box.count > 0) {
        one.update({{"median", box.median},
                    {"quartiles", {box.low_quartile, box.high_quartile}},
                    {"whiskers", {box.low_whisker, box.high_whisker}},
                    {"notch", {box.notch_low, box.notch_high}},
                    {"outliers", box.outliers.size()}});
      }
      boxes.push_back(std::move(one));
    }
    runs.push_back({{"name", run.name}, {"classes", std::move(boxes)}});
  }
  return line({{"figure", "boxplot"}, {"runs", std::move(runs)}});
}

std::string json(const plot::Confusion& confusion) {
  Json rows = Json::array();
  for (int label = 0; label < confusion.classes; ++label) {
    Json row = Json::array();
    for (int predicted = 0; predicted < confusion.classes; ++predicted) {
      row.push_back(confusion.at(label, predicted));
    }
    rows.push_back(std::move(row));
  }
  return line({{"figure", "confusion"},
               {"name", confusion.name},
               {"images", confusion.total()},
               {"correct", confusion.correct()},
               {"confusion", std::move(rows)}});
}

std::string json(const std::vector<plot::Curve>& curves) {
  const auto list = [](const plot::Curve& curve,
                       std::optional<double> plot::Curve::Epoch::*field) {
    Json values = Json::array();
    for (const plot::Curve::Epoch& epoch : curve.epochs) {
      values.push_back((epoch.*field) ? number(*(epoch.*field)) : Json());
    }
    return values;
  };
  Json runs = Json::array();
  for (const plot::Curve& curve : curves) {
    Json epochs = Json::array();
    for (const plot::Curve::Epoch& epoch : curve.epochs) {
      epochs.push_back(epoch.epoch);
    }
    runs.push_back(
        {{"name", curve.name},
         {"epoch", std::move(epochs)},
         {"train_loss", list(curve, &plot::Curve::Epoch::train_loss)},
         {"train_accuracy", list(curve, &plot::Curve::Epoch::train_accuracy)},
         {"held_out", curve.held_out},
         {"test_loss", list(curve, &plot::Curve::Epoch::test_loss)},
         {"test_accuracy", list(curve, &plot::Curve::Epoch::test_accuracy)}});
  }
  return line({{"figure", "curves"}, {"runs", std::move(runs)}});
}

std::string json(const plot::Gaps& gaps) {
  Json runs = Json::array();
  for (const plot::Gaps::Run& run : gaps.runs) {
    runs.push_back({{"name", run.name},
                    {"problems", run.problems()},
                    {"optimal", run.optimal},
                    {"gap_mean", run.mean()},
                    {"gap_worst", run.worst()},
                    {"seconds", run.seconds}});
  }
  return line(
      {{"figure", "gaps"}, {"unproved", gaps.unproved}, {"runs", std::move(runs)}});
}

std::string json(const plot::Targets& targets) {
  Json solvers = Json::array();
  for (const plot::Targets::Solver& solver : targets.solvers) {
    solvers.push_back({{"name", solver.name},
                       {"runs", solver.runs},
                       {"reached", solver.seconds.size()},
                       {"median", number(solver.median())},
                       {"seconds", solver.seconds}});
  }
  return line({{"figure", "targets"},
               {"problem", targets.problem},
               {"target", targets.target},
               {"solvers", std::move(solvers)}});
}

std::string json(const plot::Levels& levels) {
  const auto use = [](const std::vector<std::int64_t>& counts) {
    const plot::LevelUse u = plot::level_use(counts);
    return Json{{"largest", u.largest},
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

}  // namespace oa::report
