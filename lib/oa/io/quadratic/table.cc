#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/table/csv.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

// Reads square tables of numbers as text: f(x) = x'Qx.  The first line may have names
// of columns, and the first column names of rows, as in files of pandas.

namespace oa::io {
namespace {

std::string unquoted(std::string_view cell) {
  if (cell.size() >= 2 && cell.front() == cell.back() &&
      (cell.front() == '"' || cell.front() == '\'')) {
    cell = cell.substr(1, cell.size() - 2);
  }
  return std::string(cell);
}

std::vector<std::string> texts(std::span<const std::string_view> cells) {
  std::vector<std::string> all;
  std::ranges::transform(cells, std::back_inserter(all), unquoted);
  return all;
}

/// True if the names are 0, 1, 2, ..., the default of pandas.
bool is_counting(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] != std::to_string(k)) {
      return false;
    }
  }
  return true;
}

class Table {
 public:
  explicit Table(const std::string& name) : name_(name) {}

  void row(std::span<const std::string_view> cells, const std::string& where) {
    if (rows_ == 0 && header_.empty() && begins_with_names(cells)) {
      header_ = texts(cells);
      check_size(std::ssize(cells) - 1, where);
      return;
    }
    ++rows_;
    if (rows_ == 1) {
      columns_ = std::ssize(cells);
      check_size(columns_ - 1, where);
      first_ = texts(cells);
      const bool corner = !header_.empty() && header_[0].empty();
      named_rows_ = cells.size() > 1 && (corner || !parse_weight(cells[0]));
      counted_ = header_.empty() && is_counting(first_);
    }
    if (std::ssize(cells) != columns_ || rows_ > columns_ + (counted_ ? 1 : 0)) {
      const std::string n = format(columns_ - (named_rows_ ? 1 : 0));
      throw InputError(
          where + ": " + counted(std::ssize(cells) - (named_rows_ ? 1 : 0), "cell") +
          " in row " + format(rows_) + " (expected " + n + " x " + n + ")");
    }
    row_names_.push_back(unquoted(cells[0]));
    for (std::size_t column = 0; column < cells.size(); ++column) {
      put(cells[column], column, where);
    }
  }

  qubo::Quadratic problem(qubo::Vartype vartype) {
    const std::vector<std::string> numbers(first_.begin() + (named_rows_ ? 1 : 0),
                                           first_.end());
    if (rows_ == columns_ + (named_rows_ ? 0 : 1) && header_.empty() &&
        is_counting(numbers)) {
      header_ = numbers;  // numbered columns
      drop_first_row();
    }
    const bool indexed = named_rows_ || (rows_ == columns_ - 1 && columns_ > 1 &&
                                         (!header_.empty() || is_counting(row_names_)));
    if (indexed) {
      drop_first_column();
    }
    if (rows_ != columns_ || rows_ == 0) {
      throw InputError(name_ + ": " + counted(rows_, "row") + " of " +
                       counted(columns_, "cell") + " (expected a square matrix)");
    }
    check_size(rows_, name_);
    std::vector<std::string> names = names_of_columns(indexed);
    double total = 0.0;
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      total += std::abs(numbers_[k]);
    }
    check_total(total, name_);
    qubo::Quadratic f(static_cast<int>(rows_), vartype, std::move(numbers_));
    f.names = std::move(names);
    return f;
  }

 private:
  static void check_size(std::int64_t n, const std::string& where) {
    if (n > kMaxMatrixVariables) {
      throw InputError(where + ": " + format(n) + " variables (expected 1 to " +
                       format_grouped(kMaxMatrixVariables) + ")");
    }
  }

  /// True if the first line has names: it has no number, or its first cell is empty.
  static bool begins_with_names(std::span<const std::string_view> cells) {
    const auto no_number = [](std::string_view cell) { return !parse_weight(cell); };
    return cells.size() > 1 &&
           (unquoted(cells[0]).empty() || std::ranges::all_of(cells, no_number));
  }

  void put(std::string_view cell, std::size_t column, const std::string& where) {
    const auto weight = parse_weight(cell);
    const bool name = column == 0 && named_rows_;
    if (!name && (!weight || rounds_integer(cell))) {
      throw InputError(where + ": cell " +
                       format(static_cast<std::int64_t>(column) + 1) + " is " +
                       unexpected_weight(cell));
    }
    numbers_.push_back(weight && !name ? *weight : 0.0);
  }

  void drop_first_row() {
    --rows_;
    row_names_.erase(row_names_.begin());
    keep([this](std::size_t k) { return k >= static_cast<std::size_t>(columns_); });
  }
  void drop_first_column() {
    keep([this](std::size_t k) { return k % static_cast<std::size_t>(columns_) != 0; });
    --columns_;
  }
  void keep(const auto& kept) {
    std::size_t to = 0;
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      if (kept(k)) {
        numbers_.set(to++, numbers_[k]);
      }
    }
    numbers_.resize(to);
    numbers_.narrow();
  }

  /// The names of the columns, checked against the names of the rows.
  std::vector<std::string> names_of_columns(bool indexed) const {
    std::vector<std::string> names = header_;
    if (names.empty()) {
      names = indexed ? row_names_ : names;
    } else if (indexed && std::ssize(names) == columns_ + 1) {
      names.erase(names.begin());
    }
    if (names.empty()) {
      return {};
    }
    if (std::ssize(names) != columns_) {
      throw InputError(name_ + ": " + counted(std::ssize(names), "name") + " for " +
                       counted(columns_, "column"));
    }
    for (std::size_t i = 0; indexed && i < names.size(); ++i) {
      if (names[i] != row_names_[i]) {
        throw InputError(name_ + ": row " + format(static_cast<std::int64_t>(i) + 1) +
                         " is called '" + row_names_[i].substr(0, 40) +
                         "', its column '" + names[i].substr(0, 40) + "'");
      }
    }
    return names_of_text(names, name_);
  }

  std::string name_;
  std::vector<std::string> header_;     ///< names of columns, if any
  std::vector<std::string> first_;      ///< cells of the first row of numbers
  std::vector<std::string> row_names_;  ///< first cells of all rows
  bool named_rows_ = false;             ///< row_names_ are names
  bool counted_ = false;                ///< the first row is 0, 1, 2, ...
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  qubo::Numbers numbers_{qubo::Width::Int8, std::size_t{0}};
};

}  // namespace

qubo::Quadratic read_csv_matrix(Input& input, qubo::Vartype vartype) {
  CsvReader lines(input);
  Table table(input.name());
  for (std::vector<std::string_view> cells; lines.next(cells);) {
    table.row(cells, lines.where());
  }
  return table.problem(vartype);
}

qubo::Quadratic read_text_matrix(Input& input, qubo::Vartype vartype) {
  LineReader lines(input);
  Table table(input.name());
  std::vector<std::string_view> cells;
  for (std::string_view line; lines.next(line);) {
    cells.clear();
    Words words(line);
    for (auto word = words.next(); !word.empty(); word = words.next()) {
      cells.push_back(word);
    }
    if (!cells.empty() && !cells[0].starts_with('#')) {
      table.row(cells, lines.where());
    }
  }
  return table.problem(vartype);
}

}  // namespace oa::io
