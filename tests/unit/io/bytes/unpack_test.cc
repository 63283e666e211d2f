#include "oa/io/bytes/unpack.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>

using namespace oa;

namespace {

struct Packed {
  const char* suffix;
  const char* name;
};
constexpr std::array kPacked{
    Packed{".xz", "xz"}, Packed{".zst", "zstd"}, Packed{".bz2", "bzip2"}};

std::string packed(const std::string& what, const Packed& how) {
  return test::slurp(std::string(OA_DATA) + "/packed/v1/ok/" + what + how.suffix);
}

std::string content(std::string_view bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "memory");
  CHECK_FALSE(input.remaining());
  std::string all(1 << 20, '\0');
  all.resize(input.read(std::as_writable_bytes(std::span(all))));
  CHECK(input.at_end());
  return all;
}

std::string refusal(std::string_view bytes) {
  return test::message_of<InputError>([&] { (void)content(bytes); });
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("xz, zstd and bzip2 are undone, also many members in a row") {
  for (const Packed& how : kPacked) {
    CAPTURE(how.name);
    const std::string text = packed("text", how);
    const std::string empty = packed("empty", how);
    CHECK(content(text) == "a text\n");
    CHECK(content(empty).empty());
    std::string many = empty;
    for (int k = 0; k < 4000; ++k) {  // several chunks
      many += k % 7 == 0 ? text + empty : text;
    }
    CHECK((content(many) == test::repeated("a text\n", 4000)));
  }
}

TEST_CASE("compressed data cut anywhere are refused, and so are changed ones") {
  for (const Packed& how : kPacked) {
    CAPTURE(how.name);
    const std::string text = packed("text", how);
    for (std::size_t size = 10; size < text.size(); ++size) {
      CAPTURE(size);
      CHECK(refusal(text.substr(0, size)) ==
            std::string("memory: truncated ") + how.name + " data");
    }
    CHECK(refusal(text + "more text").starts_with("memory: "));
    std::string changed = text;
    changed[text.size() / 2] = static_cast<char>(changed[text.size() / 2] ^ 0x55);
    CHECK(refusal(changed).starts_with("memory: "));
  }
}

TEST_CASE("text that begins as bzip2 is text") {
  CHECK(io::Input::memory(test::bytes_of("BZh9 is a word"), "memory").remaining() ==
        14U);
}

TEST_CASE("names of compressed files are found, plain ones first") {
  const test::Folder folder;
  CHECK(io::plain_or_packed(folder.path("a")).empty());
  test::spill(folder.path("a.zst"), "");
  CHECK(io::plain_or_packed(folder.path("a")) == folder.path("a.zst"));
  test::spill(folder.path("a"), "");
  CHECK(io::plain_or_packed(folder.path("a")) == folder.path("a"));
  CHECK(io::without_packing("x/G1.txt.bz2") == "x/G1.txt");
  CHECK(io::without_packing("xz") == "xz");
}

TEST_SUITE_END();
