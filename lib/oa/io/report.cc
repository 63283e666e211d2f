#include "oa/io/report.h"

#include "oa/base/number.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace oa::io {
namespace {

using Json = nlohmann::ordered_json;

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string percent(double share, int decimals = 2) {
  return std::isnan(share) ? "-" : format_fixed(100.0 * share, decimals) + " %";
}

std::string line(const std::string& name, const std::string& value) {
  std::string text = name;
  text.resize(22, ' ');
  return text + value + "\n";
}

std::string of(std::int64_t count, std::int64_t total) {
  return format_grouped(count) + " of " + format_grouped(total);
}

std::string share_line(const std::string& name, const score::Share& share) {
  return line(name,
              percent(share.value()) + "  (" + of(share.count, share.total) +
                  "; 95 %: " + percent(share.low()) + " to " + percent(share.high()) +
                  ")");
}

/// Rows are true classes, columns predictions.
std::string confusion_text(const score::Accuracy& a) {
  std::string text = "\nclass  accuracy    predicted as\n" + std::string(17, ' ');
  for (int predicted = 0; predicted < a.classes(); ++predicted) {
    text += right_aligned(format(predicted), 6);
  }
  text += "\n";
  for (int label = 0; label < a.classes(); ++label) {
    const score::Share own = a.of_class(label);
    text += right_aligned(format(label), 5) +
            right_aligned(own.total > 0 ? percent(own.value()) : "-", 10) + "  ";
    for (int predicted = 0; predicted < a.classes(); ++predicted) {
      const std::int64_t count = a.confusion(label, predicted);
      text += right_aligned(count == 0 ? "." : format(count), 6);
    }
    text += "\n";
  }
  return text;
}

/// Times of problems, in all and each.
std::string times(const Histogram& seconds) {
  const auto us = [](double s) { return format_fixed(1e6 * s, 2) + " us"; };
  return format_fixed(seconds.sum(), 3) + " s  (a QUBO: " + us(seconds.quantile(0.5)) +
         " median, " + us(seconds.quantile(0.99)) + " 99 %, " + us(seconds.max()) +
         " max)";
}

std::string qubo_text(const score::Run& run) {
  std::string text = line("QUBOs", format_grouped(run.qubos));
  text += line("proved optimal", of(run.proved_optimal, run.qubos));
  text += line("values chosen", percent(run.ones_fraction(), 1));
  text += line("time solving", times(run.seconds));
  return text;
}

/// JSON knows no NaN.
Json number(double value) {
  return std::isnan(value) ? Json() : Json(value);
}

void add_solving(const score::Run& run, Json& json) {
  json["qubos"] = run.qubos;
  json["proved_optimal"] = run.proved_optimal;
  json["best_found"] = run.best_found();
  json["stopped"] = run.stopped;
  json["seconds_solving"] = run.seconds.sum();
  json["seconds_median"] = number(run.seconds.quantile(0.5));
  json["seconds_p99"] = number(run.seconds.quantile(0.99));
  json["seconds_max"] = run.seconds.max();
}

Json json_of(const score::Quartiles& q) {
  return {{"count", q.count},
          {"low", number(q.low)},
          {"median", number(q.median)},
          {"high", number(q.high)}};
}

Json json_of(const std::vector<score::Quartiles>& all) {
  Json list = Json::array();
  for (const auto& q : all) {
    list.push_back(json_of(q));
  }
  return list;
}

}  // namespace

std::string report_text(const score::Run& run, const ReportSettings& settings) {
  const score::Accuracy& a = run.accuracy;
  const score::Share overall = a.overall();
  std::string text = line("images", format_grouped(a.images()));
  if (!run.complete) {
    text += line("", "INCOMPLETE: images are missing");
  }
  if (overall.total > 0) {
    text += share_line("accuracy", overall);
    if (settings.top_k > 0) {
      text += share_line("within " + format(settings.top_k) + " best",
                         a.within(settings.top_k));
    }
  }
  if (a.images() > 0) {
    text += line("mean confidence", format_fixed(a.mean_confidence(), 4));
  }
  if (run.qubos > 0) {
    text += qubo_text(run);
  }
  if (overall.total > 0) {
    text += confusion_text(a);
  }
  if (settings.wrong) {
    text += "\nwrong:";
    for (const std::int64_t index : run.wrong) {
      text += " " + format(index);
    }
    text += "\n";
  }
  return text;
}

