#include "cli/history.h"

#include "oa/base/version.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace oa::cli {
namespace {

constexpr std::array<std::string_view, 7> kWithoutEffect{
    "--output", "--threads", "--quiet", "--json", "--verbose", "--color", "--force"};

}  // namespace

std::string history(std::string_view tool, const App& app) {
  std::string text = std::string(tool) + " " + std::string(kVersion);
  for (const auto& option : app.options()) {
    const std::string name = option->name();
    if (option->count() == 0 || std::ranges::count(kWithoutEffect, name) > 0) {
      continue;
    }
    std::string value;
    for (const std::string& part : option->values()) {
      value += value.empty() ? "" : ",";
      // A shard K/N contains a slash, but is no path.
      value +=
          name == "--shard" ? part : std::filesystem::path(part).filename().string();
    }
    text += " " + (option->is_operand() ? value
                   : option->is_flag()  ? name
                                        : name + "=" + value);
  }
  return text;
}

}  // namespace oa::cli
