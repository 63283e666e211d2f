#include "oa/io/table/accuracies.h"

#include "oa/base/error.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/lines.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace oa::io {
namespace {

using AccuracyJson = nlohmann::json;

std::optional<std::string> text_at(const AccuracyJson& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) {
    return std::nullopt;
  }
  return printable(found->get_ref<const std::string&>());
}

/// A number from 0 to 1.
std::optional<double> part_at(const AccuracyJson& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) {
    return std::nullopt;
  }
  const double value = found->get<double>();
  return value >= 0.0 && value <= 1.0 ? std::optional(value) : std::nullopt;
}

std::optional<plot::Accuracy> accuracy_of(std::string_view line) {
  const auto is_flat = [](int depth, AccuracyJson::parse_event_t, AccuracyJson&) {
    constexpr int kMaxDepth = 4;
    return depth <= kMaxDepth;
  };
  const AccuracyJson json = AccuracyJson::parse(line, is_flat, false);
  if (!json.is_object()) {
    return std::nullopt;
  }
  const auto attention = text_at(json, "attention");
  const auto share = part_at(json, "accuracy");
  const auto deviation = part_at(json, "accuracy_sd");
  const auto sd = json.find("accuracy_sd");
  if (!attention || !share || (sd != json.end() && !sd->is_null() && !deviation)) {
    return std::nullopt;
  }
  return plot::Accuracy{
      text_at(json, "name").value_or(*attention), *attention, *share, deviation};
}

}  // namespace

std::vector<plot::Accuracy> read_accuracies(Input& input) {
  LineReader lines(input);
  std::vector<plot::Accuracy> all;
  for (std::string_view line; lines.next(line);) {
    if (Words(line).next().empty()) {
      continue;
    }
    const auto one = accuracy_of(line);
    if (!one) {
      lines.fail(
          "no accuracy (expected an object with attention, a text, and accuracy and "
          "accuracy_sd, numbers from 0 to 1)");
    }
    all.push_back(*one);
  }
  if (all.empty()) {
    throw InputError(input.name() + ": empty (expected accuracies, a line each)");
  }
  return all;
}

}  // namespace oa::io
