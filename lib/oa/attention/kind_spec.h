#pragma once

#include "oa/attention/kind.h"

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// A kind with its options, in text "gqa:heads=8,groups=2".
struct KindSpec {
  const Kind* kind = nullptr;
  OptionTexts options{};

  /// Options in the order of the kind's list.
  [[nodiscard]] std::string text() const;
};

/// One spec for each layer: "softmax*2,gqa:groups=4*2" is four layers.  Throws
/// InputError for an unknown kind or option or an invalid value, with the valid ones;
/// its message begins with `where`, unless that is empty.
[[nodiscard]] std::vector<KindSpec> parse_kind_specs(const std::string& text,
                                                     const std::string& where);

/// The inverse, for at least one layer; equal neighbours are counted.
[[nodiscard]] std::string text_of(std::span<const KindSpec> layers);

/// The value of an option: the given one, or the default; empty if the kind has no such
/// option.
[[nodiscard]] std::string option_text(const Kind& kind,
                                      const OptionTexts& texts,
                                      std::string_view name);
/// True if a layer with these options reads a setting.
[[nodiscard]] bool reads_setting(const Kind& kind,
                                 const OptionTexts& texts,
                                 std::string_view name);
/// The kinds that read a setting, with the options that they need,
/// "optimizing:keys=own, uniform"; empty if no kind does.
[[nodiscard]] std::string readers_of(std::string_view name);
/// Throws InputError if a layer cannot stand at `site`, for example because the kind
/// has no causal form or heads do not divide the width.  Its message begins with
/// `where`. site.options are those of the spec.
void check_site(const Kind& kind, const Site& site, const std::string& where);

}  // namespace oa::attention
