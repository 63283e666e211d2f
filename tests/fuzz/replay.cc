// Runs a fuzz target on files and trees of inputs, for machines without a fuzzer and
// for ctest.  With --mutate N also on N random mutations of each file, by a fixed seed.
#include "oa/base/number.h"
#include "oa/base/rng.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;

void run(const Bytes& bytes) {
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

/// Flips, overwrites, removes, repeats and cuts at random places.
Bytes mutated(Bytes bytes, oa::Rng& rng) {
  const auto place = [&] {
    return rng.below(static_cast<std::uint32_t>(bytes.size()));
  };
  for (std::uint32_t edits = 1 + rng.below(4); edits > 0 && !bytes.empty(); --edits) {
    const auto at = bytes.begin() + place();
    switch (rng.below(6)) {
      case 0: *at ^= static_cast<std::uint8_t>(1U << rng.below(8)); break;
      case 1: *at = static_cast<std::uint8_t>(rng.below(256)); break;
      case 2: *at = static_cast<std::uint8_t>("09[]{}\",:-ae. "[rng.below(14)]); break;
      case 3:
        bytes.erase(at, at + std::min<std::ptrdiff_t>(rng.below(16), bytes.end() - at));
        break;
      case 4: {
        const Bytes copy(
            at, at + std::min<std::ptrdiff_t>(rng.below(64), bytes.end() - at));
        bytes.insert(bytes.begin() + place(), copy.begin(), copy.end());
        break;
      }
      default: bytes.resize(place()); break;
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  std::int64_t mutations = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--mutate" && i + 1 < argc) {
      mutations = oa::parse_int(argv[++i]).value_or(0);
    } else if (fs::is_directory(argv[i])) {
      std::copy_if(fs::recursive_directory_iterator(argv[i]),
                   {},
                   std::back_inserter(files),
                   [](const fs::path& p) {
                     return fs::is_regular_file(p) && p.extension() != ".why";
                   });
    } else {
      files.emplace_back(argv[i]);
    }
  }
  std::ranges::sort(files);
  std::vector<Bytes> inputs;
  for (const fs::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::cerr << path << ": cannot be read\n";
      return 1;
    }
    inputs.emplace_back(std::istreambuf_iterator<char>(file),
                        std::istreambuf_iterator<char>());
    run(inputs.back());
  }
  // In rounds, so that an early end has seen mutations of every file.
  oa::Rng rng(1);
  for (std::int64_t round = 0; round < mutations; ++round) {
    for (const Bytes& input : inputs) {
      run(mutated(input, rng));
    }
  }
  std::cout << inputs.size() << " files, " << std::ssize(inputs) * (1 + mutations)
            << " runs\n";
  return inputs.empty() ? 1 : 0;  // an empty corpus tests nothing
}
