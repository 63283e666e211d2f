#include "oa/io/bytes/kept_inputs.h"

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/bytes/output.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace oa::io {
namespace {

void save(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

std::string why_not(const auto& action) {
  return test::message_of<OverwriteError>(action);
}

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("a program may save what it loaded, a tool may not") {
    const test::Folder folder;
    const std::string path = folder.path("f");
    save(path, "1");
    (void)Input::open(path);
    save(path, "2");
    const KeptInputs kept;
    const std::string link = folder.path("link");
    std::filesystem::create_symlink(path, link);
    (void)Input::open(path);
    const std::string why = ": is an input and an output (expected two files)";
    CHECK(why_not([&] { Output output(path); }) == path + why);
    CHECK(why_not([&] { Output output(link); }) == link + why);
    CHECK(why_not([&] { LogFile log(link, false); }) == link + why);
    CHECK(std::filesystem::file_size(path) == 1);
    KeptInputs::forget_reading(link);
    save(path, "3");
  }

  TEST_CASE("a file is read only after its writer has finished") {
    const test::Folder folder;
    const std::string path = folder.path("f");
    save(path, "1");
    const KeptInputs kept;
    const std::string why = path + ": is an input and an output (expected two files)";
    std::optional<Output> output(path);
    CHECK(why_not([&] { (void)Input::open(path); }) == why);
    output.reset();
    (void)Input::open(path);
    KeptInputs::forget_reading(path);
    {
      LogFile log(path, true);
      CHECK(why_not([&] { (void)Input::open(path); }) == why);
    }
    (void)Input::open(path);
  }

  TEST_CASE("two outputs are two files") {
    const test::Folder folder;
    const std::string path = folder.path("f");
    std::filesystem::create_directory(folder.path("sub"));
    const std::string other_way = folder.path("sub/../f");
    const KeptInputs kept;
    {
      const Output output(path);
      const std::string why = ": two outputs go there (expected two files)";
      CHECK(why_not([&] { Output again(other_way); }) == other_way + why);
      CHECK(why_not([&] { LogFile log(path, false); }) == path + why);
    }
    save(other_way, "1");
    save(path, "2");
  }

  TEST_CASE("a file that was replaced since it was read is another") {
    const test::Folder folder;
    const std::string path = folder.path("f");
    save(path, "1");
    const KeptInputs kept;
    (void)Input::open(path);
    std::filesystem::remove(path);
    save(path, "2");
    save(path, "3");
  }
}

}  // namespace oa::io
