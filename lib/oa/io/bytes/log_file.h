#pragma once

#include <string>
#include <string_view>

namespace oa::io {

/// A file of lines, or records, that grows while work goes on and is read meanwhile:
/// each is there as soon as it is written.  Unlike an Output it is kept whatever
/// happens.
class LogFile {
 public:
  /// Opens `path`, to go on behind its end if `append`.  Throws IoError.
  LogFile(std::string path, bool append);
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile();

  void line(std::string_view text);
  /// The bytes as they are.
  void put(std::string_view bytes);

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace oa::io
