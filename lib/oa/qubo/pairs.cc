#include "oa/qubo/pairs.h"

#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace oa::qubo {
namespace {

/// The order of a row's entries.  Strict: no variable twice, and no zero weight.
enum class Order : std::uint8_t { None, Ascending, Strict };

}  // namespace

std::size_t Row::size() const {
  if (others_ != nullptr) {
    return count_;
  }
  std::size_t count = 0;
  for (auto entry = begin(); entry != end(); ++entry) {
    ++count;
  }
  return count;
}

double split(ExactSum sum,
             std::int32_t first,
             std::int32_t second,
             std::vector<Term>& rests) {
  const double nearest = sum.take_value();
  for (double left = sum.take_value(); left != 0.0; left = sum.take_value()) {
    rests.push_back({first, second, left});
  }
  return nearest;
}

class Pairs::Builder {
 public:
  Builder(Pairs& pairs, std::vector<Term>& rests, const std::stop_token& stop)
      : pairs_(pairs),
        rests_(rests),
        stop_(stop) {}

  void build(std::span<const std::span<const Term>> lists) {
    std::size_t entries = 0;
    Width width = Width::Int8;
    each(lists, [&](const Term& t) {
      ++pairs_.begins_[at(t.first) + 1];
      ++pairs_.begins_[at(t.second) + 1];
      entries += 2;
      width = std::max(width, width_of(t.weight));
    });
    const std::size_t cells = at(pairs_.n_) * at(pairs_.n_);
    pairs_.dense_ = cells * bytes_of(width) <= entries * (bytes_of(width) + 4);
    if (pairs_.dense_) {
      pairs_.begins_ = {};
      pairs_.weights_ = Numbers(width, cells);
      fill_dense(lists);
    } else {
      place(lists, entries, width);
      sort_rows();
      pairs_.count_ = std::ssize(pairs_.others_) / 2;
    }
  }

 private:
  template <class Take>
  void each(std::span<const std::span<const Term>> lists, const Take& take) const {
    constexpr std::size_t kBlock = 1 << 16;
    for (std::span<const Term> list : lists) {
      while (!list.empty() && !stop_.stop_requested()) {
        const std::size_t count = std::min(list.size(), kBlock);
        for (const Term& t : list.first(count)) {
          if (t.first != t.second) {
            take(t);
          }
        }
        list = list.subspan(count);
      }
    }
  }

  void fill_dense(std::span<const std::span<const Term>> lists) {
    Numbers& weights = pairs_.weights_;
    const auto n = at(pairs_.n_);
    const auto put = [&](std::int32_t i, std::int32_t k, double weight) {
      weights.set(at(i) * n + at(k), weight);
      weights.set(at(k) * n + at(i), weight);
    };
    std::vector<Term> more;  // terms whose sum would not be a double
    each(lists, [&](const Term& t) {
      const auto [i, k] = std::minmax(t.first, t.second);
      const double before = weights[at(i) * n + at(k)];
      const double sum = before + t.weight;
      if (sum - t.weight == before && sum - before == t.weight) {
        put(i, k, sum);
      } else {
        more.push_back({i, k, t.weight});
      }
    });
    const auto pair_of = [](const Term& t) { return std::pair(t.first, t.second); };
    std::ranges::sort(more, {}, pair_of);
    for (auto from = more.begin(); from != more.end();) {
      const auto [i, k] = pair_of(*from);
      ExactSum sum;
      sum.add(weights[at(i) * n + at(k)]);
      for (; from != more.end() && pair_of(*from) == std::pair(i, k); ++from) {
        sum.add(from->weight);
      }
      put(i, k, split(sum, i, k, rests_));
    }
    std::int64_t entries = 0;
    weights.visit([&](const auto& all) {
      entries = std::ssize(all) - std::ranges::count(all, 0);
    });
    pairs_.count_ = entries / 2;
  }

  /// Places each entry in its row, in the order of the terms.
  void place(std::span<const std::span<const Term>> lists,
             std::size_t entries,
             Width width) {
    std::vector<std::size_t>& begins = pairs_.begins_;
    for (std::size_t i = 1; i < begins.size(); ++i) {
      begins[i] += begins[i - 1];
    }
    std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
    pairs_.others_.resize(entries);
    pairs_.weights_ = Numbers(width, Numbers::Memory{});
    pairs_.weights_.resize(entries);
    pairs_.weights_.visit([&]<class T>(std::span<T> weights) {
      each(lists, [&](const Term& t) {
        for (const auto& [i, other] :
             {std::pair{t.first, t.second}, std::pair{t.second, t.first}}) {
          const std::size_t k = next[at(i)]++;
          pairs_.others_[k] = other;
          weights[k] = static_cast<T>(t.weight);
        }
      });
    });
  }

