#include "oa/report/comparison_report.h"

#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/report/rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace oa::report {
namespace {

/// Formats a difference of shares in percentage points.
std::string points(double difference) {
  return (difference > 0.0 ? "+" : "") + format_fixed(100.0 * difference, 2);
}

JsonArray json_of(const std::vector<score::Quartiles>& all) {
  JsonArray list;
  for (const score::Quartiles& q : all) {
    list.element(JsonObject{
        {"count", q.count}, {"low", q.low}, {"median", q.median}, {"high", q.high}});
  }
  return list;
}

std::string energies_text(const score::EnergyGaps& e) {
  if (e.images == 0) {
    return {};
  }
  std::string text;
  if (e.other > 0) {
    text += row("problems differ", counted(e.other, "image"));
  }
  if (e.problems == 0) {
    return text;
  }
  const auto counted = [&](const std::string& name, std::int64_t count, double most) {
    text +=
        row(name,
            of_total(count, e.problems) +
                (count > 0 ? "  (by at most " + format(static_cast<float>(most)) + ")"
                           : ""));
  };
  text += row("same energy", of_total(e.equal, e.problems));
  counted("lower in A", e.lower_a, e.most_a);
  counted("lower in B", e.lower_b, e.most_b);
  const double mean = e.sum / static_cast<double>(e.problems);
  return text + row("mean of A - B",
                    format(static_cast<float>(mean)) + "  (" +
                        percentage(e.distance(), 4) + " of B's)");
}

JsonObject json_of(const score::EnergyGaps& e) {
  const double mean = e.sum / static_cast<double>(e.problems);
  return {{"images", e.images},
          {"other_problems", e.other},
          {"problems", e.problems},
          {"equal", e.equal},
          {"lower_a", e.lower_a},
          {"lower_b", e.lower_b},
          {"most_a", e.most_a},
          {"most_b", e.most_b},
          {"mean_gap", mean},
          {"distance", e.distance()}};
}

/// Formats the names of the runs and the number of `noun` in both runs.
template <class Comparison>
std::string heading(const Comparison& c,
                    const std::string& a,
                    const std::string& b,
                    const std::string& noun,
                    std::int64_t in_both) {
  std::string text = row("A", a) + row("B", b);
  text += row(noun + " in both", format_grouped(in_both));
  if (c.only_a + c.only_b > 0) {
    text +=
        row("in one alone",
            format_grouped(c.only_a) + " in A, " + format_grouped(c.only_b) + " in B");
  }
  return text;
}

}  // namespace

std::string comparison_text(const score::Comparison& c,
                            const std::string& a,
                            const std::string& b) {
  std::string text = heading(c, a, b, "images", c.images);
  text += share_row("same prediction", {c.agree, c.images});
  text += energies_text(c.energy);
  if (c.labelled == 0) {
    return text;
  }
  text += share_row("accuracy of A", {c.right_a, c.labelled});
  text += share_row("accuracy of B", {c.right_b, c.labelled});
  text += row("A less B",
              points(c.accuracy_difference()) +
                  " points  (95 %: " + points(c.difference_low()) + " to " +
                  points(c.difference_high()) + ")");
  text += row("only A right", format_grouped(c.a_not_b));
  text += row("only B right", format_grouped(c.b_not_a));
  text += row("McNemar's p", format(static_cast<float>(c.mcnemar_p)));
  text +=
      "\nprobability of the true class: lower quartile, median, upper quartile\n"
      "class        A                         B\n";
  const auto cells = [](const score::Quartiles& q) {
    std::string three;
    for (const double v : {q.low, q.median, q.high}) {
      three += right_aligned(std::isnan(v) ? "-" : format_fixed(v, 4), 8);
    }
    return three;
  };
  for (std::size_t k = 0; k < std::min(c.confidence_a.size(), c.confidence_b.size());
       ++k) {
    text += right_aligned(std::to_string(k), 5) + cells(c.confidence_a[k]) + "  " +
            cells(c.confidence_b[k]) + "\n";
  }
  return text;
}

std::string comparison_text(const score::TaskComparison& c,
                            const std::string& a,
                            const std::string& b) {
  std::string text = heading(c, a, b, "examples", c.examples);
  text += energies_text(c.energy);
  if (c.asked == 0) {
    return text;
  }
  const auto points = [](double v) { return format_fixed(100.0 * v, 2); };
  const auto bits = [](double v) { return format_fixed(v, 4); };
  const auto interval = [](const score::Estimate& e, const auto& number) {
    return std::isnan(e.low)
               ? ""
               : "  (95 %: " + number(e.low) + " to " + number(e.high) + ")";
  };
  text += share_row("right answers of A", {c.right_a, c.asked});
  text += share_row("right answers of B", {c.right_b, c.asked});
  text += row("A less B",
              points(c.difference.value) + " points" + interval(c.difference, points));
  if (!std::isnan(c.bits_a)) {
    text += row("bits by answer of A", bits(c.bits_a));
    text += row("bits by answer of B", bits(c.bits_b));
    text += row("A less B",
                bits(c.bits_difference.value) + interval(c.bits_difference, bits));
  }
  return text;
}

std::string comparison_json(const score::TaskComparison& c) {
  JsonObject json{{"examples", c.examples},
                  {"only_a", c.only_a},
                  {"only_b", c.only_b},
                  {"asked", c.asked},
                  {"accuracy_a", score::Share{c.right_a, c.asked}.value()},
                  {"accuracy_b", score::Share{c.right_b, c.asked}.value()},
                  {"accuracy_difference", c.difference.value},
                  {"accuracy_difference_low", c.difference.low},
                  {"accuracy_difference_high", c.difference.high}};
  if (c.energy.images > 0) {
    json.member("energy", json_of(c.energy));
  }
  if (!std::isnan(c.bits_a)) {
    json.member("bits_a", c.bits_a);
    json.member("bits_b", c.bits_b);
    json.member("bits_difference", c.bits_difference.value);
    json.member("bits_difference_low", c.bits_difference.low);
    json.member("bits_difference_high", c.bits_difference.high);
  }
  return json.text() + "\n";
}

std::string comparison_json(const score::Comparison& c) {
  const auto share = [](std::int64_t count, std::int64_t total) {
    return score::Share{count, total}.value();
  };
  JsonObject json{{"images", c.images},
                  {"only_a", c.only_a},
                  {"only_b", c.only_b},
                  {"agree", c.agree},
                  {"agreement", share(c.agree, c.images)},
                  {"labelled", c.labelled},
                  {"accuracy_a", share(c.right_a, c.labelled)},
                  {"accuracy_b", share(c.right_b, c.labelled)},
                  {"accuracy_difference", c.accuracy_difference()},
                  {"difference_low", c.difference_low()},
                  {"difference_high", c.difference_high()},
                  {"a_not_b", c.a_not_b},
                  {"b_not_a", c.b_not_a},
                  {"mcnemar_p", c.mcnemar_p},
                  {"confidence_a", json_of(c.confidence_a)},
                  {"confidence_b", json_of(c.confidence_b)}};
  if (c.energy.images > 0) {
    json.member("energy", json_of(c.energy));
  }
  return json.text() + "\n";
}

}  // namespace oa::report
