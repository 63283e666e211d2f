#include "oa/attention/formula/plan.h"

#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"

#include <doctest/doctest.h>

using namespace oa;
using attention::Formula;
using attention::Value;

namespace {

attention::Site small_site() {
  attention::Site site;
  site.tokens = 5;
  site.width = site.dim = 8;
  return site;
}

/// The formula of a site with 5 tokens of 8 numbers, and the plan of its buffers.
struct Planned {
  attention::Site site = small_site();
  parts::Layout layout;
  attention::Constants constants;
  Arena kept{1U << 16};
  Arena scratch{1U << 16};
  Formula formula;

  Planned() : formula(site, 5, Formula::Purpose::Sequence, 1, layout, constants) {
    layout.share_names(true);
  }

  attention::Plan plan(bool backward) {
    return {formula,
            {.kept = kept, .scratch = scratch, .state = kept, .backward = backward}};
  }
};

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("an operation replaces a value that nothing reads again") {
  Planned p;
  const Value mapped = linear("A", p.formula.tokens(), 8);
  const Value positive = relu(mapped);
  (void)linear("B", positive, 8);
  const attention::Plan plan = p.plan(false);
  CHECK(plan.value(mapped.id).data == plan.value(positive.id).data);
  CHECK(p.kept.high_water() == 0);
}

TEST_CASE("operations in place at the end compute in the memory of the output") {
  Planned p;
  const Value mapped = linear("A", p.formula.tokens(), 8);
  (void)relu(2.0F * mapped);
  const attention::Plan plan = p.plan(false);
  CHECK(plan.value(mapped.id).rows == 0);
  CHECK(p.scratch.high_water() == 0);
}

TEST_CASE("a gradient takes the memory of a value that backward does not read again") {
  Planned p;
  const Value mapped = linear("A", p.formula.tokens(), 8);
  p.formula.show(mapped, {});
  (void)(2.0F * mapped);
  const attention::Plan plan = p.plan(true);
  CHECK(plan.of(1).d_in.front().d.data == plan.value(mapped.id).data);
  CHECK(p.scratch.high_water() == 0);
}

TEST_CASE("a value that backward reads has memory of its own") {
  Planned p;
  const Value mapped = linear("A", p.formula.tokens(), 8);
  const Value gate = relu(linear("G", p.formula.tokens(), 8));
  const Value product = mapped * gate;
  (void)linear("B", product, 8);
  const attention::Plan plan = p.plan(true);
  CHECK(plan.value(mapped.id).data != plan.value(gate.id).data);
  CHECK(plan.value(mapped.id).data != plan.value(product.id).data);
  CHECK(plan.value(gate.id).data != plan.value(product.id).data);
  CHECK(p.kept.high_water() == 3 * attention::bytes_of(5, 8));
}

TEST_CASE("a value of two operations gets the sum of two gradients") {
  Planned p;
  const Value shared = linear("A", p.formula.tokens(), 8);
  (void)(relu(shared) + relu(shared));
  const attention::Plan plan = p.plan(true);
  // Backward comes to the second relu first.
  const attention::Written& second = plan.of(2).d_in.front();
  const attention::Written& first = plan.of(1).d_in.front();
  CHECK(second.part.rows == 0);
  CHECK(first.part.rows == 5);
  CHECK(first.d.data == second.d.data);
  CHECK(first.part.data != first.d.data);
}

TEST_CASE("training one map and ReLU takes the memory of the slopes") {
  Planned p;
  (void)relu(linear_with_bias("A", p.formula.tokens(), 8));
  const attention::Arenas arenas{
      .kept = p.kept, .scratch = p.scratch, .state = p.kept, .backward = true};
  p.formula.operations().back().operation->reserve(arenas);
  const attention::Plan plan(p.formula, arenas);
  CHECK(p.kept.high_water() == attention::bytes_of(5, 8));
  CHECK(p.scratch.high_water() == 0);
}

TEST_CASE("two tensors of one name are one where names are shared") {
  Planned p;
  (void)linear("A", p.formula.tokens(), 8);
  (void)linear("A", p.formula.tokens(), 8);
  CHECK(p.layout.tensors().size() == 1);
  CHECK_THROWS((void)linear("A", p.formula.tokens(), 4));
}

TEST_SUITE_END();
