#include "oa/io/quadratic/problem_file.h"

#include "oa/base/error.h"
#include "oa/io/tensor/npy.h"
#include "oa_test.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::io {
namespace {

using enum ProblemFormat;

ProblemFile read(std::string_view text, ProblemFormat format, ProblemSettings s = {}) {
  Input input = Input::memory(test::bytes_of(text), "f");
  return read_problems(input, format, s);
}

qubo::Quadratic one(std::string_view text, ProblemFormat format) {
  ProblemFile file = read(text, format);
  REQUIRE(file.problems.size() == 1);
  return file.problems.front().f;
}

std::string why(std::string_view text, ProblemFormat format) {
  return test::message_of<InputError>([&] { (void)read(text, format); });
}

Detected detect(std::string_view text, const std::string& name) {
  Input input = Input::memory(test::bytes_of(text), name);
  return detect_problem(input);
}

/// The values of a constant are left out of the comparison if `constant` is false.
void check_same(const qubo::Quadratic& a,
                const qubo::Quadratic& b,
                double sign,
                bool constant = true) {
  REQUIRE(a.size() == b.size());
  const auto zero = ref::bits_of(0, a.size());
  const double shift =
      constant ? 0.0 : qubo::energy(a, zero) - sign * qubo::energy(b, zero);
  ref::each_x(a.size(), [&](const auto& x) {
    CHECK(qubo::energy(a, x) == sign * qubo::energy(b, x) + shift);
  });
}

double at(const qubo::Quadratic& f, unsigned bits) {
  return qubo::energy(f, ref::bits_of(bits, f.size()));
}

constexpr std::string_view kBqm =
    R"({"type":"BinaryQuadraticModel","version":{"bqm_schema":"3.0.0"},)"
    R"("num_variables":2,"num_interactions":1,"variable_labels":["a","b"],)"
    R"("variable_type":"SPIN","offset":0.5,"linear_biases":[1,-2],)"
    R"("quadratic_biases":[4e0],"quadratic_head":[0],"quadratic_tail":[1],"info":{}})";

std::string with(std::string_view text, std::string_view old, std::string_view now) {
  std::string changed(text);
  const auto found = changed.find(old);
  REQUIRE(found != std::string::npos);
  return changed.replace(found, old.size(), now);
}

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("qbsolv: couplers count once, comments and blanks are passed over") {
    const auto f =
        one("c hello\n\nccc\np qubo 0 3 2 1\r\n0 0 -1.5e0\n2 2 +2\n\n0 2 4\n", Qubo);
    CHECK(f.size() == 3);
    CHECK(f.sense == qubo::Sense::Min);
    CHECK(at(f, 0b001) == -1.5);
    CHECK(at(f, 0b101) == 4.5);
  }

