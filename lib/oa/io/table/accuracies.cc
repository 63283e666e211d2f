#include "oa/base/error.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/table/chart_data.h"
#include "oa/io/table/json_fields-inl.h"

#include <optional>
#include <string>
#include <string_view>

namespace oa::io {
namespace {

std::optional<score::KindAccuracy> accuracy_of(std::string_view line) {
  const nlohmann::json json = parse_shallow(line);
  const auto text_at = [&](const char* name) {
    const nlohmann::json& member = member_of(json, name);
    return member.is_string()
               ? std::optional(printable(member.get_ref<const std::string&>()))
               : std::nullopt;
  };
  const auto attention = text_at("attention");
  const auto share = share_of(member_of(json, "accuracy"));
  const nlohmann::json& sd = member_of(json, "accuracy_sd");
  const auto deviation = share_of(sd);
  if (!attention || !share || (!sd.is_null() && !deviation)) {
    return std::nullopt;
  }
  return score::KindAccuracy{
      text_at("name").value_or(*attention), *attention, *share, deviation};
}

}  // namespace

std::vector<score::KindAccuracy> read_accuracies(Input& input) {
  LineReader lines(input);
  std::vector<score::KindAccuracy> all;
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
