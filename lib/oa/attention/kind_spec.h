#pragma once

#include "oa/attention/kind.h"

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// A kind with its options, as texts say it everywhere: "gqa:heads=8,groups=2".
struct KindSpec {
  const Kind* kind = nullptr;
  OptionTexts options{};

  /// Options in the order of the kind's list.
  [[nodiscard]] std::string text() const;
};

/// One spec for each layer: "softmax*2,gqa:groups=4*2" is four.  Throws InputError that
/// begins with `where`, if that is not empty, on a kind that is not known, on an option
/// that the kind does not have or whose value is none, and says what there is.
[[nodiscard]] std::vector<KindSpec> parse_kind_specs(const std::string& text,
                                                     const std::string& where);

/// The inverse, for at least one: layers that are alike are counted.
[[nodiscard]] std::string text_of(std::span<const KindSpec> layers);

/// The value of an option: as it is said, else the kind's own; empty if the kind has no
/// such option.
[[nodiscard]] std::string option_text(const Kind& kind,
                                      const OptionTexts& texts,
                                      std::string_view name);
/// Whether a layer with these options reads a setting.
[[nodiscard]] bool reads_setting(const Kind& kind,
                                 const OptionTexts& texts,
                                 std::string_view name);
/// The kinds that read a setting, with the options that they need,
/// "optimizing:keys=own, uniform"; empty for a setting that concerns no kind.
[[nodiscard]] std::string readers_of(std::string_view name);
/// Throws InputError that begins with `where` if no such layer can stand at `site`: a
/// direction that the kind does not have, heads that do not divide the width.
/// site.options are those of the spec.
void check_site(const Kind& kind, const Site& site, const std::string& where);

}  // namespace oa::attention
