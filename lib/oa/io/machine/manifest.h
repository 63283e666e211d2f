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

/// Writes a manifest, oa-cim(5):
/// the packed stream, whose frames also hold the matrices submitted for them.
class ManifestWriter {
 public:
  ManifestWriter(Output& output, TaskFormat format, std::string name);

  /// Ends the previous part.
  /// Writes the head of the packed stream with one more line of history.
  void head(const Frame& head, const std::string& history);
  /// Writes an image; `first_task` is the number of its first task.
  void image(const machine::PackedImage& image, bool merged, std::int64_t first_task);
  void finish(bool complete);

 private:
  StreamWriter writer_;
  TaskFormat format_;
  std::string name_;
  bool begun_ = false;
};

/// The path of the manifest of the matrices in X.tar.gz or in folder X: X.manifest.
[[nodiscard]] std::string manifest_beside(std::string path);

/// Reads the matrix format from the manifest beside `matrices`, if there is one.
[[nodiscard]] std::optional<TaskFormat> format_beside(const std::string& matrices);

/// A manifest in memory, or the equivalent that read_matrices() makes.
struct Manifest {
  machine::Submission submission;
  /// Each head, and the index of its first image.  Empty without a stream.
  std::vector<std::pair<std::size_t, Frame>> heads;
  bool singles = false;  ///< the manifest is of single problems
  bool complete = true;
};

/// Reads a manifest once and stores the offsets of its parts in the file.
/// Matrices are read again when needed, so that memory does not grow with their number.
/// Compressed files and pipes stay in memory.  Throws InputError.
[[nodiscard]] Manifest read_manifest(const std::string& path,
                                     const std::stop_token& stop);

/// Reads a manifest and keeps it in memory.
[[nodiscard]] Manifest read_manifest(Input input);

/// Reads matrices of other programs: every <task>.csv in a folder.  The problem of a
/// task is its matrix.  Keeps all matrices in memory.  Throws InputError.
[[nodiscard]] Manifest read_matrices(const std::string& folder);

/// Throws OverwriteError if another command wrote the manifest at `path`,
/// which that command's later results need.
/// `history` is this command's line; `file` is the first file that it packs.
void refuse_other_manifest(const std::string& path,
                           const std::string& history,
                           const std::string& file);

}  // namespace oa::io
