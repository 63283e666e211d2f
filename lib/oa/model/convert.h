#pragma once

#include "oa/base/field.h"
#include "oa/model/network.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::model {

// A model for another configuration with the parameters it has: the same kind of
// tensors, or keys and values that heads share from now on, as the kinds gqa and mqa
// do.  With rows X of tokens, head h has keys K_h = X Wk_h', values V_h = X Wv_h' and a
// share P_h V_h Wo_h' of the output.  A model computes the same if K_h and the queries
// are both multiplied by an orthogonal matrix, or V_h and Wo_h are: by that, heads can
// be turned to each other before they share.

/// How the keys (and values) of a group's heads become one.
enum class Sharing : std::uint8_t {
  Mean,     ///< the mean of their maps, of biases and normalisations too
  First,    ///< those of the first head
  Aligned,  ///< R_h makes |K_h R_h - K_1| least (Procrustes), then the mean
  Svd,      ///< K = [K_1 K_2 ...] W with the best W of d orthonormal columns
};

/// The second moments of what enters a layer: sums of x_i x_j over tokens.
struct Moments {
  int width = 0;
  std::vector<double> sums;  ///< row by row

  explicit Moments(int width_)
      : width(width_),
        sums(static_cast<std::size_t>(width_) * static_cast<std::size_t>(width_)) {}

  /// sums += x'x
  void count(num::ConstView x);
};

/// The same parameters as a model of `config`.  Throws InputError that begins with
/// `where` and names the first tensor that one of both lacks or that has another shape.
[[nodiscard]] Model with_config(const Model& model,
                                const Config& config,
                                const std::string& where);

/// The model as one of `config`, in which fewer heads have keys and values.  Aligned
/// and Svd turn heads by what they make of the inputs with these moments, one for each
/// layer, or if there are none, of inputs that are independent.  Throws InputError as
/// with_config(), if the heads of a layer cannot make such groups, and if Aligned and
/// Svd cannot turn them because maps have biases or there is no map Wo.
///
/// With q heads of width d in a group and tokens of width w this takes O(q d w (w + q
/// d) + (q d)^3) FLOPs for each group.
[[nodiscard]] Model convert(const Model& model,
                            const Config& config,
                            Sharing how,
                            std::span<const Moments> inputs,
                            const std::string& where);

/// `config` with keys and values for as many heads as `model` has: what is trained
/// while they are drawn together.  Throws as convert().
[[nodiscard]] Config before_sharing(const Model& model,
                                    const Config& config,
                                    const std::string& where);

/// Draws the maps of heads that will share towards their mean.
class GroupMeans {
 public:
  /// From a model of configuration before_sharing() to one of `shared`.
  GroupMeans(const Model& model, const Config& shared);

  /// W_h = (1 - share) W_h + share * mean of the W of h's group.  The map is its own
  /// transpose: it takes gradients of the result to those of the parameters.
  void draw_together(double share, parts::Values& values) const;

 private:
  struct Map {
    int tensor;
    int heads;   ///< with keys (or values) before
    int groups;  ///< afterwards
  };
  std::vector<Map> maps_;
};

}  // namespace oa::model

namespace oa {

template <>
struct EnumNames<model::Sharing> {
  static constexpr std::array kAll{"mean", "first", "aligned", "svd"};
};

}  // namespace oa
