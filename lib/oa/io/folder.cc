#include "oa/io/folder.h"

#include "oa/base/error.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace oa::io {
namespace {

namespace fs = std::filesystem;

template <class Iterator>
std::vector<FolderFile> collect(const std::string& folder, std::error_code& error) {
  std::vector<FolderFile> files;
  // Not a range: its ++ would throw what is no IoError.
  for (Iterator at(folder, error); !error && at != Iterator(); at.increment(error)) {
    std::error_code unknown;  // a link to nowhere is a file that cannot be opened
    if (!at->is_directory(unknown)) {
      files.push_back({at->path().native(), at->is_regular_file(unknown)});
    }
  }
  return files;
}

}  // namespace

std::vector<FolderFile> files_in(const std::string& folder, Depth depth) {
  std::vector<FolderFile> files;
  std::error_code error;
  do {
    error.clear();
    files = depth == Depth::Tree
                ? collect<fs::recursive_directory_iterator>(folder, error)
                : collect<fs::directory_iterator>(folder, error);
  } while (error == std::errc::interrupted);
  if (error) {
    throw IoError(folder, error.value());
  }
  std::ranges::sort(files, {}, &FolderFile::path);
  return files;
}

}  // namespace oa::io
