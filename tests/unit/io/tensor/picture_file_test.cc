#include "oa/io/tensor/picture_file.h"

#include "oa/base/error.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/npy.h"
#include "oa_test.h"
#include "ref/idx_files.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace oa {
namespace {

using Values = std::vector<std::uint8_t>;

template <class T>
std::string array_of(const io::Shape& shape, const std::vector<T>& values) {
  return test::written([&](io::Output& output) {
    io::write_npy(output, io::dtype_of<T>(), shape, std::as_bytes(std::span(values)));
  });
}

Images pictures(std::string_view bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "p");
  return io::read_pictures(input).images;
}

std::string why_no_pictures(std::string_view bytes) {
  return test::message_of<InputError>([&] { (void)pictures(bytes); });
}

std::string why_no_labels(std::string_view bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "l");
  return test::message_of<InputError>([&] { (void)io::read_labels(input); });
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("arrays of bytes are pictures, with channels first or last") {
  const Values twelve{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Images one = pictures(array_of({3, 4}, twelve));
  CHECK(one.count == 1);
  CHECK(one.rows == 3);
  CHECK(one.pixels == twelve);
  const Images three = pictures(array_of({3, 2, 2}, twelve));
  CHECK(three.count == 3);
  CHECK(three.cols == 2);
  CHECK(three.pixels == twelve);
  const Images last = pictures(array_of({2, 1, 2, 3}, twelve));
  CHECK(last.channels == 3);
  CHECK(last.rows == 1);
  CHECK(last.pixels == Values{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11});
  const Images first = pictures(array_of({2, 3, 1, 2}, twelve));
  CHECK(first.channels == 3);
  CHECK(first.pixels == twelve);
  CHECK(pictures(array_of({2, 3, 2, 1}, twelve)).channels == 1);
}

TEST_CASE("arrays of other things are refused") {
  CHECK(why_no_pictures(array_of<float>({1, 1}, {0.5F})) ==
        "p: an array of F32 (expected bytes from 0 to 255, numpy's uint8)");
  CHECK(why_no_pictures(array_of<std::uint8_t>({2}, {1, 2})) ==
        "p: an array of shape (2) (expected pictures: rows and columns, or count, rows "
        "and columns, or with colours)");
  CHECK(why_no_pictures(array_of<std::uint8_t>({1, 5000}, Values(5000))) ==
        "p: 1x5000 pixels (expected 1 to 4096 a side)");
  CHECK(why_no_pictures("GIF89a") ==
        "p: no pictures (expected IDX, .npy, PNG, JPEG, PGM or PPM)");
  CHECK(why_no_pictures("") == "p: truncated in the IDX header");
}

TEST_CASE("labels are whole numbers of any type") {
  const auto labels = [](const std::string& bytes) {
    io::Input input = io::Input::memory(test::bytes_of(bytes), "l");
    return io::read_labels(input);
  };
  CHECK(labels(array_of<std::int64_t>({3}, {7, 0, 255})) == Values{7, 0, 255});
  CHECK(labels(array_of<std::int8_t>({2, 1}, {7, 1})) == Values{7, 1});
  CHECK(labels(test::written([](io::Output& output) {
          io::write_idx_labels(output, Values{4, 2});
        })) == Values{4, 2});
  CHECK(why_no_labels(array_of<std::int32_t>({2}, {7, 256})) ==
        "l: entry 1: label 256 (expected 0 to 255)");
  CHECK(why_no_labels(array_of<std::int8_t>({1}, {-1})) ==
        "l: entry 0: label -1 (expected 0 to 255)");
  CHECK(why_no_labels(array_of<double>({1}, {1.0})) ==
        "l: an array of shape (1) and type F64 (expected one whole number for each "
        "picture)");
}

TEST_CASE("labels lie beside their pictures") {
  const test::Folder folder;
  test::spill(folder.path("my_images.npy"), array_of<std::uint8_t>({2, 1, 1}, {5, 6}));
  CHECK(io::read_pictures_and_labels(folder.path("my_images.npy"), "").labels.empty());
  test::spill(folder.path("my_labels.npy"), array_of<std::int64_t>({2}, {1, 0}));
  const Dataset set = io::read_pictures_and_labels(folder.path("my_images.npy"), "");
  CHECK(set.images.pixels == Values{5, 6});
  CHECK(set.labels == Values{1, 0});
  test::spill(folder.path("my_labels.npy"), array_of<std::int64_t>({1}, {1}));
  CHECK(test::message_of<InputError>([&] {
          (void)io::read_pictures_and_labels(folder.path("my_images.npy"), "");
        }) == folder.path("my_labels.npy") + ": 1 labels for 2 images");
}

TEST_SUITE_END();

}  // namespace oa
