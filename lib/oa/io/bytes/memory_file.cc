#include "oa/io/bytes/memory_file.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace oa::io {
namespace {

/// All MemoryFile objects that exist, by path.
struct Table {
  std::mutex mutex;
  std::uint64_t made = 0;
  std::map<std::string, std::shared_ptr<const MemoryBytes>> files;
};

Table& table() {
  static Table all;
  return all;
}

}  // namespace

MemoryFile::MemoryFile(const std::string& name, MemoryBytes bytes) {
  auto content = std::make_shared<const MemoryBytes>(std::move(bytes));
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  path_ = "memory:" + std::to_string(++all.made) + "/" + name;
  all.files.emplace(path_, std::move(content));
}

MemoryFile::~MemoryFile() {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  all.files.erase(path_);
}

std::shared_ptr<const MemoryBytes> MemoryFile::bytes() const {
  return find_memory_file(path_);
}

std::shared_ptr<const MemoryBytes> find_memory_file(const std::string& path) {
  if (!path.starts_with("memory:")) {
    return nullptr;
  }
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto found = all.files.find(path);
  return found == all.files.end() ? nullptr : found->second;
}

void replace_memory_file(const std::string& path, MemoryBytes bytes) {
  auto content = std::make_shared<const MemoryBytes>(std::move(bytes));
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.files.find(path); found != all.files.end()) {
    found->second = std::move(content);
  }
}

}  // namespace oa::io
