// Archives are read to their end or refused, within their limits; what was read, packed
// again, is the same.
#include "oa/io/bytes/archive.h"

#include "fuzz/fuzz.h"
#include "oa/machine/result.h"
#include "oa_test.h"

#include <utility>

namespace oa {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr io::ArchiveLimits kLimits{100, 1 << 16, 1 << 20};

Files read(std::span<const std::byte> bytes) {
  io::ArchiveReader reader(io::Input::memory(bytes, "fuzz"), kLimits);
  Files files;
  io::ArchiveEntry entry;
  while (reader.next(entry)) {
    (void)machine::task_named(entry.path, "mat");
    fuzz::require(entry.content.size() <= kLimits.entry_bytes);
    fuzz::require(std::ssize(files) < kLimits.entries);
    if (entry.problem.empty()) {
      files.emplace_back(entry.path, entry.content);
    }
  }
  return files;
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  or_refuse([&] {
    Files files = read(bytes);
    // Our archives have plain names of their own making.
    for (std::size_t i = 0; i < files.size(); ++i) {
      files[i].first = "mat/" + std::to_string(i) + ".csv";
    }
    std::string packed;
    io::ArchiveWriter writer([&](Bytes part) {
      packed.append(reinterpret_cast<const char*>(part.data()), part.size());  // NOLINT
    });
    for (const auto& [path, content] : files) {
      writer.add_file(path, content);
    }
    writer.finish();
    require(read(test::bytes_of(packed)) == files);
  });
}

}  // namespace oa
