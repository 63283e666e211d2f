#include "oa/io/stream/stream.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/crc32.h"

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace oa::io {
namespace {

constexpr std::string_view kKind = "oa.kind";
constexpr std::string_view kVersion = "oa.version";
constexpr std::string_view kEnd = "end";
constexpr const char* kLevels = "oa.levels";
constexpr const char* kEncoding = "oa.encoding";

std::string hex(std::uint32_t value) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, 16).ptr;
  const std::string_view text(digits.data(), end);
  return std::string(8 - text.size(), '0') + std::string(text);
}

const std::string& entry(const Safetensors& frame,
                         std::string_view key,
                         const std::string& where) {
  const auto found = frame.metadata.find(std::string(key));
  if (found == frame.metadata.end()) {
    throw InputError(where + ": no '" + std::string(key) +
                     "' in its metadata (expected a frame of a stream)");
  }
  return found->second;
}

const std::string& kind_of(const Safetensors& frame, const std::string& where) {
  if (!frame.metadata.contains(std::string(kKind)) &&
      frame.metadata.contains("oa.attention")) {
    throw InputError(where +
                     ": a model (oa-qubo poses its problems, oa-score asks it about "
                     "images) (expected a frame of a stream)");
  }
  return entry(frame, kKind, where);
}

Series series_of(const Safetensors& head, const std::string& where) {
  const auto found = head.metadata.find(std::string(kVersion));
  if (found == head.metadata.end() || found->second == "1") {
    return Series::Images;
  }
  if (found->second != "2") {
    throw InputError(where + ": stream version '" + found->second.substr(0, 20) +
                     "' (this program reads versions 1 and 2)");
  }
  return Series::Tasks;
}

std::string_view name_of(FrameKind kind, bool of_task) {
  switch (kind) {
    case FrameKind::Head: return "head";
    case FrameKind::Problem: return of_task ? "task-problem" : "problem";
    case FrameKind::Solution: return of_task ? "task-solution" : "solution";
  }
  return "";
}

/// Reads entry `key`; leaves `to` unchanged if the head lacks it.
template <class T>
void read_entry(const Frame& head, const char* key, const char* expected, T& to) {
  const auto found = head.data.metadata.find(key);
  if (found != head.data.metadata.end() && !parse_field(found->second, to)) {
    throw InputError(head.where + ": " + key + " is '" + found->second.substr(0, 40) +
                     "' (expected " + expected + ")");
  }
}

/// Sets the kind of the frame and whether it belongs to a task.
void set_kind(std::string_view kind, Frame& frame) {
  constexpr std::string_view kTask = "task-";
  frame.of_task = kind.starts_with(kTask);
  const std::string_view plain = kind.substr(frame.of_task ? kTask.size() : 0);
  if (plain != "problem" && plain != "solution") {
    throw InputError(frame.where + ": '" + std::string(kind.substr(0, 40)) +
                     "' is not a kind of frame (expected head, problem, solution, "
                     "task-problem, task-solution or end)");
  }
  frame.kind = plain == "problem" ? FrameKind::Problem : FrameKind::Solution;
}

void set_place(Frame& frame) {
  frame.place = frame.of_task ? head_place(frame.data, frame.where) : qubo::Place{};
}

}  // namespace

Frame::Frame() = default;
Frame::Frame(const Frame& other) = default;
Frame& Frame::operator=(const Frame& other) = default;
Frame::Frame(Frame&& other) noexcept = default;
Frame& Frame::operator=(Frame&& other) noexcept = default;
Frame::~Frame() = default;

std::string_view name_of(const Frame& frame) {
  return name_of(frame.kind, frame.of_task);
}

Frame read_again(std::span<const std::byte> bytes, const Frame& part) {
  Frame frame;
  frame.where = part.where;
  frame.series = part.series;
  frame.coefficients = part.coefficients;
  frame.levels = part.levels;
  frame.encoding = part.encoding;
  frame.lambda = part.lambda;
  Input input = Input::memory(bytes, part.where);
  frame.data = read_safetensors_file(input);
  set_kind(entry(frame.data, kKind, frame.where), frame);
  set_place(frame);
  return frame;
}

