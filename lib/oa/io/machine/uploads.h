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

/// Where matrices go.
struct UploadSettings {
  std::string output = "-";      ///< an archive, or a folder
  std::string name = "mat";      ///< of a split upload
  bool folder = false;           ///< single files
  std::int64_t tasks = 0;        ///< of an upload; 0: all in one
  std::optional<IndexSet> only;  ///< write these alone
};

/// Writes matrices <task>.csv in the order of their numbers: one gzipped tar archive
/// (in a folder mat), one for each upload ("NAME0-19.tar.gz", in the folder `output`,
/// which is made, or beside it where it is called X.tar.gz), or single files.
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
  std::optional<Output> output_;        // of one archive
  std::optional<OutputFolder> folder_;  // of single files
  std::unique_ptr<ArchiveWriter> archive_;
  std::vector<std::byte> upload_;  // of several, the bytes until its name is known
  std::int64_t first_ = 0;         // task of the upload
  std::int64_t last_ = 0;
  std::int64_t written_ = 0;
};

}  // namespace oa::io