  TEST_CASE("integers beyond 2^53 are exact in every format of terms, or refused") {
    const auto exact = [](const qubo::Quadratic& f) {
      // f(1, 0) - f(0, 1) of weights 2^53 + 1 and 2^53
      ExactSum difference = qubo::exact_energy(f, ref::bits_of(1, f.size()));
      difference.subtract(qubo::exact_energy(f, ref::bits_of(2, f.size())));
      return difference.value() == 1.0;
    };
    const std::string a = "9007199254740993";
    const std::string b = "9007199254740992";
    CHECK(exact(one("p qubo 0 2 2 0\n0 0 " + a + "\n1 1 " + b + "\n", Qubo)));
    CHECK(exact(one("0 0 " + a + "\n1 1 " + b + "\n", Coo)));
    CHECK(exact(one("2 2\n1 1 " + a + "\n2 2 " + b + "\n", Bq)));
    const std::string mtx = "%%MatrixMarket matrix coordinate integer general\n2 2 2\n";
    CHECK(exact(one(mtx + "1 1 " + a + "\n2 2 " + b + "\n", Mtx)));
    CHECK(exact(one("p hubo binary 2\n0 " + a + "\n1 " + b + "\n", Hubo)));
    CHECK(exact(one("{\"hubo\":[[[0]," + a + "],[[1]," + b + "]]}", Hubo)));
    CHECK(exact(
        one("{\"linear\":{\"0\":" + a + ",\"1\":" + b + "},\"quadratic\":{}}", Bqm)));
    CHECK(exact(one("min\n " + a + " x + " + b + " y\nst\nbinary\n x y\nend\n", Lp)));
    CHECK(exact(one("NAME p\nROWS\n N c\nCOLUMNS\n x c " + a + "\n y c " + b +
                        "\nBOUNDS\n BV b x\n BV b y\nENDATA\n",
                    Mps)));
    CHECK(why("min\n x\nst\n c: " + a + " x <= 1\nbinary\n x\nend\n", Lp)
              .starts_with("f:4: '" + a + "' (expected a whole number below 2^53"));
    CHECK(
        why("{\"hubo\":[[[0],1]],\"constraints\":[{\"linear\":{\"0\":1},\"relation\":"
            "\"<=\",\"right\":" +
                a + "}]}",
            Hubo)
            .starts_with("f: constraints[0] has a whole number that no double holds"));
    CHECK(why(a + ",0\n0," + b + "\n", Csv).starts_with("f:1: cell 1 is '" + a + "'"));
    CHECK(why("{\"hubo\":[[[0],123456789012345678901]]}", Hubo)
              .starts_with("f: the whole number 123456789012345678901"));
    CHECK(why(with(kBqm, "[1,", "[9007199254740993,"), Bqm)
              .find("linear_biases[0] has too many digits") != std::string::npos);
  }
  TEST_CASE("a file that counts from 1 where its format counts from 0 is noticed") {
    CHECK(read("1 2 -1\n2 2 1\n", Coo).first_unused);
    CHECK(read("p qubo 0 3 1 1\n1 1 -1\n1 2 1\n", Qubo).first_unused);
    CHECK(read("p hubo binary 3\n1 2 -1\n", Hubo).first_unused);
    CHECK_FALSE(read("0 0 0\n1 2 -1\n", Coo).first_unused);
    CHECK_FALSE(read("p hubo binary 3\n0 2 -1\n", Hubo).first_unused);
    CHECK_FALSE(read("2 1\n1 2 3\n", Gset).first_unused);
  }
  TEST_CASE("Gset: the cut is maximised, with edges in any order") {
    const auto f = one("3 3 \n1 2 1 \n3\t2 5\n1 2 1\n", Gset);
    CHECK(f.vartype == qubo::Vartype::Spin);
    CHECK(f.sense == qubo::Sense::Max);
    CHECK(at(f, 0b000) == 0.0);
    CHECK(at(f, 0b111) == 0.0);
    CHECK(at(f, 0b001) == 2.0);
    CHECK(at(f, 0b010) == 7.0);
  }

  TEST_CASE("BiqMac and OR-Library: entries off the diagonal count twice") {
    const auto f = one("2 2\n1 1 -3\n1 2 2\n", Biqmac);
    CHECK(f.sense == qubo::Sense::Min);
    CHECK(at(f, 0b11) == 1.0);
    const ProblemFile file = read("2\n2 1\n1 2 2\n1 1\n1 1 7\n", Orlib);
    REQUIRE(file.problems.size() == 2);
    CHECK(file.problems[0].f.sense == qubo::Sense::Max);
    CHECK(at(file.problems[0].f, 0b11) == 4.0);
    CHECK(at(file.problems[1].f, 0b1) == 7.0);
  }

  TEST_CASE("Bonn: entries of a matrix count once, wherever they are") {
    const auto f = one("# Q\n2 3\n1 1 -3\n1 2 2\n2 1 4\n", Bq);
    CHECK(f.sense == qubo::Sense::Min);
    CHECK(f.vartype == qubo::Vartype::Binary);
    CHECK(at(f, 0b01) == -3.0);
    CHECK(at(f, 0b11) == 3.0);
    CHECK(why("2 1\n1 2\n", Bq) == "f:2: the weight '' (expected a finite number)");
    CHECK(why("2 0\n1 2 1\n", Bq) == "f:2: more entries than announced");
  }

  TEST_CASE("Gset: edges without weights weigh 1, all of them") {
    const auto f = one("3 2\n1 2\n3 2 \n", Gset);
    CHECK(at(f, 0b010) == 2.0);
    CHECK(at(f, 0b001) == 1.0);
    CHECK(why("3 2\n1 2 5\n2 3\n", Gset) ==
          "f:3: the weight '' (expected a finite number)");
    CHECK(why("3 2\n1 2\n2 3 1\n", Gset) ==
          "f:3: the weight '1' (expected none: the first edge has none)");
  }

