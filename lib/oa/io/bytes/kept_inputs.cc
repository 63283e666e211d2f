#include "oa/io/bytes/kept_inputs.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <sys/stat.h>

namespace oa::io {
namespace {

/// Device and inode, which are equal for two paths to one file.
using FileId = std::pair<dev_t, ino_t>;

struct Reading {
  int times = 0;
  timespec changed{};  // if it differs, the inode belongs to another file
};

// Global, because files are opened in many independent places.
struct Registry {
  std::mutex mutex;
  int keepers = 0;
  std::map<FileId, Reading> read;
  // Keyed by canonical path; empty if there was no regular file.
  std::map<std::string, std::optional<FileId>> written;
};
Registry& registry() {
  static Registry all;
  return all;
}

FileId id_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

[[noreturn]] void refuse(const std::string& name) {
  throw OverwriteError(name + ": is an input and an output (expected two files)");
}

std::string canonical(const std::string& path) {
  std::error_code error;
  const auto full =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error || full.empty() ? path : full.string();
}

}  // namespace

KeptInputs::KeptInputs() {
  const std::lock_guard lock(registry().mutex);
  ++registry().keepers;
}

KeptInputs::~KeptInputs() {
  const std::lock_guard lock(registry().mutex);
  if (--registry().keepers == 0) {
    registry().read.clear();
    registry().written.clear();
  }
}

void KeptInputs::forget_reading(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return;
  }
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().read.find(id_of(status));
  if (found != registry().read.end() && --found->second.times == 0) {
    registry().read.erase(found);
  }
}

void note_reading(const std::string& name, int descriptor) {
  struct stat status {};
  const std::lock_guard lock(registry().mutex);
  if (registry().keepers == 0 || ::fstat(descriptor, &status) != 0 ||
      !S_ISREG(status.st_mode)) {
    return;
  }
  for (const auto& [path, id] : registry().written) {
    if (id == id_of(status)) {
      refuse(name);
    }
  }
  Reading& reading = registry().read[id_of(status)];
  reading.times = same_time(reading.changed, status.st_ctim) ? reading.times + 1 : 1;
  reading.changed = status.st_ctim;
}

namespace {

/// Refuses a file that was read.  The caller holds the lock.
void refuse_input(const std::string& name, const struct stat& status) {
  const auto found = registry().read.find(id_of(status));
  if (found != registry().read.end() &&
      same_time(found->second.changed, status.st_ctim)) {
    refuse(name);
  }
}

}  // namespace

void note_writing(const std::string& name, int descriptor) {
  struct stat status {};
  const std::lock_guard lock(registry().mutex);
  if (registry().keepers == 0 || ::fstat(descriptor, &status) != 0 ||
      !S_ISREG(status.st_mode)) {
    return;
  }
  refuse_input(name, status);
  registry().written.insert_or_assign(name, id_of(status));
}

void note_writing(const std::string& name, const std::string& path) {
  const std::string key = canonical(path);
  const std::lock_guard lock(registry().mutex);
  if (registry().keepers == 0) {
    return;
  }
  std::optional<FileId> id;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) {
      return;
    }
    refuse_input(name, status);
    id = id_of(status);
  }
  if (!registry().written.emplace(key, id).second) {
    throw OverwriteError(name + ": two outputs go there (expected two files)");
  }
}

void forget_writing(const std::string& path) noexcept {
  const std::string key = canonical(path);
  const std::lock_guard lock(registry().mutex);
  registry().written.erase(key);
}

}  // namespace oa::io
