// The plain form: all scores by a library's product, a softmax in vectors, a second
// product.
#include "peer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <cblas.h>
#include <dnnl.h>
#include <hwy/highway.h>

namespace peers {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

/// exp of numbers of at most 0, relative error 3e-7: 2^t, t = x log2(e), of a
/// polynomial and the exponent's bits.
inline Vector exp_below_0(Vector x) {
  const Floats d;
  const hn::RebindToSigned<Floats> whole;
  const auto t = hn::Max(hn::Mul(x, hn::Set(d, 1.44269504F)), hn::Set(d, -126.0F));
  const auto n = hn::NearestInt(t);
  const auto r = hn::Sub(t, hn::ConvertTo(d, n));
  auto p = hn::Set(d, 0.00132764515F);
  for (const float c :
       {0.00967554096F, 0.0555071346F, 0.240221202F, 0.693146944F, 1.0F}) {
    p = hn::MulAdd(p, r, hn::Set(d, c));
  }
  return hn::BitCast(d, hn::Add(hn::BitCast(whole, p), hn::ShiftLeft<23>(n)));
}

/// The first `seen` of `count` logits become weights, the others 0.
void softmax(float* row, int seen, int count) {
  const Floats d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  auto tops = hn::Set(d, row[0]);
  int j = 0;
  for (; j + lanes <= seen; j += lanes) {
    tops = hn::Max(tops, hn::LoadU(d, row + j));
  }
  float top = hn::GetLane(hn::MaxOfLanes(d, tops));
  for (; j < seen; ++j) {
    top = std::max(top, row[j]);
  }
  auto sums = hn::Zero(d);
  for (j = 0; j + lanes <= seen; j += lanes) {
    const auto e = exp_below_0(hn::Sub(hn::LoadU(d, row + j), hn::Set(d, top)));
    sums = hn::Add(sums, e);
    hn::StoreU(e, d, row + j);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; j < seen; ++j) {
    row[j] = std::exp(row[j] - top);
    sum += row[j];
  }
  const float share = 1.0F / sum;
  for (j = 0; j + lanes <= seen; j += lanes) {
    hn::StoreU(hn::Mul(hn::LoadU(d, row + j), hn::Set(d, share)), d, row + j);
  }
  for (; j < seen; ++j) {
    row[j] *= share;
  }
  std::fill(row + seen, row + count, 0.0F);
}

/// c (m,n) = alpha a (m,k) b, or b' where b is (n,k).
using Product = void (*)(bool transposed,
                         int m,
                         int n,
                         int k,
                         float alpha,
                         const float* a,
                         int lda,
                         const float* b,
                         int ldb,
                         float* c,
                         int ldc);

void by_openblas(bool transposed,
                 int m,
                 int n,
                 int k,
                 float alpha,
                 const float* a,
                 int lda,
                 const float* b,
                 int ldb,
                 float* c,
                 int ldc) {
  cblas_sgemm(CblasRowMajor,
              CblasNoTrans,
              transposed ? CblasTrans : CblasNoTrans,
              m,
              n,
              k,
              alpha,
              a,
              lda,
              b,
              ldb,
              0.0F,
              c,
              ldc);
}

void by_onednn(bool transposed,
               int m,
               int n,
               int k,
               float alpha,
               const float* a,
               int lda,
               const float* b,
               int ldb,
               float* c,
               int ldc) {
  dnnl_sgemm('N', transposed ? 'T' : 'N', m, n, k, alpha, a, lda, b, ldb, 0.0F, c, ldc);
}

Run plain(const Problem& p, const Data& data, Product product) {
  // n squared scores of one head in memory: not for 16384.
  if (p.kind != Problem::Kind::Attention || p.decodes() || p.keys > 4096) {
    return {};
  }
  struct State {
    AlignedFloats scores;
    AlignedFloats o;
  };
  const auto s = std::make_shared<State>();
  s->scores.resize(static_cast<std::size_t>(p.queries) *
                   static_cast<std::size_t>(p.keys));
  s->o.resize(data.q.size());
  return {[=, &data] {
            const int d = p.width;
            const int cols = p.heads * d;
            const int key_cols = p.groups * d;
            const float scale = 1.0F / std::sqrt(static_cast<float>(d));
            for (int h = 0; h < p.heads; ++h) {
              const int g = h * p.groups / p.heads;
              product(true,
                      p.queries,
                      p.keys,
                      d,
                      scale,
                      data.q.data() + h * d,
                      cols,
                      data.k.data() + g * d,
                      key_cols,
                      s->scores.data(),
                      p.keys);
              for (int i = 0; i < p.queries; ++i) {
                softmax(s->scores.data() + std::ptrdiff_t{i} * p.keys,
                        p.causal ? i + 1 : p.keys,
                        p.keys);
              }
              product(false,
                      p.queries,
                      d,
                      p.keys,
                      1.0F,
                      s->scores.data(),
                      p.keys,
                      data.v.data() + g * d,
                      key_cols,
                      s->o.data() + h * d,
                      cols);
            }
          },
          [=] { return s->o.data(); }};
}

}  // namespace

Run openblas(const Problem& p, const Data& data) {
  return plain(p, data, &by_openblas);
}

Run onednn(const Problem& p, const Data& data) {
  return plain(p, data, &by_onednn);
}

}  // namespace peers
