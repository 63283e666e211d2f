#include "oa/solve/chain/chain.h"

#include "oa/base/index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kDense = 0.25;        // share of nonzero couplings; above: dense rows
constexpr std::size_t kMaxDigits = 5;  // maximum drawn together: 32 choices
constexpr double kRepelling = 0.9;     // share of positive couplings
constexpr double kFine = 0.5;          // norm of a fine digit's row / median norm
constexpr int kRenewal =
    1 << 14;  // sweeps between recomputations of fields, against rounding errors
// With at most this many numbers, variables outside are drawn together with digits.
constexpr int kMaxLonely = 4;

}  // namespace

ChainProblem::ChainProblem(const qubo::Quadratic& f,
                           const Structure& structure,
                           Singles draw,
                           const Stop& stop)
    : n_(f.size()),
      dense_(static_cast<double>(f.pairs()) >= kDense * 0.5 * n_ * (n_ - 1.0)),
      linear_(f.linear.begin(), f.linear.end()),
      draw_(draw),
      groups_of_(at(f.size())) {
  rows_.resize(dense_ ? at(n_) * at(n_) : 0);
  begins_.push_back(0);
  std::int64_t repelling = 0;
  Pace pace(stop);
  for (int i = 0; i < n_; ++i) {
    if (pace(dense_ ? 4 * n_ : 16)) {
      begins_.push_back(others_.size());
      continue;
    }
    double sum = 0.0;
    f.row(i).each([&](std::int32_t k, double weight) {
      sum += weight * weight;
      repelling += weight > 0.0 ? 1 : 0;
      if (dense_) {
        rows_[at(i) * at(n_) + at(k)] = weight;
      } else {
        others_.push_back(k);
        weights_.push_back(weight);
      }
    });
    begins_.push_back(others_.size());
    spread_ += std::sqrt(sum + linear_[at(i)] * linear_[at(i)]) / n_;
  }
  std::vector<bool> in_block(at(n_));
  for (const Number& number : structure.numbers) {
    std::vector<int> digits = number.variables;
    std::vector<std::size_t> order(digits.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      order[k] = k;
    }
    std::ranges::sort(
        order, {}, [&](std::size_t k) { return std::abs(number.weights[k]); });
    std::ranges::transform(order, digits.begin(), [&](std::size_t k) {
      in_block[at(number.variables[k])] = true;
      return number.variables[k];
    });
    // Windows of adjacent digits overlap, so that carries propagate.
    const std::size_t width = std::min(kMaxDigits, digits.size());
    for (std::size_t first = 0;; first += width - 1) {
      const std::size_t begin = std::min(first, digits.size() - width);
      blocks_.push_back(
          block_of({digits.begin() + static_cast<std::ptrdiff_t>(begin),
                    digits.begin() + static_cast<std::ptrdiff_t>(begin + width)}));
      if (begin + width == digits.size()) {
        break;
      }
    }
  }

  for (int i = 0; i < n_; ++i) {
    if (in_block[at(i)]) {
      continue;
    }
    if (blocks_.empty() || structure.numbers.size() > kMaxLonely) {
      singles_.push_back(i);
      continue;
    }
    // A slack with few digits must adapt to the variable.
    std::vector<Block>& own = beside_.emplace_back();
    for (const Block& digits : blocks_) {
      std::vector<int> both{i};
      both.insert(both.end(), digits.variables.begin(), digits.variables.end());
      own.push_back(block_of(std::move(both)));
    }
  }
  budget_ = dense_ && static_cast<double>(repelling) >= kRepelling * n_ * (n_ - 1.0);
  if (budget_) {
    find_fine_digits();
  }
  add_groups(structure.groups);
  work_ = n_;
  work_ += fine_.empty() ? 0 : std::int64_t{n_} << (fine_.size() + 5);
  for (const Block& block : blocks_) {
    work_ += 8 * std::ssize(block.inner);
  }
  for (const std::vector<Block>& blocks : beside_) {
    work_ += 8 * std::ssize(blocks.front().inner);
  }
}

double ChainProblem::coupling(int i, int k) const {
  if (dense_) {
    return rows_[at(i) * at(n_) + at(k)];
  }
  const auto begin = others_.begin() + static_cast<std::ptrdiff_t>(begins_[at(i)]);
  const auto end = others_.begin() + static_cast<std::ptrdiff_t>(begins_[at(i + 1)]);
  const auto found = std::lower_bound(begin, end, k);
  return found != end && *found == k ? weights_[at(found - others_.begin())] : 0.0;
}

