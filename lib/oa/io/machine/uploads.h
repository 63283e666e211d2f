#pragma once

#include "oa/base/index_set.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/output.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// The destination of matrices.
struct UploadSettings {
  std::string output = "-";      ///< an archive, or a folder
  std::string name = "mat";      ///< name of the uploads, if there are several
  bool folder = false;           ///< single files in a folder, no archive
  std::int64_t tasks = 0;        ///< tasks per upload; 0: one upload for all
  std::optional<IndexSet> only;  ///< write only these tasks
};

/// Writes matrices <task>.csv in the order of their numbers, in one of three forms: a
/// gzipped tar archive (in its folder mat); an archive for each upload
/// ("NAME0-19.tar.gz" in folder `output`, or beside X.tar.gz); or single files.
class Uploads {
 public:
  explicit Uploads(UploadSettings settings);
  Uploads(const Uploads&) = delete;
  Uploads& operator=(const Uploads&) = delete;
  ~Uploads();

  void add_task(std::int64_t task, std::string_view csv);
  void finish();

  [[nodiscard]] std::int64_t written() const { return written_; }

 private:
  void end_upload();

  UploadSettings settings_;
  std::optional<Output> output_;        // the archive, if there is one
  std::optional<OutputFolder> folder_;  // the folder of single files
  std::unique_ptr<ArchiveWriter> archive_;
  std::vector<std::byte> upload_;  // an upload, written when its name is known
  std::int64_t first_ = 0;         // first task of the current upload
  std::int64_t last_ = 0;
  std::int64_t written_ = 0;
};

}  // namespace oa::io
