#include "oa/io/machine/matrix_csv.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/table/square_csv.h"

#include <charconv>
#include <cmath>

namespace oa::io {
namespace {

constexpr std::string_view kNothing = "-0.0,";

/// Limit of each cell: sums of all cells stay finite as floats.
constexpr double kMaxWeight = 1e30;

/// Formats cells as rows of text.
class Table {
 public:
  explicit Table(int columns) {
    text_.reserve(at(columns) * at(columns) * kNothing.size());
    for (int i = 0; i < columns; ++i) {
      nothing_ += kNothing;
    }
  }

  void nothing(int cells) {
    text_ += std::string_view(nothing_).substr(0, at(cells) * kNothing.size());
  }

  void cell(int value) {
    if (value == 0) {
      text_ += kNothing;
      return;
    }
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
    text_.append(digits.begin(), end);
    text_ += ".0,";
  }

  void end_row() { text_.back() = '\n'; }

  std::string take_text() { return std::move(text_); }

 private:
  std::string text_;
  std::string nothing_;
};

const machine::Block& block_of(const machine::PackedImage& image, int query) {
  return *image.queries[at(query)].block;
}

void put_qubo(Table& table, const machine::Block& block, int before, int columns) {
  const int n = block.size();
  const machine::TaskMatrix q = machine::task_matrix_of(block);
  for (int i = 0; i < n; ++i) {
    table.nothing(before + i);
    for (int k = i; k < n; ++k) {
      table.cell(static_cast<int>(q.row(i)[k - i]));
    }
    table.nothing(columns - before - n);
    table.end_row();
  }
}

void put_ising(Table& table, const machine::Block& block, int before, int columns) {
  const int n = block.size();
  for (int i = 0; i < n; ++i) {
    table.nothing(before);
    for (int k = 0; k < n; ++k) {
      table.cell(block.row(i)[k]);
    }
    table.nothing(columns - before - n - 1);
    table.cell(block.row(i)[n]);
    table.end_row();
  }
}

}  // namespace

std::string matrix_csv(const machine::PackedImage& image,
                       const std::vector<int>& task,
                       TaskFormat format) {
  int columns = format == TaskFormat::Ising ? 1 : 0;
  for (const int i : task) {
    columns += block_of(image, i).size();
  }
  Table table(columns);
  int before = 0;
  for (const int i : task) {
    const machine::Block& block = block_of(image, i);
    (format == TaskFormat::Qubo ? put_qubo : put_ising)(table, block, before, columns);
    before += block.size();
  }
  if (format == TaskFormat::Ising) {
    for (const int i : task) {
      const machine::Block& block = block_of(image, i);
      for (int k = 0; k < block.size(); ++k) {
        table.cell(block.row(block.size())[k]);
      }
    }
    table.nothing(1);
    table.end_row();
  }
  return table.take_text();
}

std::vector<std::string> matrices_csv(const machine::PackedImage& image,
                                      TaskFormat format) {
  std::vector<std::string> all;
  for (const std::vector<int>& task : image.tasks) {
    all.push_back(task.empty() ? "" : matrix_csv(image, task, format));
  }
  return all;
}

MatrixFile read_matrix_csv(Input& input) {
  SquareCsvReader reader(input);
  MatrixFile file;
  machine::TaskMatrix& q = file.q;
  while (reader.next()) {
    const int row = static_cast<int>(reader.rows()) - 1;
    if (row == 0) {
      if (reader.size() > kMaxMatrixSize) {
        throw InputError(reader.where() + ": over " + format(kMaxMatrixSize) +
                         " columns");
      }
      q.n = static_cast<int>(reader.size());
      q.cells.resize(at(q.n) * at(q.n + 1) / 2);
    }
    if (!reader.fits()) {
      throw InputError(reader.where() + ": the matrix is not square (expected " +
                       format(q.n) + " rows of " + format(q.n) + " cells)");
    }
    for (int k = 0; k < q.n; ++k) {
      const std::string_view cell = reader.cells()[at(k)];
      const auto value = parse_double(cell);
      if (!value || std::abs(*value) > kMaxWeight ||
          double{static_cast<float>(*value)} != *value) {
        throw InputError(reader.where() + ": '" + std::string(cell.substr(0, 40)) +
                         "' (expected a number that a float holds)");
      }
      const int i = std::min(row, k);
      float& sum = q.cells[static_cast<std::size_t>(q.row(i) - q.cells.data()) +
                           at(std::max(row, k) - i)];
      const bool as_ising = k > row || *value == double{sum};  // the diagonal must be 0
      if (!as_ising && file.not_ising.empty()) {
        file.not_ising = reader.where() + ": cell " + format(k + 1) + " is " +
                         format(*value) + " (expected " + format(sum) +
                         (k == row ? ": the diagonal of an Ising matrix is empty)"
                                   : ": an Ising matrix is symmetric)");
      }
      sum += static_cast<float>(*value);
    }
  }
  if (!reader.complete()) {
    throw InputError(input.name() + ": the matrix is not square (" +
                     format(reader.rows()) + " rows of " + format(q.n) + " cells)");
  }
  return file;
}

}  // namespace oa::io
