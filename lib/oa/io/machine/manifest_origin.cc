#include "oa/base/error.h"
#include "oa/io/bytes/kept_inputs.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/machine/manifest.h"
#include "oa/io/stream/stream.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace oa::io {
namespace {

/// Returns the last command of a history,
/// without its version and without options that leave the matrices unchanged.
std::string last_command(std::string_view history) {
  constexpr std::array<std::string_view, 5> kPassing{
      "--folder", "--tasks-per-upload", "--name", "--only", "--manifest"};
  std::string command;
  Words words(history.substr(history.rfind('\n') + 1));
  int count = 0;
  for (auto word = words.next(); !word.empty(); word = words.next(), ++count) {
    const bool passing = std::ranges::any_of(kPassing, [&](std::string_view option) {
      return word.substr(0, word.find('=')) == option;
    });
    if (count != 1 && !passing) {
      command += (command.empty() ? "" : " ") + std::string(word);
    }
  }
  return command;
}

struct Origin {
  std::string command;
  std::string file;  ///< the first single problem; empty for a stream
};

Origin origin_of(Input input) {
  StreamReader reader(std::move(input));
  Frame frame;
  if (!reader.next(frame) || !frame.data.metadata.contains("cim.version")) {
    throw InputError(frame.where + ": not a manifest");
  }
  Origin origin{last_command(frame.data.metadata["oa.history"]), {}};
  if (reader.next(frame)) {
    origin.file = frame.data.metadata["cim.file"];
  }
  return origin;
}

}  // namespace

void refuse_other_manifest(const std::string& path,
                           const std::string& history,
                           const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return;  // no manifest to replace
  }
  const std::string command = last_command(history);
  std::string what = "not a manifest";
  try {
    const Origin old = origin_of(Input::open(path));
    if (old.command == command && (old.file.empty() || old.file == file)) {
      what.clear();
    } else {
      what = old.command != command ? "made by another command, '" + old.command + "'"
                                    : "made for another file, '" + old.file + "'";
    }
  } catch (const InputError&) {
    // The file is no manifest, or incomplete.
  }
  KeptInputs::forget_reading(path);
  if (!what.empty()) {
    throw OverwriteError(path + ": " + what + " (--force replaces it)");
  }
}

}  // namespace oa::io
