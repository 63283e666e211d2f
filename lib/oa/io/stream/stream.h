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

/// Which problems a part of a stream may hold: the version in its head.
enum class Series : std::uint8_t {
  Images = 1,  ///< those of one image, all queries alike
  Tasks = 2,   ///< also those that qubo::Problem::of_task() tells
};

struct Frame {
  FrameKind kind = FrameKind::Head;
  Series series = Series::Images;  ///< what its part may hold
  bool of_task = false;            ///< a task-problem or task-solution
  std::string where;               ///< "file:frame 12", for messages
  std::uint64_t begin = 0;         ///< its place in the input, in bytes, decompressed
  Safetensors data;
  bool complete_before = true;  ///< of a head: all parts before it were marked complete
  /// What the head of its part says of the problems; oa-stream(5), Coefficients.
  Coefficients coefficients = Coefficients::Binary;
  int levels = 2;
  Encoding encoding = Encoding::Binary;
  double lambda = 1.0;
  /// Of a task: its layer, and which head of how many; else the only one.
  qubo::Place place = {};

  // Not inline: command lines are compiled with less optimisation, and would visit each
  // byte of a frame to destroy it.
  Frame();
  Frame(const Frame& other);
  Frame& operator=(const Frame& other);
  Frame(Frame&& other) noexcept;
  Frame& operator=(Frame&& other) noexcept;
  ~Frame();
};

/// Reads a frame of problems or solutions once more from its bytes.  `part` is any
/// frame of the same part.  Throws InputError.
[[nodiscard]] Frame read_again(std::span<const std::byte> bytes, const Frame& part);

/// "problem", "task-solution", ...: as the frame itself says.
[[nodiscard]] std::string_view name_of(const Frame& frame);

/// Reads a stream (or several, one after the other) frame by frame, in constant memory.
class StreamReader {
 public:
  explicit StreamReader(Input input) : input_(std::move(input)) {}

  /// The next head, problem or solution, or nothing at the end of the stream (or after
  /// a stop).  End marks are checked here: a count or checksum that does not agree, a
  /// stream without its mark and frames out of order are InputErrors; so is an example
  /// that lacks heads, unless it is the last of a part marked incomplete.
  [[nodiscard]] std::optional<Frame> next();

  /// The same, into a frame whose memory is used again.  False at the end.
  [[nodiscard]] bool next(Frame& frame);

  /// After the end, not while another thread may read: every part was marked complete
  /// and nothing stopped the reading.
  [[nodiscard]] bool complete() const { return complete_ && !input_.stopped(); }

  [[nodiscard]] const std::string& name() const { return input_.name(); }

 private:
  void begin_part(Frame& head);
  void take_image(std::string_view kind, Frame& frame);
  void check_end(const Safetensors& end, const std::string& where);

  Input input_;
  LastHeader last_header_;
  std::int64_t frames_read_ = 0;  // of all kinds, to number them
  bool inside_ = false;           // after a head, before its end mark
  bool any_ = false;
  bool complete_ = true;
  std::int64_t images_ = 0;  // problem and solution frames of this part
  std::uint32_t checksum_ = 0;
  Coefficients coefficients_ = Coefficients::Binary;  // of this part
  int levels_ = 2;
  Encoding encoding_ = Encoding::Binary;
  double lambda_ = 1.0;
  Series series_ = Series::Images;
  HeadOrder order_;
};

/// Writes one stream.  Nothing is buffered beyond the Output's own buffer.
class StreamWriter {
 public:
  explicit StreamWriter(Output& output) : output_(output) {}
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;
  /// An exception that ends a stream in a pipe is marked, so that its reader is silent
  /// about what the tool says itself.
  ~StreamWriter();

  /// Frames of tasks may follow a head of Series::Tasks only.
  void head(Metadata metadata,
            std::vector<TensorView> tensors,
            Series series = Series::Images);

  /// A problem or solution frame.
  void image(FrameKind kind, Metadata metadata, std::vector<TensorView> tensors);
  /// The same of a task; `place` is written into its metadata.
  void task(FrameKind kind,
            const qubo::Place& place,
            Metadata metadata,
            std::vector<TensorView> tensors);

  /// A frame as it was read, byte for byte.
  void copy(const Frame& frame);
  /// A head as it was read, with one more line of history and what is said here of the
  /// coefficients.
  void copy_head(const Frame& head, const std::string& history);
  void copy_head(const Frame& head,
                 const std::string& history,
                 Coefficients coefficients);

  /// The end mark.  `complete` is false if images that belong to the stream are
  /// missing.
  void finish(bool complete);

  /// Written so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void write(std::string_view kind, Metadata metadata, std::vector<TensorView> tensors);
  void put_bytes(std::span<const std::byte> bytes);
  void put_end(bool complete, bool failed);

  Output& output_;
  LastWritten last_header_;
  int exceptions_ = std::uncaught_exceptions();
  bool inside_ = false;             // after a whole frame, before the end mark
  Series series_ = Series::Images;  // of the head
  std::int64_t images_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace oa::io
