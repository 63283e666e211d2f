// The plain form: all scores by a library's product, a softmax in vectors, a second
// product.
#include "peer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <cblas.h>
#include <dnnl.h>
#include <immintrin.h>

namespace peers {
namespace {

/// exp of what is at most 0, relative error 3e-7: 2^t, t = x log2(e), of a polynomial
/// and the exponent's bits.
inline __m256 exp_below_0(__m256 x) {
  const __m256 t = _mm256_max_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504F)),
                                 _mm256_set1_ps(-126.0F));
  const __m256 n = _mm256_round_ps(t, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 r = _mm256_sub_ps(t, n);
  __m256 p = _mm256_set1_ps(0.00132764515F);
  for (const float c :
       {0.00967554096F, 0.0555071346F, 0.240221202F, 0.693146944F, 1.0F}) {
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(c));
  }
  const __m256i power = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), power));
}

float sum_of(__m256 v) {
  alignas(32) float x[8];
  _mm256_store_ps(x, v);
  return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}

/// The first `seen` of `count` logits become weights, the others 0.
void softmax(float* row, int seen, int count) {
  float top = row[0];
  for (int j = 1; j < seen; ++j) {
    top = std::max(top, row[j]);
  }
  const __m256 most = _mm256_set1_ps(top);
  __m256 sums = _mm256_setzero_ps();
  int j = 0;
  for (; j + 8 <= seen; j += 8) {
    const __m256 e = exp_below_0(_mm256_sub_ps(_mm256_loadu_ps(row + j), most));
    sums = _mm256_add_ps(sums, e);
    _mm256_storeu_ps(row + j, e);
  }
  float sum = sum_of(sums);
  for (; j < seen; ++j) {
    row[j] = std::exp(row[j] - top);
    sum += row[j];
  }
  const __m256 share = _mm256_set1_ps(1.0F / sum);
  for (j = 0; j + 8 <= seen; j += 8) {
    _mm256_storeu_ps(row + j, _mm256_mul_ps(_mm256_loadu_ps(row + j), share));
  }
  for (; j < seen; ++j) {
    row[j] /= sum;
  }
  std::fill(row + seen, row + count, 0.0F);
}

/// c (m,n) = alpha a (m,k) b, or b' where b is (n,k).
using Product = void (*)(bool turned,
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

void by_openblas(bool turned,
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
              turned ? CblasTrans : CblasNoTrans,
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

void by_onednn(bool turned,
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
  dnnl_sgemm('N', turned ? 'T' : 'N', m, n, k, alpha, a, lda, b, ldb, 0.0F, c, ldc);
}

Run plain(const Problem& p, const Data& data, Product product) {
  // n squared scores of one head in memory: not for 16384.
  if (p.kind != Problem::Kind::Attention || p.decodes() || p.keys > 4096) {
    return {};
  }
  struct State {
    std::vector<float> scores;
    std::vector<float> o;
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
