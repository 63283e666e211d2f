#include "survey/bench/bench_report.h"

#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/version.h"
#include "oa/report/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace oa::report {
namespace {

constexpr std::size_t kNameColumns = 16;

/// Formats with three digits or more: "1234", "56.7", "0.00123"; "-" for NaN.
std::string three_digits(double value) {
  if (!std::isfinite(value)) {
    return "-";
  }
  const double size = std::abs(value);
  if (size == 0.0 || size >= 99.95) {
    return format_fixed(value, 0);
  }
  const int power = static_cast<int>(std::floor(std::log10(size * 1.0005)));
  return format_fixed(value, std::clamp(2 - power, 0, 6));
}

std::string percent(double share) {
  return format_fixed(100.0 * share, 1);
}

/// Formats bytes by powers of 1024: "512", "1.5K", "96.0M".
std::string short_bytes(std::size_t bytes) {
  constexpr std::string_view kUnits = "KMGT";
  auto value = static_cast<double>(bytes);
  if (value < 1024.0) {
    return format(static_cast<std::int64_t>(bytes));
  }
  std::size_t unit = 0;
  for (value /= 1024.0; value >= 1023.95 && unit + 1 < kUnits.size(); ++unit) {
    value /= 1024.0;
  }
  return format_fixed(value, 1) + kUnits[unit];
}

/// Formats a count by powers of 1000: "1.2M".
std::string short_count(std::int64_t count) {
  constexpr std::string_view kUnits = "kMGTPE";
  auto value = static_cast<double>(count);
  if (value < 1000.0) {
    return format(count);
  }
  std::size_t unit = 0;
  for (value /= 1000.0; value >= 999.95 && unit + 1 < kUnits.size(); ++unit) {
    value /= 1000.0;
  }
  return format_fixed(value, 1) + kUnits[unit];
}

/// The kind and its options, cut to one line: a pattern may have megabytes.
std::string shown(const std::string& label) {
  constexpr std::size_t kMax = 76;
  return label.size() > kMax ? label.substr(0, kMax) + "..." : label;
}

/// Pads a name to its column; a name that is too long has a line for itself.
std::string name_column(const std::string& name) {
  return name.size() < kNameColumns
             ? name + std::string(kNameColumns - name.size(), ' ')
             : shown(name) + "\n" + std::string(kNameColumns, ' ');
}

/// Puts wrapped words beside a name.
std::string named_words(const std::string& name, const std::string& words) {
  const std::string begin = name_column(name);
  const std::size_t line = begin.find('\n') + 1;  // 0: one line
  return begin.substr(0, line) + wrapped(begin.substr(line), words, kNameColumns);
}

/// A cell of a text table.
struct TextCell {
  std::string column;
  std::size_t width;
  std::string text;
};

std::vector<TextCell> time_cells(const BenchRow& r, const Bench& bench) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto any = [&](auto has) { return std::ranges::any_of(bench.rows, has); };
  std::vector<TextCell> all{
      {"ms", 10, three_digits(r.forward.median)},
      {"iqr%", 6, percent(r.forward.iqr / std::max(1e-12, r.forward.median))},
      {"peak%", 7, percent(r.peak_share(bench.machine))},
      {"copy%", 7, percent(r.copy_share(bench.machine))},
      {"/" + bench.baseline, 10, three_digits(r.vs_baseline.value_or(kNone))}};
  if (any([](const BenchRow& row) { return row.backward.has_value(); })) {
    all.push_back(
        {"back ms", 10, three_digits(r.backward ? r.backward->median : kNone)});
  }
  if (any([](const BenchRow& row) { return row.decode_us.has_value(); })) {
    all.push_back({"us/token", 10, three_digits(r.decode_us.value_or(kNone))});
  }
  return all;
}

std::vector<TextCell> cost_cells(const BenchRow& r, const Bench& /*bench*/) {
  const auto sparsity = r.sparsity();
  return {{"params", 8, short_count(r.parameters)},
          {"FLOPs", 8, short_count(r.flops)},
          {"exps", 8, short_count(r.exponentials)},
          {"bytes", 8, short_bytes(r.traffic)},
          {"memory", 8, short_bytes(r.arena)},
          {"saved", 8, short_bytes(r.saved)},
          {"state", 8, r.state ? short_bytes(*r.state) : "-"},
          {"sparse", 8, sparsity ? format_fixed(100.0 * *sparsity, 2) : "-"}};
}

std::string table_text(const std::vector<const BenchRow*>& rows,
                       std::vector<TextCell> (*cells_of)(const BenchRow&, const Bench&),
                       const Bench& bench) {
  std::string text = name_column("kind");
  for (const TextCell& cell : cells_of({}, bench)) {
    text += right_aligned(cell.column, cell.width);
  }
  text += '\n';
  for (const BenchRow* row : rows) {
    if (!row->unsupported.empty()) {
      text += named_words(row->label, row->unsupported);
      continue;
    }
    text += name_column(row->label);
    for (const TextCell& cell : cells_of(*row, bench)) {
      text += right_aligned(cell.text, cell.width);
    }
    text += '\n';
  }
  return text;
}

