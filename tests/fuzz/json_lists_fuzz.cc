// Lists of numbers cut out of JSON are those that a parser of JSON finds in it.
#include "oa/io/table/json_lists.h"

#include "fuzz/fuzz.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace oa {
namespace {

using Json = nlohmann::json;
using fuzz::require;

constexpr std::array<std::string_view, 2> kKeys = {"a", "b"};

bool is_numbers(const Json& value) {
  return value.is_array() && std::ranges::all_of(value, [](const Json& element) {
           return element.is_number() && std::isfinite(element.get<double>());
         });
}

/// Neither whole text is JSON and the rest not, nor the other way round.
void compare(const std::string& text) {
  std::array<std::optional<std::vector<double>>, 2> lists;
  const std::string rest = io::cut_lists(
      text, kKeys, "fuzz", [&](std::size_t k, std::size_t first, auto numbers) {
        auto& list = lists[k];
        if (!list) {
          list.emplace();
        }
        require(first == list->size());
        list->insert(list->end(), numbers.begin(), numbers.end());
      });
  require(std::ranges::count(text, '\n') == std::ranges::count(rest, '\n'));
  require(Json::accept(text) == Json::accept(rest));
  const Json whole = Json::parse(text, nullptr, false);
  if (!whole.is_object()) {
    return;
  }
  for (std::size_t k = 0; k < kKeys.size(); ++k) {
    const auto found = whole.find(kKeys[k]);
    // A key that is written with escapes, or again as something else, is left alone.
    if (lists[k] && found != whole.end() && is_numbers(*found) &&
        text.find('\\') == std::string::npos) {
      require(found->get<std::vector<double>>() == *lists[k]);
    }
  }
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  const std::string text = text_of(bytes);
  try {
    compare(text);
  } catch (const InputError&) {
    // Refused: not text, not JSON, or a list of these keys that holds something else or
    // is there twice.
    const Json whole = Json::parse(text, nullptr, false);
    if (whole.is_object() &&
        text.find_first_of(std::string("\\\0", 2)) == std::string::npos) {
      const auto twice = [&](const std::string& key) {
        const std::string quoted = "\"" + key + "\"";
        return text.find(quoted) != text.rfind(quoted);
      };
      require(std::ranges::any_of(kKeys, [&](std::string_view key) {
        const auto found = whole.find(key);
        return twice(std::string(key)) ||
               (found != whole.end() && found->is_array() && !is_numbers(*found));
      }));
    }
  }
}

}  // namespace oa
