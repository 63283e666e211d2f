#pragma once

#include "oa/attention/kind_options.h"
#include "oa/attention/site.h"
#include "oa/base/field_table.h"
#include "oa/parts/layers.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace oa::attention {

/// Options of all kinds with heads of queries, keys and values.
struct HeadOptions {
  int heads = 1;
  bool plain = false;   ///< maps have no bias and no normalisation
  bool output = false;  ///< the heads' outputs pass through a map Wo
};

/// The field `heads` of a struct; `Path` is a member or a path of members.
template <auto... Path>
[[nodiscard]] constexpr auto heads_field() {
  return field<Path...>("heads",
                        "Number of heads, each with an equal part of the width",
                        {.range = {.low = 1, .high = 1024}});
}

/// The fields of HeadOptions, for the table of a struct S that contains it.
template <auto Member>
[[nodiscard]] constexpr auto head_fields() {
  return std::array{heads_field<Member, &HeadOptions::heads>(),
                    field<Member, &HeadOptions::plain>(
                        "plain", "Maps without bias and normalisation"),
                    field<Member, &HeadOptions::output>(
                        "output", "Apply a learned map after the heads")};
}

/// The concatenation of two tables.
template <class S, std::size_t A, std::size_t B>
[[nodiscard]] constexpr std::array<Field<S>, A + B> joined(
    const std::array<Field<S>, A>& a, const std::array<Field<S>, B>& b) {
  return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>,
                                                 std::index_sequence<J...>) {
    return std::array<Field<S>, A + B>{a[I]..., b[J]...};
  }
  (std::make_index_sequence<A>(), std::make_index_sequence<B>());
}

/// Returns an error message if heads do not divide the width,
/// or groups that share keys and values do not divide the heads; else empty.
[[nodiscard]] std::string refusal_of_heads(int dim, int heads, int groups);

/// Returns the number of groups of heads that share keys and values: groups() of the
/// options O, or the number of heads if O has no groups.
template <class O>
[[nodiscard]] int groups_of(const O& options) {
  if constexpr (requires { options.groups(); }) {
    return options.groups();
  } else {
    return options.maps.heads;
  }
}

/// The values of the option `keys` of several kinds.
enum class HeadKeys : std::uint8_t { Separate, Shared };

/// The source of keys.
enum class KeySource : std::uint8_t {
  Separate,  ///< the map Wk
  Shared,    ///< the map Wqk, which also makes queries
  Own,       ///< keys are the values
};

/// Settings for maps that kinds may change.
struct MapSettings {
  KeySource source = KeySource::Separate;
  double scale = 1.0;  ///< factor of the logits, beside 1 / sqrt(head_dim)
  /// With KeySource::Shared, the initial map preserves angles and multiplies lengths by
  /// `stretch`, because Adam's steps rotate long maps less.
  /// 0: initialised as other maps are.
  double stretch = 0.0;
  parts::Bias output_bias = parts::Bias::Yes;
  std::string prefix{};  ///< prefix of tensor names
};

/// Converts the option `keys`.
[[nodiscard]] KeySource source_of(HeadKeys keys);
[[nodiscard]] std::string refusal_of_keys(const Site& site, HeadKeys keys);

}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::HeadKeys> {
  static constexpr std::array kAll{"separate", "shared"};
};

}  // namespace oa