  [[nodiscard]] Order order_of(std::size_t from, std::size_t to) const {
    bool strict = true;
    for (std::size_t k = from; k < to; ++k) {
      const std::int32_t before = k > from ? pairs_.others_[k - 1] : -1;
      if (pairs_.others_[k] < before) {
        return Order::None;
      }
      strict = strict && pairs_.others_[k] > before && pairs_.weights_[k] != 0.0;
    }
    return strict ? Order::Strict : Order::Ascending;
  }

  /// Sorts rows, sums entries of equal variables and closes gaps.
  void sort_rows() {
    std::vector<Coupling> row;
    std::size_t out = 0;
    for (std::int32_t i = 0; i < pairs_.n_ && !stop_.stop_requested(); ++i) {
      const std::size_t from = pairs_.begins_[at(i)];
      const std::size_t to = pairs_.begins_[at(i) + 1];
      pairs_.begins_[at(i)] = out;
      const Order order = order_of(from, to);
      if (order == Order::Strict && out == from) {
        out = to;
        continue;
      }
      row.clear();
      for (std::size_t k = from; k < to; ++k) {
        row.push_back({pairs_.others_[k], pairs_.weights_[k]});
      }
      if (order != Order::Strict) {
        if (order == Order::None) {
          std::ranges::stable_sort(row, {}, &Coupling::other);
        }
        merge(i, row);
      }
      for (const Coupling& c : row) {
        pairs_.others_[out] = c.other;
        pairs_.weights_.set(out++, c.weight);
      }
    }
    pairs_.begins_.back() = out;
    pairs_.others_.resize(out);
    pairs_.weights_.resize(out);
  }

  /// Sums entries of equal variables.
  /// A pair is in two rows, but its remainder is stored once.
  void merge(std::int32_t i, std::vector<Coupling>& row) {
    auto out = row.begin();
    for (auto from = row.begin(); from != row.end();) {
      const std::int32_t other = from->other;
      ExactSum sum;
      for (; from != row.end() && from->other == other; ++from) {
        sum.add(from->weight);
      }
      const double weight = other > i ? split(sum, i, other, rests_) : sum.value();
      if (weight != 0.0) {
        *out++ = {other, weight};
      }
    }
    row.erase(out, row.end());
  }

  Pairs& pairs_;
  std::vector<Term>& rests_;
  const std::stop_token& stop_;
};

Pairs::Pairs(int n,
             std::span<const std::span<const Term>> lists,
             std::vector<Term>& rests,
             const std::stop_token& stop)
    : Pairs(n) {
  Builder(*this, rests, stop).build(lists);
  if (stop.stop_requested()) {
    *this = Pairs(n);
  }
  add_up();
}

void Pairs::add_up() {
  std::as_const(weights_).visit([&]<class T>(std::span<T> all) {
    if constexpr (std::numeric_limits<T>::is_integer) {
      const auto n = at(n_);
      sums_.resize(n);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t from = dense_ ? i * n : begins_[i];
        const std::size_t to = dense_ ? from + n : begins_[i + 1];
        // The sum of a block stays below 2^31.
        constexpr std::size_t kBlock = 1 << 15;
        for (std::size_t k = from; k < to; k += kBlock) {
          std::int32_t sum = 0;
          std::int32_t magnitude = 0;
          std::uint32_t bits = 0;
          for (const T weight : all.subspan(k, std::min(kBlock, to - k))) {
            const std::int32_t w = weight;
            sum += w;
            magnitude += std::abs(w);
            bits |= static_cast<std::uint32_t>(w);
          }
          sums_[i].positive += (std::int64_t{magnitude} + sum) / 2;
          sums_[i].negative -= (std::int64_t{magnitude} - sum) / 2;
          bits_ |= bits;
        }
        if (dense_) {  // without the diagonal; bits_ may keep extra bits
          const std::int64_t own = all[from + i];
          (own > 0 ? sums_[i].positive : sums_[i].negative) -= own;
        }
      }
    }
  });
}

