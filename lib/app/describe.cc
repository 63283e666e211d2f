#include "app/describe.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/npy.h"
#include "oa/io/tensor/tensor_stats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace oa::app {
namespace {

enum class Content { Safetensors, Stream, Npy, IdxImages, IdxLabels };

/// Whether this header is that of a frame, by the metadata in it.
bool is_frame(std::string_view header) {
  constexpr std::string_view kKey = "\"oa.kind\"";
  const auto key = header.find(kKey);
  if (key == header.npos) {
    return false;
  }
  header.remove_prefix(key + kKey.size());
  header.remove_prefix(std::min(header.find_first_not_of(" \t\r\n:"), header.size()));
  constexpr std::array<std::string_view, 6> kKinds{"\"head\"",
                                                   "\"problem\"",
                                                   "\"solution\"",
                                                   "\"task-problem\"",
                                                   "\"task-solution\"",
                                                   "\"end\""};
  return std::ranges::any_of(
      kKinds, [&](std::string_view kind) { return header.starts_with(kind); });
}

/// What the first bytes say.  A stream begins with a head frame, whose metadata come
/// first in its header: 64 KiB of it decide.  No more is waited for than belongs to the
/// header.
Content recognise(io::Input& input) {
  const auto start = input.peek(sizeof(std::uint64_t));
  if (io::looks_like_npy(start)) {
    return Content::Npy;
  }
  if (io::looks_like_idx(start)) {
    return start[3] == std::byte{3} ? Content::IdxImages : Content::IdxLabels;
  }
  if (start.size() < sizeof(std::uint64_t)) {
    return Content::Safetensors;
  }
  const std::size_t size =
      sizeof(std::uint64_t) +
      std::min<std::uint64_t>(io::load<std::uint64_t>(start, 0), 1U << 16);
  const auto header = input.peek(size);
  const std::string_view text(reinterpret_cast<const char*>(header.data()),  // NOLINT
                              std::min(header.size(), size));
  return is_frame(text) ? Content::Stream : Content::Safetensors;
}

/// Element `i` as it would be written by hand: a float as a float, an integer as one.
JsonValue json_value(const io::TensorView& t, std::size_t i) {
  const double value = element(t.dtype, t.bytes, i);
  switch (t.dtype) {
    case io::Dtype::F16:
    case io::Dtype::Bf16:
    case io::Dtype::F32: {
      const std::string text = format(static_cast<float>(value));
      const auto whole = parse_int(text);
      return whole ? JsonValue(whole) : JsonValue(parse_double(text));
    }
    case io::Dtype::F64: return value;
    case io::Dtype::U64: return io::load<std::uint64_t>(t.bytes, i);
    case io::Dtype::I64: return io::load<std::int64_t>(t.bytes, i);
    default: return static_cast<std::int64_t>(value);
  }
}

JsonArray json_values(const io::TensorView& t) {
  JsonArray values;
  for (std::size_t i = 0; i < t.bytes.size() / size_of(t.dtype); ++i) {
    values.element(json_value(t, i));
  }
  return values;
}

/// Calls `fact(name, value)` for all that is said of a tensor.
void each_fact(const io::TensorView& t, bool with_values, const auto& fact) {
  const io::TensorStats s = tensor_stats(t.dtype, t.bytes);
  fact("dtype", name_of(t.dtype));
  fact("shape", JsonValue(t.shape));
  if (s.count > s.not_finite) {
    fact("min", s.min);
    fact("mean", s.mean);
    fact("max", s.max);
    fact("zeros", JsonValue(s.zeros));
  }
  fact("not_finite", JsonValue(s.not_finite));
  if (with_values) {
    fact("values", JsonValue(json_values(t)));
  }
}

JsonObject json_of(const io::TensorView& t, bool with_values) {
  JsonObject json{{"name", t.name}};
  each_fact(t, with_values, [&](std::string_view name, const JsonValue& value) {
    json.member(name, value);
  });
  return json;
}

JsonObject json_of(const io::Safetensors& file, bool with_values) {
  JsonObject metadata;
  for (const auto& [key, value] : file.metadata) {
    metadata.member(key, value);
  }
  JsonArray tensors;
  for (const io::TensorView& t : file.tensors()) {
    tensors.element(json_of(t, with_values));
  }
  return {{"metadata", metadata}, {"tensors", tensors}};
}

/// Four significant digits are enough for a look.
std::string brief(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(
      text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) {
    text.resize(width, ' ');
  }
  return text;
}

std::string line_of(const io::TensorView& t, std::size_t name_width) {
  const io::TensorStats s = tensor_stats(t.dtype, t.bytes);
  std::string line = "  " + padded(t.name, name_width) + "  " +
                     padded(std::string(name_of(t.dtype)) + io::to_string(t.shape), 16);
  if (s.count == 1 && s.not_finite == 0) {
    line += "  " + brief(s.min);
  } else if (s.count > s.not_finite) {
    line +=
        "  min " + brief(s.min) + "  mean " + brief(s.mean) + "  max " + brief(s.max);
  }
  if (s.not_finite > 0) {
    line += "  not finite " + format(s.not_finite);
  }
  return line + "\n";
}

/// A metadata value; its further lines are indented.
std::string indented(std::string_view text) {
  std::string out;
  while (true) {
    const auto end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == text.npos) {
      return out;
    }
    out += "\n    ";
    text.remove_prefix(end + 1);
  }
}

