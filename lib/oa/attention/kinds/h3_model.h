#pragma once

#include "oa/attention/kernel/scan/diagonal_scan.h"
#include "oa/parts/params.h"

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// The parameters of diagonal state-space models, one model for each column.
struct DiagonalModels {
  num::View pole_re;  ///< (pairs,columns)
  num::View pole_im;
  num::View out_re;
  num::View out_im;
  std::span<float> skip;

  DiagonalModels() = default;
  DiagonalModels(int pairs, int columns, Arena& arena);

  void clear() const;
  /// The input of a scan of p.
  [[nodiscard]] DiagonalInput input(num::ConstView p) const;
  /// These as gradients, with that of p.
  [[nodiscard]] DiagonalGradient gradient(num::View p) const;
};

/// The tensors of the models of h3, one model for each head, shared by its channels:
/// log_decay, frequency, C.re and C.im (pairs,heads), and skip.  The start is S4D-Lin
/// (Gu et al., arXiv:2206.11893): decays of 1/2, frequencies that are multiples of pi.
/// Time steps are fixed: from 1e-3 to 1e-1 over the heads, uniform in the logarithm.
class H3Model {
 public:
  H3Model(parts::Layout& layout,
          const std::string& prefix,
          int pairs,
          int heads,
          int channels_of_head);

  [[nodiscard]] int pairs() const { return pairs_; }
  [[nodiscard]] int channels() const { return heads_ * channels_of_head_; }

  [[nodiscard]] DiagonalModels for_heads(Arena& arena) const;
  [[nodiscard]] DiagonalModels for_channels(Arena& arena) const;

  /// Computes the models of all channels; overwrites those of `heads`.
  void make(const parts::Weights& weights,
            const DiagonalModels& heads,
            const DiagonalModels& channels) const;
  /// Adds the gradients of the tensors, from those of `channels`.
  void backward(const parts::Weights& weights,
                const DiagonalModels& channels,
                const DiagonalModels& heads,
                parts::Values& gradient) const;

 private:
  int pairs_;
  int heads_;
  int channels_of_head_;
  std::vector<float> steps_;
  int log_decay_;  // tensors
  int frequency_;
  int out_re_;
  int out_im_;
  int skip_;
};

}  // namespace oa::attention
