#include "oa/io/bytes/safe_folder.h"

#include "oa_test.h"

#include <doctest/doctest.h>

using namespace oa;
using PutResult = io::SafeFolder::PutResult;

TEST_SUITE_BEGIN("io");

TEST_CASE("a file is added once, and never replaces another") {
  const test::Folder folder;
  io::SafeFolder safe(folder.path("named"), false);
  CHECK(safe.put_file("a.log", "one") == PutResult::Written);
  CHECK(safe.put_file("a.log", "one") == PutResult::There);
  CHECK(safe.put_file("a.log", "two") == PutResult::Refused);
  CHECK(safe.put_file("a.log", "ones") == PutResult::Refused);
  CHECK(test::slurp(folder.path("named/a.log")) == "one");
  CHECK(test::names_in(folder.path("named")) == std::vector<std::string>{"a.log"});
}

TEST_CASE("a dry run touches nothing") {
  const test::Folder folder;
  io::SafeFolder safe(folder.path("named"), true);
  CHECK(safe.put_file("a.log", "one") == PutResult::Written);
  CHECK(test::names_in(folder.path()).empty());
}

TEST_CASE("a dangling link blocks its path") {
  const test::Folder folder;
  std::filesystem::create_symlink("nowhere", folder.path("a.log"));
  io::SafeFolder safe(folder.path(), false);
  CHECK(safe.put_file("a.log", "one") == PutResult::Refused);
}

TEST_SUITE_END();
