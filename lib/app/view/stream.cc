#include "oa/io/stream/stream.h"

#include "app/view/parts.h"
#include "oa/base/number.h"
#include "oa/io/stream/problem_io.h"

#include <algorithm>
#include <utility>

namespace oa::app {
namespace {

std::string range_of(const io::TensorView& t) {
  const io::TensorStats s = tensor_stats(t.dtype, t.bytes);
  return "  " + t.name + " " + brief(s.min) + ".." + brief(s.max);
}

/// The first element of an integer tensor, or "?".
std::string scalar(const io::Safetensors& frame, std::string_view name) {
  const io::TensorView* t = frame.find(name);
  return t == nullptr || t->dtype != io::Dtype::I64 || t->bytes.empty()
             ? "?"
             : format(io::load<std::int64_t>(t->bytes, 0));
}

std::string extent(const io::Safetensors& frame,
                   std::string_view name,
                   std::size_t axis) {
  const io::TensorView* t = frame.find(name);
  return t == nullptr || t->shape.size() <= axis ? "?" : format(t->shape[axis]);
}

/// Formats "  layer 0  head 1 of 2  n 16 of 33..48 variables".
std::string task_facts(const io::Frame& frame) {
  std::string facts = "  layer " + format(frame.place.layer) + "  head " +
                      format(frame.place.head) + " of " + format(frame.place.heads) +
                      "  n " + extent(frame.data, "sizes", 0);
  if (const io::TensorView* sizes = frame.data.find("sizes")) {
    const io::TensorStats s = tensor_stats(sizes->dtype, sizes->bytes);
    facts += " of " + brief(s.min) + ".." + brief(s.max) + " variables";
  }
  return facts;
}

/// Formats a line about a frame: "problem 22 ...".
std::string line_of(const io::Frame& frame) {
  const io::Safetensors& f = frame.data;
  std::string line = " " + scalar(f, "index");
  if (f.find("label") != nullptr) {
    line += "  label " + scalar(f, "label");
  }
  line += frame.of_task ? task_facts(frame) : "  n " + extent(f, "h", 0);
  line += "  m " + extent(f, "J", 0) + "  d " + extent(f, "V", 1);
  if (frame.coefficients == Coefficients::Levels) {
    line += "  levels " + format(frame.levels) + " " + field_text(frame.encoding);
  }
  if (frame.kind == io::FrameKind::Problem) {
    for (const char* name : {"J", "h"}) {
      if (const io::TensorView* t = f.find(name)) {
        line += range_of(*t);
      }
    }
    return line;
  }
  if (const io::TensorView* x = f.find("x")) {
    const io::TensorStats s = tensor_stats(x->dtype, x->bytes);
    line += (frame.coefficients == Coefficients::Levels ? "  spins " : "  chosen ") +
            format_fixed(100.0 * static_cast<double>(s.count - s.zeros) /
                             static_cast<double>(std::max<std::int64_t>(s.count, 1)),
                         1) +
            "%";
  }
  if (const io::TensorView* energy = f.find("energy")) {
    line += range_of(*energy);
  }
  if (const io::TensorView* status = f.find("status")) {
    const io::TensorStats s = tensor_stats(status->dtype, status->bytes);
    line += "  proved " + format(s.zeros) + "/" + format(s.count);
  }
  if (const io::TensorView* seconds = f.find("seconds")) {
    const io::TensorStats s = tensor_stats(seconds->dtype, seconds->bytes);
    line += "  " + brief(1e3 * s.mean * static_cast<double>(s.count)) + " ms";
  }
  return line;
}

}  // namespace

io::CutResult describe_stream(io::Input& input,
                              io::Output& output,
                              const DescribeSettings& settings) {
  io::StreamReader reader(std::move(input));
  if (settings.json) {
    output.write("{\"type\":\"stream\",\"frames\":[");
  }
  bool first = true;
  const io::CutResult result =
      visit_cut(reader, settings.cut, [&](const io::Frame& frame) {
        if (settings.json) {
          JsonObject json{{"kind", name_of(frame)}};
          json.members(json_of(frame.data, settings.tensors));
          output.write((first ? "" : ",") + json.text());
          first = false;
          return;
        }
        output.write(bold(name_of(frame), settings.color));
        if (frame.kind != io::FrameKind::Head) {
          output.write(line_of(frame));
        }
        output.write("\n");
        if (frame.kind == io::FrameKind::Head || settings.tensors) {
          output.write(text_of(frame.data));
        }
        output.flush();  // the reader may be waiting
      });
  if (settings.json) {
    const JsonObject rest{{"images", result.images}, {"complete", result.complete}};
    output.write("]," + rest.text().substr(1) + "\n");
  } else {
    output.write(bold("end", settings.color) + "  " + counted(result.images, "image") +
                 (result.complete ? ", complete" : ", INCOMPLETE") + "\n");
  }
  return result;
}

CheckResult check_stream(io::Input& input) {
  io::StreamReader reader(std::move(input));
  io::Frame frame;
  std::int64_t problems = 0;
  std::int64_t solutions = 0;
  std::int64_t qubos = 0;
  std::int64_t proved = 0;
  while (reader.next(frame)) {
    if (frame.kind == io::FrameKind::Problem) {
      ++problems;
      qubos += read_problem(frame).n;
    } else if (frame.kind == io::FrameKind::Solution) {
      ++solutions;
      const qubo::SolvedProblem s = read_solution(frame);
      qubos += s.problem.n;
      proved += std::ranges::count(s.status, qubo::Status::ProvedOptimal);
    }
  }
  const bool complete = reader.complete();
  std::string summary = std::string(complete ? "complete" : "INCOMPLETE") +
                        " stream, " + counted(problems, "problem frame") + ", " +
                        counted(solutions, "solution frame") + ", " +
                        counted(qubos, "QUBO");
  if (solutions > 0) {
    summary += ", " + format_grouped(proved) + " proved optimal";
  }
  const JsonObject json{{"type", "stream"},
                        {"problems", problems},
                        {"solutions", solutions},
                        {"qubos", qubos},
                        {"proved_optimal", proved},
                        {"complete", complete}};
  return {std::move(summary), json.text(), complete};
}

}  // namespace oa::app
