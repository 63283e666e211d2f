#include "app/train/summary.h"

#include "oa/base/number.h"

#include <algorithm>
#include <cmath>

namespace oa::app {
namespace {

struct Spread {
  double mean = 0.0;
  double deviation = 0.0;
};

/// Mean and spread over models that have the value; empty if no model has it.
std::optional<Spread> spread(const std::vector<TrainedResult>& models,
                             std::optional<double> TrainedResult::*value) {
  std::vector<double> values;
  for (const TrainedResult& r : models) {
    if (r.*value) {
      values.push_back(*(r.*value));
    }
  }
  if (values.empty()) {
    return {};
  }
  Spread s;
  for (const double v : values) {
    s.mean += v / static_cast<double>(values.size());
  }
  for (const double v : values) {
    s.deviation += (v - s.mean) * (v - s.mean);
  }
  const auto others = static_cast<double>(std::max<std::size_t>(values.size(), 2) - 1);
  s.deviation = std::sqrt(s.deviation / others);
  return s;
}

std::string line_of(const TrainedResult& r, int ranks) {
  return "seed " + format(r.seed) + ": " + format_grouped(r.parameters) +
         " parameters, epoch " + format(r.best_epoch) +
         (r.validation ? " the best, validation " + percent(*r.validation) : "") +
         (r.test ? ", test " + percent(*r.test) : "") + ", " +
         format_fixed(r.seconds, 0) + " s, " +
         format_grouped(std::llround(r.images_per_second)) +
         (r.pictures ? " images/s" : " examples/s") +
         (r.waited
              ? ", " + format_fixed(100.0 * *r.waited / r.seconds, 1) +
                    " % of the time rank 0 of " + format(ranks) + " waited for others"
              : "") +
         "\n";
}

JsonObject object_of(const TrainedResult& r, int ranks) {
  JsonObject one{
      {"seed", r.seed}, {"parameters", r.parameters}, {"best_epoch", r.best_epoch}};
  if (r.validation) {
    one.member("validation_accuracy", JsonValue::shortest(*r.validation));
  }
  if (r.test) {
    one.member("test_accuracy", JsonValue::shortest(*r.test));
  }
  one.members({{"seconds", JsonValue::shortest(r.seconds)},
               {"images_per_second", JsonValue::shortest(r.images_per_second)}});
  if (r.waited) {
    one.members({{"ranks", ranks}, {"waited_seconds", JsonValue::shortest(*r.waited)}});
  }
  return one;
}

}  // namespace

std::string TrainingSummary::text(const InitialModel* initial) const {
  std::string text = initial != nullptr ? initial->text() : "";
  for (const TrainedResult& r : models) {
    text += line_of(r, ranks);
  }
  std::string means;
  const auto add = [&](const char* what, const std::optional<Spread>& s) {
    if (s) {
      means += (means.empty() ? "" : ", ") + std::string(what) + " " +
               percent(s->mean) + " +- " + format_fixed(100.0 * s->deviation, 2);
    }
  };
  if (models.size() > 1) {
    add("validation", spread(models, &TrainedResult::validation));
    add("test", spread(models, &TrainedResult::test));
  }
  if (!means.empty()) {
    text += "mean of " + format(static_cast<std::int64_t>(models.size())) + ": " +
            means + "\n";
  }
  return text;
}

std::string TrainingSummary::json(const InitialModel* initial) const {
  JsonArray list;
  for (const TrainedResult& r : models) {
    list.element(object_of(r, ranks));
  }
  JsonObject all;
  if (initial != nullptr) {
    all.members(initial->json());
  }
  all.member("models", list);
  if (models.size() > 1) {
    JsonObject means;
    JsonObject deviations;
    const auto add = [&](const char* what, const std::optional<Spread>& s) {
      if (s) {
        means.member(what, JsonValue::shortest(s->mean));
        deviations.member(what, JsonValue::shortest(s->deviation));
      }
    };
    add("validation_accuracy", spread(models, &TrainedResult::validation));
    add("test_accuracy", spread(models, &TrainedResult::test));
    all.members({{"mean", means}, {"deviation", deviations}});
  }
  all.member("complete", complete);
  return all.member("warnings", warnings).text() + "\n";
}

}  // namespace oa::app
