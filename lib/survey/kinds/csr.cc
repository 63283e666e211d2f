// Softmax over the keys of an explicit pattern.  The option `rows` contains the whole
// pattern, so that a model file is complete: queries are separated by `;`, keys are
// numbers and ranges a-b joined by `+`; a query without keys is empty.
#include "oa/attention/formula/formula_attention.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "survey/formula/masked.h"
#include "survey/kinds/csr_pattern.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::attention {
namespace {

// A limit longer than any command line.
constexpr int kMaxTokens = 1 << 20;

int parse_key(std::string_view text, int query) {
  const auto key = parse_int(text);
  if (!key || *key < 0 || *key >= kMaxTokens) {
    throw InputError("query " + format(query) + ": '" + std::string(text) +
                     "' is not a key");
  }
  return static_cast<int>(*key);
}

Run parse_run(std::string_view text, int query) {
  const std::size_t dash = text.find('-');
  const int begin = parse_key(text.substr(0, dash), query);
  const int end =
      dash == std::string_view::npos ? begin : parse_key(text.substr(dash + 1), query);
  if (end < begin) {
    throw InputError("query " + format(query) + ": " + std::string(text) +
                     " is a decreasing range");
  }
  return {begin, end + 1};
}

std::vector<Run> parse_query(std::string_view text, int query) {
  std::vector<Run> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('+'), text.size());
    const Run run = parse_run(text.substr(0, end), query);
    if (!all.empty() && run.begin <= all.back().end - 1) {
      throw InputError("query " + format(query) + ": keys must increase");
    }
    if (!all.empty() && run.begin == all.back().end) {
      all.back().end = run.end;
    } else {
      all.push_back(run);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

struct CsrOptions {
  HeadOptions maps;
  std::string rows;

  /// The pattern of the first `tokens` tokens, for shorter sequences.
  [[nodiscard]] Pattern pattern(const Site& /*site*/, int tokens) const {
    const Pattern all = parse_pattern(rows);
    std::vector<std::int64_t> first{0};
    std::vector<Run> runs;
    for (int q = 0; q < tokens; ++q) {
      for (Run run : all.runs(q)) {
        run.end = std::min(run.end, tokens);
        if (run.begin < run.end) {
          runs.push_back(run);
        }
      }
      first.push_back(std::ssize(runs));
    }
    return Pattern::of_runs(tokens, first, std::move(runs));
  }

  static std::span<const Field<CsrOptions>> fields() {
    static constexpr auto kFields =
        joined(head_fields<&CsrOptions::maps>(),
               std::array{field<&CsrOptions::rows>(
                   "rows", "Keys of each query (on a command line: file=FILE)")});
    return kFields;
  }
};

std::string refusal_of_csr(const Site& site, const CsrOptions& options) {
  if (options.rows.empty()) {
    return "needs a pattern (file=FILE)";
  }
  try {
    const Pattern all = parse_pattern(options.rows);
    if (all.queries() < site.tokens) {
      return "a pattern of " + format(all.queries()) + " queries for " +
             format(site.tokens) + " tokens";
    }
    for (int q = 0; q < site.tokens; ++q) {
      if (!all.runs(q).empty() && site.causal && all.runs(q).back().end > q + 1) {
        return "query " + format(q) + " sees a later key, which no causal layer may";
      }
    }
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

Value csr(Formula& f, const CsrOptions& o) {
  f.refuse(refusal_of_csr(f.site(), o));
  return masked(f, o);
}

}  // namespace

Pattern parse_pattern(std::string_view rows) {
  std::vector<std::int64_t> first{0};
  std::vector<Run> runs;
  int keys = 0;
  while (true) {
    const std::size_t end = rows.find(';');
    const int query = static_cast<int>(first.size()) - 1;
    if (query >= kMaxTokens) {
      throw InputError("more than " + format(kMaxTokens) + " queries");
    }
    for (const Run& run : parse_query(rows.substr(0, end), query)) {
      runs.push_back(run);
      keys = std::max(keys, run.end);
    }
    first.push_back(std::ssize(runs));
    if (end == std::string_view::npos) {
      break;
    }
    rows.remove_prefix(end + 1);
  }
  const int queries = static_cast<int>(first.size()) - 1;
  if (keys > queries) {
    throw InputError("key " + format(keys - 1) + " of " + format(queries) + " tokens");
  }
  return Pattern::of_runs(queries, first, std::move(runs));
}

const Kind kCsr = formula_kind<CsrOptions, csr>({
    .name = "csr",
    .family = kPatternFamily,
    .summary = "softmax over the keys of a pattern from a file",
    .direction = Direction::Both,
});

}  // namespace oa::attention
