#include "survey/bench/kernel_report.h"

#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/report/rows.h"

#include <array>
#include <charconv>

namespace oa::report {
namespace {

/// Formats an error bound; above a limit it is meaningless.
std::string error_text(double error) {
  constexpr double kMax = 1000.0;
  return error > kMax ? "> 1000" : format_fixed(error, 4);
}

constexpr std::size_t kErrorColumns = 10;

/// Formats "2.3e-07".
std::string powered(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(
      text.data(), text.data() + text.size(), value, std::chars_format::scientific, 1);
  return {text.data(), end.ptr};
}

std::string error_column(double error) {
  return right_aligned(powered(error), kErrorColumns);
}

std::string name_columns(const attention::Exponential& one) {
  return left_aligned(one.method, 8) + right_aligned(format(one.size), 6);
}

/// Formats the table of uses begin .. end-1, which have one number of tokens.
std::string use_text(const std::vector<attention::Exponential>& all,
                     std::size_t begin,
                     std::size_t end) {
  const std::vector<attention::ExponentialUse>& uses = all.front().uses;
  std::string text =
      "\n" + format_grouped(uses[begin].tokens) + " keys\ndeviation     ";
  std::string names = "method    size";
  for (std::size_t use = begin; use < end; ++use) {
    text += right_aligned(format(uses[use].spread), 2 * kErrorColumns);
    names +=
        right_aligned("sums", kErrorColumns) + right_aligned("outputs", kErrorColumns);
  }
  text += "\n" + names + "\n";
  for (const attention::Exponential& one : all) {
    text += name_columns(one);
    for (std::size_t use = begin; use < end; ++use) {
      text += error_column(one.uses[use].sums) + error_column(one.uses[use].outputs);
    }
    text += "\n";
  }
  return text;
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

std::string exponential_text(const std::vector<attention::Exponential>& all) {
  std::string text = "exp(x) for x from " + format(-attention::kExponentialRange) +
                     " to 0\nmethod    size   largest       rms  absolute"
                     "   mul other  read\n";
  for (const attention::Exponential& one : all) {
    text += name_columns(one) + error_column(one.largest) + error_column(one.rms) +
            error_column(one.absolute) + right_aligned(format(one.multiplications), 6) +
            right_aligned(format(one.others), 6) + right_aligned(format(one.reads), 6) +
            "\n";
  }
  const std::vector<attention::ExponentialUse>& uses = all.front().uses;
  for (std::size_t begin = 0; begin < uses.size();) {
    std::size_t end = begin;
    while (end < uses.size() && uses[end].tokens == uses[begin].tokens) {
      ++end;
    }
    text += use_text(all, begin, end);
    begin = end;
  }
  return text;
}

std::string exponential_json(const std::vector<attention::Exponential>& all) {
  JsonArray methods;
  for (const attention::Exponential& one : all) {
    JsonArray uses;
    for (const attention::ExponentialUse& use : one.uses) {
      uses.element(JsonObject{{"n", use.tokens},
                              {"spread", use.spread},
                              {"sums", use.sums},
                              {"outputs", use.outputs}});
    }
    methods.element(JsonObject{{"method", one.method},
                               {"size", one.size},
                               {"largest", one.largest},
                               {"rms", one.rms},
                               {"absolute", one.absolute},
                               {"multiplications", one.multiplications},
                               {"others", one.others},
                               {"reads", one.reads},
                               {"uses", uses}});
  }
  return JsonObject{{"range", attention::kExponentialRange}, {"exponentials", methods}}
             .text() +
         "\n";
}

}  // namespace oa::report