  TEST_CASE("any line end and a byte order mark, in every format of text") {
    const auto f = one("3 3\n1 2 1\n2 3 -2\n1 3 4\n", Gset);
    for (const ProblemFormatInfo& to : problem_formats()) {
      if (to.format == Npy || !to.written) {
        continue;
      }
      CAPTURE(to.name);
      const std::string text = test::written(
          [&](Output& output) { write_quadratic(output, f, to.format, "f"); });
      for (const std::string_view end : {"\n", "\r\n", "\r"}) {
        std::string other = "\xef\xbb\xbf";
        for (const char c : text) {
          other += c == '\n' ? end : std::string_view(&c, 1);
        }
        CAPTURE(other);
        const auto formats = detect(other, "x").formats;
        // A matrix is one of Kaiwu only if the user says it.
        CHECK((to.format == Kaiwu ||
               std::ranges::find(formats, to.format) != formats.end()));
        const auto back = one(other, to.format);
        check_same(back, f, back.sense == f.sense ? 1.0 : -1.0, to.format != Kaiwu);
      }
    }
    CHECK(why("2 2\r1 2 1\r1 2 x\r", Gset) ==
          "f:3: the weight 'x' (expected a finite number)");
    CHECK(why("1,2\r\n3\r\n", Csv) == "f:2: 1 cell in row 2 (expected 2 x 2)");
    CHECK(why("1,2\r3\r", Csv) == "f:2: 1 cell in row 2 (expected 2 x 2)");
  }

  TEST_CASE("matrices: both triangles add up") {
    for (const char* text : {"1,4\n0,2\n", "1,0\r\n4,2\r\n", "1 , 2\n\n2,2"}) {
      const auto f = one(text, Csv);
      CHECK(at(f, 0b01) == 1.0);
      CHECK(at(f, 0b11) == 7.0);
    }
    const std::string banner = "%%MatrixMarket matrix coordinate real ";
    CHECK(at(one(banner + "general\n% c\n2 2 3\n1 1 1\n1 2 4\n2 2 2\n", Mtx), 3) ==
          7.0);
    CHECK(at(one(banner + "symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 2\n", Mtx), 3) == 7.0);
    const std::string array = "%%MatrixMarket matrix array integer ";
    CHECK(at(one(array + "general\n2 2\n1\n4\n0\n2\n", Mtx), 3) == 7.0);
    CHECK(at(one(array + "symmetric\n2 2\n1\n2\n2\n", Mtx), 3) == 7.0);
    const std::vector<float> values{1.0F, 4.0F, 0.0F, 2.0F};
    const std::string npy = test::written([&](Output& output) {
      write_npy(output, Dtype::F32, {2, 2}, std::as_bytes(std::span(values)));
    });
    CHECK(at(one(npy, Npy), 3) == 7.0);
  }

  TEST_CASE("arrays of any number type are read, if each number is a double") {
    const auto array = [](Dtype dtype, auto low, auto high) {
      const std::vector values{low, high, low, high};
      return test::written([&](Output& output) {
        write_npy(output, dtype, {2, 2}, std::as_bytes(std::span(values)));
      });
    };
    const auto adds_up = [&](Dtype dtype, auto low, auto high) {
      CHECK(at(one(array(dtype, low, high), Npy), 3) ==
            2.0 * (static_cast<double>(low) + static_cast<double>(high)));
    };
    adds_up(Dtype::U8, std::uint8_t{3}, std::uint8_t{255});
    adds_up(Dtype::I8, std::int8_t{-128}, std::int8_t{127});
    adds_up(Dtype::U16, std::uint16_t{1}, std::uint16_t{65535});
    adds_up(Dtype::I16, std::int16_t{-32768}, std::int16_t{32767});
    adds_up(Dtype::U32, std::uint32_t{1}, ~std::uint32_t{0});
    adds_up(Dtype::I32, std::int32_t{-7}, std::int32_t{2147483647});
    adds_up(Dtype::U64, std::uint64_t{1}, std::uint64_t{1} << 52);
    adds_up(Dtype::I64, std::int64_t{-1}, -(std::int64_t{1} << 52));
    adds_up(Dtype::F64, -0.5, 1e10);
    const std::string many =
        array(Dtype::I64, std::int64_t{1}, (std::int64_t{1} << 53) + 1);
    CHECK(why(many, Npy) ==
          "f: the element 9007199254740993 (expected at most 2^53 in magnitude)");
    const std::string unsigned_many =
        array(Dtype::U64, std::uint64_t{1}, ~std::uint64_t{0});
    CHECK(why(unsigned_many, Npy) ==
          "f: the element 18446744073709551615 (expected at most 2^53 in magnitude)");
    CHECK(why(array(Dtype::F64, 1.0, HUGE_VAL), Npy) ==
          "f: element (0,1) is not finite");
    const auto halves = [&](unsigned low, unsigned high) {
      return array(Dtype::F16,
                   static_cast<std::uint16_t>(low),
                   static_cast<std::uint16_t>(high));
    };
    CHECK(at(one(halves(0x3C00, 0xC100), Npy), 3) == 2.0 * (1.0 - 2.5));
    CHECK(at(one(halves(0x7BFF, 0x8000), Npy), 3) == 2.0 * 65504.0);
    CHECK(at(one(halves(0x0001, 0x83FF), Npy), 3) == -1022 * std::ldexp(1.0, -23));
    CHECK(why(halves(0x3C00, 0xFC00), Npy) == "f: element (0,1) is not finite");
    CHECK(why(halves(0x7C01, 0x3C00), Npy) == "f: element (0,0) is not finite");
    const std::vector<double> two{1.0, 2.0};
    const std::string row = test::written([&](Output& output) {
      write_npy(output, Dtype::F64, {1, 2}, std::as_bytes(std::span(two)));
    });
    CHECK(why(row, Npy) == "f: an array of shape (1,2) (expected a square matrix)");
    const std::vector<double> none;
    const std::string flat = test::written([&](Output& output) {
      write_npy(output, Dtype::F64, {0, 0}, std::as_bytes(std::span(none)));
    });
    CHECK(why(flat, Npy) == "f: 0 variables (expected 1 to 32,768)");
  }

