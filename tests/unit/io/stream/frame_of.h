#pragma once

#include "oa/io/stream/problem_io.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>

namespace oa::test {

/// The only frame of a stream after its head.
[[nodiscard]] inline io::Frame frame_of(
    const std::function<void(io::StreamWriter&)>& write,
    const io::Metadata& head = {},
    io::Series series = io::Series::Images) {
  const std::string bytes = written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head(head, {}, series);
    write(writer);
    writer.finish(true);
  });
  io::StreamReader reader(io::Input::memory(bytes_of(bytes), "s"));
  const auto head_frame = reader.next();
  REQUIRE(head_frame);
  auto frame = reader.next();
  REQUIRE(frame);
  return std::move(*frame);
}

[[nodiscard]] inline io::Frame frame_of(const qubo::Problem& p,
                                        const io::Metadata& head = {},
                                        io::Series series = io::Series::Images) {
  return frame_of(
      [&](io::StreamWriter& writer) { io::write_problem(writer, p); }, head, series);
}

[[nodiscard]] inline io::Frame frame_of(const qubo::SolvedProblem& s,
                                        const io::Metadata& head = {},
                                        io::Series series = io::Series::Images) {
  return frame_of(
      [&](io::StreamWriter& writer) { io::write_solution(writer, s); }, head, series);
}

}  // namespace oa::test
