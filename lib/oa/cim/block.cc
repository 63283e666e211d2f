#include "oa/cim/block.h"

namespace oa::cim {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

Spins spins_of(const qubo::Matrix& j, std::span<const double> h) {
  // With Q_ii = J_ii / 2 + h_i and x = (s + 1) / 2, the pair (i,j) contributes
  // J_ij / 4 s_i s_j, and s_i alone Q_ii / 2 + sum over j of J_ij / 4: twice what the
  // machine, which counts each coupling from both sides, is told.
  Spins s;
  s.n = j.size();
  s.couplings.resize(at(s.n) * at(s.n));
  s.fields.resize(at(s.n));
  for (int i = 0; i < s.n; ++i) {
    const double* from = j.row(i);
    double* to = s.couplings.data() + at(i) * at(s.n);
    double sum = 0.0;
    for (int k = 0; k < s.n; ++k) {
      if (k != i) {
        to[k] = -(from[k] / 8.0);
        sum += from[k] / 8.0;
      }
    }
    s.fields[at(i)] = -(sum + (from[i] / 2.0 + h[at(i)]) / 4.0);
  }
  return s;
}

std::vector<std::int32_t> qubo_of(const Block& block) {
  const int n = block.size();
  std::vector<std::int32_t> q(at(n) * at(n));
  for (int i = 0; i < n; ++i) {
    const std::int8_t* levels = block.row(i);
    std::int32_t* to = q.data() + at(i) * at(n);
    std::int32_t sum = 0;
    for (int k = 0; k < n; ++k) {
      sum += levels[k];
    }
    to[i] = 4 * (sum - levels[n]);
    for (int k = i + 1; k < n; ++k) {
      to[k] = -8 * levels[k];
    }
  }
  return q;
}

Reduced reduced(const Block& block) {
  const int size = block.size();
  const std::vector<std::int32_t> q = qubo_of(block);
  const auto cell = [&](int i, int k) { return q[at(i) * at(size) + at(k)]; };
  std::vector<double> j(at(block.n) * at(block.n));
  std::vector<double> h(at(block.n));
  for (int i = 0; i < block.n; ++i) {
    std::int32_t linear = cell(i, i);
    for (int k = block.n; k < size; ++k) {
      linear += cell(i, k);
    }
    h[at(i)] = linear;
    for (int k = i + 1; k < block.n; ++k) {
      j[at(i) * at(block.n) + at(k)] = j[at(k) * at(block.n) + at(i)] = cell(i, k);
    }
  }
  std::int32_t offset = 0;
  for (int i = block.n; i < size; ++i) {
    for (int k = i; k < size; ++k) {
      offset += cell(i, k);
    }
  }
  return {qubo::Matrix(block.n, j), std::move(h), static_cast<double>(offset)};
}

}  // namespace oa::cim
