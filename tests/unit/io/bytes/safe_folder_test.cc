#include "oa/io/bytes/safe_folder.h"

#include "oa_test.h"

#include <doctest/doctest.h>

using namespace oa;
using Outcome = io::Renamer::Outcome;

TEST_SUITE_BEGIN("io");

TEST_CASE("a file is put once, and nothing over another") {
  const test::Folder folder;
  io::Renamer renamer(folder.path("named"), false);
  CHECK(renamer.put("a.log", "one") == Outcome::Written);
  CHECK(renamer.put("a.log", "one") == Outcome::There);
  CHECK(renamer.put("a.log", "two") == Outcome::Refused);
  CHECK(renamer.put("a.log", "ones") == Outcome::Refused);
  CHECK(test::slurp(folder.path("named/a.log")) == "one");
  CHECK(test::names_in(folder.path("named")) == std::vector<std::string>{"a.log"});
}

TEST_CASE("a dry run touches nothing") {
  const test::Folder folder;
  io::Renamer renamer(folder.path("named"), true);
  CHECK(renamer.put("a.log", "one") == Outcome::Written);
  CHECK(test::names_in(folder.path()).empty());
}

TEST_CASE("a link to nowhere is in the way") {
  const test::Folder folder;
  std::filesystem::create_symlink("nowhere", folder.path("a.log"));
  io::Renamer renamer(folder.path(), false);
  CHECK(renamer.put("a.log", "one") == Outcome::Refused);
}

TEST_SUITE_END();
