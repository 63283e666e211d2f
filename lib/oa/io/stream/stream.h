#pragma once

#include "oa/base/coefficients.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/head_order.h"
#include "oa/io/tensor/safetensors.h"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace oa::io {

/// The frames of a stream, oa-stream(5).
enum class FrameKind { Head, Problem, Solution };

/// The version of a part of a stream: the problems that a part may contain.
enum class Series : std::uint8_t {
  Images = 1,  ///< images: all queries of a problem have equal sizes
  Tasks = 2,   ///< also tasks, see qubo::Problem::of_task()
};

struct Frame {
  FrameKind kind = FrameKind::Head;
  Series series = Series::Images;  ///< the version of its part
  bool of_task = false;            ///< true for task-problem and task-solution
  std::string where;               ///< "file:frame 12", for messages
  std::uint64_t begin = 0;         ///< position of the frame in the decompressed input
  Safetensors data;
  bool complete_before = true;  ///< heads: earlier parts are complete
  /// The kind of coefficients, from the head of its part; oa-stream(5), Coefficients.
  Coefficients coefficients = Coefficients::Binary;
  int levels = 2;
  Encoding encoding = Encoding::Binary;
  double lambda = 1.0;
  /// Layer and head of a task; all other frames have layer 0 and head 0 of 1.
  qubo::Place place = {};

  // Not inline: code of command lines is compiled with less optimisation,
  // and its destructor would visit each byte of a frame.
  Frame();
  Frame(const Frame& other);
  Frame& operator=(const Frame& other);
  Frame(Frame&& other) noexcept;
  Frame& operator=(Frame&& other) noexcept;
  ~Frame();
};

/// Reads a problem or solution frame again from its bytes.
/// `part` is any frame of the same part of the stream.  Throws InputError.
[[nodiscard]] Frame read_again(std::span<const std::byte> bytes, const Frame& part);

/// The name of the frame's kind: "problem", "task-solution", ...
[[nodiscard]] std::string_view name_of(const Frame& frame);

/// Reads a stream (or several in a row) frame by frame, in constant memory.
class StreamReader {
 public:
  explicit StreamReader(Input input) : input_(std::move(input)) {}

  /// Returns the next head, problem or solution; nothing at the end or after a stop.
  /// Throws InputError on a missing end mark, a wrong count or checksum,
  /// frames out of order, and an example without all its heads,
  /// unless it is the last of an incomplete part.
  [[nodiscard]] std::optional<Frame> next();

  /// Reads the next frame into `frame` and reuses its memory.  False at the end.
  [[nodiscard]] bool next(Frame& frame);

  /// True if every part was marked complete and no stop came.  Call it after the end,
  /// when no other thread reads.
  [[nodiscard]] bool complete() const { return complete_ && !input_.stopped(); }

  [[nodiscard]] const std::string& name() const { return input_.name(); }

 private:
  void begin_part(Frame& head);
  void take_image(std::string_view kind, Frame& frame);
  void check_end(const Safetensors& end, const std::string& where);

  Input input_;
  LastHeader last_header_;
  std::int64_t frames_read_ = 0;  // frames of all kinds
  bool inside_ = false;           // between a head and its end mark
  bool any_ = false;
  bool complete_ = true;
  std::int64_t images_ = 0;  // problem and solution frames of this part
  std::uint32_t checksum_ = 0;
  Coefficients coefficients_ = Coefficients::Binary;  // from the head of this part
  int levels_ = 2;
  Encoding encoding_ = Encoding::Binary;
  double lambda_ = 1.0;
  Series series_ = Series::Images;
  HeadOrder order_;
};

/// Writes one stream, without a separate buffer.
class StreamWriter {
 public:
  explicit StreamWriter(Output& output) : output_(output) {}
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;
  /// If an exception ends a stream in a pipe, writes a mark,
  /// so that the reader does not report the failure again.
  ~StreamWriter();

  /// Writes a head.  Frames of tasks may follow only a head of Series::Tasks.
  void head(Metadata metadata,
            std::vector<TensorView> tensors,
            Series series = Series::Images);

  /// Writes a problem or solution frame of an image.
  void image(FrameKind kind, Metadata metadata, std::vector<TensorView> tensors);
  /// Writes a problem or solution frame of a task; `place` goes into its metadata.
  void task(FrameKind kind,
            const qubo::Place& place,
            Metadata metadata,
            std::vector<TensorView> tensors);

  /// Writes a frame byte for byte as it was read.
  void copy(const Frame& frame);
  /// Writes a copy of a head with one more line of history and with new coefficients.
  void copy_head(const Frame& head, const std::string& history);
  void copy_head(const Frame& head,
                 const std::string& history,
                 Coefficients coefficients);

  /// Writes the end mark.  `complete` is false if images of the stream are missing.
  void finish(bool complete);

  /// The number of bytes written so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void write(std::string_view kind, Metadata metadata, std::vector<TensorView> tensors);
  void put_bytes(std::span<const std::byte> bytes);
  void put_end(bool complete, bool failed);

  Output& output_;
  LastWritten last_header_;
  int exceptions_ = std::uncaught_exceptions();
  bool inside_ = false;             // after a whole frame, before the end mark
  Series series_ = Series::Images;  // from the last head
  std::int64_t images_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace oa::io
