#include "oa/solve/exact/box/twins.h"

#include <doctest/doctest.h>

TEST_SUITE("solve") {
  TEST_CASE("twins have equal rows, diagonals and linear terms") {
    // 0, 2 and 3 are twins; 1 and 4 differ only in the diagonal
    const oa::qubo::Matrix j(5, std::vector<double>{5, 1, 2, 2, 1,  //
                                                    1, 3, 1, 1, 4,  //
                                                    2, 1, 5, 2, 1,  //
                                                    2, 1, 2, 5, 1,  //
                                                    1, 4, 1, 1, 3.5});
    oa::solve::Twins twins(j);
    twins.set_linear(std::vector<double>{1, 1, 1, 1, 1});
    CHECK(twins.any());
    CHECK(twins.previous(0) == -1);
    CHECK(twins.next(0) == 2);
    CHECK(twins.previous(2) == 0);
    CHECK(twins.next(2) == 3);
    CHECK(twins.next(3) == -1);
    CHECK(twins.next(1) == -1);
    CHECK(twins.next(4) == -1);
    twins.set_linear(std::vector<double>{1, 1, 2, 1, 1});
    CHECK(twins.next(0) == 3);
    CHECK(twins.previous(3) == 0);
    CHECK(twins.next(2) == -1);
    CHECK(twins.previous(2) == -1);
    twins.set_linear(std::vector<double>{1, 1, 2, 3, 1});
    CHECK(!twins.any());
  }
}
