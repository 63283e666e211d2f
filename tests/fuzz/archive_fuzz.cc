// Archives are read to their end or refused, within their limits; what was read, packed
// again, is the same.
#include "oa/io/bytes/archive.h"

#include "oa/base/error.h"
#include "oa/machine/result.h"
#include "oa_test.h"

#include <cstdlib>
#include <utility>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace oa;
using Files = std::vector<std::pair<std::string, std::string>>;

constexpr io::ArchiveLimits kLimits{100, 1 << 16, 1 << 20};

Files read(std::span<const std::byte> bytes) {
  io::ArchiveReader reader(io::Input::memory(bytes, "fuzz"), kLimits);
  Files files;
  io::ArchiveEntry entry;
  while (reader.next(entry)) {
    (void)machine::task_named(entry.path, "mat");
    if (entry.content.size() > kLimits.entry_bytes ||
        files.size() >= static_cast<std::size_t>(kLimits.entries)) {
      std::abort();
    }
    if (entry.problem.empty()) {
      files.emplace_back(entry.path, entry.content);
    }
  }
  return files;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    Files files = read(std::as_bytes(std::span(data, size)));
    // Our archives have plain names of their own making.
    for (std::size_t i = 0; i < files.size(); ++i) {
      files[i].first = "mat/" + std::to_string(i) + ".csv";
    }
    std::string packed;
    io::ArchiveWriter writer([&](std::span<const std::byte> bytes) {
      packed.append(reinterpret_cast<const char*>(bytes.data()),  // NOLINT
                    bytes.size());
    });
    for (const auto& [path, content] : files) {
      writer.add_file(path, content);
    }
    writer.finish();
    if (read(test::bytes_of(packed)) != files) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
