#include "oa/io/machine/result_files.h"

#include "oa/base/error.h"
#include "oa/io/bytes/folder.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/machine/cim_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

namespace oa::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kResults{".log", ".json", ".npy", ".pdf"};
constexpr std::array<std::string_view, 7> kArchives{
    ".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2"};

bool ends_with_any(const std::string& path,
                   std::span<const std::string_view> suffixes) {
  std::string low = path;
  std::ranges::transform(low, low.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return std::ranges::any_of(suffixes,
                             [&](std::string_view s) { return low.ends_with(s); });
}

}  // namespace

ResultFiles::ResultFiles(const std::vector<std::string>& paths, std::stop_token stop)
    : stop_(std::move(stop)) {
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      paths_.push_back(path);  // opening the file reports errors
      continue;
    }
    for (FolderFile& file : files_in(path, Depth::Tree)) {
      if (file.regular &&
          (ends_with_any(file.path, kResults) || ends_with_any(file.path, kArchives))) {
        paths_.push_back(std::move(file.path));
      } else {
        ignore(file.path);
      }
    }
  }
}

ResultFiles::~ResultFiles() = default;

void ResultFiles::ignore(const std::string& name) {
  constexpr std::size_t kNamed = 3;
  if (ignored_names_.size() < kNamed) {
    ignored_names_.push_back(name);
  }
  ++ignored_;
}

std::optional<ResultFile> ResultFiles::next() {
  ResultFile file;
  while (!stop_.stop_requested()) {
    if (archive_) {
      if (next_in_archive(file)) {
        return file;
      }
      continue;
    }
    if (paths_.empty()) {
      return std::nullopt;
    }
    // Frees the name immediately: there may be a million names.
    const std::string path = std::move(paths_.front());
    paths_.pop_front();
    open(path, file);
    if (!archive_) {
      return file;
    }
  }
  return std::nullopt;
}

void ResultFiles::open(const std::string& path, ResultFile& file) {
  file.name = path;
  try {
    Input input = Input::open(path, stop_);
    if (looks_like_archive(input.peek(512))) {
      archive_ = std::make_unique<ArchiveReader>(std::move(input));
      return;
    }
    file.content = read_whole_text(input, kMaxResultBytes, "over 64 MiB");
  } catch (const InputError& error) {  // too large, or damaged gzip data
    file.problem = error.what();
  }
}

bool ResultFiles::next_in_archive(ResultFile& file) {
  ArchiveEntry entry;
  try {
    while (archive_->next(entry)) {
      const bool result = ends_with_any(entry.path, kResults);
      const bool nested = ends_with_any(entry.path, kArchives);
      if (!result && !nested) {
        ignore(archive_->name() + ":" + entry.path);
        continue;
      }
      file.name = archive_->name() + ":" + entry.path;
      file.content = nested ? std::string() : std::move(entry.content);
      const std::string problem =
          nested ? "an archive in an archive (unpack it first)" : entry.problem;
      file.problem = problem.empty() ? "" : file.name + ": " + problem;
      return true;
    }
    archive_.reset();
    return false;
  } catch (const InputError& error) {
    file = {archive_->name(), {}, error.what()};
    archive_.reset();
    return true;
  }
}

}  // namespace oa::io
