#pragma once

#include "oa/base/arena.h"
#include "oa/base/rng.h"
#include "oa/num/matrix.h"

namespace oa::attention {

// Features phi(x) of queries and keys, whose products approximate weights.
// Queries and keys have d numbers, features m.
//
//   Identity  x                    Relu  max(x, 0)          Exp  exp(x)
//   Elu       elu(x) + 1 = max(x, 0) + exp(min(x, 0)); Katharopoulos et al.,
//             arXiv:2006.16236
//   Positive  m^-1/2 (exp(l - r) + 1e-6), l = W x' - |x'|^2 / 2, x' = d^-1/4 x: the
//             mean product is exp(x.y / sqrt d), times exp(-r).  The caller chooses
//             references r so that nothing overflows.  Choromanski et al.,
//             arXiv:2009.14794
//   Fourier   m^-1/2 [sin z, cos z], z = W x / (|x| sigma): the mean product is
//             exp(-|x^ - y^|^2 / (2 sigma^2)) with x^ = x / |x|.  Peng et al.,
//             arXiv:2103.02143
//
// Identity, Relu, Elu and Exp cost one pass; Elu and Exp one exponential an element.
// Positive and Fourier cost 2 d m FLOPs a token, and m exponentials, sines or cosines.

enum class Feature { Identity, Relu, Elu, Exp, Positive, Fourier };

struct FeatureMap {
  Feature kind = Feature::Elu;
  int head_width = 1;         ///< d
  num::ConstView directions;  ///< d x m: W transposed, for Positive and Fourier
  num::ConstView transposed;  ///< m x d: W, for gradients only
};

/// The number of floats in a token's features, a multiple of num::kLane; padding is 0.
[[nodiscard]] int feature_width(const FeatureMap& map);

/// Draws columns of `directions` (d x m) from a normal distribution.  If `orthogonal`,
/// each d columns are orthogonal, with the lengths of independent columns (Yu et al.,
/// arXiv:1610.09072).  `transposed` (m x d) receives the transpose. m d^2 operations.
void draw_directions(Rng& rng,
                     bool orthogonal,
                     num::View directions,
                     num::View transposed,
                     Arena& arena);

/// Packed features (packing.h) of at most kScanSteps tokens, and memory for gradients.
class FeatureBlock {
 public:
  FeatureBlock(const FeatureMap& map, Arena& arena);

  /// Reads tokens and computes l or z.  Only Fourier uses `inverse_sigma`.
  void read(num::ConstView x, float inverse_sigma);
  /// The largest l of token i for Positive, else 0.
  [[nodiscard]] float largest(int i) const { return largest_[i]; }
  /// Computes phi with one reference for each token, which only Positive uses.
  void finish(const float* reference);
  [[nodiscard]] float* phi() const { return phi_; }

  /// Computes dx from the gradient of phi (packed), for constant references.
  /// Returns the gradient of `inverse_sigma`, 0 unless Fourier.  Overwrites l or z.
  double backward(const float* d_phi, num::View dx);

 private:
  void read_positive();
  void read_fourier();
  void backward_fourier(num::View dx);

  FeatureMap map_;
  int tokens_ = 0;
  float inverse_sigma_ = 1.0F;
  float* x_;       // tokens x d; unit vectors for Fourier
  float* length_;  // of each token, for Fourier
  float* z_;       // tokens x m; x_ for elementwise features
  float* phi_;     // tokens x feature_width
  float* dx_;      // tokens x d
  float* largest_;
};

}  // namespace oa::attention
