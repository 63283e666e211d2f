#include "oa/attention/kind_spec.h"

#include "oa/attention/kind_library.h"
#include "oa/base/error.h"
#include "oa/base/nearest.h"
#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace oa::attention {
namespace {

// A limit for mistyped counts, which would fill the memory.
constexpr int kMaxLayers = 1024;

std::vector<KindOption> options_list(const Kind& kind) {
  return kind.options.list == nullptr ? std::vector<KindOption>{} : kind.options.list();
}

/// Lists options for messages: "heads=1, groups=1".
std::string options_text(const Kind& kind) {
  std::string all;
  for (const KindOption& option : options_list(kind)) {
    all +=
        (all.empty() ? "" : ", ") + std::string(option.spec.name) + "=" + option.value;
    if (option.value.empty()) {  // an empty value does not show the expected form
      all += ": " + std::string(option.spec.summary);
    }
  }
  return all;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> all;
  while (true) {
    const std::size_t end = text.find(at);
    all.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return all;
    }
    text.remove_prefix(end + 1);
  }
}

/// Begins an error message with the place of the error.
std::string place(const std::string& where) {
  return where.empty() ? where : where + ": ";
}

/// A deleted kind of version 1.0.0, and the closest existing kind.
struct DeletedKind {
  std::string_view name;
  std::string_view instead;
};
constexpr std::array kDeleted{DeletedKind{"comba", "gated-delta"},
                              DeletedKind{"longhorn", "delta"},
                              DeletedKind{"local-linear", "flash2"}};

const Kind& kind_named(std::string_view name, const std::string& where) {
  const Kind* kind = find_kind(name);
  if (kind == nullptr) {
    const auto* deleted = std::ranges::find(kDeleted, name, &DeletedKind::name);
    if (deleted != kDeleted.end()) {
      throw InputError(place(where) + "attention '" + std::string(name) +
                       "' was deleted after version 1.0.0, which reads it (expected " +
                       std::string(deleted->instead) + ", the closest kind)");
    }
    std::vector<std::string> names;
    for (const Kind* known : all_kinds()) {
      names.emplace_back(known->name);
    }
    const std::string meant = nearest(name, names);
    const std::string missing = missing_survey();
    throw InputError(
        place(where) + "attention '" + std::string(name) + "' is not known (" +
        (meant.empty()
             ? "expected " + kind_names() + ", or one of a library in OA_KINDS"
             : "did you mean " + meant + "?") +
        (missing.empty() ? "" : "; " + missing + ", with other kinds, is missing") +
        ")");
  }
  return *kind;
}

void parse_option(std::string_view text, const std::string& where, KindSpec& spec) {
  const std::string who =
      place(where) + "attention '" + std::string(spec.kind->name) + "'";
  const std::size_t equals = text.find('=');
  const std::string name(text.substr(0, equals));
  const std::vector<KindOption> list = options_list(*spec.kind);
  const auto known = std::ranges::find(
      list, name, [](const KindOption& option) { return option.spec.name; });
  if (equals == std::string_view::npos || known == list.end()) {
    throw InputError(
        who + " has no option '" + name + "' (" +
        (list.empty() ? "it has none" : "it has " + options_text(*spec.kind)) + ")");
  }
  const std::string value(text.substr(equals + 1));
  const std::string refusal = spec.kind->options.refusal(name, value);
  if (!refusal.empty()) {
    throw InputError(who + ": " + name + " " + refusal);
  }
  if (!spec.options.emplace(name, value).second) {
    throw InputError(who + ": " + name + " is given twice");
  }
}

/// Removes "*N" from the end of a piece, and returns N; 1 without "*N".
int take_count(std::string_view& piece, const std::string& where) {
  const std::size_t star = piece.rfind('*');
  if (star == std::string_view::npos) {
    return 1;
  }
  const std::string text(piece.substr(star + 1));
  const auto count = parse_int(text);
  if (!count || *count < 1 || *count > kMaxLayers) {
    throw InputError(place(where) + "'" + text +
                     "' layers (expected a whole number from 1 to " +
                     format(kMaxLayers) + ")");
  }
  piece = piece.substr(0, star);
  return static_cast<int>(*count);
}

}  // namespace

std::string KindSpec::text() const {
  std::string all(kind->name);
  char before = ':';
  for (const KindOption& option : options_list(*kind)) {
    const auto found = options.find(std::string(option.spec.name));
    if (found != options.end()) {
      all += before + found->first + "=" + found->second;
      before = ',';
    }
  }
  return all;
}

