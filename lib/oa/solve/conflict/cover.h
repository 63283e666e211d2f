#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/recover/conflicts.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

using Word = std::uint64_t;
inline constexpr int kWordBits = 64;

/// Calls visit(v) for each element of a bit set, in increasing order.
template <class Visit>
void each_bit(std::span<const Word> set, const Visit& visit) {
  for (std::size_t k = 0; k < set.size(); ++k) {
    for (Word word = set[k]; word != 0; word &= word - 1) {
      visit(static_cast<int>(k) * kWordBits + std::countr_zero(word));
    }
  }
}

inline void set_bit(std::span<Word> set, int v) {
  set[static_cast<std::size_t>(v / kWordBits)] |= Word{1} << (v % kWordBits);
}
inline void clear_bit(std::span<Word> set, int v) {
  set[static_cast<std::size_t>(v / kWordBits)] &= ~(Word{1} << (v % kWordBits));
}

/// The conflicts of each vertex as a bit set.
class ConflictRows {
 public:
  /// Renumbers vertices: `order[k]` becomes k.
  ConflictRows(const Conflicts& conflicts, std::span<const int> order);

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::span<const Word> operator[](int v) const {
    return std::span(bits_).subspan(static_cast<std::size_t>(v) * words_, words_);
  }

 private:
  std::size_t words_;
  std::vector<Word> bits_;
};

/// Covers vertex weights by classes of mutually conflicting vertices: a class of weight
/// d contributes at most d to an independent set.
///
/// Fills classes greedily (Tomita et al., 2010; San Segundo et al., 2011).
/// The weight of a vertex may be divided among classes (Held, Cook and Sewell, 2012).
/// Covers remaining weight by moving another vertex to another class,
/// or by two classes with one compatible vertex each (San Segundo, Nikolaev and Batsyn,
/// "Infra-chromatic bound for exact maximum clique search", 2015).
class Cover {
 public:
  explicit Cover(const ConflictRows& rows);

  /// Covers `open` vertices by classes of total weight at most `most`.  Vertices with a
  /// weight <= 0 need no cover.  Returns the uncovered vertices; a stop leaves more of
  /// them.  An independent set of covered vertices weighs at most `most`.
  [[nodiscard]] std::span<const int> remaining(std::span<const Word> open,
                                               std::span<const std::int64_t> weights,
                                               std::int64_t most,
                                               Pace& pace);

  /// Returns the total weight of classes that cover all open vertices.
  [[nodiscard]] std::int64_t bound(std::span<const Word> open,
                                   std::span<const std::int64_t> weights);

 private:
  struct Class {
    std::int64_t weight = 0;
    std::int64_t unused = 0;  // weight not used by pairs of classes
  };

  std::int64_t add_classes(std::span<const Word> open,
                           std::span<const std::int64_t> weights,
                           std::int64_t most);
  [[nodiscard]] bool covers(int v);
  [[nodiscard]] bool moves(int v, std::size_t k);
  [[nodiscard]] bool pairs_up(int v, std::size_t k);
  [[nodiscard]] bool apart(std::size_t k, int v) const;
  [[nodiscard]] std::span<Word> members(std::size_t k) {
    return std::span(members_).subspan(k * rows_.words(), rows_.words());
  }
  [[nodiscard]] std::span<const Word> members(std::size_t k) const {
    return std::span(members_).subspan(k * rows_.words(), rows_.words());
  }

  const ConflictRows& rows_;
  std::vector<std::int64_t> left_;  // remaining weight of each vertex
  std::vector<Word> uncovered_;
  std::vector<Word> candidates_;
  std::vector<Word> admitted_;  // in each class, by the covered vertex
  std::vector<Class> classes_;
  std::vector<Word> members_;  // of all classes, consecutively
  std::vector<int> remaining_;
  std::int64_t work_ = 0;
};

}  // namespace oa::solve
