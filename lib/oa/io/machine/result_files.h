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

/// A file that may contain a result, or an error message.
struct ResultFile {
  std::string name;  ///< for messages: "results.zip:a/b.log"
  std::string content;
  std::string problem;  ///< error message of one line; then content is empty

  [[nodiscard]] bool is_pdf() const { return content.starts_with("%PDF"); }
  /// The suffix for the content, from the file's name.
  [[nodiscard]] std::string_view suffix() const {
    return is_pdf() ? ".pdf" : content.starts_with("\x93NUMPY") ? ".npy" : ".log";
  }
};

/// Visits result files one by one in a fixed order: in folders with their subfolders,
/// in archives, and as single files.  In folders and archives, only names of results
/// count (.log, .json, .npy, .pdf; in folders also .zip, .tar and compressed .tar).
/// Does not open archives in archives.
class ResultFiles {
 public:
  /// Throws IoError if a path is missing.
  ResultFiles(const std::vector<std::string>& paths, std::stop_token stop);
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;
  ~ResultFiles();

  [[nodiscard]] std::optional<ResultFile> next();

  /// The number of files ignored because of their names, and the first names.
  [[nodiscard]] std::int64_t ignored() const { return ignored_; }
  [[nodiscard]] const std::vector<std::string>& ignored_names() const {
    return ignored_names_;
  }

 private:
  void open(const std::string& path, ResultFile& file);
  bool next_in_archive(ResultFile& file);
  void ignore(const std::string& name);

  std::deque<std::string> paths_;  // not yet read
  std::stop_token stop_;
  std::unique_ptr<ArchiveReader> archive_;
  std::int64_t ignored_ = 0;
  std::vector<std::string> ignored_names_;
};

}  // namespace oa::io
