#include "oa/io/table/event_file.h"

#include "oa/base/error.h"
#include "oa/io/bytes/crc32.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace oa {
namespace {

std::uint32_t u32_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Undoes the masking of a checksum by TensorBoard's writers.
std::uint32_t unmasked(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xa282ead8U;
  return (rotated << 15) | (rotated >> 17);
}

/// The messages of a file, whose checksums must be right.
std::vector<std::string> events_in(const std::string& file) {
  std::vector<std::string> events;
  for (std::size_t at = 0; at < file.size();) {
    const std::string length = file.substr(at, 8);
    const std::size_t size = u32_at(length, 0);
    REQUIRE(u32_at(length, 4) == 0);
    REQUIRE(unmasked(u32_at(file, at + 8)) == io::crc32c(length));
    events.push_back(file.substr(at + 12, size));
    REQUIRE(unmasked(u32_at(file, at + 12 + size)) == io::crc32c(events.back()));
    at += 16 + size;
  }
  return events;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("event files are records of protocol buffers with checksums") {
  const test::Folder folder;
  const std::string first = folder.path("run/events.out.tfevents.1.oa-train");
  {
    io::EventFiles file(folder.path("run"), false);
    const std::vector<io::Scalar> scalars{{"a/b", 0.5}, {"none", std::nan("")}};
    file.write(300, 2.0, scalars);
    file.write(301, 2.0, std::vector<io::Scalar>{{"none", std::nan("")}});
  }
  const auto events = events_in(test::slurp(first));
  REQUIRE(events.size() == 2);
  // wall_time = 0.0, file_version
  CHECK(events[0] == std::string("\x09\0\0\0\0\0\0\0\0\x1a\x0d", 11) + "brain.Event:2");
  // wall_time = 2.0, step = 300, summary { value { tag: "a/b" simple_value: 0.5 } }
  CHECK(events[1] == std::string("\x09\0\0\0\0\0\0\0\x40\x10\xac\x02"
                                 "\x2a\x0c\x0a\x0a\x0a\x03"
                                 "a/b\x15\0\0\0\x3f",
                                 26));
}

TEST_CASE("events are read back as columns, and damaged ones are refused") {
  const test::Folder folder;
  {
    io::EventFiles file(folder.path("run"), false);
    file.write(300, 2.0, std::vector<io::Scalar>{{"a/b", 0.5}});
    file.write(600, 3.0, std::vector<io::Scalar>{{"a/b", -1.5}, {"c", 2.0}});
  }
  const std::string bytes =
      test::slurp(folder.path("run/events.out.tfevents.1.oa-train"));
  const auto read = [](const std::string& text) {
    io::Input input = io::Input::memory(test::bytes_of(text), "f");
    return io::read_event_columns(input);
  };
  const io::TableSummary columns = read(bytes);
  CHECK(columns.rows == 3);
  REQUIRE(columns.all.size() == 3);
  CHECK(columns.all[0].name == "step");
  CHECK(columns.all[0].max == 600.0);
  CHECK(columns.all[1].name == "a/b");
  CHECK(columns.all[1].min == -1.5);
  CHECK(columns.all[2].numbers == 1);
  CHECK(io::looks_like_events(test::bytes_of(bytes)));
  CHECK_THROWS_AS(read(bytes.substr(0, bytes.size() - 1)), InputError);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    CHECK_THROWS_AS(read(damaged), InputError);
  }
}

TEST_CASE("a training that goes on begins another file, a new one replaces all") {
  const test::Folder folder;
  for (const bool append : {false, true, true}) {
    const io::EventFiles file(folder.path("."), append);
  }
  CHECK(test::names_in(folder.path()).size() == 3);
  const io::EventFiles again(folder.path("."), false);
  CHECK(test::names_in(folder.path()) ==
        std::vector<std::string>{"events.out.tfevents.1.oa-train"});
}

TEST_SUITE_END();

}  // namespace oa
