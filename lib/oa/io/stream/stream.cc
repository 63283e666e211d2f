#include "oa/io/stream/stream.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <array>
#include <charconv>
#include <utility>

#include <libdeflate.h>

namespace oa::io {
namespace {

constexpr std::string_view kKind = "oa.kind";
constexpr std::string_view kVersion = "oa.version";
constexpr std::string_view kEnd = "end";

/// CRC-32 as in gzip, so that every language's library has it; libdeflate's, because it
/// runs at 24 GB/s where zlib's runs at 4.5, and every frame passes through it.
std::uint32_t extend(std::uint32_t crc, std::span<const std::byte> bytes) {
  if (bytes.empty()) {
    return crc;  // a null pointer would begin anew
  }
  return ::libdeflate_crc32(crc, bytes.data(), bytes.size());
}

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

void check_version(const Safetensors& frame, const std::string& where) {
  const auto found = frame.metadata.find(std::string(kVersion));
  if (found != frame.metadata.end() && found->second != "1") {
    throw InputError(where + ": stream version '" + found->second.substr(0, 20) +
                     "' (this program reads version 1)");
  }
}

/// Leaves `to` alone where the head has no such entry.
template <class T>
void read_entry(const Frame& head, const char* key, const char* expected, T& to) {
  const auto found = head.data.metadata.find(key);
  if (found != head.data.metadata.end() && !parse_field(found->second, to)) {
    throw InputError(head.where + ": " + key + " is '" + found->second.substr(0, 40) +
                     "' (expected " + expected + ")");
  }
}

}  // namespace

std::string_view name_of(FrameKind kind) {
  switch (kind) {
    case FrameKind::Head: return "head";
    case FrameKind::Problem: return "problem";
    case FrameKind::Solution: return "solution";
  }
  return "";
}

std::optional<Frame> StreamReader::next() {
  Frame frame;
  return next(frame) ? std::optional(std::move(frame)) : std::nullopt;
}

bool StreamReader::next(Frame& frame) {
  while (true) {
    frame.where = input_.name() + ":frame " + format(frames_read_);
    Safetensors& data = frame.data;
    if (input_.stopped() || !read_safetensors(input_, data)) {
      if (!input_.stopped() && (inside_ || !any_)) {
        throw InputError(frame.where + (any_ ? ": truncated: the stream has no end mark"
                                             : ": empty (expected a stream)"));
      }
      return false;
    }
    ++frames_read_;
    const std::string& kind = entry(data, kKind, frame.where);
    if (kind == kEnd) {
      check_end(data, frame.where);
      continue;
    }
    if (kind == name_of(FrameKind::Head)) {
      if (inside_) {
        throw InputError(frame.where + ": a second head before the end mark");
      }
      begin_part(frame);
    } else if (kind == name_of(FrameKind::Problem) ||
               kind == name_of(FrameKind::Solution)) {
      if (!inside_) {
        throw InputError(frame.where + ": a " + kind + " without a head before it");
      }
      frame.kind = kind == name_of(FrameKind::Problem) ? FrameKind::Problem
                                                       : FrameKind::Solution;
      ++images_;
    } else {
      throw InputError(
          frame.where + ": '" + kind.substr(0, 40) +
          "' is no kind of frame (expected head, problem, solution or end)");
    }
    frame.coefficients = coefficients_;
    frame.lambda = lambda_;
    checksum_ = extend(checksum_, data.header_bytes());
    checksum_ = extend(checksum_, data.data_bytes());
    return true;
  }
}

void StreamReader::begin_part(Frame& head) {
  check_version(head.data, head.where);
  coefficients_ = Coefficients::Binary;
  lambda_ = 1.0;
  read_entry(head, "oa.coefficients", "binary, continuous or lasso", coefficients_);
  read_entry(head, "oa.lambda", "a number", lambda_);
  head.kind = FrameKind::Head;
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
  complete_ = complete_ && complete == "true";
  inside_ = false;
}

void StreamWriter::put_bytes(std::span<const std::byte> bytes) {
  checksum_ = extend(checksum_, bytes);
  output_.write(bytes);
}

void StreamWriter::write(FrameKind kind,
                         Metadata metadata,
                         std::vector<TensorView> tensors) {
  metadata[std::string(kKind)] = name_of(kind);
  const std::string header = safetensors_header(metadata, tensors);
  put_bytes(std::as_bytes(std::span(header)));
  for (const TensorView& t : tensors) {
    put_bytes(t.bytes);
  }
}

void StreamWriter::head(Metadata metadata, std::vector<TensorView> tensors) {
  metadata[std::string(kVersion)] = "1";
  write(FrameKind::Head, std::move(metadata), std::move(tensors));
}

void StreamWriter::image(FrameKind kind,
                         Metadata metadata,
                         std::vector<TensorView> tensors) {
  write(kind, std::move(metadata), std::move(tensors));
  ++images_;
}

void StreamWriter::copy(const Frame& frame) {
  put_bytes(frame.data.header_bytes());
  put_bytes(frame.data.data_bytes());
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
  }
  std::string& lines = metadata["oa.history"];
  lines += (lines.empty() ? "" : "\n") + history;
  write(FrameKind::Head, std::move(metadata), head.data.tensors());
}

void StreamWriter::finish(bool complete) {
  write_safetensors(output_,
                    {{std::string(kKind), std::string(kEnd)},
                     {"frames", format(images_)},
                     {"complete", complete ? "true" : "false"},
                     {"checksum", hex(checksum_)}},
                    {});
  images_ = 0;
  checksum_ = 0;
}

}  // namespace oa::io
