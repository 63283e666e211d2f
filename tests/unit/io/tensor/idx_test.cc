#include "oa/io/tensor/idx.h"

#include "oa/base/error.h"
#include "oa/io/tensor/dataset_io.h"
#include "oa_test.h"
#include "ref/idx_files.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <zlib.h>

using namespace oa;

namespace {

std::string images_file(std::uint32_t count,
                        std::uint32_t rows,
                        std::uint32_t cols,
                        std::string_view pixels) {
  return io::be32(0x803) + io::be32(count) + io::be32(rows) + io::be32(cols) +
         std::string(pixels);
}

Images images(std::string_view bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "i");
  return io::read_idx_images(input);
}

std::vector<std::uint8_t> labels(std::string_view bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "l");
  return io::read_idx_labels(input);
}

std::string why_not_images(std::string_view bytes) {
  return test::message_of<InputError>([&] { (void)images(bytes); });
}

void spill_gz(const std::string& path, std::string_view bytes) {
  gzFile file = ::gzopen(path.c_str(), "wb");
  REQUIRE(::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())) ==
          static_cast<int>(bytes.size()));
  REQUIRE(::gzclose(file) == Z_OK);
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("images and labels written read back") {
  Images given;
  given.count = 3;
  given.rows = 2;
  given.cols = 5;
  for (int i = 0; i < 30; ++i) {
    given.pixels.push_back(static_cast<std::uint8_t>(i * 8));
  }
  const std::string bytes =
      test::written([&](io::Output& out) { io::write_idx_images(out, given); });
  CHECK(bytes.substr(0, 16) ==
        io::be32(0x803) + io::be32(3) + io::be32(2) + io::be32(5));
  const Images got = images(bytes);
  CHECK(got.count == 3);
  CHECK(got.rows == 2);
  CHECK(got.cols == 5);
  CHECK(got.pixels == given.pixels);

  const std::vector<std::uint8_t> some{0, 9, 255};
  CHECK(labels(test::written(
            [&](io::Output& out) { io::write_idx_labels(out, some); })) == some);
  CHECK(labels(io::be32(0x801) + io::be32(0)).empty());
  CHECK(images(images_file(0, 28, 28, "")).count == 0);
}

TEST_CASE("a file that ends in its header is refused") {
  const std::string file = images_file(1, 1, 1, "x");
  for (std::size_t size = 0; size < 16; ++size) {
    CHECK(why_not_images(file.substr(0, size)) == "i: truncated in the IDX header");
  }
}

TEST_CASE("images have 1 to 4096 pixels a side") {
  CHECK(images(images_file(1, 1, 4096, std::string(4096, 'x'))).cols == 4096);
  for (const auto& [rows, cols] :
       {std::pair{0U, 1U}, {1U, 0U}, {4097U, 1U}, {1U, 4097U}}) {
    CHECK(why_not_images(images_file(1, rows, cols, "x")) ==
          "i: images of " + std::to_string(rows) + "x" + std::to_string(cols) +
              " pixels (expected 1 to 4096 a side)");
  }
}

TEST_CASE("images outside of a selection are skipped, and still counted") {
  const test::Folder folder;
  const std::string pixels = "aabbccddeeffgg";
  const std::string file = images_file(7, 1, 2, pixels);
  test::spill(folder.path("plain"), file);
  spill_gz(folder.path("packed"), file);
  Selection some;
  some.keep = [](int count) {
    CHECK(count == 7);
    return ExampleRange{2, 4};
  };
  for (const char* name : {"plain", "packed"}) {
    io::Input input = io::Input::open(folder.path(name));
    const io::SelectedImages read = io::read_idx_pictures(input, {}, some);
    CHECK(read.count == 7);
    CHECK(read.images.count == 2);
    CHECK(read.images.pixels == std::vector<std::uint8_t>{'c', 'c', 'd', 'd'});
  }
  // Skipped data must exist, and no more.
  for (const auto& [size, why] : {std::pair(file.size() - 1, "has 13 bytes of data"),
                                  {std::size_t{17}, "has 1 bytes of data"}}) {
    test::spill(folder.path("cut"), file.substr(0, size));
    io::Input input = io::Input::open(folder.path("cut"));
    CHECK(test::message_of<InputError>([&] {
            (void)io::read_idx_pictures(input, {}, some);
          }) == folder.path("cut") + ": " + why + " (its header says 14)");
  }
  test::spill(folder.path("long"), file + "x");
  io::Input input = io::Input::open(folder.path("long"));
  CHECK(test::message_of<InputError>([&] {
          (void)io::read_idx_pictures(input, {}, some);
        }) == folder.path("long") + ": goes on after its 14 bytes of data");
}

TEST_CASE("images in blocks have the form of all, and all are shown") {
  Images given;
  given.count = 300;
  given.rows = given.cols = 80;  // more than one block
  for (int i = 0; i < 300 * 80 * 80; ++i) {
    given.pixels.push_back(static_cast<std::uint8_t>(i * 7 >> 4));
  }
  const std::string bytes =
      test::written([&](io::Output& out) { io::write_idx_images(out, given); });
  PictureForm form;
  form.rows = 20;
  form.cols = 30;
  form.invert = true;
  std::vector<std::uint8_t> seen;
  Selection selection;
  selection.keep = [](int) { return ExampleRange{150, 290}; };
  selection.pass = [&](std::span<const std::uint8_t> part) {
    seen.insert(seen.end(), part.begin(), part.end());
  };
  io::Input input = io::Input::memory(test::bytes_of(bytes), "i");
  const Images some = io::read_idx_pictures(input, form, selection).images;
  const Images all = in_form(given, form);
  CHECK(seen == all.pixels);
  CHECK(some.rows == 20);
  CHECK(some.pixels == std::vector<std::uint8_t>(all.pixels.begin() + 150 * 600,
                                                 all.pixels.begin() + 290 * 600));
}

TEST_CASE("a folder holds a data set by its MNIST names, packed or not") {
  const test::Folder folder;
  const std::string pixels = images_file(2, 1, 3, "abcdef");
  spill_gz(folder.path("train-images-idx3-ubyte.gz"), pixels);
  test::spill(folder.path("train-labels-idx1-ubyte"),
              io::be32(0x801) + io::be32(2) + "\7\3");
  const Dataset set = io::read_dataset(folder.path(), Split::Train);
  CHECK(set.images.pixels == std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f'});
  CHECK(set.labels == std::vector<std::uint8_t>{7, 3});

  CHECK(test::message_of<IoError>([&] {
          (void)io::read_dataset(folder.path(), Split::Test);
        }) == folder.path("t10k-images-idx3-ubyte") +
                  ": neither this file nor one of its kind exists");
  test::spill(folder.path("train-labels-idx1-ubyte"),
              io::be32(0x801) + io::be32(1) + "\7");
  CHECK(test::message_of<InputError>([&] {
          (void)io::read_dataset(folder.path(), Split::Train);
        }) == folder.path("train-labels-idx1-ubyte") + ": 1 labels for 2 images");
}

TEST_CASE("IDX files of bytes are recognised by their first four bytes") {
  CHECK(io::looks_like_idx(test::bytes_of(io::be32(0x803))));
  CHECK(io::looks_like_idx(test::bytes_of(io::be32(0x801))));
  CHECK_FALSE(io::looks_like_idx(test::bytes_of(io::be32(0x802))));
  CHECK_FALSE(io::looks_like_idx(test::bytes_of(io::be32(0xd03))));
  CHECK_FALSE(io::looks_like_idx(test::bytes_of("\0\0\x08")));
}

TEST_SUITE_END();
