// Any bytes are described in every way or refused; files that --check accepts
// description accepts; and a cut that leaves everything leaves a stream as it is.
#include "app/view/describe.h"

#include "fuzz/fuzz.h"
#include "oa_test.h"

#include <optional>

namespace oa {
namespace {

bool described(fuzz::Bytes bytes, const app::DescribeSettings& settings) {
  bool done = false;
  fuzz::read_or_refuse(bytes, [&](io::Input& input) {
    io::Output output("/dev/null");
    (void)app::describe(input, output, settings);
    output.commit();
    done = true;
  });
  return done;
}

std::optional<app::CheckResult> checked(fuzz::Bytes bytes) {
  std::optional<app::CheckResult> result;
  fuzz::read_or_refuse(bytes, [&](io::Input& input) { result = app::check(input); });
  return result;
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  app::DescribeSettings json;
  json.json = json.tensors = true;
  const bool one = described(bytes, {});
  const auto result = checked(bytes);
  require(one == described(bytes, json) && (one || !result));
  if (result && result->json.starts_with("{\"type\":\"stream\"")) {
    const std::string copy = test::written([&](io::Output& output) {
      io::StreamReader reader(io::Input::memory(bytes, "fuzz"));
      (void)io::write_cut(reader, {}, output);
    });
    const auto again = checked(test::bytes_of(copy));
    require(again && again->summary == result->summary);
  }
}

}  // namespace oa
