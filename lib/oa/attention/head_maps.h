#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/attention/kind.h"
#include "oa/attention/query_source.h"
#include "oa/base/field_table.h"
#include "oa/parts/layers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace oa::attention {

/// Options of every kind with queries, keys and values in heads.
struct HeadOptions {
  int heads = 1;
  bool plain = false;   ///< maps without bias and normalisation
  bool output = false;  ///< a map Wo after the heads
};

/// The field `heads` of a struct, a member or a path to it.
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

/// Why a width cannot be divided into heads, or heads into groups that share keys and
/// values; empty if they can.
[[nodiscard]] std::string refusal_of_heads(int dim, int heads, int groups);

/// Groups of heads that share keys and values: groups() of the options O, or else one
/// for each head.
template <class O>
[[nodiscard]] int groups_of(const O& options) {
  if constexpr (requires { options.groups(); }) {
    return options.groups();
  } else {
    return options.maps.heads;
  }
}

/// Kind::refusal of a kind with options O, which has `maps` and maybe groups(): heads
/// or groups that do not divide.
template <class O>
[[nodiscard]] std::string refusal_of_heads_at(const Site& site) {
  const O options = options_of<O>(site);
  return refusal_of_heads(site.dim, options.maps.heads, groups_of(options));
}

/// The option `keys` of some of these kinds.
enum class HeadKeys : std::uint8_t { Separate, Shared };

/// The source of keys.
enum class KeySource : std::uint8_t {
  Separate,  ///< the map Wk
  Shared,    ///< the map Wqk, which also makes queries
  Own,       ///< keys are the values
};

/// Settings that only few kinds change.
struct MapSettings {
  KeySource source = KeySource::Separate;
  double scale = 1.0;  ///< of the logits, times 1 / sqrt(head_dim)
  /// KeySource::Shared: the initial map keeps angles, and multiplies lengths by this. A
  /// step of Adam turns a long map less.  0: as other maps
  double stretch = 0.0;
  parts::Bias output_bias = parts::Bias::Yes;
};

/// Maps tokens to queries, keys and values, all heads side by side, and the output of
/// the heads to the layer's output: maps Wq, Wk, Wv and optionally Wo.  Groups of heads
/// share keys and values: Wk and Wv then have groups * dim / heads columns.
///
/// If the last tokens of a site are queries only, keys and values come from the other
/// tokens.  If keys and queries see only the first columns, their maps have fewer
/// inputs.
class HeadMaps {
 public:
  /// (n,dim) and (m, dim or less) floats each; `mixed` is the output of the heads.
  struct Workspace {
    num::View narrow;   ///< the columns of x that keys and queries see, if not all
    num::View dnarrow;  ///< the gradient of `narrow`
    num::View both;     ///< the product of Wqk for all tokens
    num::View dboth;
    QuerySource::Workspace query;
    num::View q;
    num::View k;
    num::View v;
    num::View mixed;
    num::View dq;
    num::View dk;
    num::View dv;
    num::View dmixed;  ///< with an output map; else empty
    parts::Projection::Workspace key;
    parts::Projection::Workspace value;
  };

  /// Unless keys are separate, each head is a group.  KeySource::Shared needs queries
  /// of tokens.
  HeadMaps(const Site& site,
           const HeadOptions& options,
           int groups,
           parts::Layout& layout,
           const MapSettings& settings = {});

  /// One group for each head.
  HeadMaps(const Site& site,
           const HeadOptions& options,
           parts::Layout& layout,
           const MapSettings& settings = {})
      : HeadMaps(site, options, options.heads, layout, settings) {}

  [[nodiscard]] int heads() const { return heads_; }
  [[nodiscard]] int groups() const { return groups_; }
  [[nodiscard]] int head_dim() const { return dim_ / heads_; }
  /// The factor of the logits.
  [[nodiscard]] float scale() const;
  /// The map Wo (dim,dim), if there is one.
  [[nodiscard]] const std::optional<parts::Linear>& output() const { return output_; }

