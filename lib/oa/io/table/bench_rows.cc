#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/table/chart_data.h"
#include "oa/io/table/json_fields-inl.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace oa::io {
namespace {

using BenchJson = nlohmann::json;

constexpr std::size_t kMaxBench = std::size_t{1} << 26;  // oa-formats(5), LIMITS
constexpr const char* kExpectedBench = " (expected what oa-bench --json prints)";

/// Reads a number whose quotients stay finite: 0, or 1e-30 to 1e30.
double number_from(const BenchJson& object,
                   const char* name,
                   const std::string& place) {
  constexpr double kMin = 1e-30;
  constexpr double kMax = 1e30;
  const BenchJson& member = member_of(object, name);
  const double value = member.is_number() ? member.get<double>() : -1.0;
  if (value != 0.0 && !(value >= kMin && value <= kMax)) {
    throw InputError(place + ": no number '" + name + "'" + kExpectedBench);
  }
  return value;
}

double number_above_0(const BenchJson& object,
                      const char* name,
                      const std::string& place) {
  const double value = number_from(object, name, place);
  if (value <= 0.0) {
    throw InputError(place + ": '" + name + "' is " + format(value) +
                     " (expected a number above 0)");
  }
  return value;
}

std::string text_from(const BenchJson& object,
                      const char* name,
                      const std::string& place) {
  const BenchJson& value = member_of(object, name);
  if (!value.is_string()) {
    throw InputError(place + ": no text '" + name + "'" + kExpectedBench);
  }
  return printable(value.get_ref<const std::string&>());
}

score::BenchChart::Point point_of(const BenchJson& row, const std::string& place) {
  return {.tokens = number_above_0(row, "n", place),
          .ms = number_above_0(member_of(row, "ms"), "median", place),
          .flops = number_from(row, "flops", place),
          .traffic = number_from(row, "traffic_bytes", place),
          .memory = number_from(row, "arena_bytes", place)};
}

/// The lines of a chart, in the order in which their kinds first appear.
class BenchLines {
 public:
  void append(const BenchJson& row, const std::string& place) {
    const std::string kind = text_from(row, "kind", place);
    const std::string config = text_from(row, "config", place);
    if (!member_of(row, "unsupported").is_null()) {
      return;
    }
    const auto [found, is_new] = places_.try_emplace(config, lines_.size());
    if (is_new) {
      lines_.push_back({config, {}, config});
      kinds_.push_back(kind);
    }
    lines_[found->second].points.push_back(point_of(row, place));
  }

  /// Returns the lines;
  /// a line is named by its kind alone if no other line has this kind.
  [[nodiscard]] std::vector<score::BenchChart::Line> lines() {
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      if (std::ranges::count(kinds_, kinds_[k]) == 1) {
        lines_[k].name = kinds_[k];
      }
      std::ranges::sort(lines_[k].points, {}, &score::BenchChart::Point::tokens);
    }
    return std::move(lines_);
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<score::BenchChart::Line> lines_;
  std::vector<std::string> kinds_;
};

}  // namespace

score::BenchChart read_bench_rows(Input& input) {
  skip_mark(input);
  const std::string text = read_whole_text(input, kMaxBench, "results of over 64 MiB");
  const BenchJson json = parse_shallow(text);
  const std::string& name = input.name();
  const BenchJson& machine = member_of(json, "machine");
  const BenchJson& rows = member_of(json, "rows");
  if (!machine.is_object() || !rows.is_array()) {
    throw InputError(name + ": no machine and no rows" + kExpectedBench);
  }
  score::BenchChart chart;
  chart.machine = text_from(machine, "processor", name);
  chart.peak_gflops = number_above_0(machine, "fma_gflops", name);
  chart.copy_gbs = number_above_0(machine, "copy_gbs", name);
  BenchLines lines;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    lines.append(rows[k], name + ": row " + format(static_cast<std::int64_t>(k) + 1));
  }
  chart.lines = lines.lines();
  if (chart.lines.empty()) {
    throw InputError(name + ": no row was measured");
  }
  return chart;
}

}  // namespace oa::io
