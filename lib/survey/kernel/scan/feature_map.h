#pragma once

#include "oa/base/arena.h"
#include "oa/base/rng.h"
#include "oa/num/matrix.h"

namespace oa::attention {

// Features phi(x) of queries and keys, whose products approximate the weight of a key:
//
//   Identity  x                    Relu  max(x, 0)          Exp  exp(x)
//   Elu       elu(x) + 1 = max(x, 0) + exp(min(x, 0)); Katharopoulos et al.,
//             arXiv:2006.16236
//   Positive  m^-1/2 (exp(l - r) + 1e-6), l = W x' - |x'|^2 / 2, x' = d^-1/4 x: on
//             average exp(x.y / sqrt d) up to the references r; Choromanski et al.,
//             arXiv:2009.14794.  The caller chooses r so that nothing overflows.
//   Fourier   m^-1/2 [sin z, cos z], z = W x / (|x| sigma): on average
//             exp(-|x^ - y^|^2 / (2 sigma^2)); Peng et al., arXiv:2103.02143
//
// Elementwise features cost one pass and, for Elu and Exp, one exponential each; the
// others 2 d m FLOPs a token and m exponentials, or m sines and cosines.

enum class Feature { Identity, Relu, Elu, Exp, Positive, Fourier };

struct FeatureMap {
  Feature kind = Feature::Elu;
  int head_width = 1;         ///< d
  num::ConstView directions;  ///< d x m: W transposed, for Positive and Fourier
  num::ConstView transposed;  ///< m x d: W, for gradients only
};

/// Floats of a token's features, a multiple of num::kLane; padding is 0.
[[nodiscard]] int feature_width(const FeatureMap& map);

/// Draws columns of `directions` (d x m) from a normal distribution.  `orthogonal`:
/// they are orthogonal within each d columns, with the lengths of independent ones (Yu
/// et al., arXiv:1610.09072).  `transposed` (m x d) receives the transpose.  m d^2
/// operations.
void draw_directions(Rng& rng,
                     bool orthogonal,
                     num::View directions,
                     num::View transposed,
                     Arena& arena);

/// Features of at most kScanSteps tokens, packed (packing.h), and what their gradient
/// needs.
class FeatureBlock {
 public:
  FeatureBlock(const FeatureMap& map, Arena& arena);

  /// Reads tokens (rows of d) and computes l or z.  `inverse_sigma` is for Fourier.
  void read(num::ConstView x, float inverse_sigma);
  /// The largest l of token i for Positive, else 0.
  [[nodiscard]] float largest(int i) const { return largest_[i]; }
  /// Computes phi with one reference for each token, which only Positive uses.
  void finish(const float* reference);
  [[nodiscard]] float* phi() const { return phi_; }

  /// Computes dx from the gradient of phi (packed), for constant references.  Returns
  /// the gradient of `inverse_sigma`, 0 unless Fourier.  Overwrites l or z.
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