  TEST_CASE("long lines are read, and those without end are refused") {
    const std::string blanks(1'000'000, ' ');
    CHECK(at(one("2 1\n1 2" + blanks + "5\n", Gset), 0b01) == 5.0);
    CHECK(why("2 1\n" + std::string(std::size_t{1} << 25, '1'), Gset) ==
          "f:2: a line of over 16 MiB");
  }

  TEST_CASE("COO: the vartype is the file's, or open") {
    const auto f = one("# vartype=SPIN\n0 0 1\n0 1 -1.5e1\n", Coo);
    CHECK(f.vartype == qubo::Vartype::Spin);
    CHECK(at(f, 0b11) == -14.0);
    CHECK(at(f, 0b00) == -16.0);
    CHECK(read("0 1 2\n", Coo).vartype_open);
    CHECK_FALSE(read("# vartype=BINARY\n0 1 2\n", Coo).vartype_open);
    ProblemSettings spins;
    spins.vartype = qubo::Vartype::Spin;
    CHECK(at(read("0 1 2\n", Coo, spins).problems[0].f, 0b01) == -2.0);
  }

  TEST_CASE("BQM: offset and names are kept") {
    const auto f = one(kBqm, Bqm);
    CHECK(f.names == std::vector<std::string>{"\"a\"", "\"b\""});
    CHECK(at(f, 0b11) == 3.5);
    CHECK(at(f, 0b01) == -0.5);
  }

