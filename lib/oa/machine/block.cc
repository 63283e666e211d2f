#include "oa/machine/block.h"

#include "oa/base/index.h"

namespace oa::machine {

Spins spins_of(const qubo::Matrix& j, std::span<const double> h) {
  // With Q_ii = J_ii / 2 + h_i and x = (s + 1) / 2,
  // E has J_ij / 4 s_i s_j for a pair and (Q_ii / 2 + sum over j of J_ij / 4) s_i.
  // The machine counts each coupling twice, so couplings and fields are halved.
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

double TaskMatrix::energy(std::span<const int> ones) const {
  double sum = 0.0;
  for (std::size_t a = 0; a < ones.size(); ++a) {
    const float* from = row(ones[a]) - ones[a];
    for (std::size_t b = a; b < ones.size(); ++b) {
      sum += double{from[ones[b]]};
    }
  }
  return sum;
}

TaskMatrix task_matrix_of(const Block& block) {
  const int n = block.size();
  TaskMatrix q;
  q.n = n;
  q.cells.reserve(at(n) * at(n + 1) / 2);
  for (int i = 0; i < n; ++i) {
    const std::int16_t* levels = block.row(i);
    int sum = 0;
    for (int k = 0; k < n; ++k) {
      sum += levels[k];
    }
    q.cells.push_back(static_cast<float>(4 * (sum - levels[n])));
    for (int k = i + 1; k < n; ++k) {
      q.cells.push_back(static_cast<float>(-8 * levels[k]));
    }
  }
  return q;
}

Reduced reduced(const TaskMatrix& q, int extra) {
  const int n = q.n - extra;
  std::vector<double> j(at(n) * at(n));
  std::vector<double> h(at(n));
  double offset = 0.0;
  for (int i = 0; i < q.n; ++i) {
    const float* cells = q.row(i) - i;
    double linear = 0.0;  // diagonal plus couplings to the extra spins
    for (int k = i; k < q.n; ++k) {
      if (k == i || k >= n) {
        linear += double{cells[k]};
      } else {
        j[at(i) * at(n) + at(k)] = j[at(k) * at(n) + at(i)] = double{cells[k]};
      }
    }
    if (i < n) {
      h[at(i)] = linear;
    } else {
      offset += linear;
    }
  }
  return {qubo::Matrix(n, j), std::move(h), offset};
}

}  // namespace oa::machine
