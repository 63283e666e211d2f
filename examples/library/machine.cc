// Packs a problem into the levels of a machine, and reads from the energies that came
// back which task they belong to.
#include "oa/cim/assemble.h"
#include "oa/cim/match.h"
#include "oa/cim/pack.h"

#include <iostream>
#include <optional>

int main() {
  oa::qubo::Problem problem;
  problem.m = 2;
  problem.n = 1;
  problem.d = 1;
  problem.j = {0, 2, 2, 0};
  problem.h = {-1, -1.5};
  problem.v = {1, 1};
  const oa::machine::PackedImage packed = oa::cim::pack(problem, {}, "example");
  const oa::machine::PackedQuery& query = packed.queries.front();

  oa::machine::SubmittedQuery submitted;
  submitted.task = 0;
  submitted.extra = query.block->extra;
  submitted.fixed = query.fixed;
  submitted.q = oa::machine::task_matrix_of(*query.block);
  const oa::machine::SubmittedImage image{problem, {submitted}};
  const oa::machine::Submission submission = oa::machine::submission_of({image}, false);

  // What a machine would return: x = 01 and its energy.
  oa::machine::Bits x(static_cast<std::size_t>(query.block->size()), 1);
  x[0] = 0;
  std::vector<int> ones;
  const double energy =
      oa::machine::task_energy(submission, submission.tasks.front(), x, ones);
  oa::cim::Matcher matcher(submission);
  const oa::cim::Match match =
      matcher.add_result({"a.log", {{energy, x}}, std::nullopt});
  const oa::cim::Assembled back = oa::cim::assemble(image, submission, matcher, {});
  std::cout << "task " << match.task << ", energy " << back.solution.energy.front()
            << '\n';
  return match.task == 0 && back.solution.energy.front() == -1.5 ? 0 : 1;
}
