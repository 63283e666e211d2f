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

/// Writes a gzipped tar archive of regular files, byte-stable: no times, no owners.
class ArchiveWriter {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;

  /// Bytes go to `sink`, whose exceptions come out of add_file() and finish().
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

/// What an archive may hold; it comes from anywhere.
struct ArchiveLimits {
  std::int64_t entries = 1'000'000;
  std::size_t entry_bytes = std::size_t{64} << 20;
  std::uint64_t total_bytes = std::uint64_t{16} << 30;  ///< also of what is passed over
};

/// A regular file in an archive.  What is wrong with it (not regular, too large,
/// encrypted) stands in `problem`, and there is no content.
struct ArchiveEntry {
  std::string path;  ///< as the archive has it: never a place to write to
  std::string content;
  std::string problem;
};

/// Whether these first bytes begin a tar or zip archive (gzip being undone already).
[[nodiscard]] bool looks_like_archive(std::span<const std::byte> start);

/// Reads the files in a tar or zip archive one by one.  Nothing is written anywhere.
class ArchiveReader {
 public:
  explicit ArchiveReader(Input input, const ArchiveLimits& limits = {});
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;
  ~ArchiveReader();

  /// False at the end.  Folders are passed over.  Throws InputError where the archive
  /// is damaged or passes a limit.
  [[nodiscard]] bool next(ArchiveEntry& entry);

  [[nodiscard]] const std::string& name() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace oa::io
