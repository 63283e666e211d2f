#include "oa/io/bytes/output.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace oa;
using io::Output;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

std::string why_not(const std::string& path) {
  return test::message_of<IoError>([&] { Output output(path); });
}

void save(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

/// Sets the umask for a while.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("writes of any size give the bytes in their order") {
  const test::Folder folder;
  Rng rng(5);
  std::string all;
  Output output(folder.path("f"));
  for (int i = 0; i < 60; ++i) {
    const std::string piece(rng.below(i % 4 == 0 ? 300000 : 3000),
                            static_cast<char>('a' + i % 26));
    output.write(piece);
    all += piece;
    if (i % 7 == 0) {
      output.flush();
    }
  }
  output.commit();
  CHECK((test::slurp(folder.path("f")) == all));
}

TEST_CASE("a file does not appear before commit, and then whole") {
  const test::Folder folder;
  {
    Output output(folder.path("f"));
    CHECK(output.name() == folder.path("f"));
    output.write("half ");
    output.flush();
    CHECK_FALSE(fs::exists(folder.path("f")));
    output.write("whole");
    output.commit();
    CHECK(test::slurp(folder.path("f")) == "half whole");
  }
  CHECK(test::names_in(folder.path()) == Names{"f"});
}

TEST_CASE("without commit no file appears or is left") {
  const test::Folder folder;
  try {
    Output output(folder.path("f"));
    output.write(std::string(200000, 'x'));
    CHECK(test::names_in(folder.path()).size() == 1);  // the temporary file
    throw std::runtime_error("work failed");
  } catch (const std::runtime_error&) {
    CHECK(test::names_in(folder.path()).empty());
  }
}

TEST_CASE("without commit a file that was there is kept") {
  const test::Folder folder;
  test::spill(folder.path("f"), "before");
  {
    Output output(folder.path("f"));
    output.write("after");
    output.flush();
  }
  CHECK(test::slurp(folder.path("f")) == "before");
  CHECK(test::names_in(folder.path()) == Names{"f"});
}

TEST_CASE("an Output that was moved still appears once") {
  const test::Folder folder;
  {
    Output first(folder.path("f"));
    first.write("one ");
    Output second(std::move(first));
    second.write("two");
    second.commit();
  }
  CHECK(test::slurp(folder.path("f")) == "one two");
}

TEST_CASE("a new file has the permissions of the umask, a replaced one keeps its own") {
  const test::Folder folder;
  {
    const Umask mask(027);
    save(folder.path("new"), "x");
    CHECK(mode_of(folder.path("new")) == 0640);
  }
  CHECK(::chmod(folder.path("new").c_str(), 0604) == 0);
  {
    const Umask mask(077);
    save(folder.path("new"), "y");
  }
  CHECK(mode_of(folder.path("new")) == 0604);
  CHECK(test::slurp(folder.path("new")) == "y");
}

TEST_CASE("the target of a link is replaced, not the link") {
  const test::Folder folder;
  fs::create_directory(folder.path("sub"));
  test::spill(folder.path("sub/real"), "before");
  fs::create_symlink("sub/real", folder.path("one"));
  fs::create_symlink(folder.path("one"), folder.path("two"));
  save(folder.path("two"), "after");
  CHECK(test::slurp(folder.path("sub/real")) == "after");
  CHECK(fs::is_symlink(folder.path("one")));
  CHECK(fs::is_symlink(folder.path("two")));
  CHECK(test::names_in(folder.path("sub")) == Names{"real"});
}

TEST_CASE("a link to a file that does not exist yet makes that file") {
  const test::Folder folder;
  fs::create_directory(folder.path("sub"));
  fs::create_symlink("sub/later", folder.path("link"));
  save(folder.path("link"), "text");
  CHECK(test::slurp(folder.path("sub/later")) == "text");
  CHECK(fs::is_symlink(folder.path("link")));
}

TEST_CASE("an impossible output fails at once") {
  const test::Folder folder;
  const auto in = [&](const std::string& name) { return folder.path(name); };
  CHECK(why_not(in("")) == in("") + ": Is a directory");
  CHECK(why_not(folder.path()) == folder.path() + ": Is a directory");
  CHECK(why_not(in("new/")) == in("new/") + ": Is a directory");
  CHECK(why_not(in("none/f")) ==
        in("none/f") + ": cannot make a file there: No such file or directory");
  test::spill(in("f"), "x");
  CHECK(why_not(in("f/g")) == in("f/g") + ": Not a directory");
  CHECK(why_not(in("f/")) == in("f/") + ": Not a directory");
  CHECK(why_not("") == ": No such file or directory");
  fs::create_symlink("loop", in("loop"));
  CHECK(why_not(in("loop")) == in("loop") + ": Too many levels of symbolic links");
  CHECK(why_not("/proc/version/x").starts_with("/proc/version/x: "));
  CHECK(test::names_in(folder.path()) == Names{"f", "loop"});
}

TEST_CASE("the longest of names can be written") {
  const test::Folder folder;
  const std::string name(255, 'n');
  save(folder.path(name), "x");
  CHECK(test::names_in(folder.path()) == Names{name});
}

TEST_CASE("a device is written directly, and a full one is an IoError") {
  save("/dev/null", "text");
  const auto fill = [](std::size_t size) {
    return test::message_of<IoError>(
        [&] { save("/dev/full", std::string(size, 'x')); });
  };
  CHECK(fill(1) == "/dev/full: No space left on device");
  CHECK(fill(1 << 20) == "/dev/full: No space left on device");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a pipe nobody reads is a ClosedPipe") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // as every tool does
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const std::string name = "/dev/fd/" + std::to_string(ends[1]);
  Output output(name);
  ::close(ends[0]);
  ::close(ends[1]);
  output.write("text");
  CHECK(test::message_of<ClosedPipe>([&] { output.commit(); }) ==
        name + ": Broken pipe");
  std::signal(SIGPIPE, before);
}

TEST_CASE("temporary files are removed at once when the process must end") {
  const test::Folder folder;
  test::spill(folder.path("kept"), "text");
  std::vector<Output> outputs;
  for (int i = 0; i < 20; ++i) {  // more than there are slots: those beyond are lost
    outputs.emplace_back(folder.path("f" + std::to_string(i)));
  }
  CHECK(test::names_in(folder.path()).size() == 21);
  io::remove_temporaries();
  CHECK(test::names_in(folder.path()).size() == 1 + 20 - 16);
  outputs.clear();
  CHECK(test::names_in(folder.path()) == Names{"kept"});
  // The slots are free again.
  Output again(folder.path("again"));
  io::remove_temporaries();
  CHECK(test::names_in(folder.path()) == Names{"kept"});
}

TEST_CASE("two writers of one file leave the file of the last, whole") {
  const test::Folder folder;
  Output a(folder.path("f"));
  Output b(folder.path("f"));
  a.write("aaaa");
  b.write("bb");
  b.commit();
  a.commit();
  CHECK(test::slurp(folder.path("f")) == "aaaa");
  CHECK(test::names_in(folder.path()) == Names{"f"});
}

TEST_SUITE_END();
