#include "oa/report/dependence_report.h"

#include "oa/base/json_text.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace oa::report {
namespace {

using attention::Pattern;

/// A character for two queries, one above the other.
std::string_view mark(bool above, bool below) {
  constexpr std::array<std::string_view, 4> kMarks{"·", "▀", "▄", "█"};
  return kMarks.at((above ? 1U : 0U) + (below ? 2U : 0U));
}

std::string drawing(const Pattern& pattern) {
  std::string text;
  for (int q = 0; q < pattern.queries(); q += 2) {
    text += "  ";
    for (int k = 0; k < pattern.keys(); ++k) {
      text += mark(pattern.allows(q, k),
                   q + 1 < pattern.queries() && pattern.allows(q + 1, k));
    }
    text += "\n";
  }
  return text;
}

/// The keys of each query.
JsonArray lists(const Pattern& pattern) {
  JsonArray all;
  for (int q = 0; q < pattern.queries(); ++q) {
    JsonArray keys;
    for (int k = 0; k < pattern.keys(); ++k) {
      if (pattern.allows(q, k)) {
        keys.element(k);
      }
    }
    all.element(keys);
  }
  return all;
}

}  // namespace

std::string dependence_text(const std::vector<Dependence>& all) {
  std::string text;
  for (const Dependence& one : all) {
    text += (text.empty() ? "" : "\n") + one.config + "\n";
    text += one.pattern ? drawing(*one.pattern) : "  " + one.unsupported + "\n";
  }
  return text;
}

std::string dependence_json(const std::vector<Dependence>& all) {
  JsonArray kinds;
  for (const Dependence& one : all) {
    JsonObject object{{"config", one.config}};
    if (one.pattern) {
      object.member("pairs", one.pattern->pairs());
      object.member("sees", lists(*one.pattern));
    } else {
      object.member("unsupported", one.unsupported);
    }
    kinds.element(object);
  }
  return JsonObject{{"kinds", kinds}}.text() + "\n";
}

}  // namespace oa::report
