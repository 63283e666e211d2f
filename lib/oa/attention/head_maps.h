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
  bool plain = false;   ///< maps without bias and normalisation, as in the literature
  bool output = false;  ///< a map Wo behind the heads
};

/// The lines of HeadOptions in the table of a struct S that has them as a member.
template <auto Member>
[[nodiscard]] constexpr auto head_fields() {
  return std::array{field<Member, &HeadOptions::heads>(
                        "heads",
                        "Number of heads, each with an equal part of the width",
                        {.range = {.low = 1, .high = 1024}}),
                    field<Member, &HeadOptions::plain>(
                        "plain", "Maps without bias and normalisation"),
                    field<Member, &HeadOptions::output>(
                        "output", "Apply a learned map after the heads")};
}

/// Two tables' lines in one.
template <class S, std::size_t A, std::size_t B>
[[nodiscard]] constexpr std::array<Field<S>, A + B> joined(
    const std::array<Field<S>, A>& a, const std::array<Field<S>, B>& b) {
  return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>,
                                                 std::index_sequence<J...>) {
    return std::array<Field<S>, A + B>{a[I]..., b[J]...};
  }
  (std::make_index_sequence<A>(), std::make_index_sequence<B>());
}

/// Why a width cannot be cut into so many heads, or heads into so many groups that
/// share keys and values; empty if they can.
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

/// Kind::refusal of a kind with options O, which have `maps` and groups(): heads and
/// groups that do not divide.
template <class O>
[[nodiscard]] std::string refusal_of_heads_at(const Site& site) {
  const O options = options_of<O>(site);
  return refusal_of_heads(site.dim, options.maps.heads, groups_of(options));
}

/// The option `keys` of some of these kinds.
enum class HeadKeys : std::uint8_t { Separate, Shared };

/// Where keys come from.
enum class KeySource : std::uint8_t {
  Separate,  ///< the map Wk
  Shared,    ///< the map Wqk, which queries come from, too
  Own,       ///< they are the values
};

/// What few kinds want to be different.
struct MapSettings {
  KeySource source = KeySource::Separate;
  double scale = 1.0;  ///< of the logits, times 1 / sqrt(head_dim)
  parts::Bias output_bias = parts::Bias::Yes;
};

/// Tokens to queries, keys and values, head beside head, and from what the heads yield
/// to the output: maps Wq, Wk, Wv and, if asked for, Wo.  Groups of heads share keys
/// and values: Wk and Wv then have groups * dim / heads columns.
///
/// At a site where the last tokens only ask, keys and values are those of the others;
/// where keys and queries see the first columns only, their maps have as many inputs.
class HeadMaps {
 public:
  /// (n,dim) and (m, dim or less) floats each; `mixed` is what the heads yield.
  struct Workspace {
    num::View narrow;   ///< the columns of x that keys and queries see, if not all
    num::View dnarrow;  ///< the gradient of those
    num::View both;     ///< keys and queries of one map: those of all tokens
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

  /// Unless keys are separate there are as many groups as heads, and Shared needs
  /// queries of tokens.
  HeadMaps(const Site& site,
           const HeadOptions& options,
           int groups,
           parts::Layout& layout,
           const MapSettings& settings = {});

  /// The same with a group for each head.
  HeadMaps(const Site& site,
           const HeadOptions& options,
           parts::Layout& layout,
           const MapSettings& settings = {})
      : HeadMaps(site, options, options.heads, layout, settings) {}

  [[nodiscard]] int heads() const { return heads_; }
  [[nodiscard]] int groups() const { return groups_; }
  [[nodiscard]] int head_dim() const { return dim_ / heads_; }
  /// Of the logits.
  [[nodiscard]] float scale() const;
  /// The map behind the heads (dim,dim), or nothing.
  [[nodiscard]] const std::optional<parts::Linear>& output() const { return output_; }