void ChainProblem::add_row(int i, double factor, double* field) const {
  if (dense_) {
    const double* row = rows_.data() + at(i) * at(n_);
    for (int k = 0; k < n_; ++k) {
      field[k] += factor * row[k];
    }
    return;
  }
  for (std::size_t k = begins_[at(i)]; k < begins_[at(i + 1)]; ++k) {
    field[others_[k]] += factor * weights_[k];
  }
}

ChainProblem::Block ChainProblem::block_of(std::vector<int> variables) const {
  Block block;
  block.variables = std::move(variables);
  fill(block);
  return block;
}

void ChainProblem::fill(Block& block) const {
  const std::size_t digits = block.variables.size();
  block.pairs.clear();
  for (const int i : block.variables) {
    for (const int k : block.variables) {
      block.pairs.push_back(i == k ? 0.0 : coupling(i, k));
    }
  }
  block.inner.assign(std::size_t{1} << digits, 0.0);
  for (std::size_t choice = 1; choice < block.inner.size(); ++choice) {
    const auto low = at(std::countr_zero(choice));
    const std::size_t rest = choice & (choice - 1);
    double sum = block.inner[rest];
    for (std::size_t k = low + 1; k < digits; ++k) {
      sum += (rest >> k & 1) != 0 ? block.pairs[low * digits + k] : 0.0;
    }
    block.inner[choice] = sum;
  }
}

/// Takes variables whose rows of couplings have less than kFine times the median norm.
void ChainProblem::find_fine_digits() {
  std::vector<std::pair<double, int>> norms;
  for (int i = 0; i < n_; ++i) {
    const auto row = std::span(rows_).subspan(at(i) * at(n_), at(n_));
    double sum = 0.0;
    for (const double weight : row) {
      sum += weight * weight;
    }
    norms.emplace_back(std::sqrt(sum), i);
  }
  std::ranges::sort(norms);
  const double typical = norms[norms.size() / 2].first;
  for (const auto& [norm, i] : norms) {
    if (fine_.size() < kMaxDigits && norm < kFine * typical) {
      fine_.push_back(i);
    }
  }
}

/// Colours groups so that groups with a common variable have different colours.  In a
/// permutation, colour 0 marks rows, so groups_of_ lists the row of a variable first.
void ChainProblem::add_groups(const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    for (const int i : group.variables) {
      groups_of_[at(i)].push_back(static_cast<int>(groups_.size()));
    }
    groups_.push_back(group.variables);
  }
  std::vector<int> colour(groups_.size(), -1);
  for (std::size_t first = 0; first < groups_.size(); ++first) {
    std::vector<std::size_t> open;
    if (colour[first] < 0) {
      colour[first] = 0;
      open.push_back(first);
    }
    while (!open.empty()) {
      const std::size_t group = open.back();
      open.pop_back();
      for (const int i : groups_[group]) {
        for (const int other : groups_of_[at(i)]) {
          if (colour[at(other)] < 0) {
            colour[at(other)] = 1 - colour[group];
            open.push_back(at(other));
          }
        }
      }
    }
  }
  for (std::vector<int>& of : groups_of_) {
    std::ranges::stable_sort(of, {}, [&](int group) { return colour[at(group)]; });
  }
}

Chain::Chain(const ChainProblem& problem, const Rng& rng)
    : p_(problem),
      x_(at(problem.n_)),
      field_(at(problem.n_)) {
  Rng seeds = rng;
  for (std::uint64_t& word : random_) {
    word = seeds.u64();
  }
  begin(x_);
}

/// Draws a number in [0, 1) by xoshiro256+ (D. Blackman and S. Vigna, 2018).
double Chain::uniform() {
  const std::uint64_t sum = random_[0] + random_[3];
  const std::uint64_t t = random_[1] << 17;
  random_[2] ^= random_[0];
  random_[3] ^= random_[1];
  random_[1] ^= random_[2];
  random_[0] ^= random_[3];
  random_[2] ^= t;
  random_[3] = std::rotl(random_[3], 45);
  return static_cast<double>(sum >> 11) * 0x1p-53;
}