std::string text_of(const io::Safetensors& file) {
  std::string text;
  for (const auto& [key, value] : file.metadata) {
    text += "  " + printable(key) + " = " + indented(value) + "\n";
  }
  std::size_t width = 0;
  for (const io::TensorView& t : file.tensors()) {
    width = std::max(width, t.name.size());
  }
  for (const io::TensorView& t : file.tensors()) {
    text += line_of(t, width);
  }
  return text;
}

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

/// "  layer 0  head 1 of 2  n 16 of 33..48 variables"
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

/// "problem 22" and what one line has room for.
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

std::string count_of(std::int64_t n, const std::string& noun) {
  return format_grouped(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string bold(std::string_view text, bool color) {
  return color ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

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
        output.flush();  // somebody may be watching a slow tool
      });
  if (settings.json) {
    const JsonObject rest{{"images", result.images}, {"complete", result.complete}};
    output.write("]," + rest.text().substr(1) + "\n");
  } else {
    output.write(bold("end", settings.color) + "  " + count_of(result.images, "image") +
                 (result.complete ? ", complete" : ", INCOMPLETE") + "\n");
  }
  return result;
}

/// What is said of a file that is one array: an object of JSON and a line of text.
class Facts {
 public:
  explicit Facts(std::string_view type) : json_{{"type", type}}, line_(type) {}

  void operator()(std::string_view name, const JsonValue& value) {
    both(name, value, value.text());
  }
  void operator()(std::string_view name, double value) {
    both(name, value, brief(value));
  }
  void operator()(std::string_view name, std::string_view value) {
    both(name, value, value);
  }

  [[nodiscard]] std::string text(bool json) const {
    return (json ? json_.text() : line_) + "\n";
  }

 private:
  void both(std::string_view name, const JsonValue& value, std::string_view text) {
    json_.member(name, value);
    line_ += "  " + std::string(name) + " " + std::string(text);
  }

  JsonObject json_;
  std::string line_;
};

Facts facts_of(const io::NpyArray& array, bool with_values) {
  Facts facts("npy");
  each_fact({"", array.dtype, array.shape, array.data.span()},
            with_values,
            [&](std::string_view name, const auto& value) { facts(name, value); });
  return facts;
}

Facts facts_of(const Images& images) {
  const io::TensorStats s =
      tensor_stats(io::Dtype::U8, std::as_bytes(std::span(images.pixels)));
  Facts facts("idx");
  facts("images", JsonValue(images.count));
  facts("rows", JsonValue(images.rows));
  facts("cols", JsonValue(images.cols));
  facts("mean", s.mean);
  facts("max", s.max);
  return facts;
}