/// Formats counts: "block_queries=132 block_keys=256".
std::string counts_text(const BenchRow& row) {
  std::string text;
  for (const attention::Count& count : row.counts) {
    text +=
        (text.empty() ? "" : " ") + std::string(count.name) + "=" + format(count.value);
  }
  return text;
}

/// Writes a line for each row with counts.
std::string counts_table(const std::vector<const BenchRow*>& rows) {
  std::string text;
  for (const BenchRow* row : rows) {
    if (!row->counts.empty()) {
      text += named_words(row->label, counts_text(*row));
    }
  }
  return text.empty() ? "" : "\n" + name_column("kind") + "chosen and counted\n" + text;
}

/// The line above the table: the optimising kind's cost relative to the baseline.
std::string verdict(const BenchRow& row, const std::string& baseline) {
  if (!row.unsupported.empty() || !row.vs_baseline) {
    return "";
  }
  return row.label + ": " + three_digits(*row.vs_baseline) + " times the time of " +
         baseline +
         ", as it solves a problem for every query.\nIt compares queries with values: "
         "it has no keys.\n";
}

std::string block_text(const Bench& bench, const std::vector<const BenchRow*>& rows) {
  const BenchRow& first = *rows.front();
  int heads = 1;
  for (const BenchRow* row : rows) {
    heads = std::max(heads, row->heads);
  }
  std::string text = "\n" + format_grouped(first.tokens) + " tokens, width " +
                     format(first.width) + ", heads " + format(heads) +
                     (first.causal ? ", causal" : "") + "\n";
  for (const BenchRow* row : rows) {
    if (row->kind == "optimizing") {
      text += verdict(*row, bench.baseline);
    }
  }
  text += table_text(rows, time_cells, bench);
  std::vector<const BenchRow*> measured;
  std::ranges::copy_if(rows, std::back_inserter(measured), [](const BenchRow* row) {
    return row->unsupported.empty();
  });
  return measured.empty() ? text
                          : text + "\n" + table_text(measured, cost_cells, bench) +
                                counts_table(measured);
}

/// A named number in JSON and CSV.  Empty text becomes null.
struct Cell {
  std::string_view name;
  std::string text;
};

std::string text_of(std::size_t bytes) {
  return format(static_cast<std::int64_t>(bytes));
}

std::string text_of(const auto& value) {
  return value ? format(*value) : "";
}

std::vector<Cell> counted_cells(const BenchRow& row) {
  return {{"parameters", format(row.parameters)},
          {"flops", format(row.flops)},
          {"projection_flops", format(row.projection_flops)},
          {"backward_flops", format(row.backward_flops)},
          {"exps", format(row.exponentials)},
          {"bytes", text_of(row.bytes)},
          {"traffic_bytes", text_of(row.traffic)},
          {"workspace_bytes", text_of(row.workspace)},
          {"arena_bytes", text_of(row.arena)},
          {"resident_bytes", text_of(row.resident)},
          {"saved_bytes", text_of(row.saved)},
          {"state_bytes", row.state ? text_of(*row.state) : ""},
          {"sparsity", text_of(row.sparsity())}};
}

std::vector<Cell> share_cells(const BenchRow& row, const BenchMachine& machine) {
  return {{"rounds", format(row.forward.rounds)},
          {"peak_share", format(row.peak_share(machine))},
          {"copy_share", format(row.copy_share(machine))},
          {"vs_flash2", text_of(row.vs_baseline)}};
}

std::vector<Cell> cells_of(const Times& times) {
  return {{"median", format(times.median)},
          {"min", format(times.min)},
          {"iqr", format(times.iqr)}};
}

JsonObject json_of(const std::vector<Cell>& cells) {
  JsonObject json;
  for (const Cell& cell : cells) {
    json.member(cell.name,
                cell.text.empty() ? JsonValue() : JsonValue::of_json(cell.text));
  }
  return json;
}

JsonObject json_of(const BenchRow& row, const BenchMachine& machine) {
  JsonObject json{{"kind", row.kind},
                  {"config", row.config},
                  {"n", row.tokens},
                  {"d", row.width},
                  {"heads", row.heads},
                  {"causal", row.causal}};
  if (!row.unsupported.empty()) {
    return json.member("unsupported", row.unsupported);
  }
  json.members(json_of(counted_cells(row)));
  json.member("ms", json_of(cells_of(row.forward)));
  json.members(json_of(share_cells(row, machine)));
  if (row.backward) {
    json.member("backward_ms", JsonValue::shortest(row.backward->median));
  }
  if (row.decode_us) {
    json.member("decode_us", JsonValue::shortest(*row.decode_us));
  }
  if (!row.counts.empty()) {
    JsonObject counts;
    for (const attention::Count& count : row.counts) {
      counts.member(count.name, count.value);
    }
    json.member("counts", counts);
  }
  return json;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string all = "\"";
  for (const char c : text) {
    all += c == '"' ? std::string("\"\"") : std::string(1, c);
  }
  return all + "\"";
}

