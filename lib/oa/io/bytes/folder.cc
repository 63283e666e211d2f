#include "oa/io/bytes/folder.h"

#include "oa/base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <dirent.h>
#include <sys/stat.h>

namespace oa::io {
namespace {

// Uses readdir(): std::filesystem's iterators end the process when memory runs out.

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

enum class Kind : std::uint8_t { Folder, LinkToFolder, File, Other };

Kind kind_of(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) {
      throw IoError(path, errno);
    }
    return Kind::Other;  // deleted meanwhile: open() will report it
  }
  if (S_ISDIR(status.st_mode)) {
    return Kind::Folder;
  }
  if (S_ISLNK(status.st_mode) && ::stat(path.c_str(), &status) != 0) {
    return Kind::Other;  // a dangling link
  }
  return S_ISDIR(status.st_mode)   ? Kind::LinkToFolder
         : S_ISREG(status.st_mode) ? Kind::File
                                   : Kind::Other;
}

/// Returns 0, or the errno value of the failure.
int collect(const std::string& folder, Depth depth, std::vector<FolderFile>& files) {
  std::vector<std::string> inner;
  {
    const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
    if (!opened) {
      return errno;
    }
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(opened.get());  // NOLINT: a stream of our own
      if (entry == nullptr) {
        if (errno != 0) {
          return errno;
        }
        break;
      }
      const char* name = entry->d_name;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) {
        continue;
      }
      std::string path = folder + (folder.ends_with('/') ? "" : "/") + name;
      const Kind kind = entry->d_type == DT_REG ? Kind::File : kind_of(path);
      if (kind == Kind::File || kind == Kind::Other) {
        files.push_back({std::move(path), kind == Kind::File});
      } else if (kind == Kind::Folder && depth == Depth::Tree) {
        inner.push_back(std::move(path));
      }
    }
  }
  int error = 0;
  for (std::size_t i = 0; i < inner.size() && error == 0; ++i) {
    error = collect(inner[i], depth, files);
  }
  return error;
}

}  // namespace

std::vector<FolderFile> files_in(const std::string& folder, Depth depth) {
  std::vector<FolderFile> files;
  int error = 0;
  do {
    files.clear();
    error = collect(folder, depth, files);
  } while (error == EINTR);
  if (error != 0) {
    throw IoError(folder, error);
  }
  std::ranges::sort(files, {}, &FolderFile::path);
  return files;
}

}  // namespace oa::io