  /// The cost of the maps.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  /// Inputs and output of the core are kept; gradients are scratch.
  [[nodiscard]] Workspace workspace(int tokens, const Resources& resources) const;
  /// The workspace for one token of a decoder, all of it scratch.
  [[nodiscard]] Workspace workspace_of_token(const Resources& resources) const {
    return workspace(
        1,
        {.kept = resources.scratch, .scratch = resources.scratch, .backward = false});
  }

  /// Computes q, k and v from x.
  void forward(const parts::Weights& weights,
               num::ConstView x,
               const Workspace& workspace) const;
  /// Computes o from `mixed`.
  void finish(const parts::Weights& weights,
              num::View o,
              const Workspace& workspace) const;
  /// The gradient of `mixed` from that of o; in the workspace, or d_o itself.
  [[nodiscard]] num::ConstView begin_backward(const parts::Weights& weights,
                                              num::ConstView d_o,
                                              parts::Values& gradient,
                                              const Workspace& workspace) const;
  /// Computes dx from dq, dk and dv, which are overwritten.
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::View dx,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  int queries(int tokens) const {
    return learned_ > 0 ? learned_ : asking_ > 0 ? asking_ : tokens;
  }
  /// The rows of tokens that have keys and values.
  template <class Matrix>
  [[nodiscard]] Matrix answering(Matrix x) const {
    return x.top(x.rows - asking_);
  }
  void map_keys(const parts::Weights& weights,
                num::ConstView seen,
                const Workspace& workspace) const;
  void map_keys_backward(const parts::Weights& weights,
                         num::ConstView seen,
                         num::View dseen,
                         parts::Values& gradient,
                         const Workspace& workspace) const;

  int dim_;
  int heads_;
  int groups_;
  int learned_;  // number of learned queries
  int asking_;
  int narrow_;  // columns that keys and queries see; 0: all
  KeySource source_;
  double scale_;
  std::optional<QuerySource> query_;
  std::optional<parts::Projection> key_;  // Wk or Wqk
  parts::Projection value_;
  std::optional<parts::Linear> output_;
};

/// The key source of the option `keys`, and why a site cannot have it (empty if it
/// can).
[[nodiscard]] KeySource source_of(HeadKeys keys);
[[nodiscard]] std::string refusal_of_keys(const Site& site, HeadKeys keys);

/// Queries, keys and values of a workspace, in the form that kernels take.
[[nodiscard]] HeadsView heads_of(const HeadMaps& maps, const HeadMaps::Workspace& at);

/// The state of a decoder: the keys and values of earlier tokens, and the workspace of
/// the current one.
class HeadsCache {
 public:
  /// Columns: keys are stored transposed, so that the logits of all tokens are one
  /// product.
  enum class Keys : std::uint8_t { Rows, Columns };

  /// Takes twice (rows, groups * head_dim) floats of resources.kept.
  HeadsCache(const HeadMaps& maps,
             int rows,
             const Resources& resources,
             Keys keys = Keys::Rows);

  /// Maps x (1,width) and stores its key and value in the next row, or in the given
  /// one.
  void append(const HeadMaps& maps, const parts::Weights& weights, num::ConstView x) {
    append(maps, weights, x, step_);
  }
  void append(const HeadMaps& maps,
              const parts::Weights& weights,
              num::ConstView x,
              int row);
  void clear() { step_ = 0; }

  /// Tokens so far.
  [[nodiscard]] int tokens() const { return step_; }
  /// q and `mixed` of the last token.
  [[nodiscard]] const HeadMaps::Workspace& token() const { return at_; }
  /// The last token's query and the first `rows` stored rows; no keys if they are
  /// transposed.
  [[nodiscard]] HeadsView heads(const HeadMaps& maps, int rows) const;
  [[nodiscard]] HeadsView heads(const HeadMaps& maps) const {
    return heads(maps, step_);
  }
  /// Transposed keys: one column for each token.
  [[nodiscard]] num::ConstView transposed_keys() const {
    return columns(num::ConstView(keys_), 0, step_);
  }

 private:
  HeadMaps::Workspace at_;
  bool transposed_;
  num::View keys_;
  num::View values_;
  int step_ = 0;
};

}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::HeadKeys> {
  static constexpr std::array kAll{"separate", "shared"};
};

}  // namespace oa
