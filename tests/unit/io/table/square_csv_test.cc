#include "oa/io/table/square_csv.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

namespace {

struct Seen {
  bool all_fit = true;
  bool complete = false;
  std::int64_t rows = 0;
  std::int64_t size = 0;
};

Seen read(const std::string& text) {
  io::Input input = io::Input::memory(test::bytes_of(text), "m.csv");
  io::SquareCsvReader reader(input);
  Seen seen;
  while (reader.next()) {
    seen.all_fit = seen.all_fit && reader.fits();
  }
  seen.complete = reader.complete();
  seen.rows = reader.rows();
  seen.size = reader.size();
  return seen;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a square matrix is as many rows as its first row has cells") {
  const Seen square = read("1,2\n\n3,4\n");
  CHECK((square.all_fit && square.complete));
  CHECK((square.rows == 2 && square.size == 2));
  CHECK_FALSE(read("1,2\n3\n").all_fit);
  CHECK_FALSE(read("1,2\n3,4\n5,6\n").all_fit);
  const Seen cut = read("1,2\n");
  CHECK((cut.all_fit && !cut.complete));
  CHECK_FALSE(read("").complete);
}

TEST_CASE("the rows of a square matrix are given with their place") {
  const std::string text = "7, 8\n9,10\n";
  io::Input input = io::Input::memory(test::bytes_of(text), "m.csv");
  io::SquareCsvReader reader(input);
  REQUIRE(reader.next());
  REQUIRE(reader.next());
  CHECK(reader.cells()[1] == "10");
  CHECK(reader.where() == "m.csv:2");
}

TEST_SUITE_END();
