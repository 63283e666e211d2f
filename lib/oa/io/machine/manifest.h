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

/// Writes a manifest, oa-cim(5): the stream that was packed, and in each frame the
/// matrices submitted for it.
class ManifestWriter {
 public:
  ManifestWriter(Output& output, TaskFormat format, std::string name);

  /// Ends the previous part and writes a head of the packed stream with one more line
  /// of history.
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

/// The manifest of the matrices in X.tar.gz or in folder X: X.manifest.
[[nodiscard]] std::string manifest_beside(std::string path);

/// The format of those matrices by their manifest; nothing if there is none.
[[nodiscard]] std::optional<TaskFormat> format_beside(const std::string& matrices);

/// A manifest as it was read, or its substitute.
struct Manifest {
  machine::Submission submission;
  /// Each head and the number of the first image after it.  Empty without a stream.
  std::vector<std::pair<std::size_t, Frame>> heads;
  bool singles = false;  ///< whether it holds single problems
  bool complete = true;
};

/// Reads a manifest once and keeps the places of its parts, so that memory does not
/// grow with its matrices: they are read again when needed.  Compressed files and pipes
/// are kept in memory.  Throws InputError.
[[nodiscard]] Manifest read_manifest(const std::string& path,
                                     const std::stop_token& stop);

/// The same, kept in memory.
[[nodiscard]] Manifest read_manifest(Input input);

/// Matrices made by other programs: every <task>.csv in a folder.  The problem of a
/// task is its matrix.  All are kept in memory.  Throws InputError.
[[nodiscard]] Manifest read_matrices(const std::string& folder);

/// Throws OverwriteError if another command wrote the manifest at `path`: results still
/// to come need it.  `history` is the line of this command, and `file` the first file
/// that it packs.
void refuse_other_manifest(const std::string& path,
                           const std::string& history,
                           const std::string& file);

}  // namespace oa::io
