#include "oa/io/quadratic/names.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"

#include <nlohmann/json.hpp>

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

std::vector<std::string> cells_of_names(const std::vector<std::string>& names,
                                        const std::string& where) {
  const auto refuse = [&](const std::string& name) {
    throw InputError(where + ": the name " + name.substr(0, 40) +
                     " cannot be kept in a table (--drop-names leaves names out)");
  };
  constexpr std::string_view kRefused = ",\"\r\n";
  constexpr std::string_view kNotAtEnds = " \t'";
  constexpr std::string_view kNotFirst = "#{[";  // first characters of other formats
  std::vector<std::string> cells;
  for (const std::string& name : names) {
    const nlohmann::json json = nlohmann::json::parse(name);
    const std::string cell = json.is_string() ? json.get<std::string>() : json.dump();
    if (cell.empty() || cell.find_first_of(kRefused) != cell.npos ||
        kNotFirst.find(cell.front()) != kNotFirst.npos ||
        kNotAtEnds.find(cell.front()) != kNotAtEnds.npos ||
        kNotAtEnds.find(cell.back()) != kNotAtEnds.npos) {
      refuse(name);
    }
    cells.push_back(cell);
  }
  std::vector<std::string> back = names_of_text(cells, where);
  back.resize(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (back[k] != names[k]) {  // the text "5" would become a number
      refuse(names[k]);
    }
  }
  return cells;
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