std::string report_json(const score::Run& run, const ReportSettings& settings) {
  const score::Accuracy& a = run.accuracy;
  const score::Share overall = a.overall();
  Json json{{"images", a.images()},
            {"labelled", overall.total},
            {"correct", overall.count},
            {"accuracy", number(overall.value())},
            {"accuracy_low", number(overall.low())},
            {"accuracy_high", number(overall.high())},
            {"mean_confidence", number(a.mean_confidence())}};
  if (settings.top_k > 0) {
    json["top_k"] = settings.top_k;
    json["top_k_accuracy"] = number(a.within(settings.top_k).value());
  }
  Json per_class = Json::array();
  Json confusion = Json::array();
  for (int label = 0; label < a.classes(); ++label) {
    const score::Share own = a.of_class(label);
    per_class.push_back({{"class", label},
                         {"labelled", own.total},
                         {"correct", own.count},
                         {"accuracy", number(own.value())}});
    Json row = Json::array();
    for (int predicted = 0; predicted < a.classes(); ++predicted) {
      row.push_back(a.confusion(label, predicted));
    }
    confusion.push_back(std::move(row));
  }
  json["per_class"] = std::move(per_class);
  json["confusion"] = std::move(confusion);
  add_solving(run, json);
  json["ones_fraction"] = number(run.ones_fraction());
  json["complete"] = run.complete;
  if (settings.wrong) {
    json["wrong"] = run.wrong;
  }
  return json.dump() + "\n";
}

std::string solving_text(const score::Run& run,
                         std::int64_t images,
                         const std::string& solver) {
  std::string text = solver + ": " + format_grouped(run.qubos) + " QUBOs of " +
                     format_grouped(images) + " images, " +
                     format_grouped(run.proved_optimal) + " proved optimal";
  if (run.stopped > 0) {
    text += ", " + format_grouped(run.stopped) + " stopped by a limit";
  }
  return text + "; " + times(run.seconds) + "\n";
}

std::string solving_json(const score::Run& run,
                         std::int64_t images,
                         const std::string& solver) {
  Json json{{"solver", solver}, {"images", images}};
  add_solving(run, json);
  json["ones_fraction"] = number(run.ones_fraction());
  json["complete"] = run.complete;
  return json.dump() + "\n";
}

std::string comparison_text(const score::Comparison& c,
                            const std::string& a,
                            const std::string& b) {
  std::string text = line("A", a) + line("B", b);
  text += line("images in both", format_grouped(c.images));
  if (c.only_a + c.only_b > 0) {
    text +=
        line("in one alone",
             format_grouped(c.only_a) + " in A, " + format_grouped(c.only_b) + " in B");
  }
  text += share_line("same prediction", {c.agree, c.images});
  if (c.labelled == 0) {
    return text;
  }
  text += share_line("accuracy of A", {c.right_a, c.labelled});
  text += share_line("accuracy of B", {c.right_b, c.labelled});
  text += line("only A right", format_grouped(c.a_not_b));
  text += line("only B right", format_grouped(c.b_not_a));
  text += line("McNemar's p", format(static_cast<float>(c.mcnemar_p)));
  text +=
      "\nprobability of the true class: lower quartile, median, upper quartile\n"
      "class        A                         B\n";
  const auto cells = [](const score::Quartiles& q) {
    std::string row;
    for (const double v : {q.low, q.median, q.high}) {
      row += right_aligned(std::isnan(v) ? "-" : format_fixed(v, 4), 8);
    }
    return row;
  };
  for (std::size_t k = 0; k < std::min(c.confidence_a.size(), c.confidence_b.size());
       ++k) {
    text += right_aligned(std::to_string(k), 5) + cells(c.confidence_a[k]) + "  " +
            cells(c.confidence_b[k]) + "\n";
  }
  return text;
}

std::string comparison_json(const score::Comparison& c) {
  const auto share = [](std::int64_t count, std::int64_t total) {
    return number(score::Share{count, total}.value());
  };
  const Json json{{"images", c.images},
                  {"only_a", c.only_a},
                  {"only_b", c.only_b},
                  {"agree", c.agree},
                  {"agreement", share(c.agree, c.images)},
                  {"labelled", c.labelled},
                  {"accuracy_a", share(c.right_a, c.labelled)},
                  {"accuracy_b", share(c.right_b, c.labelled)},
                  {"a_not_b", c.a_not_b},
                  {"b_not_a", c.b_not_a},
                  {"mcnemar_p", c.mcnemar_p},
                  {"confidence_a", json_of(c.confidence_a)},
                  {"confidence_b", json_of(c.confidence_b)}};
  return json.dump() + "\n";
}

}  // namespace oa::io
