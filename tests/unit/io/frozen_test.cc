// Files of every released version of every format, in tests/data: what is in ok/ must
// read, what is in bad/ must be refused with the message in FILE.why.  They were made
// by a program that shares no code with the library, and are never edited after a
// release.
#include "oa/base/error.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/npy.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

using namespace oa;
namespace fs = std::filesystem;

namespace {

void read_stream(io::Input input) {
  io::StreamReader reader(std::move(input));
  while (const auto frame = reader.next()) {
    if (frame->kind == io::FrameKind::Problem) {
      (void)io::read_problem(*frame);
    } else if (frame->kind == io::FrameKind::Solution) {
      (void)io::read_solution(*frame);
    }
  }
}

void read_idx(io::Input input) {
  if (input.name().find("labels") != std::string::npos) {
    (void)io::read_idx_labels(input);
  } else {
    (void)io::read_idx_images(input);
  }
}

void read_problem_file(io::Input input) {
  const io::Detected found = io::detect_problem(input);
  for (const io::ProblemFormat format : found.formats) {
    io::ProblemSettings settings;
    if (format == io::ProblemFormat::Dimacs) {
      settings.graph = io::GraphGoal{io::GraphProblem::Clique};
    }
    (void)io::read_problems(input, format, settings);
  }
}

struct Format {
  const char* name;
  std::function<void(io::Input)> read;
};

const std::vector<Format> kFormats{
    {"idx", read_idx},
    {"model", [](io::Input input) { (void)io::read_safetensors_file(input); }},
    {"npy", [](io::Input input) { (void)io::read_npy(input); }},
    {"problem", read_problem_file},
    {"program", read_problem_file},
    {"stream", read_stream}};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const std::string& name : test::names_in(folder)) {
    if (!name.ends_with(".why")) {
      files.push_back(folder / name);
    }
  }
  REQUIRE_FALSE(files.empty());
  return files;
}

/// Every version's folder `which` of a format.
std::vector<fs::path> files_of(const Format& format, const char* which) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(OA_DATA) / format.name;
  for (const std::string& version : test::names_in(folder)) {
    for (fs::path& file : files_in(folder / version / which)) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("files of every released version are read") {
  for (const Format& format : kFormats) {
    for (const fs::path& file : files_of(format, "ok")) {
      CAPTURE(file);
      CHECK_NOTHROW(format.read(io::Input::open(file)));
    }
  }
}

TEST_CASE("damaged files are refused with the message that was agreed on") {
  for (const Format& format : kFormats) {
    for (const fs::path& file : files_of(format, "bad")) {
      CAPTURE(file);
      const std::string why =
          test::message_of<InputError>([&] { format.read(io::Input::open(file)); });
      CHECK(why == file.string() + first_line(test::slurp(file.string() + ".why")));
    }
  }
}

TEST_CASE("every message that was agreed on belongs to a file") {
  for (const auto& entry : fs::recursive_directory_iterator(OA_DATA)) {
    if (entry.path().extension() == ".why") {
      CAPTURE(entry.path());
      CHECK(fs::exists(fs::path(entry.path()).replace_extension()));
    }
  }
}

TEST_SUITE_END();