namespace {

/// Calls take(i, k) for all i < k, in blocks that keep (i,k) and (k,i) in the cache.
template <class Take>
void each_pair(int n, const Take& take) {
  constexpr int kBlock = 64;
  for (int row = 0; row < n; row += kBlock) {
    for (int column = row; column < n; column += kBlock) {
      for (int i = row; i < std::min(n, row + kBlock); ++i) {
        for (int k = std::max(column, i + 1); k < std::min(n, column + kBlock); ++k) {
          take(at(i), at(k));
        }
      }
    }
  }
}

/// Counts nonzero pairs of a symmetric matrix; -1 if q is not symmetric.
std::int64_t symmetric_pairs(int n, const Numbers& q) {
  return q.visit([&](const auto& all) -> std::int64_t {
    const std::size_t stride = at(n);
    std::int64_t count = 0;
    bool symmetric = true;
    each_pair(n, [&](std::size_t i, std::size_t k) {
      const auto upper = all[i * stride + k];
      symmetric = symmetric && upper == all[k * stride + i];
      count += upper != 0 ? 1 : 0;
    });
    return symmetric ? count : -1;
  });
}

/// True if a list of `count` pairs takes less memory, also during construction.
bool takes_less_sparse(int n, std::int64_t count, std::size_t width_bytes) {
  return at(count) * (sizeof(Term) + 2 * (width_bytes + 4)) <
         at(n) * at(n) * width_bytes;
}

}  // namespace

void Pairs::use_symmetric(Numbers q, std::int64_t count) {
  dense_ = true;
  begins_ = {};
  count_ = count;
  weights_ = std::move(q);
  add_up();
}

Pairs::Square Pairs::of_square(int n, Numbers q, std::vector<Term>& rests) {
  q.narrow();
  Square square{Pairs(n), std::vector<double>(at(n)), 1.0};
  const std::size_t stride = at(n);
  if (q.is_borrowed()) {
    const std::int64_t count = symmetric_pairs(n, q);
    if (count >= 0 && !takes_less_sparse(n, count, bytes_of(q.width()))) {
      for (std::size_t i = 0; i < stride; ++i) {
        square.diagonal[i] = std::as_const(q)[i * stride + i];
      }
      square.factor = 2.0;
      square.pairs.use_symmetric(std::move(q), count);
      return square;
    }
  }
  Width width = Width::Int8;  // of the sums q_ik + q_ki
  bool odd = false;           // some sum of whole numbers is odd
  std::int64_t count = 0;
  q.visit([&]<class T>(std::span<T> all) {
    for (std::size_t i = 0; i < stride; ++i) {
      square.diagonal[i] = static_cast<double>(all[i * stride + i]);
      all[i * stride + i] = T{0};
    }
    each_pair(n, [&](std::size_t i, std::size_t k) {
      if constexpr (std::numeric_limits<T>::is_integer) {
        const int sum = all[i * stride + k] + all[k * stride + i];
        count += sum != 0 ? 1 : 0;
        odd = odd || sum % 2 != 0;
        width = std::max(width,
                         sum >= -128 && sum <= 127       ? Width::Int8
                         : sum >= -32768 && sum <= 32767 ? Width::Int16
                                                         : Width::Float);
      } else {
        const double sum = double{all[i * stride + k]} + double{all[k * stride + i]};
        count += sum != 0.0 ? 1 : 0;
        width = std::max(width, width_of(sum));
      }
    });
  });
  // Integers have q_ik = q_ki: half of the sum fits into the narrower type of q.
  const bool halves = q.width() <= Width::Int16 && width > q.width() && !odd;
  square.factor = halves ? 2.0 : 1.0;
  const std::size_t width_bytes = bytes_of(halves ? q.width() : width);
  if (takes_less_sparse(n, count, width_bytes)) {
    Terms terms;
    terms.reserve(2 * at(count));
    for (std::size_t i = 0; i < stride; ++i) {
      for (std::size_t k = 0; k < stride; ++k) {
        if (const double weight = q[i * stride + k]; weight != 0.0) {
          terms.push_back(
              {static_cast<std::int32_t>(i), static_cast<std::int32_t>(k), weight});
        }
      }
    }
    const std::array<std::span<const Term>, 1> lists{terms};
    square.pairs = Pairs(n, lists, rests);
    square.factor = 1.0;
    return square;
  }
  if (!halves && width > q.width()) {
    q.convert(width);
  }
  q.visit([&]<class T>(std::span<T> all) {
    each_pair(n, [&](std::size_t i, std::size_t k) {
      T& upper = all[i * stride + k];
      T& lower = all[k * stride + i];
      if constexpr (std::numeric_limits<T>::is_integer) {
        upper = lower = static_cast<T>((upper + lower) / (halves ? 2 : 1));
      } else {
        ExactSum sum;
        sum.add(double{upper});
        sum.add(double{lower});
        const TwoDoubles two = sum.two();
        if (two.rest != 0.0) {
          rests.push_back(
              {static_cast<std::int32_t>(i), static_cast<std::int32_t>(k), two.rest});
        }
        upper = lower = static_cast<T>(two.value);
      }
    });
  });
  q.narrow();
  square.pairs.use_symmetric(std::move(q), count);
  return square;
}

}  // namespace oa::qubo
