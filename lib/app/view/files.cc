// Describes files other than streams: arrays, pictures, tables, problems and texts.
#include "app/view/parts.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/photo/photo.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/table/columns.h"
#include "oa/io/table/csv.h"
#include "oa/io/table/event_file.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/idx_array.h"
#include "oa/io/tensor/npy.h"
#include "oa/solve/recover/squares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace oa::app {
namespace {

Description describe_array(Facts facts,
                           const io::TensorView& t,
                           bool values,
                           const std::string& what) {
  each_fact(
      t, values, [&](std::string_view name, const auto& value) { facts(name, value); });
  return {std::move(facts), what + " " + io::to_string(t.shape)};
}

Description describe_npy(io::Input& input, bool values) {
  const io::NpyArray array = read_npy(input);
  return describe_array(Facts("type", "npy"),
                        {"", array.dtype, array.shape, array.data.span()},
                        values,
                        "numpy array");
}

Description describe_images(io::Input& input, bool /*values*/) {
  const Images images = read_idx_images(input);
  const io::TensorStats s =
      tensor_stats(io::Dtype::U8, std::as_bytes(std::span(images.pixels)));
  Facts facts("type", "idx");
  facts("images", JsonValue(images.count));
  facts("rows", JsonValue(images.rows));
  facts("cols", JsonValue(images.cols));
  facts("mean", s.mean);
  facts("max", s.max);
  return {std::move(facts), counted(images.count, "IDX image")};
}

Description describe_labels(io::Input& input, bool /*values*/) {
  const std::vector<std::uint8_t> labels = read_idx_labels(input);
  std::array<std::int64_t, 256> counts{};
  for (const std::uint8_t label : labels) {
    ++counts[label];
  }
  JsonObject per_class;
  for (std::size_t label = 0; label < counts.size(); ++label) {
    if (counts[label] > 0) {
      per_class.member(std::to_string(label), counts[label]);
    }
  }
  Facts facts("type", "idx");
  facts("labels", JsonValue(labels.size()));
  facts("per_class", JsonValue(per_class));
  return {std::move(facts), counted(std::ssize(labels), "IDX label")};
}

/// Describes IDX files of tokens, vectors, targets and pictures with several planes.
Description describe_idx(io::Input& input, bool values) {
  const int dimensions = std::to_integer<int>(input.peek(4)[3]);
  const io::IdxHeader header = read_idx_header(input, dimensions, "an array");
  const io::Shape shape(header.extents.begin(), header.extents.end());
  const auto described = [&](io::Dtype type, std::span<const std::byte> bytes) {
    return describe_array(
        Facts("type", "idx"), {"", type, shape, bytes}, values, "IDX array");
  };
  if (header.type == io::IdxType::Float) {
    const std::vector<float> numbers = read_idx_numbers(input, header);
    return described(io::Dtype::F32, std::as_bytes(std::span(numbers)));
  }
  const std::vector<std::int32_t> numbers = read_idx_whole(input, header);
  if (header.type == io::IdxType::Int) {
    return described(io::Dtype::I32, std::as_bytes(std::span(numbers)));
  }
  std::vector<std::byte> bytes(numbers.size());
  std::ranges::transform(numbers, bytes.begin(), [](std::int32_t number) {
    return static_cast<std::byte>(number);
  });
  return described(header.type == io::IdxType::Byte ? io::Dtype::U8 : io::Dtype::I8,
                   bytes);
}

Description describe_photo(io::Input& input, bool /*values*/) {
  const io::Photo photo = io::read_photo(input);
  const io::TensorStats s =
      tensor_stats(io::Dtype::U8, std::as_bytes(std::span(photo.pixels)));
  Facts facts("type", "picture");
  facts("rows", JsonValue(photo.rows));
  facts("cols", JsonValue(photo.cols));
  facts("channels", JsonValue(photo.channels));
  facts("mean", s.mean);
  facts("max", s.max);
  return {std::move(facts),
          "picture of " + std::to_string(photo.rows) + "x" +
              std::to_string(photo.cols) + " pixels"};
}

Description describe_pdf(io::Input& input, bool /*values*/) {
  const std::string version(io::as_text(input.peek(8)).substr(5, 3));
  std::uint64_t bytes = 0;
  std::array<std::byte, 65536> some{};
  while (const std::size_t n = input.read(some)) {
    bytes += n;
  }
  Facts facts("type", "pdf");
  facts("version", std::string_view(printable(version)));
  facts("bytes", JsonValue(bytes));
  return {std::move(facts),
          "PDF of " + format_grouped(static_cast<std::int64_t>(bytes)) + " bytes"};
}

/// Formats a value; a whole number, such as a count, with all digits.
std::string shown(double value) {
  constexpr double kMax = 1e15;
  return value == std::trunc(value) && std::abs(value) < kMax ? format(value)
                                                              : brief(value);
}

/// Describes a column with one value, which has no range.
Facts facts_of_single(const io::ColumnSummary& column) {
  Facts facts("name", printable(column.name));
  if (column.numbers == 1) {
    facts.only_text(format(column.min));
    facts.only_json("value", column.min);
  } else {
    facts.only_text(printable(column.examples.front()));
    facts.only_json("value", printable(column.examples.front()));
  }
  return facts;
}

Facts facts_of(const io::ColumnSummary& column) {
  if (column.numbers + column.texts == 1) {
    return facts_of_single(column);
  }
  Facts facts("name", printable(column.name));
  if (column.numbers + column.texts == 0) {
    facts.only_text("empty");
  }
  if (column.numbers > 0) {
    facts("numbers", JsonValue(column.numbers));
    facts.both("min", column.min, shown(column.min));
    facts.both("mean", column.mean(), brief(column.mean()));
    facts.both("max", column.max, shown(column.max));
  }
  if (column.texts > 0) {
    std::vector<std::string> examples;
    std::string all;
    for (const std::string& text : column.examples) {
      examples.push_back(printable(text));
      all += (all.empty() ? "" : ", ") + examples.back();
    }
    facts("texts", JsonValue(column.texts));
    facts.only_text("(" + all + ")");
    facts.only_json("examples", JsonValue(examples));
  }
  return facts;
}

Description describe_columns(const char* type, const io::TableSummary& columns) {
  constexpr std::size_t kWidest = 32;
  Description all{Facts("type", type)};
  all.facts("rows", JsonValue(columns.rows));
  all.parts = "columns";
  std::size_t width = 0;
  for (const io::ColumnSummary& column : columns.all) {
    all.list.push_back(facts_of(column));
    width = std::max(width, all.list.back().name_width());
  }
  for (Facts& column : all.list) {
    column.align(std::min(width, kWidest));
  }
  return all;
}

/// Describes a matrix in one line, because its columns have no names.
Description describe_matrix(const io::TableSummary& columns) {
  io::ColumnSummary all;
  for (const io::ColumnSummary& column : columns.all) {
    if (column.numbers > 0) {
      all.min = all.numbers == 0 ? column.min : std::min(all.min, column.min);
      all.max = all.numbers == 0 ? column.max : std::max(all.max, column.max);
    }
    all.sum += column.sum;
    all.numbers += column.numbers;
    all.texts += column.texts;
  }
  Facts facts("type", "matrix");
  facts("shape", JsonValue(JsonArray{columns.rows, columns.all.size()}));
  facts.both("min", all.min, shown(all.min));
  facts.both("mean", all.mean(), brief(all.mean()));
  facts.both("max", all.max, shown(all.max));
  if (all.texts > 0) {
    facts("texts", JsonValue(all.texts));
  }
  return {std::move(facts),
          "matrix of " + format(columns.rows) + "x" +
              std::to_string(columns.all.size()) + " numbers"};
}

Description describe_csv(io::Input& input, bool /*values*/) {
  const io::TableSummary columns = io::read_csv_columns(input);
  if (!columns.named) {
    return describe_matrix(columns);
  }
  Description all = describe_columns("table", columns);
  all.summary = "table of " + counted(columns.rows, "row") + " and " +
                counted(std::ssize(columns.all), "column");
  return all;
}

Description describe_json(io::Input& input, bool /*values*/) {
  const io::TableSummary columns = io::read_json_columns(input);
  Description all = describe_columns("json", columns);
  all.summary = "JSON, " + counted(columns.rows, "row");
  return all;
}

Description describe_events(io::Input& input, bool /*values*/) {
  const io::TableSummary columns = io::read_event_columns(input);
  Description all = describe_columns("events", columns);
  all.summary = counted(columns.rows, "event");
  return all;
}

/// Describes squares of constraints that the couplings of one problem reveal.
std::string recovered_from(std::span<const qubo::Model> problems) {
  if (problems.size() != 1 || !problems.front().quadratic()) {
    return "";
  }
  qubo::Quadratic f = qubo::converted(problems.front().f, qubo::Vartype::Binary).f;
  if (f.sense == qubo::Sense::Max) {
    f = qubo::negated(std::move(f));
  }
  return solve::summary_of(solve::find_squares(f, solve::Stop()));
}

Description describe_problems(io::Input& input, bool /*values*/) {
  const io::ProblemFormat format = io::detect_problem(input).formats.front();
  const io::ProblemFile file = io::read_problems(input, format, {});
  const std::string name(info(format).name);
  Facts facts("type", "problem");
  facts("format", std::string_view(name));
  facts("problems", JsonValue(file.problems.size()));
  std::vector<int> variables;
  std::vector<std::int64_t> pairs;
  std::int64_t products = 0;
  std::int64_t constraints = 0;
  std::int64_t soft = 0;
  std::int64_t integers = 0;
  for (const qubo::Model& model : file.problems) {
    variables.push_back(model.size());
    pairs.push_back(model.f.pairs());
    products += std::ssize(model.higher);
    constraints += std::ssize(model.constraints);
    soft += std::ssize(model.soft);
    integers += std::ssize(model.integers);
  }
  const auto one_or_all = [](const auto& numbers) {
    return numbers.size() == 1 ? JsonValue(numbers.front()) : JsonValue(numbers);
  };
  facts("variables", one_or_all(variables));
  facts("couplings", one_or_all(pairs));
  for (const auto& [what, count] : {std::pair{"products", products},
                                    std::pair{"constraints", constraints},
                                    std::pair{"soft", soft},
                                    std::pair{"integers", integers}}) {
    if (count > 0) {
      facts(what, JsonValue(count));
    }
  }
  if (const std::string found = recovered_from(file.problems); !found.empty()) {
    facts("recovered", std::string_view(found));
  }
  return {std::move(facts),
          counted(std::ssize(file.problems), "problem") + " as " + name};
}

Description describe_text(io::Input& input, bool /*values*/) {
  io::LineReader reader(input);
  std::int64_t lines = 0;
  for (std::string_view line; reader.next(line);) {
    ++lines;
  }
  Facts facts("type", "text");
  facts("lines", JsonValue(lines));
  facts("bytes", JsonValue(input.position()));
  Description all{std::move(facts), "text of " + counted(lines, "line")};
  all.verified = false;
  return all;
}

/// Returns the first `count` lines that are neither empty nor comments.
std::vector<std::string> first_lines(std::string_view text, std::size_t count) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < count) {
    const std::string_view line = io::take_line(text);
    if (const auto word = io::Words(line).next();
        !word.empty() && !word.starts_with('#')) {
      lines.emplace_back(line);
    }
  }
  return lines;
}

