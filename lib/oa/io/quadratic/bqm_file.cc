#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/tensor/safetensors.h"
#include "oa/io/tensor/tensor_stats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

// D-Wave's BinaryQuadraticModel as a binary file, BinaryQuadraticModel.to_file(),
// versions 1 and 2:
//
//   "DIMODBQM"  major  minor  length of the header, 4 bytes
//   header      JSON, filled up with spaces
//   offset      a bias
//   linear      for each variable the number of its first neighbour, and its bias
//   quadratic   for each variable its neighbours and biases; each pair is there twice
//   "VARS"      length of the labels, 4 bytes; labels as JSON.  Version 2 only.
//
// All numbers are little-endian.

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kBqmMagic = "DIMODBQM";
constexpr std::size_t kMaxBqmHeader = std::size_t{1} << 30;

struct TypeName {
  std::string_view name;
  Dtype dtype;
};
constexpr std::array kBiasTypes{TypeName{"float64", Dtype::F64},
                                TypeName{"float32", Dtype::F32},
                                TypeName{"int8", Dtype::I8},
                                TypeName{"int16", Dtype::I16},
                                TypeName{"int32", Dtype::I32}};
constexpr std::array kIndexTypes{TypeName{"int32", Dtype::I32},
                                 TypeName{"int64", Dtype::I64},
                                 TypeName{"uint16", Dtype::U16},
                                 TypeName{"uint32", Dtype::U32},
                                 TypeName{"uint64", Dtype::U64}};

class BqmFile {
 public:
  explicit BqmFile(Input& input) : input_(input) {}

  qubo::Quadratic read() {
    read_header();
    qubo::Quadratic f(static_cast<int>(variables_));
    f.vartype = text("vartype") == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    if (text("vartype") != "SPIN" && text("vartype") != "BINARY") {
      fail("vartype " + unexpected(text("vartype"), "BINARY or SPIN"));
    }
    const Bytes offset = take(size_of(bias_), "offset");
    f.offset = number(bias_, offset, 0);
    const std::vector<std::int64_t> begins = read_linear(f);
    read_pairs(f, begins);
    read_names(f);
    if (!input_.at_end()) {
      fail("more bytes than its header announces");
    }
    return f;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(input_.name() + ": " + what);
  }

