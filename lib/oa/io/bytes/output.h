#pragma once

#include "oa/io/bytes/memory_file.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// A buffered destination of bytes.  A file appears whole or not at all:
/// commit() writes a temporary file in the same folder to disk and renames it.
/// Standard output ("-"), devices and pipes are written directly.
/// commit() also changes the bytes of a MemoryFile.
///
/// Every failure throws IoError, or ClosedPipe if the reader has ended.
class Output {
 public:
  /// Opens `path` for writing, and reports failures immediately.
  explicit Output(const std::string& path);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();  ///< Without commit(): removes the temporary file.

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Passes all bytes to the system, so that a reader sees them.
  void flush();

  /// Makes the file appear.  Call it last; without commit() there is no file.
  void commit();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_terminal() const;
  [[nodiscard]] bool is_pipe() const;
  /// True if some bytes have left the buffer: a reader may have seen them.
  [[nodiscard]] bool has_begun() const { return begun_; }

 private:
  void open_file(const std::string& path);
  void put_bytes(std::span<const std::byte> bytes);

  std::string name_;
  std::string target_;                   // the file's name; empty if written directly
  std::string temporary_;                // the temporary file's name while it exists
  std::unique_ptr<MemoryBytes> memory_;  // the bytes of a MemoryFile
  int fd_ = -1;
  bool owned_ = false;
  bool begun_ = false;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t filled_ = 0;
};

/// A folder for Outputs, created with its parents if missing.
/// A folder that was created and stays empty is removed again, unless committed.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// The path of file `name` in the folder.
  [[nodiscard]] std::string operator/(std::string_view name) const;

  /// Keeps the folder even if it is empty.
  void commit() { made_ = false; }

 private:
  std::string path_;
  bool made_ = false;
};

/// Removes the temporary files of all Outputs, for a process that must end now.
/// Safe in a signal handler or another thread.
void remove_temporaries() noexcept;

}  // namespace oa::io
