#include "oa/model/config.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

using namespace oa;
using model::Config;

TEST_SUITE_BEGIN("model");

TEST_CASE("a configuration survives its description") {
  Config c;
  c.attention = "softmax";
  c.coefficients = Coefficients::Lasso;
  c.normalization = attention::Normalization::Fifth;
  c.pooling = model::Pooling::Concat;
  c.embedding = model::Embedding::Mlp;
  c.queries = 3;
  c.lambda = 0.1;
  c.divide_output = false;
  CHECK(model::parse_config(describe(c), "test") == c);
}

TEST_CASE("files name the heads of a kind, and old files without them have one") {
  using Fields = std::map<std::string, std::string>;
  Config c;
  c.attention = "gqa,mqa:heads=2,softmax";
  c.layers = 3;
  const Fields written = describe(c);
  CHECK(written.at("oa.attention") == "gqa:heads=4,mqa:heads=2,softmax");
  CHECK(model::heads_of(c, 0) == 4);
  CHECK(model::heads_of(model::parse_config(written, "test"), 0) == 4);
  const Config old = model::parse_config(Fields{{"oa.attention", "gqa"}}, "test");
  CHECK(old.attention == "gqa:heads=1");
  CHECK(model::heads_of(old, 0) == 1);
}

TEST_CASE("no metadata means the reference's model") {
  CHECK(model::parse_config({}, "test") == Config{});
}

TEST_CASE("a description that makes no sense is refused by name") {
  const auto refused = [](const char* key, const char* value) {
    CHECK_THROWS_AS((void)model::parse_config({{key, value}}, "test"), InputError);
  };
  refused("oa.attention", "psychic");
  refused("oa.coefficients", "ternary");
  refused("oa.patch", "5");
  refused("oa.dim", "0");
  refused("oa.dim", "99999999999999999999");
  refused("oa.queries", "-1");
  refused("oa.rows", "65536");
  refused("oa.patch_norm", "yes");
}

TEST_CASE("a model of more numbers than the limit is refused (issue 8)") {
  // Each is within the limit on extents; before there was one on their products, a file
  // of 300 bytes made a reader reserve gigabytes, and 65536^2 was no int.
  using Fields = std::map<std::string, std::string>;
  for (const Fields& fields : {Fields{{"oa.dim", "65536"}, {"oa.classes", "65536"}},
                               Fields{{"oa.layers", "65536"}},
                               Fields{{"oa.rows", "65536"},
                                      {"oa.cols", "65536"},
                                      {"oa.patch", "65536"},
                                      {"oa.stride", "65536"}},
                               Fields{{"oa.rows", "65536"},
                                      {"oa.cols", "65536"},
                                      {"oa.channels", "65536"},
                                      {"oa.patch", "65536"},
                                      {"oa.stride", "65536"}},
                               Fields{{"oa.rows", "256"},
                                      {"oa.cols", "256"},
                                      {"oa.patch", "1"},
                                      {"oa.stride", "1"}}}) {
    const std::string why =
        test::message_of<InputError>([&] { (void)model::parse_config(fields, "f"); });
    CHECK(why.starts_with("f: a model of "));
    CHECK(why.ends_with(" numbers (expected at most 67108864)"));
  }
}

TEST_CASE("checkpoints of the reference are recognised by their tensors") {
  model::Shapes shapes{{"pos_embedding", {1, 50, 16}},
                       {"Wv.0.weight", {64, 16}},
                       {"mlp.net.1.weight", {10, 64}}};
  CHECK(model::infer_config(shapes, "test") == Config{});
  shapes["Wk.0.weight"] = {64, 16};
  CHECK(model::infer_config(shapes, "test").attention == "softmax");
  CHECK(model::infer_config(
            {{"mlp.0.weight", {64, 16}}, {"softmax.1.weight", {10, 64}}}, "test")
            .attention == "mlp");
  CHECK_THROWS_AS((void)model::infer_config({{"J", {49, 49}}}, "test"), InputError);
  shapes["pos_embedding"] = {1, 1LL << 40, 16};
  CHECK_THROWS_AS((void)model::infer_config(shapes, "test"), InputError);
}

TEST_SUITE_END();