  TEST_CASE("malformed input is refused with its line and the reason") {
    CHECK(why("p qubo 0 2 1 0\n0 0 x\n", Qubo) ==
          "f:2: the weight 'x' (expected a finite number)");
    CHECK(why("p qubo 0 2 1 0\n2 2 1\n", Qubo) ==
          "f:2: the variable '2' (expected a whole number from 0 to 1)");
    CHECK(why("p qubo 0 2 0 1\n1 0 1\n", Qubo) ==
          "f:2: a coupler below the diagonal (expected i < j)");
    CHECK(why("p qubo 0 2 0 0\n0 0 1\n", Qubo) ==
          "f:2: more than the 0 nodes announced");
    CHECK(why("0 0 1\n", Qubo) ==
          "f:1: no line 'p qubo 0 n nodes couplers' before the first term");
    CHECK(why("p qubo 0 999999999999 0 0\n", Qubo) ==
          "f:1: '999999999999' (expected a whole number from 1 to 10000000)");
    CHECK(why("2 1\n1 2 1 9\n", Gset) == "f:2: '9' (expected the end of the line)");
    CHECK(why("2 2\n1 2 1\n", Gset) == "f:2: truncated: 1 terms of 2");
    CHECK(why("2 1\n1 2 1\n1 2 1\n", Gset) == "f:3: more edges than announced");
    CHECK(why("2 1\n1 2 1e999\n", Gset) ==
          "f:2: the weight '1e999' (expected a finite number)");
    CHECK(why("2\n1 0\n", Orlib) == "f:2: truncated: 1 problems of 2");
    CHECK(why("1,2\n3,4\n5,6\n", Csv) == "f:3: 2 cells in row 3 (expected 2 x 2)");
    CHECK(why("1,2\n", Csv) == "f: 1 row of 2 cells (expected a square matrix)");
    CHECK(why("1,nan\n3,4\n", Csv) ==
          "f:1: cell 2 is 'nan' (expected a finite number)");
    CHECK(why("1,\n3,4\n", Csv) == "f:1: cell 2 is '' (expected a finite number)");
    CHECK(why("1e300\n", Csv) ==
          "f: weights add up to 1e+300 (expected less than 1e300)");
    CHECK(why("0 -1 2\n", Coo).starts_with("f:1: the variable '-1'"));
    const std::string banner = "%%MatrixMarket matrix coordinate ";
    CHECK(why(banner + "complex general\n", Mtx) ==
          "f:1: elements of type 'complex' (expected real, integer or pattern)");
    CHECK(why(banner + "real symmetric\n2 2 1\n1 2 1\n", Mtx)
              .starts_with("f:3: an entry"));
    CHECK(why(banner + "real general\n2 3 1\n", Mtx) ==
          "f:2: 2 x 3 (expected a square matrix)");
    CHECK(why(banner + "real general\n0 0 0\n", Mtx) ==
          "f:2: 0 variables (expected 1 to 10,000,000)");
    CHECK(why(banner + "real general\n2 2 1\n1 1 1\n2 2 1\n", Mtx) ==
          "f:4: more than the 1 entries announced");
    CHECK(why(banner + "real symmetric\n2 2 1\n2 1 1e308\n", Mtx) ==
          "f:3: twice this weight is too large");
    CHECK(why(with(kBqm, "SPIN", "TRIT"), Bqm) ==
          "f: variable_type 'TRIT' (expected BINARY or SPIN)");
    CHECK(why(with(kBqm, "[1,-2]", "[1]"), Bqm).starts_with("f: num_variables"));
    CHECK(why(with(kBqm, "\"b\"]", "\"a\"]"), Bqm) ==
          "f: variable_labels has \"a\" twice");
    CHECK(why(with(kBqm, "head\":[0]", "head\":[2]"), Bqm)
              .starts_with("f: quadratic_head[0] is not a variable"));
    CHECK(why(with(kBqm, "\"info\":{}", "\"use_bytes\":true"), Bqm) ==
          "f: its numbers are packed as bytes (expected lists)");
    CHECK(why(with(kBqm, "0.5", "null"), Bqm) == "f: offset is not a finite number");
    CHECK(why(with(kBqm, "\"SPIN\"", "7"), Bqm) ==
          "f: 'variable_type' is not a string");
    CHECK(why(with(kBqm, "[1,-2]", "{}"), Bqm) == "f: 'linear_biases' is not a list");
    CHECK(why(with(kBqm, "[1,-2]", "[1,true]"), Bqm) ==
          "f:1: linear_biases[1] is not a finite number");
    CHECK(why(with(kBqm, "[4e0]", "[4,4]"), Bqm) ==
          "f: quadratic_biases, quadratic_head and quadratic_tail differ in length");
    CHECK(why(with(kBqm, "tail\":[1]", "tail\":[0]"), Bqm) ==
          "f: quadratic_head[0] couples a variable to itself");
    CHECK(why(with(kBqm, "[\"a\",\"b\"]", "[\"a\"]"), Bqm) ==
          "f: variable_labels is not a list of num_variables elements");
    CHECK(why(with(kBqm, "\"3.0.0\"", "\"2.0\""), Bqm) ==
          "f: no version with bqm_schema 3.0.0");
    CHECK(why(with(kBqm, "tail\":[1]", "tail\":[0.5]"), Bqm)
              .starts_with("f: quadratic_tail[0] is not a variable"));
    CHECK(why(with(kBqm, "_tail\"", "_nose\""), Bqm) ==
          "f: no member 'quadratic_tail'");
    CHECK(why(with(kBqm, "\"info\":{}", "\"quadratic_head\":1"), Bqm) ==
          "f: 'quadratic_head' is not a list");
    CHECK(why("{\n\"type\":\n", Bqm) == "f:3: not JSON from here on");
    CHECK(why("{\"quadratic_head\":[\n1,\n2],\n?", Bqm) ==
          "f:4: not JSON from here on");
    CHECK(why(test::repeated("[", 100000), Bqm).ends_with("nested too deeply"));
    CHECK(why(std::string(kBqm) + '\0', Bqm) == "f: not text (it holds a NUL byte)");
    CHECK(why(std::string("1 2\0 3", 6), Gset) == "f: not text (it holds a NUL byte)");
  }