Facts facts_of(const std::vector<std::uint8_t>& labels) {
  std::array<std::int64_t, 256> counts{};
  for (const std::uint8_t label : labels) {
    ++counts[label];
  }
  JsonObject per_class;
  for (std::size_t label = 0; label < counts.size(); ++label) {
    if (counts[label] > 0) {
      per_class.member(std::to_string(label), counts[label]);
    }
  }
  Facts facts("idx");
  facts("labels", JsonValue(labels.size()));
  facts("per_class", JsonValue(per_class));
  return facts;
}

Verdict verdict_of(std::string summary, const JsonObject& json) {
  return {std::move(summary), json.text(), true};
}

Verdict check_stream(io::Input& input) {
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
      const qubo::ImageSolution s = read_solution(frame);
      qubos += s.problem.n;
      proved += std::ranges::count(s.status, qubo::Status::ProvedOptimal);
    }
  }
  const bool complete = reader.complete();
  std::string summary = std::string(complete ? "complete" : "INCOMPLETE") +
                        " stream, " + count_of(problems, "problem frame") + ", " +
                        count_of(solutions, "solution frame") + ", " +
                        count_of(qubos, "QUBO");
  if (solutions > 0) {
    summary += ", " + format_grouped(proved) + " proved optimal";
  }
  Verdict verdict = verdict_of(std::move(summary),
                               {{"type", "stream"},
                                {"problems", problems},
                                {"solutions", solutions},
                                {"qubos", qubos},
                                {"proved_optimal", proved},
                                {"complete", complete}});
  verdict.complete = complete;
  return verdict;
}

}  // namespace

io::CutResult describe(io::Input& input,
                       io::Output& output,
                       const DescribeSettings& settings) {
  const bool json = settings.json;
  const Content content = recognise(input);
  if (content != Content::Stream && !settings.cut.everything()) {
    throw InputError(input.name() + ": not a stream, so no part of it can be cut");
  }
  switch (content) {
    case Content::Stream: return describe_stream(input, output, settings);
    case Content::Npy:
      output.write(facts_of(read_npy(input), settings.tensors && json).text(json));
      break;
    case Content::IdxImages:
      output.write(facts_of(read_idx_images(input)).text(json));
      break;
    case Content::IdxLabels:
      output.write(facts_of(read_idx_labels(input)).text(json));
      break;
    case Content::Safetensors: {
      const io::Safetensors file = read_safetensors_file(input);
      if (json) {
        JsonObject all{{"type", "safetensors"}};
        all.members(json_of(file, settings.tensors));
        output.write(all.text() + "\n");
      } else {
        output.write(bold("safetensors", settings.color) + "\n" + text_of(file));
      }
      break;
    }
  }
  return {};
}

Verdict check(io::Input& input) {
  switch (recognise(input)) {
    case Content::Stream: return check_stream(input);
    case Content::Npy: {
      const io::Shape shape = read_npy(input).shape;
      return verdict_of("numpy array " + io::to_string(shape),
                        {{"type", "npy"}, {"shape", shape}});
    }
    case Content::IdxImages: {
      const int images = read_idx_images(input).count;
      return verdict_of(count_of(images, "IDX image"),
                        {{"type", "idx"}, {"images", images}});
    }
    case Content::IdxLabels: {
      const auto labels = std::ssize(read_idx_labels(input));
      return verdict_of(count_of(labels, "IDX label"),
                        {{"type", "idx"}, {"labels", labels}});
    }
    case Content::Safetensors: {
      const auto tensors = std::ssize(read_safetensors_file(input).tensors());
      return verdict_of("safetensors with " + count_of(tensors, "tensor"),
                        {{"type", "safetensors"}, {"tensors", tensors}});
    }
  }
  return {};
}

}  // namespace oa::app
