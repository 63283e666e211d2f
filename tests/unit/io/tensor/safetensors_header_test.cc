#include "oa/io/tensor/safetensors_header.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace oa;

namespace {

io::Header parsed(std::string_view json) {
  return io::parse_header(test::bytes_of(json), "f");
}

std::string why_not(std::string_view json) {
  return test::message_of<InputError>([&] { (void)parsed(json); });
}

/// The description of a tensor.
std::string tensor(const std::string& name,
                   const std::string& shape,
                   const std::string& offsets,
                   const std::string& dtype = "U8") {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + shape +
         "],\"data_offsets\":[" + offsets + "]}";
}

std::string header(const std::vector<std::string>& entries) {
  std::string text = "{";
  for (const std::string& entry : entries) {
    text += (text.size() > 1 ? "," : "") + entry;
  }
  return text + "}";
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a header is read in any order and with any white space") {
  const io::Header h = parsed(
      "{ \"b\" : {\"data_offsets\":[8 , 14],\"shape\":[3],\n\"dtype\":\"F16\"},"
      "\"__metadata__\":{\"k\\u0041\":\"v\\n\"},"
      "\"a\":{\"shape\":[2,1],\"dtype\":\"F32\",\"data_offsets\":[0,8]}}  \n\t ");
  REQUIRE(h.tensors.size() == 2);
  CHECK(h.tensors[0].name == "a");  // in the order of the data
  CHECK(h.tensors[0].shape == io::Shape{2, 1});
  CHECK(h.tensors[1].name == "b");
  CHECK(h.tensors[1].dtype == io::Dtype::F16);
  CHECK(h.tensors[1].begin == 8);
  CHECK(h.tensors[1].size == 6);
  CHECK(h.data_size == 14);
  CHECK(h.metadata == io::Metadata{{"kA", "v\n"}});
}

TEST_CASE("empty headers, scalars and tensors without elements are no errors") {
  CHECK(parsed("{}").data_size == 0);
  CHECK(parsed(R"({"__metadata__":{}})").tensors.empty());
  CHECK(parsed(header({tensor("s", "", "0,1")})).data_size == 1);
  CHECK(parsed(header({tensor("none", "0,1099511627776,1099511627776", "0,0")}))
            .data_size == 0);
  const auto h = parsed(header({tensor("a", "2", "0,2"),
                                tensor("none", "3,0", "2,2"),
                                tensor("b", "1", "2,3")}));
  CHECK(h.data_size == 3);
}

TEST_CASE("every element type has its name and size") {
  const std::vector<std::pair<std::string, int>> sizes{{"BOOL", 1},
                                                       {"U8", 1},
                                                       {"I8", 1},
                                                       {"U16", 2},
                                                       {"I16", 2},
                                                       {"F16", 2},
                                                       {"BF16", 2},
                                                       {"U32", 4},
                                                       {"I32", 4},
                                                       {"F32", 4},
                                                       {"U64", 8},
                                                       {"I64", 8},
                                                       {"F64", 8}};
  for (const auto& [name, size] : sizes) {
    const auto h =
        parsed(header({tensor("t", "3", "0," + std::to_string(3 * size), name)}));
    CHECK(io::name_of(h.tensors[0].dtype) == name);
    CHECK(h.data_size == 3U * static_cast<unsigned>(size));
  }
  CHECK(why_not(header({tensor("t", "1", "0,1", "F8_E4M3")})) ==
        "f: tensor 't' has unknown dtype 'F8_E4M3'");
}

TEST_CASE("a value that is not a JSON object is refused") {
  for (const std::string text : {"", " {}", "[]", "x", "\xef\xbb\xbf{}"}) {
    CAPTURE(text);
    CHECK(why_not(text) == "f: not safetensors (the header is not a JSON object)");
  }
  for (const std::string text : {"{",
                                 "{}}",
                                 "{},",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{'a':{}}",
                                 "{\"__metadata__\":{},}",
                                 "{\"\x01\":{}}",
                                 "{\"\xff\":{}}",
                                 "{\"\\ud800\":{}}",
                                 "{} // comment"}) {
    CAPTURE(text);
    CHECK(why_not(text).starts_with("f: the header is not JSON (byte "));
  }
  CHECK(why_not(std::string("{}\0", 3)) ==
        "f: the header: not text (it holds a NUL byte)");
}

TEST_CASE("values of a kind that does not belong are refused at their place") {
  const auto inside = [](const std::string& what) {
    return why_not("{\"t\":{\"dtype\":" + what + "}}");
  };
  CHECK(inside("null") == "f: tensor 't' has null where none belongs");
  CHECK(inside("true") == "f: tensor 't' has a truth value where none belongs");
  CHECK(inside("1") == "f: tensor 't' has a number where none belongs");
  CHECK(inside("[]") == "f: tensor 't' has an array where none belongs");
  CHECK(inside("{}") == "f: tensor 't' has an object where none belongs");
  CHECK(why_not("{\"t\":7}") == "f: tensor 't' has a number where none belongs");
  CHECK(why_not("{\"t\":\"x\"}") == "f: tensor 't' has a string where none belongs");
  CHECK(why_not("{\"t\":[]}") == "f: tensor 't' has an array where none belongs");
  CHECK(why_not("{\"__metadata__\":[]}") ==
        "f: __metadata__ has an array where none belongs");
  CHECK(why_not("{\"__metadata__\":{\"shape\":[1]}}") ==
        "f: __metadata__ has an array where none belongs");
  CHECK(why_not("{\"__metadata__\":{\"a\":1}}") ==
        "f: __metadata__ has a number where none belongs");
  CHECK(why_not("{\"__metadata__\":{\"a\":{}}}") ==
        "f: __metadata__ has an object where none belongs");
  const auto shape = [](const std::string& value) {
    return why_not("{\"t\":{\"shape\":[" + value + "]}}");
  };
  CHECK(shape("-1") == "f: tensor 't' has a negative number where none belongs");
  CHECK(shape("1.5") == "f: tensor 't' has the number 1.5 where none belongs");
  CHECK(shape("18446744073709551616") ==
        "f: tensor 't' has the number 18446744073709551616 where none belongs");
  CHECK(shape("\"1\"") == "f: tensor 't' has a string where none belongs");
  CHECK(shape("[1]") == "f: tensor 't' has an array where none belongs");
  CHECK(shape("{}") == "f: tensor 't' has an object where none belongs");
}

TEST_CASE("no key appears twice") {
  CHECK(why_not(R"({"__metadata__":{},"__metadata__":{}})") ==
        "f: tensor '__metadata__' appears twice");
  CHECK(why_not(R"({"__metadata__":{"a":"1","\u0061":"2"}})") ==
        "f: __metadata__ has the key 'a' twice");
}

TEST_CASE("a tensor has exactly a dtype, a shape and its offsets") {
  CHECK(why_not(R"({"t":{}})") == "f: tensor 't' lacks dtype");
  CHECK(why_not(R"({"t":{"dtype":"U8","data_offsets":[0,1]}})") ==
        "f: tensor 't' lacks shape");
  CHECK(why_not(R"({"t":{"dtype":"U8","strides":[]}})") ==
        "f: tensor 't' has the unknown key 'strides'");
}

TEST_CASE("offsets that overlap, leave gaps or overflow are refused") {
  const auto two = [](const std::string& first, const std::string& second) {
    return why_not(header({tensor("a", "4", first), tensor("b", "4", second)}));
  };
  CHECK(two("0,4", "4,8") == "(nothing was thrown)");
  CHECK(two("4,8", "0,4") == "(nothing was thrown)");
  CHECK(two("0,4", "0,4") ==
        "f: the data of tensor 'b' overlap those of another (byte 0, expected 4)");
  CHECK(two("1,5", "5,9") ==
        "f: the data of tensor 'a' follow a gap (byte 1, expected 0)");
  const auto one = [](const std::string& shape, const std::string& offsets) {
    return why_not(header({tensor("t", shape, offsets)}));
  };
  const std::string impossible = "f: tensor 't' has impossible data_offsets";
  CHECK(one("1", "") == impossible);
  CHECK(one("1", "0") == impossible);
  CHECK(one("1", "0,1,2") == impossible);
  CHECK(one("2,2", "0,0") == "f: tensor 't' takes 0 bytes, but U8(2,2) needs 4");
  CHECK(why_not(header({tensor("z", "0", "5,5")})) ==
        "f: the data of tensor 'z' follow a gap (byte 5, expected 0)");
}

TEST_CASE("a shape whose size overflows is refused") {
  CHECK(why_not(header({tensor("t", "1099511627777", "0,0")})) ==
        "f: tensor 't' has a dimension of 1099511627777");
  CHECK(why_not(header({tensor("t", "137438953473", "0,0", "F64")})) ==
        "f: tensor 't' has the impossible shape (137438953473)");
  // The largest there may be: 2^40 bytes.
  CHECK(parsed(header({tensor("t", "137438953472", "0,1099511627776", "F64")}))
            .data_size == io::kMaxData);
}

TEST_CASE("dimensions, names and tensors have their limits") {
  const auto rank = [](std::size_t n) {
    return tensor("t", test::repeated("1,", n - 1) + "1", "0,1");
  };
  CHECK(parsed(header({rank(io::kMaxRank)})).tensors[0].shape.size() == 8);

  const std::string longest(io::kMaxName, 'n');
  CHECK(parsed(header({tensor(longest, "1", "0,1")})).tensors[0].name == longest);
  const std::string bad = "has a name that is empty, too long or not printable";
  CHECK(why_not(header({tensor(longest + "n", "1", "0,1")})) ==
        "f: tensor '" + std::string(57, 'n') + "...' " + bad);
  CHECK(why_not(header({tensor("", "1", "0,1")})) == "f: tensor '' " + bad);
  CHECK(why_not(header({tensor("a\\u007f", "1", "0,1")})) == "f: tensor 'a?' " + bad);

  const auto many = [](std::size_t n) {
    std::string text = "{";
    for (std::size_t i = 0; i < n; ++i) {
      text += (i > 0 ? "," : "") + tensor(std::to_string(i), "0", "0,0");
    }
    return text + "}";
  };
  CHECK(why_not(many(io::kMaxTensors + 1)) ==
        "f: tensor '65536' is one more than 65536 tensors");
}

TEST_CASE("depth is limited by the grammar, not by the stack") {
  CHECK(why_not("{\"t\":" + std::string(1 << 20, '[')) ==
        "f: tensor 't' has an array where none belongs");
  CHECK(why_not(test::repeated("{\"shape\":", 1 << 18)) ==
        "f: tensor 'shape' has an object where none belongs");
}

TEST_CASE("text of a file appears in a message on one line") {
  CHECK(why_not(header({tensor("t",
                               "1",
                               "0,1",
                               "a\\n\\u001b[31m\xc2\x80"
                               "b")}))
            .find_first_of("\n\x1b") == std::string::npos);
}

TEST_SUITE_END();
