// oa-attention(7) beside the table of kinds: the page is written by hand, and what it
// says of options is held here.
#include "oa/attention/kind_spec.h"
#include "oa/base/arena.h"
#include "oa/parts/params.h"
#include "ref/kinds/layer_reference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace oa;
using attention::Kind;
using attention::KindOption;

namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// A part of the page: its options in their order, with their entries.
struct Subsection {
  std::string title;
  Words options;
  std::map<std::string, std::string> entries;
  std::vector<Words> rows;  ///< words of each line of a literal block
};

/// ".It Cm heads , plain" names two options, ".It Cm radius Ns = Ns Ar N" one.
Words options_of_item(const Words& item) {
  Words options;
  for (std::size_t k = 2; k < item.size() && item[k] != "Ns"; ++k) {
    if (item[k] != ",") {
      options.push_back(item[k]);
    }
  }
  return options;
}

/// All parts of the section `name`.
std::vector<Subsection> subsections_of(const std::string& section) {
  std::ifstream page(OA_MAN "/oa-attention.7");
  std::vector<Subsection> all;
  Words open;  // options of the current text
  bool inside = false;
  bool literal = false;
  for (std::string line; std::getline(page, line);) {
    const Words words = words_of(line);
    const std::string macro = words.empty() ? "" : words.front();
    if (macro == ".Sh") {
      inside = line == ".Sh " + section;
    } else if (inside && macro == ".Ss") {
      all.emplace_back();
      all.back().title = line.substr(4);
    }
    if (macro == ".It" || macro == ".El" || macro == ".Ss" || macro == ".Sh") {
      open.clear();
    }
    if (!inside || all.empty()) {
      continue;
    }
    Subsection& here = all.back();
    if (macro == ".It" && words.size() > 2 && words[1] == "Cm") {
      open = options_of_item(words);
      here.options.insert(here.options.end(), open.begin(), open.end());
    } else if (macro == ".Bd" || macro == ".Ed") {
      literal = macro == ".Bd";
    } else if (literal) {
      here.rows.push_back(words);
    } else {
      const bool is_macro = line.starts_with('.');
      for (const std::string& option : open) {
        here.entries[option] += (is_macro ? line.substr(macro.size()) : line) + " ";
      }
    }
  }
  return all;
}

Subsection described_part(const std::string& title) {
  for (const Subsection& part : subsections_of("DESCRIPTION")) {
    if (part.title == title) {
      return part;
    }
  }
  return {};
}

std::vector<KindOption> options_of(const Kind& kind) {
  return kind.options.list == nullptr ? std::vector<KindOption>{} : kind.options.list();
}

/// Options of every kind that has a map before and after its heads.
const Words kMapOptions{"heads", "plain", "output"};

bool has_maps(const Kind& kind) {
  const std::vector<KindOption> options = options_of(kind);
  return std::ranges::all_of(kMapOptions, [&](const std::string& name) {
    return std::ranges::any_of(
        options, [&](const KindOption& option) { return option.spec.name == name; });
  });
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

void check_entry(const KindOption& option, const std::string& entry) {
  CAPTURE(entry);
  const std::string value = option.value.empty() ? "none;" : option.value + ")";
  CHECK(says(entry, "(default: " + value));
  if (option.spec.range.has_low() || option.spec.range.has_high()) {
    CHECK(says(entry, option.spec.range.text()));
  }
  if (option.spec.choices != nullptr && option.spec.value_name != "BOOL") {
    for (const std::string& choice : option.spec.choices()) {
      CHECK(says(entry, " " + choice + " :"));
    }
  }
}

bool can_decode(const Kind& kind) {
  constexpr int kTokens = 8;
  attention::Site site;
  site.tokens = kTokens;
  site.width = site.dim = 8;
  site.causal = true;
  site.options =
      attention::parse_kind_specs(test::usable_spec(kind, kTokens), "").front().options;
  parts::Layout layout;
  const auto layer = kind.declare(site, layout);
  Arena kept;
  Arena scratch;
  return layer->make_decoder(kTokens, {.kept = kept, .scratch = scratch}) != nullptr;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("the manual has a section for every kind, in the order of the table") {
  Words in_page;
  for (const Subsection& part : subsections_of("KINDS")) {
    in_page.push_back(part.title);
  }
  Words in_table;
  for (const Kind* kind : attention::all_kinds()) {
    in_table.emplace_back(kind->name);
  }
  CHECK(in_page == in_table);
}

TEST_CASE("the manual has the options of every kind, with defaults and ranges") {
  const Subsection shared = described_part("Shared options");
  for (Subsection& part : subsections_of("KINDS")) {
    CAPTURE(part.title);
    const Kind* kind = attention::find_kind(part.title);
    REQUIRE(kind != nullptr);
    Words names;
    for (const KindOption& option : options_of(*kind)) {
      const std::string name(option.spec.name);
      CAPTURE(name);
      if (!part.entries.contains(name) && has_maps(*kind) &&
          std::ranges::count(kMapOptions, name) > 0) {
        check_entry(option, shared.entries.at(name));
        continue;
      }
      names.push_back(name);
      const std::string& entry = part.entries[name];
      check_entry(option,
                  says(entry, "Shared options") && shared.entries.contains(name)
                      ? shared.entries.at(name)
                      : entry);
    }
    CHECK(part.options == names);
  }
}

TEST_CASE("the manual's overview says what every kind can do") {
  const auto word = [](bool can) { return can ? "yes" : "no"; };
  std::map<std::string, Words> in_table;
  for (const Kind* kind : attention::all_kinds()) {
    CAPTURE(kind->name);
    const bool causal = kind->direction == attention::Direction::Both;
    in_table[std::string(kind->name)] = {word(causal),
                                         word(kind->takes_queries),
                                         word(!kind->permutes),
                                         word(has_maps(*kind))};
    if (causal) {
      CHECK(can_decode(*kind));
    }
  }
  // A row has the answers for the kinds after them, also for those in further lines.
  std::vector<Words> rows = described_part("Overview").rows;
  REQUIRE(!rows.empty());
  CHECK(rows.front() == words_of("causal queries order maps kinds"));
  rows.erase(rows.begin());
  std::map<std::string, Words> in_page;
  Words answers;
  for (const Words& row : rows) {
    const auto kinds = std::ranges::find_if_not(
        row, [](const std::string& w) { return w == "yes" || w == "no"; });
    if (kinds != row.begin()) {
      answers.assign(row.begin(), kinds);
    }
    for (auto kind = kinds; kind != row.end(); ++kind) {
      CHECK(in_page.emplace(*kind, answers).second);
    }
  }
  CHECK(in_page == in_table);
}

TEST_SUITE_END();
