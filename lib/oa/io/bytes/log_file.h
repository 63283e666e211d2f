#pragma once

#include <string>
#include <string_view>

namespace oa::io {

/// A file of lines or records that other programs read while it grows: each record is
/// written at once.  After an error, the file stays, unlike the file of an Output.
class LogFile {
 public:
  /// Opens `path`, "-" for standard output;
  /// `append` keeps its content.  Throws IoError.
  LogFile(std::string path, bool append);
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile();

  void line(std::string_view text);
  /// Writes the bytes without a line end.
  void put(std::string_view bytes);

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace oa::io
