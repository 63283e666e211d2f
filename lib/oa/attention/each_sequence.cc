#include "oa/attention/each_sequence.h"

#include "oa/num/rows.h"

#include <utility>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

template <class Matrix>
Matrix rows_of(Matrix all, int begin, int count) {
  all.data += static_cast<std::ptrdiff_t>(begin) * all.stride;
  all.rows = count;
  return all;
}

/// Applies an attention to each sequence; without keys, outputs are 0.
class EachSequence : public Attention {
 public:
  struct Sequence {
    int begin;  ///< first of its tokens
    int tokens;
    int first;  ///< first of its queries
    int queries;
    std::unique_ptr<Attention> attention;  ///< null without keys
  };

  explicit EachSequence(std::vector<Sequence> all) : all_(std::move(all)) {}

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    for (const Sequence& s : all_) {
      if (s.attention) {
        s.attention->forward(
            weights, rows_of(x, s.begin, s.tokens), rows_of(o, s.first, s.queries));
      } else {
        num::fill(rows_of(o, s.first, s.queries), 0.0F);
      }
    }
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    for (const Sequence& s : all_) {
      if (s.attention) {
        s.attention->backward(weights,
                              rows_of(x, s.begin, s.tokens),
                              rows_of(d_o, s.first, s.queries),
                              rows_of(dx, s.begin, s.tokens),
                              gradient);
      } else {
        num::fill(rows_of(dx, s.begin, s.tokens), 0.0F);
      }
    }
  }

  void set_stage(const Stage& stage) override {
    for (const Sequence& s : all_) {
      if (s.attention) {
        s.attention->set_stage(stage);
      }
    }
  }

  void draw_noise(const std::optional<Rng>& rng) override {
    for (std::size_t s = 0; s < all_.size(); ++s) {
      if (all_[s].attention) {
        all_[s].attention->draw_noise(rng ? std::optional(rng->fork(s)) : rng);
      }
    }
  }

 private:
  std::vector<Sequence> all_;
};

}  // namespace

std::unique_ptr<Attention> each_sequence(
    const Site& site,
    const Batch& batch,
    const std::function<std::unique_ptr<Attention>(int tokens)>& make) {
  std::vector<EachSequence::Sequence> all;
  int first = 0;
  for (int s = 0; s < batch.sequences(); ++s) {
    const int tokens = batch.length(s);
    const int queries = site.queries(tokens);
    all.push_back({batch.begin(s),
                   tokens,
                   first,
                   queries,
                   site.keys(tokens) > 0 ? make(tokens) : nullptr});
    first += queries;
  }
  return std::make_unique<EachSequence>(std::move(all));
}

}  // namespace oa::attention