std::optional<Frame> StreamReader::next() {
  Frame frame;
  return next(frame) ? std::optional(std::move(frame)) : std::nullopt;
}

bool StreamReader::next(Frame& frame) {
  while (true) {
    frame.where = input_.name() + ":frame " + format(frames_read_);
    frame.begin = input_.position();
    Safetensors& data = frame.data;
    if (input_.stopped() || !read_safetensors(input_, last_header_, data)) {
      if (!input_.stopped() && (inside_ || !any_)) {
        throw InputError(any_ ? frame.where + ": truncated: the stream has no end mark"
                              : input_.name() + ": empty file (expected a stream)");
      }
      return false;
    }
    ++frames_read_;
    const std::string& kind = kind_of(data, frame.where);
    if (kind == kEnd) {
      check_end(data, frame.where);
      continue;
    }
    if (kind == name_of(FrameKind::Head, false)) {
      if (inside_) {
        throw InputError(frame.where + ": a second head before the end mark");
      }
      begin_part(frame);
    } else {
      take_image(kind, frame);
    }
    frame.series = series_;
    frame.coefficients = coefficients_;
    frame.levels = levels_;
    frame.encoding = encoding_;
    frame.lambda = lambda_;
    checksum_ = extend_crc32(checksum_, data.header_bytes());
    checksum_ = extend_crc32(checksum_, data.data_bytes());
    return true;
  }
}

void StreamReader::take_image(std::string_view kind, Frame& frame) {
  set_kind(kind, frame);
  if (!inside_) {
    throw InputError(frame.where + ": a " + std::string(kind) +
                     " without a head before it");
  }
  if (frame.of_task && series_ != Series::Tasks) {
    throw InputError(frame.where + ": a " + std::string(kind) +
                     " in a part of version 1 (expected version 2)");
  }
  set_place(frame);
  if (series_ == Series::Tasks) {
    order_.next(frame.place,
                frame.data.get<std::int64_t>("index", {1}, frame.where)[0],
                frame.where);
  }
  ++images_;
}

void StreamReader::begin_part(Frame& head) {
  series_ = series_of(head.data, head.where);
  order_ = {};
  coefficients_ = Coefficients::Binary;
  levels_ = 2;
  encoding_ = Encoding::Binary;
  lambda_ = 1.0;
  read_entry(
      head, "oa.coefficients", "binary, levels, continuous or lasso", coefficients_);
  if (coefficients_ == Coefficients::Marginal) {
    throw InputError(head.where +
                     ": oa.coefficients is 'marginal', which has no minima");
  }
  if (coefficients_ == Coefficients::Levels) {
    for (const char* key : {kLevels, kEncoding}) {
      if (!head.data.metadata.contains(key)) {
        throw InputError(head.where + ": no '" + key +
                         "' in its metadata (expected beside levels)");
      }
    }
    read_entry(head, kLevels, "2 to 16", levels_);
    if (levels_ < 2 || levels_ > kMaxLevels) {
      throw InputError(head.where + ": " + kLevels + " is " + format(levels_) +
                       " (expected 2 to " + format(kMaxLevels) + ")");
    }
    read_entry(head, kEncoding, "binary, unary, one-hot or domain-wall", encoding_);
  }
  read_entry(head, "oa.lambda", "a number", lambda_);
  head.kind = FrameKind::Head;
  head.of_task = false;
  head.place = {};
  head.complete_before = complete_;
  inside_ = any_ = true;
  images_ = 0;
  checksum_ = 0;
}

