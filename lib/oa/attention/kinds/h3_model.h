#pragma once

#include "oa/attention/kernel/scan/diagonal_scan.h"
#include "oa/parts/params.h"

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// The numbers of diagonal state-space models, one for each column.
struct DiagonalModels {
  num::View pole_re;  ///< (pairs,columns)
  num::View pole_im;
  num::View out_re;
  num::View out_im;
  std::span<float> skip;

  DiagonalModels() = default;
  DiagonalModels(int pairs, int columns, Arena& arena);

  void clear() const;
  /// What the scan of p takes.
  [[nodiscard]] DiagonalInput input(num::ConstView p) const;
  /// As gradients, with that of p.
  [[nodiscard]] DiagonalGradient gradient(num::View p) const;
};

/// The tensors of the models of h3, one for each head, which its channels share:
/// log_decay, frequency, C.re and C.im (pairs,heads), and skip.  They begin as S4D-Lin
/// (Gu et al., arXiv:2206.11893): decays of 1/2, frequencies that are multiples of pi.
/// Time steps are fixed, from 1e-3 to 1e-1 over the heads, all magnitudes alike.
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

  /// The models of all channels; those of heads are overwritten on the way.
  void make(const parts::Weights& weights,
            const DiagonalModels& heads,
            const DiagonalModels& channels) const;
  /// Adds the gradients of the tensors, given those of `channels`.
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
