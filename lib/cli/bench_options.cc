#include "cli/bench_options.h"

#include "app/kind_text.h"
#include "cli/options.h"
#include "oa/base/error.h"
#include "oa/base/number.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oa::cli {
namespace {

constexpr std::int64_t kMaxTokens = std::int64_t{1} << 24;
constexpr int kMaxWidth = 65536;
constexpr int kMaxHeads = 1024;

std::vector<std::string> kind_examples() {
  std::vector<std::string> names{"all"};
  for (const attention::Kind* kind : attention::all_kinds()) {
    names.emplace_back(kind->name);
  }
  return names;
}

std::vector<attention::KindSpec> kinds_of(const std::string& text) {
  if (text == "all") {
    return {};
  }
  const std::string patterns_read = app::with_patterns(text);
  try {
    return attention::parse_kind_specs(patterns_read, "--kinds");
  } catch (const InputError& error) {
    throw app::UsageError(error.what());
  }
}

std::vector<int> numbers_of_tokens(const std::string& text) {
  std::vector<int> all;
  for (std::string_view left = text;;) {
    const std::size_t end = left.find(',');
    const auto number = parse_int(left.substr(0, end));
    if (!number || *number < 1 || *number > kMaxTokens) {
      throw app::UsageError("--n: '" + std::string(left.substr(0, end)) +
                            "' (expected whole numbers from 1 to " +
                            format(kMaxTokens) + ", with commas between)");
    }
    all.push_back(static_cast<int>(*number));
    if (end == std::string_view::npos) {
      return all;
    }
    left.remove_prefix(end + 1);
  }
}

std::string text_of(const std::vector<int>& numbers) {
  std::string all;
  for (const int number : numbers) {
    all += (all.empty() ? "" : ",") + format(number);
  }
  return all;
}

void add_shape(App& app, app::BenchOptions& o) {
  app.add_text(
         "--kinds LIST",
         [&o](const std::string& text) { o.kinds = kinds_of(text); },
         "Kinds of attention, as oa-train's --attention names them")
      ->default_str("all")
      ->check({[](const std::string&) { return std::string{}; }, {}, kind_examples()});
  app.add_text(
         "--n LIST",
         [&o](const std::string& text) { o.tokens = numbers_of_tokens(text); },
         "Numbers of tokens, separated by commas")
      ->default_str(text_of(o.tokens));
  app.add_option("--d D", o.width, "Width of the layer, all heads together")
      ->check(between(1, kMaxWidth));
  app.add_option("--heads H", o.heads, "Number of heads, for kinds with heads")
      ->default_str("those of the kind")
      ->check(between(1, kMaxHeads));
  app.add_flag("--causal", o.causal, "Causal layers: no token sees a later token");
}

}  // namespace

void add_bench(App& app, app::BenchOptions& o) {
  add_shape(app, o);
  app.add_text(
         "--coefficients KIND",
         [&o](const std::string& text) { (void)parse_field(text, o.coefficients); },
         "Coefficients of kinds that solve problems")
      ->default_str("continuous")
      ->check(one_of(names_of<app::BenchCoefficients>()));
  app.add_flag("--backward", o.backward, "Measure the backward pass, too");
  app.add_flag(
      "--decode", o.decode, "Measure decoding of one token after n tokens, too");
  app.add_option(
         "--rounds N", o.rounds, "Number of rounds (fewer for calls that take seconds)")
      ->check(between(1, 10000));
  app.add_option("--time-limit S",
                 o.limit_s,
                 "Skip measurements whose calls take longer than S seconds")
      ->check(positive());
  app.add_option("-j,--threads N", o.threads, "Number of threads")
      ->check(between(1, 4096));
}

}  // namespace oa::cli