/// True if a text begins with a line of numbers,
/// or with two lines that have the same number of cells (at least two).
bool is_table(std::string_view text) {
  auto lines = first_lines(text, 2);
  std::vector<std::string_view> cells;
  std::vector<std::string_view> second;
  if (lines.empty() || !io::split_cells(lines[0], cells)) {
    return false;
  }
  const bool more = lines.size() == 2 && io::split_cells(lines[1], second) &&
                    second.size() == cells.size();
  const bool numbers = std::ranges::all_of(
      cells, [](std::string_view cell) { return parse_double(cell).has_value(); });
  return cells.size() > 1 && (more || numbers);
}

/// True for text that begins with a number, "p" or "c" (qbsolv), or as MatrixMarket.
bool is_problem(io::Input& input, std::string_view text) {
  const auto lines = first_lines(text, 1);
  const std::string_view word =
      lines.empty() ? std::string_view{} : io::Words(lines[0]).next();
  const bool may_be = word == "p" || word == "c" || word.starts_with("%%Matrix") ||
                      text.find("vartype=") != text.npos || parse_double(word);
  try {
    return may_be && !io::detect_problem(input).formats.empty();
  } catch (const InputError&) {
    return false;  // no format fits
  }
}

Describe reader_of_text(io::Input& input, std::string_view text) {
  const std::string_view word = io::Words(io::without_mark(text)).next();
  if (word.starts_with('{') || word.starts_with('[')) {
    return describe_json;
  }
  if (is_table(io::without_mark(text))) {
    return describe_csv;
  }
  return is_problem(input, io::without_mark(text)) ? describe_problems : describe_text;
}

}  // namespace

Describe reader_of(io::Input& input) {
  constexpr std::size_t kStart = 65536;
  const auto start = input.peek(12);
  if (io::looks_like_npy(start)) {
    return describe_npy;
  }
  if (io::looks_like_idx(start)) {
    return start[3] == std::byte{3} ? describe_images : describe_labels;
  }
  if (io::looks_like_idx_array(start)) {
    return describe_idx;
  }
  const std::string_view text = io::as_text(start);
  if (io::looks_like_photo(text)) {
    return describe_photo;
  }
  if (text.starts_with("%PDF-")) {
    return describe_pdf;
  }
  if (text.starts_with("DIMODBQM")) {
    return describe_problems;
  }
  if (io::looks_like_events(start)) {
    return describe_events;
  }
  if (start.empty() || !io::looks_like_text(start)) {
    return nullptr;
  }
  const auto more = input.peek(kStart);
  return io::looks_like_text(more) ? reader_of_text(input, io::as_text(more)) : nullptr;
}

}  // namespace oa::app