  TEST_CASE("the content decides the format, then the name") {
    const auto formats = [](std::string_view text, const std::string& name) {
      return detect(text, name).formats;
    };
    using List = std::vector<ProblemFormat>;
    const std::string_view graph = "3 2 \n1 2 1\n2 3 1\n";
    CHECK(formats(graph, "x") == List{Gset, Biqmac, Bq});
    CHECK(formats(graph, "x.txt") == List{Gset, Biqmac, Bq});
    CHECK(formats(graph, "dir/G22.txt") == List{Gset});
    CHECK(formats(graph, "x.rud") == List{Gset});
    CHECK(formats(graph, "x.sparse.gz") == List{Biqmac});
    CHECK(formats(graph, "x.bq") == List{Bq});
    const std::string_view diagonal = "3 2\n1 2 1\n2 2 1";
    CHECK(formats(diagonal, "G1.txt") == List{Biqmac, Bq});
    CHECK(formats(diagonal, "x.sparse") == List{Biqmac});
    CHECK(formats(diagonal, "x.bq") == List{Bq});
    CHECK(formats("3 2\n1 2\n2 3\n", "x") == List{Gset});
    CHECK(formats(graph, "x.qs.xz") == List{Qs});
    CHECK(formats("# by Zimpl\n# ObjectiveOffset 0\n" + std::string(graph), "x.bq") ==
          List{Qs});
    CHECK(formats("1\n3 1\n1 2 1\n", "x") == List{Orlib});
    CHECK(formats("c x\np qubo 0 1 0 0\n", "x") == List{Qubo});
    CHECK(formats("0 1 5\n", "x") == List{Coo});
    CHECK(formats("# vartype=SPIN\n0 1 5\n", "x.csv") == List{Coo});
    CHECK(formats("1,2\n3,4\n", "x") == List{Csv});
    CHECK(formats("7\n", "x") == List{Csv});
    CHECK(formats("%%MatrixMarket matrix array real general\n", "x") == List{Mtx});
    CHECK(formats(kBqm, "x") == List{Bqm});
    CHECK(test::message_of<InputError>([&] { (void)detect("", "x"); }) ==
          "x: empty file (expected a problem or a stream)");
    CHECK(detect(std::string_view("\x10\0\0\0\0\0\0\0{\"a\"", 12), "x").stream);
    CHECK(test::message_of<InputError>([&] {
            (void)detect("hello world\n", "x");
          }).starts_with("x:1: neither a stream nor a problem"));
  }

  TEST_CASE("a file of Zimpl counts pairs twice and has an offset") {
    const std::string text =
        "# maximize obj: x[1];\n# ObjectiveOffset 0.5\n\n3 4\n"
        "1 1 -3\n1 2 2\n1 2 1\n3 3 4\n";
    const qubo::Quadratic f = one(text, Qs);
    const auto value = [&](std::vector<std::uint8_t> x) { return qubo::energy(f, x); };
    CHECK(value({0, 0, 0}) == 0.5);
    CHECK(value({1, 1, 0}) == 3.5);
    CHECK(value({1, 0, 1}) == 1.5);
    CHECK(f.sense == qubo::Sense::Min);
    for (const ProblemFormat other : {Bq, Biqmac, Gset}) {
      CHECK(why(text, other) == "f:2: an ObjectiveOffset (expected the format qs)");
    }
    CHECK(why("# ObjectiveOffset 1\n# ObjectiveOffset 1\n1 0\n", Qs) ==
          "f:2: a second ObjectiveOffset");
    CHECK(why("# ObjectiveOffset 1 2\n1 0\n", Qs) ==
          "f:1: '2' (expected the end of the line)");
    CHECK(why("# ObjectiveOffset 1\n", Qs) == "f: no line 'n entries'");
    CHECK(why("2 1\n1 2 1\n2 2 1\n", Qs) == "f:3: more entries than announced");
  }

  TEST_CASE("a polynomial without a sense takes that of the user") {
    const ProblemSettings max{.sense = qubo::Sense::Max, .vartype = {}, .graph = {}};
    CHECK(read("p hubo binary 1\n0 2\n", Hubo, max).problems[0].f.sense ==
          qubo::Sense::Max);
    CHECK(read("{\"hubo\":{\"0\":1}}", Hubo, max).problems[0].f.sense ==
          qubo::Sense::Max);
    CHECK(test::message_of<InputError>([&] {
            (void)read(R"({"hubo":{"0":1},"sense":"min"})", Hubo, max);
          }) == "f: the file says min, --sense says max");
  }

  TEST_CASE("graphs, clauses and pseudo-Boolean problems are known by their content") {
    const auto format = [](std::string_view text, const std::string& name = "x") {
      const auto all = detect(text, name).formats;
      return all.size() == 1 ? std::string(info(all.front()).name) : "?";
    };
    CHECK(format("c a graph\np edge 2 1\ne 1 2\n") == "dimacs");
    CHECK(format("p col 2 1\ne 1 2\n", "x.txt") == "dimacs");
    CHECK(format("c a, b\np cnf 1 1\n1 0\n") == "cnf");
    CHECK(format("p wcnf 1 1 5\n1 1 0\n") == "cnf");
    CHECK(format("c old\nh 1 2 0\n1 -1 0\n") == "cnf");
    CHECK(format("1 1 2 0\n1 -1 0\n", "x.wcnf") == "cnf");
    CHECK(format("* #variable= 1\nmin: +1 x1;\n") == "opb");
    CHECK(format("+1 x1 +2 ~x2 >= 1 ;\n") == "opb");
    CHECK(format("soft: 6 ;\n[2] +1 x1 >= 1 ;\n") == "opb");
    CHECK(format("Minimize\n obj: x\n") == "lp");
    CHECK(format("* a comment\nNAME t\nROWS\n N f\n") == "mps");
  }