  Bytes take(std::size_t count, const std::string& what) {
    Bytes bytes;
    bytes.read(input_, count);
    if (bytes.size() < count) {
      fail("truncated in its " + what);
    }
    return bytes;
  }
  std::uint32_t length(const std::string& what) {
    return load<std::uint32_t>(take(4, what).span(), 0);
  }
  Json json(std::size_t count, const std::string& what) {
    if (count > kMaxBqmHeader) {
      fail(what + " of over 1 GiB");
    }
    const Bytes bytes = take(count, what);
    const std::string_view words = as_text(bytes.span());
    const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
      if (depth > 64) {
        fail(what + " is nested too deeply");
      }
      return true;
    };
    return Json::parse(words, shallow, false);
  }

  void read_header() {
    (void)take(kBqmMagic.size(), "header");
    const Bytes version = take(2, "header");
    const int major = std::to_integer<int>(version.span()[0]);
    if (major != 1 && major != 2) {
      fail("version " + format(major) + " (this program reads versions 1 and 2)");
    }
    header_ = json(length("header"), "header");
    if (!header_.is_object()) {
      fail("its header is not a JSON object");
    }
    bias_ = type("dtype", kBiasTypes);
    itype_ = type("itype", kIndexTypes);
    ntype_ = type("ntype", kIndexTypes);
    const Json shape = header_.value("shape", Json());
    if (!shape.is_array() || shape.size() != 2 || !shape[0].is_number_unsigned() ||
        !shape[1].is_number_unsigned()) {
      fail("'shape' of its header is not a list of two whole numbers");
    }
    variables_ = shape[0].get<std::uint64_t>();
    pairs_ = shape[1].get<std::uint64_t>();
    if (variables_ < 1 || variables_ > kMaxSparseVariables ||
        pairs_ > std::uint64_t{1} << 40U) {
      fail("a shape of " + std::to_string(variables_) + " variables and " +
           std::to_string(pairs_) + " pairs");
    }
  }

  std::string text(const char* key) const {
    const Json value = header_.value(key, Json());
    if (!value.is_string()) {
      fail("'" + std::string(key) + "' of its header is not a string");
    }
    return value.get<std::string>();
  }
  template <std::size_t N>
  Dtype type(const char* key, const std::array<TypeName, N>& known) const {
    const std::string name = text(key);
    const auto found = std::ranges::find(known, name, &TypeName::name);
    if (found == known.end()) {
      fail("'" + std::string(key) + "' of its header is " +
           unexpected(name, "a type of numbers, such as float64 or int32"));
    }
    return found->dtype;
  }

  double number(Dtype type, const Bytes& bytes, std::size_t from) const {
    const double value = element(type, bytes.span().subspan(from, size_of(type)), 0);
    if (!std::isfinite(value)) {
      fail("a bias that is not finite");
    }
    return value;
  }

  /// Reads linear biases.
  /// Returns the offsets of each variable's neighbours, and the end.
  std::vector<std::int64_t> read_linear(qubo::Quadratic& f) {
    const std::size_t step = size_of(ntype_) + size_of(bias_);
    const Bytes bytes = take(variables_ * step, "linear biases");
    std::vector<std::int64_t> begins;
    for (std::size_t i = 0; i < variables_; ++i) {
      const double begin = number(ntype_, bytes, i * step);
      const double last = begins.empty() ? 0.0 : static_cast<double>(begins.back());
      if (begin < last || begin > static_cast<double>(2 * pairs_) ||
          (begins.empty() && begin != 0.0)) {
        fail("the neighbours of variable " + format(static_cast<std::int64_t>(i)) +
             " begin at " + format(begin));
      }
      begins.push_back(static_cast<std::int64_t>(begin));
      f.linear[i] = number(bias_, bytes, i * step + size_of(ntype_));
    }
    begins.push_back(static_cast<std::int64_t>(2 * pairs_));
    return begins;
  }

  void read_pairs(qubo::Quadratic& f, const std::vector<std::int64_t>& begins) {
    const std::size_t step = size_of(itype_) + size_of(bias_);
    const Bytes bytes = take(2 * pairs_ * step, "quadratic biases");
    qubo::Terms terms;
    terms.reserve(pairs_);
    for (std::size_t i = 0; i < variables_; ++i) {
      for (auto k = static_cast<std::size_t>(begins[i]);
           k < static_cast<std::size_t>(begins[i + 1]);
           ++k) {
        const double other = number(itype_, bytes, k * step);
        if (!(other >= 0.0) || other >= static_cast<double>(variables_) ||
            other == static_cast<double>(i)) {
          fail("the neighbour " + format(other) + " of variable " +
               format(static_cast<std::int64_t>(i)));
        }
        if (other > static_cast<double>(i)) {
          terms.push_back({static_cast<std::int32_t>(i),
                           static_cast<std::int32_t>(other),
                           number(bias_, bytes, k * step + size_of(itype_))});
        }
      }
    }
    if (terms.size() != pairs_) {
      fail(format(std::ssize(terms)) + " pairs from below (expected " +
           std::to_string(pairs_) + ": each is there twice)");
    }
    assemble(f, terms, input_.name(), input_.token());
  }

  void read_names(qubo::Quadratic& f) {
    Json labels = header_.value("variables", Json(false));
    if (labels.is_boolean()) {
      if (!labels.get<bool>()) {
        return;
      }
      const Bytes mark = take(4, "labels");
      if (std::memcmp(mark.data(), "VARS", 4) != 0) {
        fail("no section VARS behind its biases");
      }
      labels = json(length("labels"), "labels");
    }
    if (!labels.is_array() || labels.size() != variables_) {
      fail("its labels are not a list of " + std::to_string(variables_) + " names");
    }
    std::vector<std::string> names;
    for (const Json& label : labels) {
      names.push_back(label.dump());
    }
    f.names = checked_names(std::move(names), input_.name());
  }

  Input& input_;
  Json header_;
  Dtype bias_ = Dtype::F64;
  Dtype itype_ = Dtype::I32;  // type of neighbours
  Dtype ntype_ = Dtype::I32;  // type of neighbours' positions
  std::uint64_t variables_ = 0;
  std::uint64_t pairs_ = 0;
};

}  // namespace

bool looks_like_bqm_file(std::string_view start) {
  return start.starts_with(kBqmMagic);
}

qubo::Quadratic read_bqm_file(Input& input) {
  return BqmFile(input).read();
}

}  // namespace oa::io
