#include "oa/io/machine/single_frame.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/machine/polynomial_json.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/qubo/fixed.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace oa::io {
namespace {

constexpr const char* kSingleFile = "cim.file";
constexpr const char* kFileFormat = "cim.file.format";
constexpr const char* kSense = "cim.sense";
constexpr const char* kVartype = "cim.vartype";
constexpr const char* kNames = "cim.names";
constexpr const char* kOffset = "cim.offset";
constexpr const char* kLinear = "cim.linear";
constexpr const char* kPairs = "cim.pairs";
constexpr const char* kWeights = "cim.weights";
constexpr const char* kGiven = "cim.given";
constexpr const char* kPolynomial = "cim.polynomial";

class SingleReader {
 public:
  SingleReader(const Frame& frame, int variables)
      : frame_(frame),
        variables_(variables) {}

  std::shared_ptr<const machine::Single> read() const {
    auto single = std::make_shared<machine::Single>();
    single->file = text(kSingleFile);
    single->format = text(kFileFormat);
    qubo::Quadratic& f = single->f;
    f = qubo::Quadratic(variables_);
    f.sense = is(kSense, "max", "min") ? qubo::Sense::Max : qubo::Sense::Min;
    f.vartype =
        is(kVartype, "SPIN", "BINARY") ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    const auto offset = numbers(kOffset, 1);
    f.offset = offset[0];
    const auto linear = numbers(kLinear, variables_);
    f.linear.assign(linear.begin(), linear.end());
    add_pairs(f);
    read_names(f);
    if (frame_.data.find(kGiven) != nullptr) {
      read_given(single->given);
    }
    if (frame_.data.metadata.contains(kPolynomial)) {
      qubo::Polynomial p =
          polynomial_of_json(text(kPolynomial), variables_, frame_.where);
      p.sense = f.sense;
      p.vartype = std::exchange(f.vartype, qubo::Vartype::Binary);
      single->model = qubo::model_of(std::move(p));
    }
    return single;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(frame_.where + ": " + what);
  }
  std::string text(const char* key) const {
    const auto found = frame_.data.metadata.find(key);
    if (found == frame_.data.metadata.end()) {
      fail("no '" + std::string(key) + "' beside its single problem");
    }
    return found->second;
  }
  bool is(const char* key, std::string_view yes, std::string_view no) const {
    const std::string value = text(key);
    if (value != yes && value != no) {
      fail("'" + std::string(key) + "' is '" + value.substr(0, 20) + "' (expected " +
           std::string(no) + " or " + std::string(yes) + ")");
    }
    return value == yes;
  }
  std::span<const double> numbers(const char* name, std::int64_t count) const {
    const auto all = frame_.data.get<double>(name, {count}, frame_.where);
    double total = 0.0;
    for (const double number : all) {
      total += std::abs(number);
    }
    if (!(total < kMaxTotal)) {
      fail("'" + std::string(name) + "' adds up to " + format(total) +
           " (expected less than 1e300)");
    }
    return all;
  }
  void add_pairs(qubo::Quadratic& f) const {
    const auto pairs = frame_.data.get<std::int32_t>(kPairs, {-1, 2}, frame_.where);
    const auto weights = numbers(kWeights, std::ssize(pairs) / 2);
    qubo::Terms terms;
    std::vector<qubo::Term> fields;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const qubo::Term term{pairs[2 * k], pairs[2 * k + 1], weights[k]};
      const bool constant =
          term.first == qubo::kConstant && term.second == qubo::kConstant;
      if (!constant &&
          (term.first < 0 || term.first > term.second || term.second >= variables_)) {
        fail("'cim.pairs' has the pair " + format(int{term.first}) + ", " +
             format(int{term.second}) + " of " + format(variables_) + " variables");
      }
      if (constant) {
        f.add_constant(term.weight);
      } else if (term.first == term.second) {
        fields.push_back(term);
      } else {
        terms.push_back(term);
      }
    }
    f.add(terms);
    f.add_linear(fields);
  }
  void read_given(std::vector<std::uint8_t>& given) const {
    const auto all = frame_.data.get<std::uint8_t>(kGiven, {variables_}, frame_.where);
    if (std::ranges::any_of(all, [](std::uint8_t v) { return v > qubo::kFree; })) {
      fail("'cim.given' has other values than 0, 1 and 2");
    }
    given.assign(all.begin(), all.end());
  }
  void read_names(qubo::Quadratic& f) const {
    if (!frame_.data.metadata.contains(kNames)) {
      return;
    }
    const auto shallow =
        [this](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
          if (depth > 64) {
            fail("'cim.names' is nested too deeply");
          }
          return true;
        };
    const auto names = nlohmann::json::parse(text(kNames), shallow, false);
    if (!names.is_array() || std::ssize(names) != variables_) {
      fail("'cim.names' is not a list of " + format(variables_) + " names");
    }
    for (const auto& name : names) {
      f.names.push_back(name.dump());
    }
  }

  const Frame& frame_;
  int variables_;
};

}  // namespace

SingleTensors::SingleTensors(const machine::Single& single) : single_(single) {
  const auto put = [this](const qubo::Term& term) {
    pairs_.push_back(term.first);
    pairs_.push_back(term.second);
    weights_.push_back(term.weight);
  };
  std::ranges::for_each(single.f.terms(), put);
  std::ranges::for_each(single.f.rests(), put);
}

Metadata SingleTensors::metadata() const {
  const qubo::Quadratic& f = single_.f;
  // A function reduced from a model has 0/1 variables, so the model's vartype is used.
  const qubo::Vartype vartype = single_.model ? single_.model->f.vartype : f.vartype;
  Metadata all{{kSingleFile, single_.file},
               {kFileFormat, single_.format},
               {kSense, f.sense == qubo::Sense::Max ? "max" : "min"},
               {kVartype, vartype == qubo::Vartype::Spin ? "SPIN" : "BINARY"}};
  if (!f.names.empty()) {
    JsonArray names;
    for (const std::string& name : f.names) {
      names.element(JsonValue::of_json(name));
    }
    all[kNames] = names.text();
  }
  if (single_.model) {
    all[kPolynomial] = json_of(qubo::polynomial_of(*single_.model));
  }
  return all;
}

std::vector<TensorView> SingleTensors::tensors() const {
  const qubo::Quadratic& f = single_.f;
  const std::int64_t count = std::ssize(weights_);
  std::vector<TensorView> all{
      TensorView::of<double>(kOffset, {1}, std::span(&f.offset, 1)),
      TensorView::of<double>(kLinear, {f.size()}, f.linear),
      TensorView::of<std::int32_t>(kPairs, {count, 2}, pairs_),
      TensorView::of<double>(kWeights, {count}, weights_)};
  if (!single_.given.empty()) {
    all.push_back(TensorView::of<std::uint8_t>(kGiven, {f.size()}, single_.given));
  }
  return all;
}

std::shared_ptr<const machine::Single> read_single(const Frame& frame, int variables) {
  return frame.data.metadata.contains(kSingleFile)
             ? SingleReader(frame, variables).read()
             : nullptr;
}

}  // namespace oa::io
