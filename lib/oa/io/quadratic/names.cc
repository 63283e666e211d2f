#include "oa/io/quadratic/names.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"

#include <algorithm>
#include <utility>

namespace oa::io {

std::vector<std::string> names_of_text(const std::vector<std::string>& names,
                                       const std::string& where) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const auto number = parse_index(name);
    const bool plain = number && format(int{*number}) == name;
    all.push_back(plain ? name : JsonValue(name).text());
  }
  return checked_names(std::move(all), where);
}

std::vector<std::string> checked_names(std::vector<std::string> names,
                                       const std::string& where) {
  std::size_t plain = 0;
  while (plain < names.size() && names[plain] == std::to_string(plain)) {
    ++plain;
  }
  if (plain == names.size()) {
    return {};
  }
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    throw InputError(where + ": two variables are called " + twice->substr(0, 40));
  }
  return names;
}

}  // namespace oa::io
