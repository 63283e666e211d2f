#pragma once

#include "oa/attention/kind.h"

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// A kind with its options; its text is "gqa:heads=8,groups=2".
struct KindSpec {
  const Kind* kind = nullptr;
  OptionTexts options{};

  /// Options in the order of the kind's list.
  [[nodiscard]] std::string text() const;
};

/// Parses one spec for each layer: "softmax*2,gqa:groups=4*2" is four layers.
/// Throws InputError for an unknown kind, an unknown option or an invalid value.
/// The message begins with `where`, if not empty, and lists valid values.
[[nodiscard]] std::vector<KindSpec> parse_kind_specs(const std::string& text,
                                                     const std::string& where);

/// Writes the text for one or more layers; equal neighbours are counted.
[[nodiscard]] std::string text_of(std::span<const KindSpec> layers);

/// The given value of an option, or its default; empty if the kind lacks the option.
[[nodiscard]] std::string option_text(const Kind& kind,
                                      const OptionTexts& texts,
                                      std::string_view name);
/// True if a layer with these options reads a setting.
[[nodiscard]] bool reads_setting(const Kind& kind,
                                 const OptionTexts& texts,
                                 std::string_view name);
/// Lists the kinds that read a setting, with the options that they need,
/// such as "optimizing:keys=own, uniform"; empty if no kind does.
[[nodiscard]] std::string readers_of(std::string_view name);
/// Throws InputError if a layer cannot be used at `site`:
/// the kind has no causal form, heads do not divide the width, and so on.
/// The message begins with `where`.  `site` must have the options of the spec.
void check_site(const Kind& kind, const Site& site, const std::string& where);

}  // namespace oa::attention
