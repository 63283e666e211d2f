#include "oa/base/json_text.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

using namespace oa;

TEST_SUITE_BEGIN("base");

TEST_CASE("JSON numbers: a double shows that it is one, or is as short as can be") {
  CHECK(JsonValue(2).text() == "2");
  CHECK(JsonValue(2.0).text() == "2.0");
  CHECK(JsonValue(0.1).text() == "0.1");
  CHECK(JsonValue(100000.0).text() == "100000.0");
  CHECK(JsonValue(1e-5).text() == "1e-05");
  CHECK(JsonValue::shortest(2.0).text() == "2");
  CHECK(JsonValue::shortest(100000.0).text() == "1e+05");
  CHECK(JsonValue(std::numeric_limits<std::int64_t>::min()).text() ==
        "-9223372036854775808");
  CHECK(JsonValue(std::numeric_limits<std::uint64_t>::max()).text() ==
        "18446744073709551615");
}

TEST_CASE("JSON has null for missing and infinite numbers") {
  for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    CHECK(JsonValue(value).text() == "null");
    CHECK(JsonValue::shortest(value).text() == "null");
  }
  CHECK(JsonValue(std::optional<int>()).text() == "null");
  CHECK(JsonValue(std::optional<int>(3)).text() == "3");
}

TEST_CASE("JSON strings are escaped and always valid UTF-8") {
  CHECK(JsonValue("plain ~").text() == "\"plain ~\"");
  CHECK(JsonValue("a\"b\\c\n\x01").text() == "\"a\\\"b\\\\c\\n\\u0001\"");
  CHECK(JsonValue("\xc3\xa4").text() == "\"\xc3\xa4\"");
  CHECK(JsonValue("\xff").text() == "\"\xef\xbf\xbd\"");
}

TEST_CASE("names of files lose no byte in JSON") {
  CHECK(JsonValue::of_path("a\xff\xc3\xa4\"").text() == "\"a\\udcff\xc3\xa4\\\"\"");
  const auto read = [](std::string_view json) {
    const std::string kept = without_surrogates(json);
    return path_of(nlohmann::json::parse(kept).get<std::string>());
  };
  Rng rng(1);
  for (int run = 0; run < 1000; ++run) {
    std::string path;
    for (std::uint32_t k = rng.below(9); k > 0; --k) {
      path += static_cast<char>(1 + rng.below(255));
    }
    CHECK(read(JsonValue::of_path(path).text()) == path);
  }
  CHECK(read(R"("\\udcff \ud83d\udcbf \uDCFF")") == "\\udcff \xf0\x9f\x92\xbf \xff");
}

TEST_CASE("JSON objects and arrays keep the order in which they were made") {
  CHECK(JsonObject().text() == "{}");
  CHECK(JsonArray().text() == "[]");
  JsonObject object{{"b", 1}, {"a\"", JsonArray{true, "x", JsonValue()}}};
  object.member("list", std::vector<double>{1.0, 0.5});
  object.members({}).members({{"inner", JsonObject{{"k", 0}}}});
  CHECK(object.text() ==
        R"({"b":1,"a\"":[true,"x",null],"list":[1.0,0.5],"inner":{"k":0}})");
  CHECK(JsonValue::of_json("[1]").text() == "[1]");
}

TEST_SUITE_END();
