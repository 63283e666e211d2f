// oa-prop [--seed N] [--runs N]: tries every law on random inputs.  A failure names the
// law, the seed and the run, so that `oa-prop --seed S --runs R` shows it again.
#include "oa/base/number.h"
#include "prop/prop.h"

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

namespace oa::test {

std::vector<Law>& laws() {
  static std::vector<Law> all;
  return all;
}

void require(bool condition, std::string_view what) {
  if (!condition) {
    throw std::runtime_error(std::string(what));
  }
}

namespace {

std::int64_t option(int argc,
                    char** argv,
                    std::string_view name,
                    std::int64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == name) {
      return parse_int(argv[i + 1]).value_or(otherwise);
    }
  }
  return otherwise;
}

int try_all(std::int64_t seed, std::int64_t runs) {
  int failures = 0;
  for (const Law& law : laws()) {
    for (std::int64_t run = 0; run < runs; ++run) {
      Rng rng =
          Rng(static_cast<std::uint64_t>(seed)).fork(static_cast<std::uint64_t>(run));
      try {
        law.holds(rng);
      } catch (const std::exception& error) {
        std::cout << "FAIL " << law.name << " (--seed " << seed << " --runs " << run + 1
                  << "): " << error.what() << "\n";
        ++failures;
        break;
      }
    }
  }
  std::cout << laws().size() << " laws, " << runs << " runs each, " << failures
            << " broken\n";
  return failures == 0 && !laws().empty() ? 0 : 1;
}

}  // namespace
}  // namespace oa::test

int main(int argc, char** argv) {
  return oa::test::try_all(oa::test::option(argc, argv, "--seed", 1),
                           oa::test::option(argc, argv, "--runs", 100));
}