int Chain::below(int n) {
  return std::min(n - 1, static_cast<int>(uniform() * n));
}

void Chain::begin(std::span<const std::uint8_t> x) {
  std::ranges::copy(x, x_.begin());
  field_ = p_.linear_;
  for (int i = 0; i < p_.n_; ++i) {
    if (x_[at(i)] != 0) {
      p_.add_row(i, 1.0, field_.data());
    }
  }
  energy_ = 0.0;
  for (int i = 0; i < p_.n_; ++i) {
    energy_ += x_[at(i)] != 0 ? 0.5 * (field_[at(i)] + p_.linear_[at(i)]) : 0.0;
  }
}

void Chain::begin(const Chain& other) {
  x_ = other.x_;
  field_ = other.field_;
  energy_ = other.energy_;
}

void Chain::begin_at_random() {
  std::vector<std::uint8_t> x(x_.size());
  for (std::uint8_t& value : x) {
    value = uniform() < 0.5 ? 0 : 1;
  }
  begin(x);
}

bool Chain::accepts(double change) {
  return change <= 0.0 ||
         (change < 40.0 * temperature_ && uniform() < std::exp(-change / temperature_));
}

void Chain::flip(int i) {
  const double sign = x_[at(i)] != 0 ? -1.0 : 1.0;
  energy_ += sign * field_[at(i)];
  x_[at(i)] ^= 1;
  p_.add_row(i, sign, field_.data());
}

void Chain::draw_single(int i) {
  const double change = x_[at(i)] != 0 ? -field_[at(i)] : field_[at(i)];
  ++proposed_;
  const bool flips = p_.draw_ == ChainProblem::Singles::HeatBath
                         ? uniform() * (1.0 + std::exp(change / temperature_)) < 1.0
                         : accepts(change);
  if (flips) {
    ++accepted_;
    flip(i);
  }
}

/// Draws a block from its joint distribution, given all variables outside it.
void Chain::draw_block(const ChainProblem::Block& block) {
  const std::size_t digits = block.variables.size();
  double outer[kMaxDigits + 2];
  std::size_t now = 0;
  for (std::size_t k = 0; k < digits; ++k) {
    now |= std::size_t{x_[at(block.variables[k])]} << k;
  }
  for (std::size_t k = 0; k < digits; ++k) {
    double field = field_[at(block.variables[k])];
    for (std::size_t l = 0; l < digits; ++l) {
      field -= (now >> l & 1) != 0 ? block.pairs[k * digits + l] : 0.0;
    }
    outer[k] = field;
  }
  const std::size_t count = block.inner.size();
  choices_.resize(count);
  choices_[0] = 0.0;
  double lowest = 0.0;
  for (std::size_t c = 1; c < count; ++c) {
    choices_[c] = choices_[c & (c - 1)] + outer[std::countr_zero(c)];
  }
  for (std::size_t c = 0; c < count; ++c) {
    choices_[c] += block.inner[c];
    lowest = std::min(lowest, choices_[c]);
  }
  double sum = 0.0;
  for (double& choice : choices_) {
    const double above = (choice - lowest) / temperature_;
    sum += above < 40.0 ? std::exp(-above) : 0.0;
    choice = sum;
  }
  const double drawn = uniform() * sum;
  const auto next = std::min(
      count - 1, at(std::ranges::upper_bound(choices_, drawn) - choices_.begin()));
  ++proposed_;
  accepted_ += next != now ? 1 : 0;
  for (std::size_t k = 0; k < digits; ++k) {
    if (((now ^ next) >> k & 1) != 0) {
      flip(block.variables[k]);
    }
  }
}

/// If exactly one member of a group is 1, proposes to move the 1 to another member.
void Chain::shift(const std::vector<int>& group) {
  int on = -1;
  for (const int i : group) {
    if (x_[at(i)] != 0) {
      if (on >= 0) {
        return;
      }
      on = i;
    }
  }
  const int next = group[at(below(static_cast<int>(group.size())))];
  if (on < 0 || next == on) {
    return;
  }
  const double change = field_[at(next)] - field_[at(on)] - p_.coupling(on, next);
  ++proposed_;
  if (accepts(change)) {
    ++accepted_;
    flip(on);
    flip(next);
  }
}

