#include "oa/io/table/columns.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace oa;

namespace {

using Names = std::vector<std::string>;

template <class Read>
io::TableSummary columns_of(const std::string& text, Read read) {
  io::Input input = io::Input::memory(test::bytes_of(text), "f");
  return read(input);
}

io::TableSummary json_of(const std::string& text) {
  return columns_of(text, io::read_json_columns);
}

io::TableSummary csv_of(const std::string& text) {
  return columns_of(text, io::read_csv_columns);
}

Names names_of(const io::TableSummary& columns) {
  Names names;
  for (const io::ColumnSummary& column : columns.all) {
    names.push_back(column.name);
  }
  return names;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("JSON in lines is a table: a column for each way to a value") {
  const io::TableSummary all = json_of(
      "{\"a\":1,\"x\":[0,1,1]}\n\n{\"a\":-3,\"b\":{\"c\":\"t\",\"d\":null},"
      "\"x\":[]}\r\n");
  CHECK(all.rows == 2);
  CHECK(names_of(all) == Names{"a", "x[]", "b.c"});
  CHECK(all.all[0].numbers == 2);
  CHECK(all.all[0].min == -3.0);
  CHECK(all.all[0].mean() == -1.0);
  CHECK(all.all[1].numbers == 3);
  CHECK(all.all[2].examples == Names{"t"});
}

TEST_CASE("one value of JSON, of several lines or a list, is a table, too") {
  const io::TableSummary list =
      json_of("[{\"e\":1,\"s\":[0,1]},\n {\"e\":2,\"s\":[1,1]}]\n");
  CHECK(list.rows == 2);
  CHECK(names_of(list) == Names{"e", "s[]"});
  CHECK(list.all[1].numbers == 4);
  const io::TableSummary one =
      json_of("{\n \"rows\": [{\"n\": 8}, {\"n\": 16}],\n \"ok\": true}");
  CHECK(one.rows == 1);
  CHECK(names_of(one) == Names{"rows[].n", "ok"});
  CHECK(json_of("[[1,2],[3,4],[5,6]]").rows == 3);
  CHECK(json_of("7").rows == 1);
}

TEST_CASE("names of JSON beyond a limit share a column, and no nesting is endless") {
  std::string text = "{";
  for (int k = 0; k < 5000; ++k) {
    text += (k > 0 ? ",\"k" : "\"k") + std::to_string(k) + "\":" + std::to_string(k);
  }
  const io::TableSummary all = json_of(text + "}");
  CHECK(all.all.size() == 1025);
  CHECK(all.all.back().name == "...");
  CHECK(all.all.back().numbers == 5000 - 1024);
  CHECK_THROWS_AS(json_of(std::string(100, '[') + std::string(100, ']')), InputError);
  CHECK_THROWS_WITH_AS(json_of("{\"a\":1}\n{\"a\":"), "f:2: not JSON", InputError);
}

TEST_CASE("a table has names or is a matrix, and its cells may have quotation marks") {
  const io::TableSummary table = csv_of("kind,config,ms\na,\"b,c\",1.5\na, d ,\n");
  CHECK(table.named);
  CHECK(table.rows == 2);
  CHECK(names_of(table) == Names{"kind", "config", "ms"});
  CHECK(table.all[0].examples == Names{"a"});
  CHECK(table.all[1].examples == Names{"b,c", "d"});
  CHECK(table.all[2].numbers == 1);
  const io::TableSummary matrix = csv_of("1,2\n-0,4\n");
  CHECK_FALSE(matrix.named);
  CHECK(matrix.rows == 2);
  CHECK_FALSE(std::signbit(matrix.all[0].min));
  CHECK_THROWS_WITH_AS(csv_of("1,2\n3\n"), "f:2: 1 cells (expected 2)", InputError);
}

TEST_SUITE_END();
