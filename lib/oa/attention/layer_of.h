#pragma once

#include "oa/attention/kind.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace oa::attention {

/// The attention for a batch of several sequences, made of one for each sequence.
[[nodiscard]] std::unique_ptr<Attention> each_sequence(
    const Site& site,
    const Batch& batch,
    const std::function<std::unique_ptr<Attention>(int tokens)>& make);

/// A layer of the attention A, which works on one sequence.  A::Parts(site, layout)
/// declares the tensors.  A::Parts::cost(site, tokens) is the cost of a sequence
/// without parameters and memory; memory is what A(site, parts, tokens, resources)
/// takes.
///
/// Optional: A::Decoder(site, parts, tokens, resources), for kinds that can decode;
/// A::make() instead of the constructor, for kinds with several implementations.
template <class A>
class LayerOf : public Layer {
 public:
  LayerOf(const Site& site, parts::Layout& layout)
      : site_(site),
        parameters_before_(layout.parameter_count()),
        parts_(site, layout),
        parameters_(layout.parameter_count() - parameters_before_) {}

  using Layer::cost;
  [[nodiscard]] parts::Cost cost(const Batch& batch, int threads) const override {
    parts::Cost cost;
    for (int s = 0; s < batch.sequences(); ++s) {
      if (site_.keys(batch.length(s)) > 0) {
        cost += parts_.cost(site_, batch.length(s));
      }
    }
    cost.parameters = parameters_;
    Arena kept;
    Arena scratch;
    (void)make(batch, {.kept = kept, .scratch = scratch, .threads = threads});
    cost.saved = kept.high_water();
    cost.workspace = scratch.high_water();
    return cost;
  }

  [[nodiscard]] std::unique_ptr<Attention> make(
      const Batch& batch, const Resources& resources) const override {
    const auto make_one = [&](int tokens) -> std::unique_ptr<Attention> {
      if constexpr (requires { A::make(site_, parts_, tokens, resources); }) {
        return A::make(site_, parts_, tokens, resources);
      } else {
        return std::make_unique<A>(site_, parts_, tokens, resources);
      }
    };
    if (batch.sequences() == 1 && site_.keys(batch.rows()) > 0) {
      return make_one(batch.rows());
    }
    return each_sequence(site_, batch, make_one);
  }

  [[nodiscard]] std::unique_ptr<Decoder> make_decoder(
      int tokens, const Resources& resources) const override {
    if constexpr (requires { typename A::Decoder; }) {
      if (site_.causal) {
        return std::make_unique<typename A::Decoder>(site_, parts_, tokens, resources);
      }
    }
    return nullptr;
  }

 private:
  Site site_;
  std::int64_t parameters_before_;  // of the layout, before parts_
  typename A::Parts parts_;
  std::int64_t parameters_;  // of parts_
};

/// Kind::declare for the attention A.
template <class A>
[[nodiscard]] std::unique_ptr<const Layer> declare(const Site& site,
                                                   parts::Layout& layout) {
  return std::make_unique<const LayerOf<A>>(site, layout);
}

}  // namespace oa::attention
