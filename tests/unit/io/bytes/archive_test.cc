#include "oa/io/bytes/archive.h"

#include "oa/base/error.h"
#include "oa/io/bytes/gzip.h"
#include "oa/io/machine/result_files.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <array>
#include <utility>
#include <vector>

using namespace oa;

namespace {

std::string packed(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string bytes;
  io::ArchiveWriter writer([&](std::span<const std::byte> part) {
    bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
  });
  for (const auto& [name, content] : files) {
    writer.add_file(name, content);
  }
  writer.finish();
  return bytes;
}

/// A tar entry as nobody's program would write it.
std::string tar_entry(const std::string& name,
                      char type,
                      const std::string& content,
                      const std::string& size = {}) {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  const auto octal = [](std::size_t value) {
    std::string digits;
    for (int i = 0; i < 11; ++i, value /= 8) {
      digits.insert(digits.begin(), static_cast<char>('0' + value % 8));
    }
    return digits;
  };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, size.empty() ? octal(content.size()) : size);
  put(136, octal(0));
  put(148, "        ");
  header[156] = type;
  put(157, type == '0' ? "" : "/etc/passwd");
  put(257, "ustar");
  put(263, "00");
  std::size_t sum = 0;
  for (const char c : header) {
    sum += static_cast<unsigned char>(c);
  }
  put(148, octal(sum).substr(5) + '\0' + ' ');
  std::string padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return header + padded;
}

/// A compressed zip entry that says its size only behind itself.
std::string zip_entry(const std::string& name, const std::string& content) {
  std::string gzip;
  io::Gzip packer(
      [&](std::span<const std::byte> part) {
        gzip.append(reinterpret_cast<const char*>(part.data()), part.size());
      },
      9);
  packer.write(test::bytes_of(content));
  packer.finish();
  constexpr std::size_t kHead =
      10;                           // of a gzip file, behind it the same deflate stream
  constexpr std::size_t kTail = 8;  // the checksum and the size
  const std::string packed = gzip.substr(kHead, gzip.size() - kHead - kTail);
  const std::string tail = gzip.substr(gzip.size() - kTail);
  const auto little = [](std::size_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i, value >>= 8U) {
      text += static_cast<char>(value & 0xFFU);
    }
    return text;
  };
  const std::string sizes_unknown(12, '\0');
  return "PK\x03\x04" + little(20, 2) + little(8, 2) + little(8, 2) + little(0, 4) +
         sizes_unknown + little(name.size(), 2) + little(0, 2) + name + packed +
         "PK\x07\x08" + tail.substr(0, 4) + little(packed.size(), 4) + tail.substr(4);
}

std::vector<io::ArchiveEntry> entries(const std::string& bytes,
                                      const io::ArchiveLimits& limits = {}) {
  io::ArchiveReader reader(io::Input::memory(test::bytes_of(bytes), "a.tar"), limits);
  std::vector<io::ArchiveEntry> all;
  io::ArchiveEntry entry;
  while (reader.next(entry)) {
    all.push_back(entry);
  }
  return all;
}

std::string why_not(const std::string& bytes, const io::ArchiveLimits& limits = {}) {
  return test::message_of<InputError>([&] { (void)entries(bytes, limits); });
}