  /// That of the maps.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  /// Kept are the inputs of the core and what it yields; gradients are scratch.
  [[nodiscard]] Workspace workspace(int tokens, const Resources& resources) const;
  /// That of a decoder's next token, all of it scratch.
  [[nodiscard]] Workspace workspace_of_token(const Resources& resources) const {
    return workspace(
        1,
        {.kept = resources.scratch, .scratch = resources.scratch, .backward = false});
  }

  /// q, k and v from x.
  void forward(const parts::Weights& weights,
               num::ConstView x,
               const Workspace& workspace) const;
  /// o from `mixed`.
  void finish(const parts::Weights& weights,
              num::View o,
              const Workspace& workspace) const;
  /// The gradient of `mixed` from that of o; it is a place in the workspace or d_o.
  [[nodiscard]] num::ConstView begin_backward(const parts::Weights& weights,
                                              num::ConstView d_o,
                                              parts::Values& gradient,
                                              const Workspace& workspace) const;
  /// dx from dq, dk and dv, which are overwritten.
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::View dx,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  int queries(int tokens) const {
    return learned_ > 0 ? learned_ : asking_ > 0 ? asking_ : tokens;
  }
  /// The rows of the tokens that answer.
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
  int learned_;  // queries
  int asking_;
  int narrow_;  // columns that keys and queries see; 0: all
  KeySource source_;
  double scale_;
  std::optional<QuerySource> query_;
  std::optional<parts::Projection> key_;  // Wk or Wqk
  parts::Projection value_;
  std::optional<parts::Linear> output_;
};

/// For the option `keys`: where keys come from, and why they cannot at a site, or
/// nothing.
[[nodiscard]] KeySource source_of(HeadKeys keys);
[[nodiscard]] std::string refusal_of_keys(const Site& site, HeadKeys keys);

/// Queries, keys and values in a workspace, as kernels take them.
[[nodiscard]] HeadsView heads_of(const HeadMaps& maps, const HeadMaps::Workspace& at);

/// The keys and values of the tokens so far, and the maps of one token more: what a
/// decoder keeps.  With room for fewer rows than tokens come, the oldest are forgotten.
class HeadsCache {
 public:
  /// Twice (rows, groups * head_dim) floats of resources.kept.
  HeadsCache(const HeadMaps& maps, int rows, const Resources& resources);

  /// Maps x (1,width) and remembers its key and value: in place of the oldest, if there
  /// is no room for more; or in the row that is given.
  void append(const HeadMaps& maps, const parts::Weights& weights, num::ConstView x);
  void append(const HeadMaps& maps,
              const parts::Weights& weights,
              num::ConstView x,
              int row);
  void clear() { step_ = 0; }

  /// Tokens so far, and rows of them that are remembered.
  [[nodiscard]] int tokens() const { return step_; }
  [[nodiscard]] int known() const { return std::min(step_, keys_.rows); }
  /// q and `mixed` of the token that came last.
  [[nodiscard]] const HeadMaps::Workspace& token() const { return at_; }
  /// The last token's query and the first `rows` remembered rows, in no special order.
  [[nodiscard]] HeadsView heads(const HeadMaps& maps, int rows) const;

 private:
  HeadMaps::Workspace at_;
  num::View keys_;
  num::View values_;
  int step_ = 0;
};

/// Likewise, with a row for each number of the keys: where the scores of all tokens are
/// looked at before the values, they are one product.
class TransposedCache {
 public:
  /// Room for groups * head_dim x tokens floats of resources.kept, and as many
  /// transposed.
  TransposedCache(const HeadMaps& maps, int tokens, const Resources& resources);

  void append(const HeadMaps& maps, const parts::Weights& weights, num::ConstView x);
  void clear() { step_ = 0; }

  [[nodiscard]] int tokens() const { return step_; }
  /// q and `mixed` of the token that came last.
  [[nodiscard]] const HeadMaps::Workspace& token() const { return at_; }
  /// The last token's query and all values; without keys.
  [[nodiscard]] HeadsView heads(const HeadMaps& maps) const;
  /// A column for each token.
  [[nodiscard]] num::ConstView keys() const;

 private:
  HeadMaps::Workspace at_;
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
