#pragma once

#include "oa/cim/pack.h"
#include "oa/io/matrix_csv.h"
#include "oa/io/stream.h"

#include <cstdint>
#include <string>

namespace oa::io {

/// Writes a manifest, oa-cim(5): the stream that was packed and, in each frame, what
/// was submitted for it.
class ManifestWriter {
 public:
  ManifestWriter(Output& output, TaskFormat format, std::string name);

  /// A head of the stream that is packed; ends the part before it.
  void head(const Frame& head, bool complete);
  /// `first_task` is the number of the image's first task.
  void image(const cim::PackedImage& image, bool merged, std::int64_t first_task);
  void finish(bool complete);

 private:
  StreamWriter writer_;
  TaskFormat format_;
  std::string name_;
  bool begun_ = false;
};

}  // namespace oa::io
