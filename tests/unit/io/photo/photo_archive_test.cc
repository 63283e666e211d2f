#include "oa/io/photo/photo_archive.h"

#include "oa/base/error.h"
#include "oa/io/bytes/archive.h"
#include "oa/io/photo/photo.h"
#include "oa/io/tensor/dataset_io.h"
#include "oa_test.h"
#include "unit/io/photo/photo_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace oa {
namespace {

/// A folder with the archives of both parts, which hold these files.
class Archives {
 public:
  using Files = std::vector<std::pair<std::string, std::string>>;

  explicit Archives(const Files& files) {
    for (const char* name : {"train.tar.gz", "test.tar.gz"}) {
      std::string bytes;
      io::ArchiveWriter archive([&](std::span<const std::byte> more) {
        for (const std::byte b : more) {
          bytes += static_cast<char>(b);
        }
      });
      for (const auto& [path, content] : files) {
        archive.add_file(path, content);
      }
      archive.finish();
      test::spill(folder_.path(name), bytes);
    }
  }

  [[nodiscard]] Dataset read() const {
    return io::read_dataset(folder_.path(), Split::Test);
  }

  [[nodiscard]] std::string refusal() const {
    const std::string why = test::message_of<InputError>([&] { (void)read(); });
    const std::string start = folder_.path("");
    return why.starts_with(start) ? why.substr(start.size()) : why;
  }

 private:
  test::Folder folder_;
};

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("JPEG pictures become planes") {
    const io::Photo grey = io::decode_jpeg(test::of_hex(test::kGreyJpeg), "p");
    CHECK(grey.channels == 1);
    CHECK(grey.rows == 8);
    CHECK(grey.cols == 8);
    CHECK(grey.pixels == std::vector<std::uint8_t>(64, 200));
    const io::Photo colour = io::decode_jpeg(test::of_hex(test::kColourJpeg), "p");
    REQUIRE(colour.channels == 3);
    constexpr std::array kColours{250, 100, 20};
    for (std::size_t i = 0; i < colour.pixels.size(); ++i) {
      CHECK(std::abs(colour.pixels[i] - kColours[i / 64]) <= 3);  // JPEG loses a little
    }
  }

  TEST_CASE("damaged JPEG pictures are refused, wherever they end") {
    const std::string whole = test::of_hex(test::kGreyJpeg);
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
      CHECK(test::message_of<InputError>([&] {
              (void)io::decode_jpeg(whole.substr(0, size), "p");
            }).starts_with("p: "));
    }
    CHECK(test::message_of<InputError>([&] {
            (void)io::decode_jpeg("GIF89a", "p");
          }).starts_with("p: no JPEG picture: Not a JPEG file"));
    std::string large = whole;
    const auto size = large.find("\xff\xc0") + 5;
    large[size] = 0x20;
    CHECK(test::message_of<InputError>([&] { (void)io::decode_jpeg(large, "p"); }) ==
          "p: 8200x8 pixels (expected 1 to 4096 a side)");
  }

  TEST_CASE("archives hold pictures by class, read in the order of names") {
    const std::string grey = test::of_hex(test::kGreyJpeg);
    const Dataset set = Archives({{"./dog/0.jpg", grey},
                                  {"./dog/1.jpg", grey},
                                  {"./README", "text"},
                                  {"./cat/1.jpg", grey},
                                  {"./cat/2.jpeg", grey}})
                            .read();
    CHECK(set.images.count == 4);
    CHECK(set.images.channels == 1);
    CHECK(set.labels == std::vector<std::uint8_t>{1, 0, 1, 0});
  }

  TEST_CASE("archives of other things are refused") {
    const std::string grey = test::of_hex(test::kGreyJpeg);
    CHECK(Archives(Archives::Files{{"a/b.txt", "x"}}).refusal() ==
          "test.tar.gz: no pictures in it");
    CHECK(
        Archives(Archives::Files{{"b.jpg", grey}}).refusal() ==
        "test.tar.gz:b.jpg: is not in a folder (expected a folder named by its class)");
    CHECK(Archives({{"a/b.jpg", grey}, {"a/c.jpg", test::of_hex(test::kColourJpeg)}})
              .refusal() ==
          "test.tar.gz:a/c.jpg: is 3x8x8 (expected 1x8x8, as the first picture)");
    CHECK(Archives(Archives::Files{{"a/b.jpg", "x"}})
              .refusal()
              .starts_with("test.tar.gz:a/b.jpg: not a picture (expected PNG"));
  }

  TEST_CASE("the test pictures of CIFAR-10 read") {
    const char* shared = std::getenv("OA_SHARED");  // NOLINT: one thread
    if (shared == nullptr) {
      MESSAGE("OA_SHARED is not set");
      return;
    }
    const Dataset set = io::read_dataset(std::string(shared) + "/cifar10", Split::Test);
    CHECK(set.images.count == 10000);
    CHECK(set.images.rows == 32);
    CHECK(set.images.cols == 32);
    CHECK(set.images.channels == 3);
    for (int label = 0; label < 10; ++label) {
      CHECK(std::ranges::count(set.labels, label) == 1000);
      CHECK(std::ranges::count(std::span(set.labels).first(1000), label) == 100);
    }
  }
}

}  // namespace oa
