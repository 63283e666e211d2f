#include "oa/io/photo/photo_folder.h"

#include "oa/base/error.h"
#include "oa/io/tensor/dataset_io.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace oa {
namespace {

using Numbers = std::vector<std::uint8_t>;

/// A folder of grey pictures of one pixel, by path and value.
class PixelFolder {
 public:
  PixelFolder& add(const std::string& path, int value) {
    return file(path, "P2 1 1 255 " + std::to_string(value));
  }
  PixelFolder& file(const std::string& path, const std::string& content) {
    const std::filesystem::path whole = folder_.path(path);
    std::filesystem::create_directories(whole.parent_path());
    test::spill(whole, content);
    return *this;
  }
  [[nodiscard]] Dataset read(Split split, const PictureForm& form = {}) const {
    return io::read_dataset(folder_.path(), split, form);
  }
  [[nodiscard]] std::string refusal(Split split = Split::Train) const {
    const std::string why = test::message_of<InputError>([&] { (void)read(split); });
    return why.starts_with(path()) ? why.substr(path().size()) : why;
  }
  [[nodiscard]] const std::string& path() const { return folder_.path(); }

 private:
  test::Folder folder_;
};

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("pictures in folders of their classes take turns") {
  PixelFolder folder;
  folder.add("cat/1.pgm", 1).add("cat/2.pgm", 2).add("cat/more/3.PGM", 3);
  folder.add("cat/4.pgm", 4).add("dog/a.pgm", 5).add("dog/b.pgm", 6);
  folder.file("cat/notes.txt", "no picture").file("README", "neither");
  const Dataset set = folder.read(Split::Train);
  CHECK(set.images.pixels == Numbers{1, 5, 2, 4, 6, 3});
  CHECK(set.labels == Numbers{0, 1, 0, 0, 1, 0});
  CHECK(set.targets.classes == 2);
  CHECK(io::has_no_parts(folder.path()));
}

TEST_CASE("the parts of a folder number their classes together") {
  PixelFolder folder;
  folder.add("train/b/1.pgm", 1).add("train/c/1.pgm", 2);
  folder.add("test/a/1.pgm", 3).add("test/c/1.pgm", 4);
  CHECK(folder.read(Split::Train).labels == Numbers{1, 2});
  CHECK(folder.read(Split::Test).labels == Numbers{0, 2});
  CHECK(folder.read(Split::Test).images.pixels == Numbers{3, 4});
  CHECK(folder.read(Split::Train).targets.classes == 3);
  CHECK(io::class_names(folder.path()) == "a/b/c");
  CHECK_FALSE(io::has_no_parts(folder.path()));
}

TEST_CASE("a class may be called train, and pictures may have no classes") {
  PixelFolder trains;
  trains.add("train/1.pgm", 1).add("plane/1.pgm", 2);
  CHECK(trains.read(Split::Train).labels == Numbers{0, 1});
  PixelFolder loose;
  loose.add("b.pgm", 1).add("a.pgm", 2);
  const Dataset set = loose.read(Split::Test);
  CHECK(set.images.pixels == Numbers{2, 1});
  CHECK(set.labels.empty());
  CHECK(io::class_names(loose.path()).empty());
}

TEST_CASE("pictures of other sizes are refused, or resized on request") {
  PixelFolder folder;
  folder.add("a/1.pgm", 9).file("a/2.pgm", "P2 2 2 255 8 8 8 8");
  CHECK(folder.refusal() ==
        "/a/2.pgm: is 1x2x2 (expected 1x1x1, as the first picture)");
  CHECK(folder.read(Split::Train, {1, 1, 1, false}).images.pixels == Numbers{9, 8});
  CHECK(folder.read(Split::Train, {1, 1, 1, true}).images.pixels == Numbers{246, 247});
}

TEST_CASE("folders without pictures are refused") {
  PixelFolder mixed;
  mixed.add("a/1.pgm", 1).add("loose.pgm", 2);
  CHECK(mixed.refusal() ==
        "/loose.pgm: is not in a folder (expected a folder named by its class)");
  PixelFolder damaged;
  damaged.add("a/1.pgm", 1).file("a/2.png", "GIF89a");
  CHECK(damaged.refusal() ==
        "/a/2.png: not a picture (expected PNG, JPEG, PGM or PPM)");
  PixelFolder half;
  half.add("train/a/1.pgm", 1);
  CHECK(half.refusal(Split::Test) ==
        "/test: no pictures in it (expected CLASS/NAME.png)");
  PixelFolder many;
  for (int k = 0; k < 257; ++k) {
    many.add(std::to_string(k) + "/1.pgm", 1);
  }
  CHECK(many.refusal() == ": pictures in 257 folders (expected at most 256 classes)");
}

TEST_SUITE_END();

}  // namespace oa
