// Writes a stream of one image's problems and reads it again.
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/problem_io.h"

#include <iostream>

int main() {
  oa::qubo::Problem problem;
  problem.m = 2;
  problem.n = 1;
  problem.d = 1;
  problem.j = {1, 2, 2, 1};
  problem.h = {-1, -2};
  problem.v = {1, 1};

  oa::io::Output output("example.oa");
  oa::io::StreamWriter writer(output);
  writer.head({}, {});
  oa::io::write_problem(writer, problem);
  writer.finish(true);
  output.commit();

  oa::io::StreamReader reader(oa::io::Input::open("example.oa"));
  int images = 0;
  while (const auto frame = reader.next()) {
    if (frame->kind == oa::io::FrameKind::Problem) {
      const oa::qubo::Problem read = oa::io::read_problem(*frame);
      images += read.j == problem.j && read.h == problem.h ? 1 : 0;
    }
  }
  std::cout << images << " image, complete: " << reader.complete() << '\n';
  return images == 1 && reader.complete() ? 0 : 1;
}
