#pragma once

#include "oa/base/arena.h"
#include "oa/base/rng.h"
#include "oa/num/matrix.h"

namespace oa::attention {

// Features phi(x) of queries and keys, whose products stand for the weight of a key:
//
//   Identity  x                    Relu  max(x, 0)          Exp  exp(x)
//   Elu       elu(x) + 1 = max(x, 0) + exp(min(x, 0)), Katharopoulos et al.,
//   arXiv:2006.16236 Positive  m^-1/2 (exp(l - r) + 1e-6), l = W x' - |x'|^2 / 2, x' =
//   d^-1/4 x: on
//             average exp(x.y / sqrt d) up to the references r; Choromanski et al.,
//             arXiv:2009.14794.  r is chosen by the caller, so that nothing overflows.
//   Fourier   m^-1/2 [sin z, cos z], z = W x / (|x| sigma): on average
//             exp(-|x^ - y^|^2 / (2 sigma^2)); Peng et al., arXiv:2103.02143
//
// Pointwise features cost 1 pass and, for Elu and Exp, one exponential each; the others
// 2 d m FLOP a token and m exponentials, or m sines and cosines.

enum class Feature { Identity, Relu, Elu, Exp, Positive, Fourier };

struct FeatureMap {
  Feature kind = Feature::Elu;
  int head_width = 1;         ///< d
  num::ConstView directions;  ///< d x m: W transposed, for Positive and Fourier
  num::ConstView transposed;  ///< m x d: W, which only gradients need
};

/// Floats that the features of a token take, a multiple of num::kLane; those behind the
/// last, and between sines and cosines, are 0.
[[nodiscard]] int feature_width(const FeatureMap& map);

/// Columns of `directions` (d x m) are normal vectors, orthogonal to each other within
/// each d of them if `orthogonal`; their lengths are those of independent ones (Yu et
/// al., arXiv:1610.09072).  `transposed` (m x d) becomes the transposed.  m d^2
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

  /// Takes tokens (rows of d) and computes l or z.  `inverse_sigma` is for Fourier.
  void read(num::ConstView x, float inverse_sigma);
  /// The largest l of token i, for Positive; 0 for others.
  [[nodiscard]] float largest(int i) const { return largest_[i]; }
  /// phi with these references, one for each token; only Positive uses them.
  void finish(const float* reference);
  [[nodiscard]] float* phi() const { return phi_; }

  /// dx, given that of phi (packed), with references held fixed.  Returns the gradient
  /// of `inverse_sigma`, 0 but for Fourier.  Destroys l or z.
  double backward(const float* d_phi, num::View dx);

 private:
  void read_positive();
  void read_fourier();
  void backward_fourier(num::View dx);

  FeatureMap map_;
  int tokens_ = 0;
  float inverse_sigma_ = 1.0F;
  float* x_;       // tokens x d; for Fourier of length 1
  float* length_;  // of each token, for Fourier
  float* z_;       // tokens x m; for pointwise features it is x_
  float* phi_;     // tokens x feature_width
  float* dx_;      // tokens x d
  float* largest_;
};

}  // namespace oa::attention
