#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/table/chart_data.h"
#include "oa/io/table/csv.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {
namespace {

double coordinate_in(std::string_view cell, const std::string& where) {
  const auto value = parse_double(cell);
  if (!value || !std::isfinite(*value)) {
    throw InputError(where + ": '" + printable(cell.substr(0, 40)) +
                     "' (expected a finite number)");
  }
  return *value;
}

score::Scatter::Group& group_called(std::string_view name, score::Scatter& scatter) {
  const auto found =
      std::ranges::find(scatter.groups, name, &score::Scatter::Group::name);
  if (found != scatter.groups.end()) {
    return *found;
  }
  return scatter.groups.emplace_back(score::Scatter::Group{std::string(name), {}});
}

}  // namespace

score::Scatter read_scatter(Input& input) {
  CsvReader reader(input);
  std::vector<std::string_view> cells;
  if (!reader.next(cells)) {
    throw InputError(input.name() + ": empty (expected a table of points)");
  }
  const std::size_t columns = cells.size();
  if (columns < 3 || columns > 4) {
    reader.fail(format(static_cast<std::int64_t>(columns)) +
                " columns (expected a group, x, y, and at most a label)");
  }
  score::Scatter scatter{std::string(cells[1]), std::string(cells[2]), {}};
  while (reader.next(cells, columns)) {
    const std::string where = reader.where();
    group_called(cells[0], scatter)
        .items.push_back({coordinate_in(cells[1], where),
                          coordinate_in(cells[2], where),
                          columns == 4 ? std::string(cells[3]) : ""});
  }
  if (scatter.groups.empty()) {
    throw InputError(input.name() + ": no points below the first line");
  }
  return scatter;
}

}  // namespace oa::io