std::vector<KindSpec> parse_kind_specs(const std::string& text,
                                       const std::string& where) {
  std::vector<KindSpec> all;
  std::optional<KindSpec> open;  // options may continue it after a comma
  int count = 1;
  const auto close = [&] {
    if (open) {
      all.insert(all.end(), static_cast<std::size_t>(count), *open);
      open.reset();
    }
    if (std::ssize(all) > kMaxLayers) {
      throw InputError(place(where) + "more than " + format(kMaxLayers) + " layers");
    }
  };
  for (std::string_view piece : split(text, ',')) {
    const bool ends_here = piece.find('*') != std::string_view::npos;
    const int layers = take_count(piece, where);
    const std::size_t colon = piece.find(':');
    // "groups=4" belongs to the previous kind; "gqa:groups=4" begins a kind.
    if (open && colon == std::string_view::npos &&
        piece.find('=') != std::string_view::npos) {
      parse_option(piece, where, *open);
    } else {
      close();
      open = KindSpec{.kind = &kind_named(piece.substr(0, colon), where)};
      if (colon != std::string_view::npos) {
        parse_option(piece.substr(colon + 1), where, *open);
      }
    }
    count = layers;
    if (ends_here) {
      close();
    }
  }
  close();
  return all;
}

std::string text_of(std::span<const KindSpec> layers) {
  std::string all;
  for (std::size_t k = 0; k < layers.size();) {
    const std::string text = layers[k].text();
    std::size_t end = k + 1;
    while (end < layers.size() && layers[end].text() == text) {
      ++end;
    }
    all += (k == 0 ? "" : ",") + text;
    if (end - k > 1) {
      all += "*" + format(static_cast<std::int64_t>(end - k));
    }
    k = end;
  }
  return all;
}

std::string option_text(const Kind& kind,
                        const OptionTexts& texts,
                        std::string_view name) {
  if (const auto found = texts.find(std::string(name)); found != texts.end()) {
    return found->second;
  }
  if (kind.options.list != nullptr) {
    for (const KindOption& option : kind.options.list()) {
      if (option.spec.name == name) {
        return option.value;
      }
    }
  }
  return {};
}

bool reads_setting(const Kind& kind, const OptionTexts& texts, std::string_view name) {
  return std::ranges::any_of(kind.settings, [&](const KindSetting& setting) {
    const std::size_t equals = setting.with.find('=');
    return setting.name == name &&
           (setting.with.empty() ||
            option_text(kind, texts, setting.with.substr(0, equals)) ==
                setting.with.substr(equals + 1));
  });
}

std::string readers_of(std::string_view name) {
  std::string all;
  for (const Kind* kind : all_kinds()) {
    for (const KindSetting& setting : kind->settings) {
      if (setting.name == name) {
        all += (all.empty() ? "" : ", ") + std::string(kind->name) +
               (setting.with.empty() ? "" : ":") + std::string(setting.with);
      }
    }
  }
  return all;
}

void check_site(const Kind& kind, const Site& site, const std::string& where) {
  const std::string who = place(where) + "attention '" + std::string(kind.name) + "'";
  if (site.causal && kind.direction == Direction::Bidirectional) {
    throw InputError(who + " has no causal form");
  }
  if (site.learned_queries > 0 && !kind.takes_queries) {
    throw InputError(who + " takes no learned queries");
  }
  if (site.asking > 0 && !kind.takes_queries) {
    throw InputError(who + " takes no query tokens");
  }
  if (site.asking > 0 && (site.causal || site.learned_queries > 0)) {
    throw InputError(who + ": query tokens exclude " +
                     (site.causal ? "a causal layer" : "learned queries"));
  }
  if (site.causal && site.learned_queries > 0) {
    throw InputError(who + ": a causal layer takes no learned queries, " +
                     "which have no position");
  }
  if (site.key_width > 0 && !kind.narrow_keys) {
    throw InputError(who + " has no keys that can see a part of the columns");
  }
  if (site.key_width > site.width) {
    throw InputError(who + ": keys see " + format(site.key_width) +
                     " columns (expected at most " + format(site.width) + ")");
  }
  const std::string refusal = kind.refusal == nullptr ? "" : kind.refusal(site);
  if (!refusal.empty()) {
    throw InputError(who + ": " + refusal);
  }
}

}  // namespace oa::attention
