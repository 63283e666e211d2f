#include "oa/io/bytes/recognise.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

namespace {

std::string what(const std::string& start) {
  return io::recognised(test::bytes_of(start));
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("the first bytes of a file decide its type and its reader") {
  CHECK(what("\x89PNG\r\n\x1a\n....") == "a PNG picture");
  CHECK(what(std::string("\0\0\x08\x03....", 8)).starts_with("pictures as IDX"));
  CHECK(what("PK\x03\x04....archive/data.pkl")
            .starts_with("a model as PyTorch saves it"));
  CHECK(what("PK\x03\x04....indptr.npy").starts_with("arrays of numpy"));
  for (const char* pnm : {"P5 28 28 255\n", "P6\n28 28", "P2\t1 1 1"}) {
    CHECK(what(pnm) == "a PNM picture");
  }
  CHECK(what("P7 28") == "text");
  for (const char* pickle : {"\x80\x02}q", "\x80\x03]q", "\x80\x05."}) {
    CHECK(what(pickle).starts_with("a Python pickle"));
  }
  CHECK(what(std::string("\xfd"
                         "7zXZ\0....",
                         10)) == "data compressed twice");
  CHECK(what("1,2\n3,4\n").starts_with("comma-separated text"));
  CHECK(what("3 3\n1 2 1\n").starts_with("numbers as text"));
  CHECK(what("[{\"result\":0,\"quboValue\":-1}]").starts_with("a log of a machine"));
  CHECK(what("hello, world\n") == "text");
  CHECK(what(std::string(8, '\x01')).empty());
  CHECK(what("").empty());
}

TEST_SUITE_END();
