#include "oa/qubo/fingerprint.h"

#include "oa/base/fingerprint.h"
#include "oa/base/index.h"
#include "oa/qubo/fixed.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace oa::qubo {
namespace {

/// Rotates to the low end the bits in which small whole numbers differ:
/// each step of the hash carries bits up.
std::uint64_t word_of(double number) {
  return std::rotl(std::bit_cast<std::uint64_t>(number + 0.0),
                   20);  // + 0.0 makes -0 equal 0
}

std::uint64_t word_of(std::int32_t first, std::int32_t second) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32U |
         static_cast<std::uint32_t>(second);
}

std::uint64_t hash_of(Vartype vartype, Sense sense, int n) {
  const std::uint64_t kind =
      (vartype == Vartype::Spin ? 2U : 0U) | (sense == Sense::Max ? 1U : 0U);
  return mixed(kind, static_cast<std::uint64_t>(n));
}

/// Mixes a term in a single step: a problem may have 500 million pairs.
std::uint64_t with_term(std::uint64_t state, const Term& t) {
  constexpr std::uint64_t kOdd = 0xd6e8feb86659fd93U;
  return mixed(state, word_of(t.weight) ^ word_of(t.first, t.second) * kOdd);
}

std::uint64_t hash_of(const Quadratic& f) {
  std::uint64_t state = hash_of(f.vartype, f.sense, f.size());
  state = mixed(state, word_of(f.offset));
  for (int i = 0; i < f.size(); ++i) {
    state = mixed(state, word_of(f.linear[at(i)]));
    f.row(i).each([&](std::int32_t other, double weight) {
      if (other > i) {
        state = with_term(state, {i, other, weight});
      }
    });
  }
  std::vector<Term> rests(f.rests().begin(), f.rests().end());
  std::ranges::stable_sort(
      rests, {}, [](const Term& t) { return std::pair(t.first, t.second); });
  for (const Term& t : rests) {
    state = with_term(state, t);
  }
  return state;
}

/// Combines hashes of unordered members by addition.
std::uint64_t with_all(std::uint64_t state, std::vector<std::uint64_t> members) {
  std::ranges::sort(members);
  for (const std::uint64_t member : members) {
    state = mixed(state, member);
  }
  return state;
}

/// Hashes monomials after exact summation of those with equal variables.
std::vector<std::uint64_t> hashes_of(std::vector<Monomial> monomials) {
  std::ranges::sort(monomials, {}, &Monomial::variables);
  std::vector<std::uint64_t> all;
  for (std::size_t k = 0; k < monomials.size();) {
    const std::vector<std::int32_t>& variables = monomials[k].variables;
    ExactSum sum;
    for (; k < monomials.size() && monomials[k].variables == variables; ++k) {
      sum.add(monomials[k].weight);
    }
    const TwoDoubles weight = sum.two();
    if (weight.value == 0.0) {
      continue;
    }
    std::uint64_t state = mixed(word_of(weight.value), word_of(weight.rest));
    for (const std::int32_t i : variables) {
      state = mixed(state, word_of(0, i));
    }
    all.push_back(state);
  }
  return all;
}

std::uint64_t hash_of(const Constraint& c) {
  std::vector<std::uint64_t> terms;
  for (const Term& t : c.terms) {
    terms.push_back(with_term(0, t));
  }
  std::ranges::copy(hashes_of(c.products), std::back_inserter(terms));
  const std::uint64_t state =
      mixed(static_cast<std::uint64_t>(c.relation), word_of(c.right));
  return with_all(c.tolerance == 0.0 ? state : mixed(state, word_of(c.tolerance)),
                  std::move(terms));
}

std::uint64_t hash_of(const SoftConstraint& soft) {
  return mixed(mixed(hash_of(soft.constraint), word_of(soft.price)),
               static_cast<std::uint64_t>(soft.penalty));
}

std::uint64_t hash_of(const Model& model) {
  if (model.quadratic()) {
    return hash_of(model.f);
  }
  const Polynomial p = polynomial_of(model);
  std::vector<std::uint64_t> constraints;
  for (const Constraint& c : p.constraints) {
    constraints.push_back(hash_of(c));
  }
  const std::uint64_t state =
      with_all(hash_of(p.vartype, p.sense, p.n), hashes_of(p.monomials));
  std::vector<std::uint64_t> soft;
  for (const SoftConstraint& one : p.soft) {
    soft.push_back(hash_of(one));
  }
  return with_all(with_all(mixed(state, constraints.size()), std::move(constraints)),
                  std::move(soft));
}

std::string hexadecimal(std::uint64_t number) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    *digit = kDigits[number & 0xfU];
    number >>= 4U;
  }
  return text;
}

}  // namespace

std::string fingerprint(const Model& model, std::span<const std::uint8_t> fixed) {
  std::uint64_t state = hash_of(model);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i] != kFree) {
      state = with_term(state, {static_cast<std::int32_t>(i), fixed[i], 1.0});
    }
  }
  return hexadecimal(mixed(mixed(state, 0), 0));
}

}  // namespace oa::qubo
