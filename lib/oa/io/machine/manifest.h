#pragma once

#include "oa/io/machine/matrix_csv.h"
#include "oa/io/stream/stream.h"
#include "oa/machine/packed.h"
#include "oa/machine/submission.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace oa::io {

/// Writes a manifest, oa-cim(5): the stream that was packed and, in each frame, what
/// was submitted for it.
class ManifestWriter {
 public:
  ManifestWriter(Output& output, TaskFormat format, std::string name);

  /// A head of the stream that is packed, with one more line of history; ends the part
  /// before it.
  void head(const Frame& head, const std::string& history);
  /// `first_task` is the number of the image's first task.
  void image(const machine::PackedImage& image, bool merged, std::int64_t first_task);
  void finish(bool complete);

 private:
  StreamWriter writer_;
  TaskFormat format_;
  std::string name_;
  bool begun_ = false;
};

/// Where the manifest of the matrices in X.tar.gz, or in the folder X, is written:
/// X.manifest.
[[nodiscard]] std::string manifest_beside(std::string path);

/// What that manifest says of the form of the matrices; nothing if it is not there.
[[nodiscard]] std::optional<TaskFormat> format_beside(const std::string& matrices);

/// A manifest as it was read, or what stands in for one.
struct Manifest {
  machine::Submission submission;
  /// The heads, and the number of the first image after each.  None where there was no
  /// stream.
  std::vector<std::pair<std::size_t, Frame>> heads;
  bool singles = false;  ///< its problems are single ones
  bool complete = true;
};

/// Reads a manifest once and keeps where its parts are, so that memory does not grow
/// with its matrices: these are read again when they are needed.  Only what is
/// compressed, or no plain file, is kept in memory.  Throws InputError.
[[nodiscard]] Manifest read_manifest(const std::string& path,
                                     const std::stop_token& stop);

/// The same, kept in memory.
[[nodiscard]] Manifest read_manifest(Input input);

/// Submissions that somebody else made: every <task>.csv in a folder.  The problem of a
/// task is its matrix.  They are kept in memory.  Throws InputError.
[[nodiscard]] Manifest read_matrices(const std::string& folder);

}  // namespace oa::io
