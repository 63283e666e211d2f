#pragma once

#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/input.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// A file that may hold a result, or what is wrong with it.
struct ResultFile {
  std::string name;  ///< for messages: "results.zip:a/b.log"
  std::string content;
  std::string problem;  ///< one line for people; then there is no content

  [[nodiscard]] bool is_pdf() const { return content.starts_with("%PDF"); }
  /// The suffix of a name for the content.
  [[nodiscard]] std::string_view suffix() const {
    return is_pdf() ? ".pdf" : content.starts_with("\x93NUMPY") ? ".npy" : ".log";
  }
};

/// The result files in folders and their subfolders, archives and single files, one by
/// one in a fixed order.  In folders and archives only names of results count (.log,
/// .json, .npy, .pdf; in folders also .zip, .tar and compressed .tar).  Archives in
/// archives are not opened.
class ResultFiles {
 public:
  /// Throws IoError if a path is missing.
  ResultFiles(const std::vector<std::string>& paths, std::stop_token stop);
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;
  ~ResultFiles();

  [[nodiscard]] std::optional<ResultFile> next();

  /// Number of files ignored for their names, and the first names.
  [[nodiscard]] std::int64_t ignored() const { return ignored_; }
  [[nodiscard]] const std::vector<std::string>& ignored_names() const {
    return ignored_names_;
  }

 private:
  void open(const std::string& path, ResultFile& file);
  bool next_in_archive(ResultFile& file);
  void ignore(const std::string& name);

  std::deque<std::string> paths_;  // not read yet
  std::stop_token stop_;
  std::unique_ptr<ArchiveReader> archive_;
  std::int64_t ignored_ = 0;
  std::vector<std::string> ignored_names_;
};

}  // namespace oa::io