const std::string kEnd(1024, '\0');

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("an archive reads back as it was written, and is the same every time") {
  const std::vector<std::pair<std::string, std::string>> files{
      {"mat/0.csv", "1,2\n"},
      {"mat/1.csv", ""},
      {"mat/2.csv", std::string(100'000, 'x')}};
  const std::string bytes = packed(files);
  CHECK(bytes == packed(files));
  const auto all = entries(bytes);
  REQUIRE(all.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(all[i].path == files[i].first);
    CHECK(all[i].content == files[i].second);
    CHECK(all[i].problem.empty());
  }
}

TEST_CASE("an exception of a sink leaves the writer") {
  io::ArchiveWriter writer([](std::span<const std::byte>) { throw IoError("full"); });
  CHECK(test::message_of<IoError>([&] {
          writer.add_file("a", "b");
          writer.finish();
        }) == "full");
}

TEST_CASE("links and devices are not files, and paths are only names") {
  const auto all =
      entries(tar_entry("../../etc/passwd", '0', "x") +
              tar_entry("/abs.log", '0', "y") + tar_entry("soft", '2', "") +
              tar_entry("hard", '1', "") + tar_entry("null", '3', "") +
              tar_entry("fifo", '6', "") + tar_entry("dir/", '5', "") + kEnd);
  REQUIRE(all.size() == 6);
  CHECK(all[0].path == "../../etc/passwd");
  CHECK(all[0].content == "x");
  CHECK(all[1].path == "/abs.log");
  for (std::size_t i = 2; i < 6; ++i) {
    CAPTURE(all[i].path);
    CHECK(all[i].problem == "not a regular file");
    CHECK(all[i].content.empty());
  }
}

TEST_CASE("limits hold for entries, their size, and the whole") {
  const std::string three = tar_entry("a", '0', "x") + tar_entry("b", '0', "y") +
                            tar_entry("c", '0', "z") + kEnd;
  CHECK(why_not(three, {.entries = 2}) == "a.tar: an archive of over 2 entries");
  CHECK(why_not(three, {.total_bytes = 1000}) ==
        "a.tar: an archive of over 1,000 bytes");
  const auto all = entries(
      tar_entry("a", '0', std::string(600, 'x')) + tar_entry("b", '0', "y") + kEnd,
      {.entry_bytes = 500});
  REQUIRE(all.size() == 2);
  CHECK(all[0].problem == "over 500 bytes");
  CHECK(all[1].content == "y");
}

TEST_CASE("limits hold for sizes that only unpacking shows") {
  const std::string zip = zip_entry("a", std::string(50'000, 'x')) +
                          zip_entry("b", "y") + "PK\x05\x06" + std::string(18, '\0');
  REQUIRE(zip.size() < 500);
  auto all = entries(zip, {});
  REQUIRE(all.size() == 2);
  CHECK(all[0].content == std::string(50'000, 'x'));
  all = entries(zip, {.entry_bytes = 40'000});
  REQUIRE(all.size() == 2);
  CHECK(all[0].problem == "over 40,000 bytes");
  CHECK(all[0].content.empty());
  CHECK(all[1].content == "y");
  CHECK(why_not(zip, {.total_bytes = 30'000}) ==
        "a.tar: an archive of over 30,000 bytes");
}

TEST_CASE("an entry that claims 8 GiB costs nothing") {
  const auto all = test::message_of<InputError>(
      [] { (void)entries(tar_entry("a", '0', "x", "77777777777") + kEnd); });
  CHECK(all.find("damaged archive") != all.npos);
}

TEST_CASE("archives are known by their content") {
  CHECK(io::looks_like_archive(test::bytes_of("PK\x03\x04zip")));
  CHECK(io::looks_like_archive(test::bytes_of(tar_entry("a", '0', ""))));
  CHECK_FALSE(io::looks_like_archive(test::bytes_of("[{\"quboValue\"")));
}

TEST_CASE("results are found in folders and archives, others are counted") {
  const test::Folder folder;
  std::filesystem::create_directory(folder.path("below"));
  test::spill(folder.path("below/b.LOG"), "[]");
  test::spill(folder.path("a.tar.gz"),
              packed({{"x/c.log", "[1]"}, {"y.tar.gz", "?"}, {"read.me", "?"}}));
  test::spill(folder.path("d.txt"), "no");
  std::filesystem::create_symlink("/", folder.path("loop"));
  io::ResultFiles files({folder.path()}, {});
  std::vector<std::string> seen;
  while (const auto file = files.next()) {
    const std::string said =
        file->problem.empty() ? file->name + " " + file->content : file->problem;
    seen.push_back(said.substr(folder.path().size() + 1));
  }
  CHECK(seen == std::vector<std::string>{
                    "a.tar.gz:x/c.log [1]",
                    "a.tar.gz:y.tar.gz: an archive in an archive (unpack it first)",
                    "below/b.LOG []"});
  CHECK(files.ignored() == 2);
}

TEST_CASE("a named file is read whatever its suffix, and damage is reported once") {
  const test::Folder folder;
  test::spill(folder.path("odd"), "[]");
  test::spill(folder.path("cut.tar.gz"), packed({{"a.log", "[1]"}}).substr(0, 60));
  io::ResultFiles files({folder.path("odd"), folder.path("cut.tar.gz")}, {});
  CHECK(files.next()->content == "[]");
  const auto cut = files.next();
  REQUIRE(cut);
  CHECK_FALSE(cut->problem.empty());
  CHECK_FALSE(files.next());
  CHECK_THROWS_AS((void)io::ResultFiles({folder.path("nowhere")}, {}).next(), IoError);
}

TEST_SUITE_END();