void StreamReader::check_end(const Safetensors& end, const std::string& where) {
  if (!inside_) {
    throw InputError(where + ": an end mark without a head before it");
  }
  const auto frames = parse_int(entry(end, "frames", where));
  const std::string& complete = entry(end, "complete", where);
  if (!frames || (complete != "true" && complete != "false")) {
    throw InputError(where + ": a damaged end mark");
  }
  if (*frames != images_) {
    throw InputError(where + ": the end mark counts " + format(*frames) +
                     " frames, but " + format(images_) + " came");
  }
  if (entry(end, "checksum", where) != hex(checksum_)) {
    throw InputError(where + ": the checksum is " + hex(checksum_) +
                     ", but the end mark says " +
                     end.metadata.at("checksum").substr(0, 20));
  }
  if (end.metadata.contains("failed")) {
    const std::string what = where + ": the tool that wrote the stream failed";
    if (input_.is_pipe()) {
      throw CauseReported(what);
    }
    throw InputError(what + " (its own message said why)");
  }
  if (complete == "true" && !order_.whole()) {
    throw InputError(where + ": " + order_.lacks());
  }
  complete_ = complete_ && complete == "true";
  inside_ = false;
}

void StreamWriter::put_bytes(std::span<const std::byte> bytes) {
  checksum_ = extend_crc32(checksum_, bytes);
  output_.write(bytes);
  bytes_ += bytes.size();
}

void StreamWriter::write(std::string_view kind,
                         Metadata metadata,
                         std::vector<TensorView> tensors) {
  inside_ = false;
  metadata[std::string(kKind)] = kind;
  const std::string& header = last_header_.header(metadata, tensors);
  put_bytes(std::as_bytes(std::span(header)));
  for (const TensorView& t : tensors) {
    put_bytes(t.bytes);
  }
  inside_ = true;
}

void StreamWriter::head(Metadata metadata,
                        std::vector<TensorView> tensors,
                        Series series) {
  series_ = series;
  metadata[std::string(kVersion)] = format(static_cast<int>(series));
  write(name_of(FrameKind::Head, false), std::move(metadata), std::move(tensors));
}

void StreamWriter::image(FrameKind kind,
                         Metadata metadata,
                         std::vector<TensorView> tensors) {
  write(name_of(kind, false), std::move(metadata), std::move(tensors));
  ++images_;
}

void StreamWriter::task(FrameKind kind,
                        const qubo::Place& place,
                        Metadata metadata,
                        std::vector<TensorView> tensors) {
  if (series_ != Series::Tasks) {
    throw std::logic_error("a task in a stream of images");
  }
  put_head_place(place, metadata);
  write(name_of(kind, true), std::move(metadata), std::move(tensors));
  ++images_;
}

void StreamWriter::copy(const Frame& frame) {
  inside_ = false;
  put_bytes(frame.data.header_bytes());
  put_bytes(frame.data.data_bytes());
  inside_ = true;
  series_ = frame.series;
  if (frame.kind != FrameKind::Head) {
    ++images_;
  }
}

void StreamWriter::copy_head(const Frame& head, const std::string& history) {
  copy_head(head, history, head.coefficients);
}

void StreamWriter::copy_head(const Frame& head,
                             const std::string& history,
                             Coefficients coefficients) {
  Metadata metadata = head.data.metadata;
  if (coefficients != head.coefficients) {
    metadata["oa.coefficients"] = field_text(coefficients);
    metadata.erase(kLevels);
    metadata.erase(kEncoding);
  }
  std::string& lines = metadata["oa.history"];
  lines += (lines.empty() ? "" : "\n") + history;
  series_ = head.series;
  write(name_of(head), std::move(metadata), head.data.tensors());
}

StreamWriter::~StreamWriter() {
  // If the buffer has not been flushed, the reader sees an empty pipe.
  if (inside_ && std::uncaught_exceptions() > exceptions_ && output_.is_pipe() &&
      output_.has_begun()) {
    try {
      put_end(false, true);
      output_.flush();
    } catch (const std::exception&) {
      // Without an end mark, the reader notices the failure, too.
    }
  }
}

void StreamWriter::finish(bool complete) {
  put_end(complete, false);
}

void StreamWriter::put_end(bool complete, bool failed) {
  inside_ = false;
  Metadata metadata{{std::string(kKind), std::string(kEnd)},
                    {"frames", format(images_)},
                    {"complete", complete ? "true" : "false"},
                    {"checksum", hex(checksum_)}};
  if (failed) {
    metadata["failed"] = "true";
  }
  write_safetensors(output_, metadata, {});
  images_ = 0;
  checksum_ = 0;
}

}  // namespace oa::io
