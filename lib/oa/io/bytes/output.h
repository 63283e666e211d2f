#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// A buffered destination of bytes.  A file appears whole or not at all: bytes go to a
/// temporary file beside it that commit() flushes to the disk and renames.  Standard
/// output ("-") and whatever is not a regular file (a device, a pipe) are written
/// directly.
///
/// Every failure throws: IoError, or ClosedPipe when nobody reads any more.
class Output {
 public:
  /// Opens `path` for writing; fails now, not later, if it cannot be.
  explicit Output(const std::string& path);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();  ///< Without commit(): the temporary file is removed.

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Hands everything written so far to the system, so that a reader sees it.
  void flush();

  /// Everything is written: makes the file appear.  Call it last; without it a file
  /// never appears.
  void commit();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_terminal() const;
  [[nodiscard]] bool is_pipe() const;
  /// Some bytes have left the buffer, so that a reader may have seen them.
  [[nodiscard]] bool has_begun() const { return begun_; }

 private:
  void open_file(const std::string& path);
  void put_bytes(std::span<const std::byte> bytes);

  std::string name_;
  std::string target_;     // where the temporary file goes; empty if written directly
  std::string temporary_;  // its name while it exists
  int fd_ = -1;
  bool owned_ = false;
  bool begun_ = false;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t filled_ = 0;
};

/// A folder for Outputs: made, with those above it, if there is none; one that was made
/// goes again if nothing has come into it and it was not committed.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// The path of file `name` in it.
  [[nodiscard]] std::string operator/(std::string_view name) const;

  /// It stays, even if nothing was written into it.
  void commit() { made_ = false; }

 private:
  std::string path_;
  bool made_ = false;
};

/// Removes the temporary files of all Outputs alive.  For the one moment when a process
/// must end at once; safe in a signal handler or another thread.
void remove_temporaries() noexcept;

}  // namespace oa::io
