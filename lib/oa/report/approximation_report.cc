#include "oa/report/approximation_report.h"

#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/report/rows.h"

namespace oa::report {
namespace {

/// Larger bounds are meaningless.
std::string error_text(double error) {
  constexpr double kMost = 1000.0;
  return error > kMost ? "> 1000" : format_fixed(error, 4);
}

}  // namespace

std::string approximation_text(const std::vector<ApproximationTable>& tables) {
  std::string text = "Errors relative to softmax attention; topk: of a row's weights\n";
  for (const ApproximationTable& table : tables) {
    text += "\n" + format(table.settings.tokens) + " tokens, head width " +
            format(table.settings.head_width) + ", logits with a deviation of " +
            format(table.settings.spread) + "\nmethod      size    weights      bound" +
            "    outputs\n";
    for (const attention::Approximation& one : table.errors) {
      text += left_aligned(one.method, 10) + right_aligned(format(one.size), 6) +
              right_aligned(error_text(one.weights), 11) +
              right_aligned(one.bound ? error_text(*one.bound) : "-", 11) +
              right_aligned(error_text(one.outputs), 11) + "\n";
    }
  }
  return text;
}

std::string approximation_json(const std::vector<ApproximationTable>& tables) {
  JsonArray all;
  for (const ApproximationTable& table : tables) {
    for (const attention::Approximation& one : table.errors) {
      all.element(JsonObject{{"spread", table.settings.spread},
                             {"tokens", table.settings.tokens},
                             {"head_width", table.settings.head_width},
                             {"method", one.method},
                             {"size", one.size},
                             {"weights", one.weights},
                             {"bound", one.bound},
                             {"outputs", one.outputs}});
    }
  }
  return JsonObject{{"approximations", all}}.text() + "\n";
}

}  // namespace oa::report
