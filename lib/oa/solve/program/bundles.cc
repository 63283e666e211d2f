#include "oa/solve/program/bundles.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kMaxBundlesBefore = 64;  // bundles that a variable is compared with
constexpr int kMaxApart = 8;           // couplings that may differ
constexpr int kMinEqual = 4;           // equal couplings for each different one

/// Returns 1 if couplings are mostly equal, -1 if mostly opposite, else 0.
double sign_beside(const Bundles::Row& a, const Bundles::Row& b) {
  double sign = 0.0;
  int apart = 0;
  int equal = 0;
  for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
    const bool first = k == b.size() || (i < a.size() && a[i].other < b[k].other);
    const bool second = i == a.size() || (k < b.size() && b[k].other < a[i].other);
    if (!first && !second) {
      if (sign == 0.0 && std::abs(a[i].weight) == std::abs(b[k].weight)) {
        sign = a[i].weight == b[k].weight ? 1.0 : -1.0;
      }
      (a[i].weight == sign * b[k].weight ? equal : apart) += 1;
    } else {
      ++apart;
    }
    if (apart > kMaxApart) {
      return 0.0;
    }
    i += second ? 0 : 1;
    k += first ? 0 : 1;
  }
  return equal >= kMinEqual * std::max(1, apart) ? sign : 0.0;
}

/// Returns the most frequent value among `zeros` zeros and `values`.
double most_frequent(std::vector<double>& values, std::size_t zeros) {
  std::ranges::sort(values);
  double best = 0.0;
  std::size_t most = zeros;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::ranges::find_if(
        first, values.end(), [&](double v) { return v != *first; });
    const auto times = static_cast<std::size_t>(last - first);
    if (times > most) {
      best = *first;
      most = times;
    }
    first = last;
  }
  return best;
}

}  // namespace

Bundles::Bundles(const std::vector<Row>& rows,
                 const std::function<bool(int, int)>& may_join,
                 Pace& pace)
    : bundle_(rows.size()),
      sign_(rows.size(), 1.0) {
  join(rows, may_join, pace);
  couple(rows, pace);
  keep_rest(rows, pace);
}

void Bundles::join(const std::vector<Row>& rows,
                   const std::function<bool(int, int)>& may_join,
                   Pace& pace) {
  for (int i = 0; i < static_cast<int>(rows.size()) && !pace.stopped(); ++i) {
    bundle_[at(i)] = count();
    for (int b = count() - 1; b >= std::max(0, count() - kMaxBundlesBefore); --b) {
      const int first = members_[at(b)].front();
      const double sign = sign_beside(rows[at(i)], rows[at(first)]);
      (void)pace(std::ssize(rows[at(i)]) / 8 + 32);
      if (sign != 0.0 && may_join(i, first)) {
        bundle_[at(i)] = b;
        sign_[at(i)] = sign;
        break;
      }
    }
    if (bundle_[at(i)] == count()) {
      members_.emplace_back();
    }
    members_[at(bundle_[at(i)])].push_back(i);
  }
}

/// Couples two bundles by the most frequent coupling of the first member of one to the
/// members of the other.
void Bundles::couple(const std::vector<Row>& rows, Pace& pace) {
  couplings_.resize(members_.size());
  std::vector<std::vector<double>> values(members_.size());
  for (int b = 0; b < count() && !pace.stopped(); ++b) {
    std::vector<std::int32_t> touched;
    const Row& first = rows[at(members_[at(b)].front())];
    (void)pace(32 * std::ssize(first));
    for (const qubo::Coupling& c : first) {
      const std::int32_t other = of(c.other);
      if (other < b) {
        continue;
      }
      if (values[at(other)].empty()) {
        touched.push_back(other);
      }
      values[at(other)].push_back(sign(c.other) * c.weight);
    }
    std::ranges::sort(touched);
    for (const std::int32_t other : touched) {
      std::vector<double> all = std::exchange(values[at(other)], {});
      const std::size_t pairs = members_[at(other)].size() - (other == b ? 1 : 0);
      const double weight = most_frequent(all, pairs - all.size());
      if (weight == 0.0) {
        continue;
      }
      couplings_[at(b)].push_back({other, weight});
      if (other != b) {
        couplings_[at(other)].push_back({b, weight});
      }
    }
  }
}

void Bundles::keep_rest(const std::vector<Row>& rows, Pace& pace) {
  rest_.resize(rows.size());
  std::vector<double> rest(rows.size());
  for (int i = 0; i < static_cast<int>(rows.size()) && !pace.stopped(); ++i) {
    Row& own = rest_[at(i)];
    const auto add = [&](std::int32_t k) {
      if (rest[at(k)] != 0.0) {
        own.push_back({k, std::exchange(rest[at(k)], 0.0)});
      }
    };
    for (const qubo::Coupling& c : rows[at(i)]) {
      rest[at(c.other)] = c.weight;
    }
    (void)pace(8 * std::ssize(rows[at(i)]));
    for (const qubo::Coupling& c : row(of(i))) {
      (void)pace(4 * std::ssize(members(c.other)));
      for (const std::int32_t k : members(c.other)) {
        rest[at(k)] -= sign(i) * sign(k) * c.weight;
        add(k);
      }
    }
    for (const qubo::Coupling& c : rows[at(i)]) {
      add(c.other);
    }
  }
}

}  // namespace oa::solve