  TEST_CASE("JSON lines are recognised by their brackets or by the file's name") {
    const std::string line = R"({"linear":{"0":1},"quadratic":{}})";
    const auto formats = [](const std::string& text, const std::string& name = "f") {
      return detect(text, name).formats;
    };
    const std::vector<ProblemFormat> lines{Jsonl};
    CHECK(formats(line + "\n" + line) == lines);
    CHECK(formats("\xef\xbb\xbf\n" + line + " \r\n\r\n " + line) == lines);
    CHECK(formats(R"({"hubo":[[[0],1]]})"
                  "\n" +
                  line) == lines);
    CHECK(formats(line + std::string(200'000, ' ') + "\n" + line) == lines);
    CHECK(formats(line + "\n\n") == std::vector{Bqm});
    CHECK(formats(line, "f.jsonl") == lines);
    CHECK(formats("x\n" + line, "f.jsonl") == lines);
    CHECK(formats(line, "f.json") == std::vector{Bqm});
    CHECK(formats("{\"linear\":\n{\"0\":1}}") == std::vector{Bqm});
    CHECK(formats("{\"linear\":{\"0\":1},\n\"quadratic\":{}}") == std::vector{Bqm});
  }

  TEST_CASE("JSON lines hold a problem each; a message names the line") {
    const std::string line = R"({"linear":{"0":1},"quadratic":{}})";
    const ProblemFile file = read("\n" + line + "\n\n  " + line + "\n", Jsonl);
    REQUIRE(file.problems.size() == 2);
    CHECK(file.vartype_open);
    check_same(file.problems[0].f, file.problems[1].f, 1.0);
    CHECK(read(line, Jsonl, {.sense = qubo::Sense::Max, .vartype = {}})
              .problems[0]
              .f.sense == qubo::Sense::Max);
    CHECK(why(line + "\nx", Jsonl) ==
          "f:2: not JSON (expected a problem as JSON in each line)");
    CHECK(why("\n\n", Jsonl) == "f: no line with a problem");
    CHECK(why(R"({"hubo":[[[0,1,2],1]]})", Jsonl) ==
          "f:1: a polynomial or constraints (expected a quadratic function)");
  }

  TEST_CASE("values that a format can store are read back equal") {
    int kept = 0;
    test::each_fork(Rng(31), 200, [&](Rng& rng) {
      auto f = ref::random_quadratic(rng, 1 + test::below(rng, 7));
      for (const ProblemFormatInfo& to : problem_formats()) {
        CAPTURE(to.name);
        std::string bytes;
        try {
          bytes = test::written(
              [&](Output& output) { write_quadratic(output, f, to.format, "f"); });
        } catch (const InputError&) {
          CHECK(to.format != Bqm);  // which keeps everything
          continue;
        }
        ++kept;
        const auto back = one(bytes, to.format);
        CHECK(back.sense == to.sense);
        check_same(back, f, back.sense == f.sense ? 1.0 : -1.0, to.format != Kaiwu);
      }
    });
    CHECK(kept > 400);
    auto named = one(kBqm, Bqm);
    const std::string bytes = test::written(
        [&](Output& output) { write_quadratic(output, named, Bqm, "f"); });
    CHECK(one(bytes, Bqm).names == named.names);
    CHECK(test::message_of<InputError>([&] {
            (void)test::written(
                [&](Output& output) { write_quadratic(output, named, Coo, "f"); });
          }) ==
          "f: names of variables cannot be kept in a file of coo (--drop-names leaves "
          "them out)");
  }

  TEST_CASE("a problem with names of some variables only is not written") {
    auto f = one(kBqm, Bqm);
    f.names.pop_back();
    for (const ProblemFormat to : {Bqm, Csv, Coo}) {
      CHECK(test::message_of<InputError>([&] {
              (void)test::written(
                  [&](Output& output) { write_quadratic(output, f, to, "f"); });
            }).starts_with("f: "));
    }
  }

  TEST_CASE("bqm keeps pairs whose sum is not a double") {
    qubo::Quadratic f(2);
    f.add(qubo::Terms{{0, 1, 1.0}, {0, 1, 1e-20}});
    REQUIRE(f.rests().size() == 1);
    const auto bytes =
        test::written([&](Output& output) { write_quadratic(output, f, Bqm, "f"); });
    check_same(one(bytes, Bqm), f, 1.0);
    CHECK(one(bytes, Bqm).rests().size() == 1);
    f.add_linear(qubo::Terms{{0, 0, 1.0}, {0, 0, 1e-20}});
    CHECK(test::message_of<InputError>([&] {
            (void)test::written(
                [&](Output& output) { write_quadratic(output, f, Bqm, "f"); });
          }) ==
          "f: a sum of linear weights or constants that no double holds cannot be kept "
          "in a file of bqm");
  }

  TEST_CASE("three numbers a line are terms, a matrix, or asked for") {
    const auto formats = [](std::string_view text, const std::string& name) {
      return detect(text, name).formats;
    };
    using List = std::vector<ProblemFormat>;
    const std::string_view both = "0 1 15\n1 2 -11\n2 2 -1.5\n";
    const std::string_view commas = "0,1,15\n1,2,-11\n2,2,-1.5\n";
    for (const char* name : {"x", "x.txt", "x.csv"}) {
      CHECK(formats(both, name) == List{Coo, Txt});
      CHECK(formats(commas, name) == List{Coo, Csv});
    }
    CHECK(formats(both, "x.coo") == List{Coo});
    CHECK(formats("0 1 15\n1 2 -11\n2 -2 -1.5\n", "x.txt") == List{Txt});
    CHECK(formats("0 1 15\n1 2 -11\n2 2 -1.5\n0 2 1\n", "x.txt") == List{Coo});
    CHECK(formats("a,b,c\n0,1,15\n1,2,-11\n2,2,-1.5\n", "x") == List{Coo, Csv});
    CHECK(formats("a,b,c\n0,1,15\n1,2,-11\n2,-1,-1.5\n", "x") == List{Csv});
    CHECK(formats("0,1,15\n1,2,-11\n2,2,-1.5\n0,3,1\n1,3,1\n", "x.csv") == List{Coo});
    CHECK(formats("0,0.5,15\n1,2,-11\n2,2,-1.5\n", "x.csv") == List{Csv});
    CHECK(formats("2 1\n1 2\n", "x.txt") == List{Gset, Txt});
    CHECK(formats("2 7\n1 2\n", "x.txt") == List{Txt});
    CHECK(at(one(commas, Coo), 0b110) == at(one(both, Coo), 0b110));
  }

  TEST_CASE("names are written to a table and read again, or refused") {
    const auto table = [](std::vector<std::string> names) {
      qubo::Quadratic f(static_cast<int>(names.size()));
      f.linear.back() = 2.0;
      f.names = std::move(names);
      return test::written(
          [&](Output& output) { write_quadratic(output, f, Csv, "f"); });
    };
    using Names = std::vector<std::string>;
    for (const Names& names : {Names{"\"a\"", "\"b c\""},
                               Names{"\"a\"", "7"},
                               Names{"7", "3", "0"},
                               Names{"\"alone\""}}) {
      const auto back = one(table(names), Csv);
      CHECK(back.names == names);
      CHECK(back.linear.back() == 2.0);
    }
    for (const char* name :
         {"\"a,b\"", "\"\"", "\" a\"", "\"5\"", "[1]", "\"#a\"", "\"a\\nb\""}) {
      CHECK(test::message_of<InputError>([&] {
              (void)table({name, "\"other\""});
            }).starts_with("f: the name "));
    }
  }

  TEST_CASE("dictionaries and nested lists of other programs") {
    const auto spins = one(R"({"h":{"a":1},"J":{"a,b":-2},"offset":0.5})", Bqm);
    CHECK(spins.vartype == qubo::Vartype::Spin);
    CHECK(at(spins, 0b11) == -0.5);
    constexpr std::array kSame{R"({"Q":{"a,a":1,"a,b":-2}})",
                               R"~({"('a','a')":1,"('a', 'b')":-2})~",
                               R"~({"Q":{"(a, a)":1,"a b":-2}})~",
                               R"({"Q":{"a":{"a":1,"b":-2}}})",
                               R"({"Q":[["a","a",1],["a","b",-2]]})",
                               R"({"Q":[[1,-1],[-1,0]],"vartype":"BINARY"})",
                               "[[1,-2],[0,0]]"};
    for (const char* text : kSame) {
      CAPTURE(text);
      const auto f = one(text, Bqm);
      CHECK(f.vartype == qubo::Vartype::Binary);
      CHECK(at(f, 0b01) == 1.0);
      CHECK(at(f, 0b11) == -1.0);
    }
    CHECK(why(R"({"a":1})", Bqm).starts_with("f: JSON, but not a problem (expected "));
    CHECK(
        why(R"({"energy":1,"x":[0]})", Bqm).starts_with("f: a result, not a problem"));
    CHECK(why(R"({"Q":{}} {"Q":{}})", Bqm) ==
          "f:1: two problems in one file (expected one JSON document)");
  }
}

}  // namespace oa::io