/// Proposes to exchange the values of a variable at 1 and of a variable at 0.
void Chain::swap() {
  const int a = below(p_.n_);
  const int b = below(p_.n_);
  if (x_[at(a)] == x_[at(b)]) {
    return;
  }
  const int on = x_[at(a)] != 0 ? a : b;
  const int off = on == a ? b : a;
  ++proposed_;
  if (accepts(field_[at(off)] - field_[at(on)] - p_.coupling(on, off))) {
    ++accepted_;
    flip(on);
    flip(off);
  }
}

/// Draws two variables jointly with the fine digits of a slack.
void Chain::draw_with_fine_digits() {
  const int a = below(p_.n_);
  const int b = below(p_.n_);
  const auto fine = [&](int i) {
    return std::ranges::find(p_.fine_, i) != p_.fine_.end();
  };
  if (a == b || fine(a) || fine(b)) {
    return;
  }
  pair_.variables.assign({a, b});
  pair_.variables.insert(pair_.variables.end(), p_.fine_.begin(), p_.fine_.end());
  p_.fill(pair_);
  draw_block(pair_);
}

/// Proposes to move the ones of a permutation at (r,c) and (s,d) to (r,d) and (s,c).
void Chain::exchange() {
  const auto count = static_cast<int>(ones_.size());
  const std::size_t first = at(below(count));
  const std::size_t second = at(below(count));
  const int a = ones_[first];
  const int b = ones_[second];
  if (a == b) {
    return;
  }
  // Two groups have at most one common variable.
  const auto crossing = [&](int row, int column) {
    if (p_.groups_[at(column)].size() < p_.groups_[at(row)].size()) {
      std::swap(row, column);
    }
    for (const int i : p_.groups_[at(row)]) {
      if (std::ranges::find(p_.groups_of_[at(i)], column) !=
          p_.groups_of_[at(i)].end()) {
        return i;
      }
    }
    return -1;
  };
  const auto& of_a = p_.groups_of_[at(a)];
  const auto& of_b = p_.groups_of_[at(b)];
  const int c = crossing(of_a[0], of_b[1]);
  const int d = crossing(of_b[0], of_a[1]);
  if (c < 0 || d < 0 || c == d || x_[at(c)] != 0 || x_[at(d)] != 0) {
    return;
  }
  const double change = -field_[at(a)] - field_[at(b)] + field_[at(c)] + field_[at(d)] +
                        p_.coupling(a, b) + p_.coupling(c, d) - p_.coupling(a, c) -
                        p_.coupling(a, d) - p_.coupling(b, c) - p_.coupling(b, d);
  ++proposed_;
  if (accepts(change)) {
    ++accepted_;
    for (const int i : {a, b, c, d}) {
      flip(i);
    }
    ones_[first] = c;
    ones_[second] = d;
  }
}

void Chain::sweep(double temperature) {
  temperature_ = temperature;
  if (++sweeps_ % kRenewal == 0) {
    begin(std::vector<std::uint8_t>(x_));
  }
  for (const int i : p_.singles_) {
    draw_single(i);
  }
  for (const ChainProblem::Block& block : p_.blocks_) {
    draw_block(block);
  }
  for (std::size_t k = 0; k < p_.beside_.size(); ++k) {
    const std::vector<ChainProblem::Block>& blocks = p_.beside_[k];
    draw_block(blocks[(k + at(sweeps_)) % blocks.size()]);
  }
  for (int tries = p_.budget_ ? 2 * p_.n_ : 0; tries > 0; --tries) {
    swap();
  }
  for (int tries = p_.fine_.empty() ? 0 : p_.n_; tries > 0; --tries) {
    draw_with_fine_digits();
  }
  for (const std::vector<int>& group : p_.groups_) {
    shift(group);
  }
  if (p_.groups_.empty()) {
    return;
  }
  ones_.clear();
  for (int i = 0; i < p_.n_; ++i) {
    if (x_[at(i)] != 0 && p_.groups_of_[at(i)].size() == 2) {
      ones_.push_back(i);
    }
  }
  for (std::size_t tries = 2 * ones_.size(); tries > 0 && ones_.size() > 1; --tries) {
    exchange();
  }
}

void Chain::descend(Pace& pace) {
  const double before = temperature_;
  double last = 0.0;
  do {
    last = energy_;
    sweep(0x1p-1000);
  } while (energy_ < last && !pace(p_.touched()));
  temperature_ = before;
}

}  // namespace oa::solve
