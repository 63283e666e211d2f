// Any bytes are described in every way or refused; files that --check accepts
// description accepts; and a cut that leaves everything leaves a stream as it is.
#include "app/view/describe.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <cstdlib>
#include <optional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace oa;

bool described(std::span<const std::byte> bytes,
               const app::DescribeSettings& settings) {
  io::Output output("/dev/null");
  try {
    io::Input input = io::Input::memory(bytes, "fuzz");
    (void)app::describe(input, output, settings);
    output.commit();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::optional<app::CheckResult> checked(std::span<const std::byte> bytes) {
  try {
    io::Input input = io::Input::memory(bytes, "fuzz");
    return app::check(input);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  app::DescribeSettings json;
  json.json = json.tensors = true;
  const bool one = described(bytes, {});
  const bool other = described(bytes, json);
  const auto result = checked(bytes);
  if (one != other || (result && !one)) {
    std::abort();
  }
  if (result && result->json.starts_with("{\"type\":\"stream\"")) {
    const std::string copy = test::written([&](io::Output& output) {
      io::StreamReader reader(io::Input::memory(bytes, "fuzz"));
      (void)io::write_cut(reader, {}, output);
    });
    const auto again = checked(test::bytes_of(copy));
    if (!again || again->summary != result->summary) {
      std::abort();
    }
  }
  return 0;
}