/// The cells of a row, which are empty if it has no measurements.
std::vector<Cell> csv_cells(const BenchRow& row, const BenchMachine& machine) {
  std::vector<Cell> all{{"kind", row.kind},
                        {"config", quoted(row.config)},
                        {"n", format(row.tokens)},
                        {"d", format(row.width)},
                        {"heads", format(row.heads)},
                        {"causal", row.causal ? "true" : "false"},
                        {"unsupported", quoted(row.unsupported)}};
  const std::size_t descriptions = all.size();
  const auto append = [&](const std::vector<Cell>& cells) {
    all.insert(all.end(), cells.begin(), cells.end());
  };
  append(counted_cells(row));
  append({{"ms_median", format(row.forward.median)},
          {"ms_min", format(row.forward.min)},
          {"ms_iqr", format(row.forward.iqr)}});
  append(share_cells(row, machine));
  append({{"backward_ms", row.backward ? format(row.backward->median) : ""},
          {"decode_us", text_of(row.decode_us)},
          {"counts", counts_text(row)}});
  if (!row.unsupported.empty()) {
    for (std::size_t k = descriptions; k < all.size(); ++k) {
      all[k].text.clear();
    }
  }
  return all;
}

std::string csv_line(const std::vector<Cell>& cells, auto text_of_cell) {
  std::string line;
  for (const Cell& cell : cells) {
    line += (line.empty() ? "" : ",") + text_of_cell(cell);
  }
  return line + "\n";
}

}  // namespace

Times times_of(std::vector<double> milliseconds) {
  std::ranges::sort(milliseconds);
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(milliseconds.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const auto high = std::min(low + 1, milliseconds.size() - 1);
    return milliseconds[low] + (place - static_cast<double>(low)) *
                                   (milliseconds[high] - milliseconds[low]);
  };
  return {.median = at(0.5),
          .min = milliseconds.front(),
          .iqr = at(0.75) - at(0.25),
          .rounds = static_cast<int>(std::ssize(milliseconds))};
}

double BenchRow::peak_share(const BenchMachine& machine) const {
  return static_cast<double>(flops) / (seconds() * 1e9 * machine.fma_gflops);
}

double BenchRow::copy_share(const BenchMachine& machine) const {
  return static_cast<double>(traffic) / (seconds() * 1e9 * machine.copy_gbs);
}

std::optional<double> BenchRow::sparsity() const {
  if (pairs == 0) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(tokens);
  return 1.0 - static_cast<double>(pairs) / (n * n);
}

std::string bench_text(const Bench& bench) {
  const BenchMachine& m = bench.machine;
  std::string text = m.processor + ", " + m.instruction_set + ", " + format(m.threads) +
                     (m.threads == 1 ? " thread" : " threads") + "; oa-tools " +
                     std::string(kVersion) + "\npeak " + three_digits(m.fma_gflops) +
                     " GFLOP/s, copy " + three_digits(m.copy_gbs) +
                     " GB/s, measured in this run\n";
  for (std::size_t begin = 0; begin < bench.rows.size();) {
    std::vector<const BenchRow*> rows;
    const int tokens = bench.rows[begin].tokens;
    for (; begin < bench.rows.size() && bench.rows[begin].tokens == tokens; ++begin) {
      rows.push_back(&bench.rows[begin]);
    }
    text += block_text(bench, rows);
  }
  return text;
}

std::string bench_json(const Bench& bench) {
  const BenchMachine& m = bench.machine;
  JsonArray rows;
  for (const BenchRow& row : bench.rows) {
    rows.element(json_of(row, bench.machine));
  }
  const JsonObject json{{"machine",
                         JsonObject{{"processor", m.processor},
                                    {"instruction_set", m.instruction_set},
                                    {"threads", m.threads},
                                    {"fma_gflops", m.fma_gflops},
                                    {"copy_gbs", m.copy_gbs},
                                    {"version", kVersion}}},
                        {"baseline", bench.baseline},
                        {"rows", rows}};
  return json.text() + "\n";
}

std::string bench_csv(const Bench& bench) {
  std::string text = csv_line(csv_cells({}, bench.machine),
                              [](const Cell& cell) { return std::string(cell.name); });
  for (const BenchRow& row : bench.rows) {
    text += csv_line(csv_cells(row, bench.machine),
                     [](const Cell& cell) { return cell.text; });
  }
  return text;
}

}  // namespace oa::report
