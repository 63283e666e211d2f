#include "app/view/describe.h"

#include "app/view/parts.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/bytes/recognise.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace oa::app {
namespace {

/// True if a header's metadata are those of a frame.
bool is_frame(std::string_view header) {
  constexpr std::string_view kKey = "\"oa.kind\"";
  const auto key = header.find(kKey);
  if (key == header.npos) {
    return false;
  }
  header.remove_prefix(key + kKey.size());
  header.remove_prefix(std::min(header.find_first_not_of(" \t\r\n:"), header.size()));
  constexpr std::array<std::string_view, 6> kKinds{"\"head\"",
                                                   "\"problem\"",
                                                   "\"solution\"",
                                                   "\"task-problem\"",
                                                   "\"task-solution\"",
                                                   "\"end\""};
  return std::ranges::any_of(
      kKinds, [&](std::string_view kind) { return header.starts_with(kind); });
}

/// True if `input` begins with a head frame.  Reads at most 64 KiB and only the header,
/// in which metadata come first.
bool is_stream(io::Input& input) {
  const auto start = input.peek(sizeof(std::uint64_t));
  if (start.size() < sizeof(std::uint64_t)) {
    return false;
  }
  const std::size_t size =
      sizeof(std::uint64_t) +
      std::min<std::uint64_t>(io::load<std::uint64_t>(start, 0), 1U << 16);
  const auto header = input.peek(size);
  return is_frame(io::as_text(header.first(std::min(header.size(), size))));
}

/// True for archives except PyTorch models,
/// for which the reader of models has a better message.
bool is_archive(io::Input& input) {
  constexpr std::size_t kTarBlock = 512;
  const auto start = input.peek(kTarBlock);
  return io::looks_like_archive(start) &&
         io::recognised(start).find("PyTorch") == std::string::npos;
}

/// A file in an archive, or the reason why it is unreadable.
struct Member {
  std::string name;
  std::size_t bytes = 0;
  std::string summary;
  std::string problem;  ///< "a/b.csv:2: why"
};

/// Describes an entry; does not open archives in archives.
Member member_of(const io::ArchiveEntry& entry) {
  Member member{printable(entry.path), entry.content.size(), "", ""};
  if (!entry.problem.empty()) {
    member.problem = member.name + ": " + entry.problem;
    return member;
  }
  io::Input input =
      io::Input::memory(std::as_bytes(std::span(entry.content)), member.name);
  try {
    member.summary = is_archive(input) ? "archive" : check(input).summary;
  } catch (const InputError& error) {
    member.problem = error.what();
  }
  return member;
}

/// Calls `take` for each file in the archive and returns their number.
std::int64_t visit_archive(io::Input& input, const auto& take) {
  io::ArchiveReader archive(std::move(input));
  io::ArchiveEntry entry;
  std::int64_t files = 0;
  for (; archive.next(entry); ++files) {
    take(member_of(entry));
  }
  return files;
}

void describe_archive(io::Input& input,
                      io::Output& output,
                      const DescribeSettings& settings) {
  const bool json = settings.json;
  output.write(json ? "{\"type\":\"archive\",\"members\":["
                    : bold("archive", settings.color) + "\n");
  bool first = true;
  const std::int64_t files = visit_archive(input, [&](const Member& member) {
    const std::string what =
        member.problem.empty() ? member.summary : "not read: " + member.problem;
    if (json) {
      const JsonObject one{
          {"name", member.name}, {"bytes", member.bytes}, {"content", what}};
      output.write((first ? "" : ",") + one.text());
    } else {
      output.write("  " + member.name + "  " +
                   format_grouped(static_cast<std::int64_t>(member.bytes)) +
                   " bytes  " + what + "\n");
    }
    first = false;
  });
  output.write(json ? "],\"files\":" + format(files) + "}\n"
                    : bold("end", settings.color) + "  " + counted(files, "file") +
                          "\n");
}

CheckResult check_archive(io::Input& input) {
  const std::string name = input.name();
  const std::int64_t files = visit_archive(input, [&](const Member& member) {
    if (!member.problem.empty()) {
      throw InputError(name + ":" + member.problem);
    }
  });
  return {"archive of " + counted(files, "file"),
          JsonObject{{"type", "archive"}, {"files", files}}.text(),
          true};
}

void write_description(const Description& all, io::Output& output, bool json) {
  if (!json) {
    output.write(all.facts.line() + "\n");
    for (const Facts& part : all.list) {
      output.write("  " + part.line() + "\n");
    }
    return;
  }
  JsonObject object = all.facts.json();
  if (!all.parts.empty()) {
    JsonArray list;
    for (const Facts& part : all.list) {
      list.element(part.json());
    }
    object.member(all.parts, list);
  }
  output.write(object.text() + "\n");
}

void describe_tensors(io::Input& input,
                      io::Output& output,
                      const DescribeSettings& settings) {
  const io::Safetensors file = read_safetensors_file(input);
  if (settings.json) {
    JsonObject all{{"type", "safetensors"}};
    all.members(json_of(file, settings.tensors));
    output.write(all.text() + "\n");
  } else {
    output.write(bold("safetensors", settings.color) + "\n" + text_of(file));
  }
}

}  // namespace

io::CutResult describe(io::Input& input,
                       io::Output& output,
                       const DescribeSettings& settings) {
  const Describe reader = reader_of(input);
  if (reader == nullptr && is_stream(input)) {
    return describe_stream(input, output, settings);
  }
  if (!settings.cut.everything()) {
    throw InputError(input.name() + ": not a stream (only a stream can be cut)");
  }
  if (reader != nullptr) {
    write_description(
        reader(input, settings.tensors && settings.json), output, settings.json);
  } else if (is_archive(input)) {
    describe_archive(input, output, settings);
  } else {
    describe_tensors(input, output, settings);
  }
  return {};
}

CheckResult check(io::Input& input) {
  if (const Describe reader = reader_of(input)) {
    Description all = reader(input, false);
    return {all.summary + (all.verified ? "" : ": nothing to verify"),
            all.facts.json().text(),
            all.verified};
  }
  if (is_stream(input)) {
    return check_stream(input);
  }
  if (is_archive(input)) {
    return check_archive(input);
  }
  const auto tensors = std::ssize(read_safetensors_file(input).tensors());
  return {"safetensors with " + counted(tensors, "tensor"),
          JsonObject{{"type", "safetensors"}, {"tensors", tensors}}.text(),
          true};
}

}  // namespace oa::app
