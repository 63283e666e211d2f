#pragma once

#include "oa/base/field.h"
#include "oa/model/network.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::model {

// Converts a model to another configuration with the same tensors, or to fewer heads of
// keys and values, as in the kinds gqa and mqa.  With rows X of tokens, head h has keys
// K_h = X Wk_h', values V_h = X Wv_h' and a share P_h V_h Wo_h' of the output.  The
// output is invariant if K_h and the queries, or V_h and Wo_h, are multiplied by an
// orthogonal matrix.  Thus heads can be aligned before they are combined.

/// How the keys (and values) of a group's heads are combined.
enum class Sharing : std::uint8_t {
  Mean,     ///< the mean of maps, biases and normalisations
  First,    ///< the first head
  Aligned,  ///< R_h minimises |K_h R_h - K_1| (Procrustes), then the mean
  Svd,      ///< K = [K_1 K_2 ...] W with the best W of d orthonormal columns
};

/// The second moments of a layer's input: sums of x_i x_j over tokens.
struct Moments {
  int width = 0;
  std::vector<double> sums;  ///< row by row

  explicit Moments(int width_)
      : width(width_),
        sums(static_cast<std::size_t>(width_) * static_cast<std::size_t>(width_)) {}

  /// sums += x'x
  void count(num::ConstView x);
};

/// The parameters as a model of `config`.  Throws InputError, starting with `where`,
/// that names the first missing tensor or different shape.
[[nodiscard]] Model with_config(const Model& model,
                                const Config& config,
                                const std::string& where);

/// The model with fewer heads of keys and values, as in `config`.  Aligned and Svd use
/// the moments of inputs, one for each layer; without moments they assume independent
/// inputs. Throws InputError like with_config(), if the heads of a layer do not divide
/// into groups, and if Aligned or Svd cannot rotate because maps have biases or there
/// is no map Wo.
///
/// With q heads of width d in a group and tokens of width w it takes O(q d w (w + q d)
/// + (q d)^3) FLOPs for each group.
[[nodiscard]] Model convert(const Model& model,
                            const Config& config,
                            Sharing how,
                            std::span<const Moments> inputs,
                            const std::string& where);

/// `config` with as many heads of keys and values as `model` has: the configuration
/// during the transition.  Throws like convert().
[[nodiscard]] Config before_sharing(const Model& model,
                                    const Config& config,
                                    const std::string& where);

/// Moves the maps of heads that will share towards their mean.
class GroupMeans {
 public:
  /// From a model of configuration before_sharing() to one of `shared`.
  GroupMeans(const Model& model, const Config& shared);

  /// W_h = (1 - share) W_h + share * mean of the W of h's group.  The map is symmetric,
  /// so it also maps gradients of the result to those of the parameters.
  void draw_together(double share, parts::Values& values) const;

 private:
  struct Map {
    int tensor;
    int heads;   ///< heads of keys (or values) before
    int groups;  ///< heads afterwards
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
