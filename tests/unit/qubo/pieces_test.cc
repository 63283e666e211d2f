#include "oa/qubo/pieces.h"

#include "oa/base/index.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::qubo {
namespace {

/// The model at x, as the sum of its pieces.
double value_by_pieces(const Pieces& pieces, const std::vector<std::uint8_t>& x) {
  ExactSum sum = pieces.constant;
  for (const Pieces::Piece& piece : pieces.all) {
    std::vector<std::uint8_t> part;
    for (const int i : piece.variables) {
      part.push_back(x[at(i)]);
    }
    sum.add(exact_value(piece.model, part));
  }
  return sum.value();
}

}  // namespace

TEST_SUITE("qubo") {
  TEST_CASE(
      "the values of pieces add up to those of the model, and so do constraints") {
    int split = 0;
    test::each_fork(Rng(41), 300, [&](Rng& rng) {
      Polynomial p = ref::random_polynomial(rng, 8, 3);
      p.monomials.resize(std::min<std::size_t>(p.monomials.size(), 5));
      p.constraints.push_back({"c", {{1, 1, 1.0}, {6, 6, 2.0}}, Relation::AtMost, 2.0});
      const Model model = model_of(p);
      const Pieces pieces = pieces_of(model);
      if (pieces.all.empty()) {
        return;
      }
      ++split;
      std::size_t variables = 0;
      for (const Pieces::Piece& piece : pieces.all) {
        variables += piece.variables.size();
        CHECK(piece.variables.size() <= pieces.all.front().variables.size());
        CHECK(pieces_of(piece.model).all.empty());
      }
      CHECK(variables == 8);
      for (std::uint64_t k = 0; k < 256; ++k) {
        const auto x = ref::nth_x(k, 8);
        REQUIRE(value_by_pieces(pieces, x) == exact_value(model, x).value());
        bool kept = true;
        for (const Pieces::Piece& piece : pieces.all) {
          std::vector<std::uint8_t> part;
          for (const int i : piece.variables) {
            part.push_back(x[at(i)]);
          }
          kept = kept && violated(piece.model, part) < 0;
        }
        REQUIRE(kept == (violated(model, x) < 0));
      }
    });
    CHECK(split > 100);
  }

  TEST_CASE("a constraint without variables keeps a model whole") {
    Model model(Quadratic(2));
    CHECK(pieces_of(model).all.size() == 2);
    model.constraints.push_back({"never", {}, Relation::AtMost, -1.0});
    CHECK(pieces_of(model).all.empty());
  }
}

}  // namespace oa::qubo
