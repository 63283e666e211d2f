#include "oa/io/bytes/gzip.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>

#include <unistd.h>
#include <zlib.h>

using namespace oa;

namespace {

std::string gzipped(std::string_view text) {
  z_stream z{};
  REQUIRE(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) ==
          Z_OK);
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  std::string in(text);
  z.next_in = reinterpret_cast<Bytef*>(in.data());
  z.avail_in = static_cast<uInt>(in.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

/// All that an Input makes of these bytes.
std::string undone(std::string_view packed) {
  io::Input input = io::Input::memory(test::bytes_of(packed), "memory");
  std::string all(1 << 22, '\0');
  all.resize(input.read(std::as_writable_bytes(std::span(all))));
  CHECK(input.at_end());
  CHECK(input.position() == all.size());
  return all;
}

std::string why_not(std::string_view packed) {
  return test::message_of<InputError>([&] { (void)undone(packed); });
}

std::string noise(std::size_t size) {
  Rng rng(size);
  std::string text(size, '\0');
  for (char& c : text) {
    c = static_cast<char>(rng.below(256));
  }
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("packed data are unpacked unchanged") {
  for (const std::size_t size : {0UL, 1UL, 7UL, 65535UL, 65536UL, 65537UL, 1000000UL}) {
    CAPTURE(size);
    CHECK((undone(gzipped(noise(size))) == noise(size)));
    CHECK((undone(gzipped(std::string(size, 'x'))) == std::string(size, 'x')));
  }
}

TEST_CASE("members that follow each other are one text, empty ones included") {
  const std::string packed = gzipped("one ") + gzipped("") + gzipped(noise(100000)) +
                             gzipped("") + gzipped(" end") + gzipped("");
  CHECK((undone(packed) == "one " + noise(100000) + " end"));
}

TEST_CASE("a member cut anywhere is refused") {
  const std::string packed = gzipped("the quick brown fox jumps over the lazy dog");
  for (std::size_t size = 10; size < packed.size(); ++size) {
    CAPTURE(size);
    CHECK(why_not(packed.substr(0, size)) == "memory: truncated gzip data");
  }
  CHECK(why_not(packed + packed.substr(0, 5)) == "memory: truncated gzip data");
}

TEST_CASE("a flipped bit in packed data is found, or changes nothing") {
  const std::string text = "the quick brown fox jumps over the lazy dog";
  const std::string packed = gzipped(text);
  for (std::size_t at = 10; at < packed.size(); ++at) {
    for (const int bit : {1, 16, 128}) {
      CAPTURE(at);
      std::string broken = packed;
      broken[at] = static_cast<char>(broken[at] ^ bit);
      try {
        const std::string same = undone(broken);
        CHECK(same == text);  // the last byte of the data has unused bits
      } catch (const InputError& error) {
        const std::string why = error.what();
        CHECK((why.starts_with("memory: broken gzip data") ||
               why == "memory: truncated gzip data" ||
               why == "memory: trailing garbage after the gzip data"));
      }
    }
  }
}

TEST_CASE("anything but a member after a member is refused") {
  const std::string packed = gzipped("text");
  CHECK(why_not(packed + "x") == "memory: trailing garbage after the gzip data");
  CHECK(why_not(packed + std::string(512, '\0')) ==
        "memory: trailing garbage after the gzip data");
  CHECK(why_not(packed + "\x1fnot gzip") ==
        "memory: broken gzip data (incorrect header check)");
}

TEST_CASE("how much a gzip file will give is not known") {
  const std::string packed = gzipped("text");
  const io::Input input = io::Input::memory(test::bytes_of(packed), "memory");
  CHECK_FALSE(input.remaining());
}

TEST_CASE("a safetensors file whose length looks like gzip is not taken for gzip") {
  const std::string file("\x1f\x8b\x08\0\0\0\0\0{}", 10);
  CHECK_FALSE(io::looks_like_gzip(test::bytes_of(file)));
  CHECK(io::looks_like_gzip(test::bytes_of(gzipped("{"))));
  CHECK_FALSE(io::looks_like_gzip(test::bytes_of("\x1f\x8b")));
  CHECK_FALSE(io::looks_like_gzip({}));
}

TEST_CASE("a stop in the middle of gzip data is an end, not a truncation") {
  const std::string packed = gzipped(noise(50000));
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  REQUIRE(::write(ends[1], packed.data(), 20000) == 20000);
  std::stop_source stop;
  io::Input input =
      io::Input::open("/dev/fd/" + std::to_string(ends[0]), stop.get_token());
  std::string text(10000, '\0');
  CHECK(input.read(std::as_writable_bytes(std::span(text))) == 10000);
  CHECK((text == noise(50000).substr(0, 10000)));
  stop.request_stop();
  text.resize(50000);
  CHECK(input.read(std::as_writable_bytes(std::span(text))) < 40000);
  CHECK(input.stopped());
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("Gzip output unpacks to its input, and holds neither name nor time") {
  for (const std::size_t size : {0, 1, 1000, 300'000}) {
    const std::string text = noise(size) + std::string(size, 'a');
    std::string packed;
    const auto keep = [&](std::span<const std::byte> bytes) {
      packed.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    io::Gzip gzip(keep, 1);
    const auto bytes = std::as_bytes(std::span(text));
    gzip.write(bytes.first(size / 3));
    gzip.write({});
    gzip.write(bytes.subspan(size / 3));
    gzip.finish();
    CHECK(undone(packed) == text);
    CHECK(packed.size() <= text.size() + 64 + size / 1000);
    CHECK(packed.substr(3, 5) == std::string(5, '\0'));  // flags, time
  }
}

TEST_SUITE_END();
