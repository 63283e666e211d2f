#pragma once

#include "oa/base/field.h"
#include "oa/model/network.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::model {

// Conversion to another configuration with equal tensors, or to fewer heads of keys and
// values, as in the kinds gqa and mqa.  With rows X of tokens, head h has keys K_h = X
// Wk_h', values V_h = X Wv_h', and adds P_h V_h Wo_h' to the output, where P_h are
// weights.  An orthogonal matrix applied to both K_h and queries, or to both V_h and
// Wo_h, leaves the output unchanged: so heads can be aligned before they are combined.

/// How keys (and values) of a group's heads are combined.
enum class Sharing : std::uint8_t {
  Mean,     ///< mean of maps, biases and normalisations
  First,    ///< the first head
  Aligned,  ///< R_h minimises |K_h R_h - K_1| (Procrustes), then the mean
  Svd,      ///< K = [K_1 K_2 ...] W with the best W of d orthonormal columns
};

/// Second moments of a layer's input x: sums of x_i x_j over tokens.
struct Moments {
  int width = 0;
  std::vector<double> sums;  ///< (width,width)

  explicit Moments(int width_)
      : width(width_),
        sums(static_cast<std::size_t>(width_) * static_cast<std::size_t>(width_)) {}

  /// Adds x'x to the sums.
  void count(num::ConstView x);
};

/// Reinterprets the parameters as a model of `config`.  Throws InputError, starting
/// with `where`, that names the first missing tensor or different shape.
[[nodiscard]] Model with_config(const Model& model,
                                const Config& config,
                                const std::string& where);

/// Returns a model with fewer heads of keys and values, as in `config`.
/// Aligned and Svd use moments of inputs, one for each layer;
/// without moments, they assume independent inputs.
/// Throws InputError as with_config() does, if heads do not divide into groups,
/// and if Aligned or Svd cannot rotate because maps have biases or Wo is missing.
///
/// A group of q heads of width d, with tokens of width w,
/// takes O(q d w (w + q d) + (q d)^3) FLOPs.
[[nodiscard]] Model convert(const Model& model,
                            const Config& config,
                            Sharing how,
                            std::span<const Moments> inputs,
                            const std::string& where);

/// Returns `config` with as many heads of keys and values as `model` has:
/// the configuration during the transition.  Throws as convert() does.
[[nodiscard]] Config before_sharing(const Model& model,
                                    const Config& config,
                                    const std::string& where);

/// Moves maps of heads that will share keys and values towards their mean.
class GroupMeans {
 public:
  /// `model` has the configuration before_sharing(), and will become `shared`.
  GroupMeans(const Model& model, const Config& shared);

  /// W_h = (1 - share) W_h + share * (mean of W over h's group).  The map is symmetric,
  /// so it also converts gradients of the result to gradients of the parameters.
  void draw_together(double share, parts::Values& values) const;

 private:
  struct Map {
    int tensor;
    int heads;   ///< heads of keys (or values) before
    int groups;  ///< heads of keys (or values) after
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
