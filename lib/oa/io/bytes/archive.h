#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// Writes a gzipped tar archive of regular files, without times and owners: the same
/// files give the same bytes.
class ArchiveWriter {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;

  /// Bytes go to `sink`; add_file() and finish() pass its exceptions on.
  explicit ArchiveWriter(Sink sink);
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;
  ~ArchiveWriter();

  void add_file(const std::string& path, std::string_view content);
  void finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Limits on archives from untrusted sources.
struct ArchiveLimits {
  std::int64_t entries = 1'000'000;
  std::size_t entry_bytes = std::size_t{64} << 20;
  std::uint64_t total_bytes = std::uint64_t{16} << 30;  ///< skipped entries count, too
};

/// A regular file in an archive.  `problem` gives the reason why a file has no content:
/// not regular, too large or encrypted.
struct ArchiveEntry {
  std::string path;  ///< as in the archive; never a place to write to
  std::string content;
  std::string problem;
};

/// True if these first bytes, after gunzip, begin a tar or zip archive.
[[nodiscard]] bool looks_like_archive(std::span<const std::byte> start);

/// Reads the files in a tar or zip archive one by one.  Writes nothing.
class ArchiveReader {
 public:
  explicit ArchiveReader(Input input, const ArchiveLimits& limits = {});
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;
  ~ArchiveReader();

  /// False at the end.  Skips folders.  Throws InputError if the archive is damaged or
  /// exceeds a limit.
  [[nodiscard]] bool next(ArchiveEntry& entry);

  [[nodiscard]] const std::string& name() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace oa::io
