#include "oa/io/machine/manifest.h"

#include "oa/base/error.h"
#include "oa/cim/pack.h"
#include "oa/io/machine/polynomial_json.h"
#include "oa/io/stream/problem_io.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace oa;

namespace {

machine::PackedImage packed(std::uint64_t seed, const cim::PackSettings& settings) {
  Rng rng(seed);
  return cim::pack(test::random_problem(rng, 9, 4, 3), settings, "here");
}

io::Frame head() {
  io::Frame frame;
  frame.data.metadata["oa.kind"] = "head";
  return frame;
}

std::string manifest_of(const std::vector<machine::PackedImage>& images) {
  return test::written([&](io::Output& output) {
    io::ManifestWriter writer(output, io::TaskFormat::Qubo, "mat");
    writer.head(head(), "history");
    std::int64_t task = 0;
    for (const machine::PackedImage& image : images) {
      writer.image(image, false, task);
      task += std::ssize(image.tasks);
    }
    writer.finish(true);
  });
}

io::Manifest read(const std::string& bytes) {
  return io::read_manifest(io::Input::memory(test::bytes_of(bytes), "m"));
}

/// The message about a manifest with these tensors in place of the right ones.
std::string why_not(const std::vector<io::TensorView>& tensors) {
  Rng rng(1);
  const qubo::Problem p = test::random_problem(rng, 2, 1, 1);
  const std::string bytes = test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({{"cim.version", "1"}, {"cim.format", "qubo"}, {"cim.name", "m"}}, {});
    io::write_problem(writer, p, {}, tensors);
    writer.finish(true);
  });
  return test::message_of<InputError>([&] { (void)read(bytes); });
}

std::string why_not(std::int64_t task,
                    std::int64_t extra,
                    std::vector<std::uint8_t> fixed,
                    std::size_t level_count) {
  const std::vector<std::int8_t> levels(level_count);
  const auto count = static_cast<std::int64_t>(level_count);
  return why_not(
      {io::TensorView::of<std::int64_t>("cim.task", {1}, std::span(&task, 1)),
       io::TensorView::of<std::int64_t>("cim.extra", {1}, std::span(&extra, 1)),
       io::TensorView::of<std::uint8_t>("cim.fixed", {1, 2}, fixed),
       io::TensorView::of<std::int8_t>("cim.levels", {count}, levels)});
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a manifest reads back what was submitted, levels of 14 bits, too") {
  for (const cim::PackSettings& settings :
       {cim::PackSettings{.bits = 4, .precision = cim::Precision::Best},
        cim::PackSettings{.bits = 14, .precision = cim::Precision::Vendor}}) {
    CAPTURE(settings.bits);
    const std::vector<machine::PackedImage> images{packed(1, settings),
                                                   packed(2, settings)};
    const std::string bytes = manifest_of(images);
    CHECK((bytes.find("\"I16\"") != std::string::npos) == (settings.bits == 14));
    const io::Manifest manifest = read(bytes);
    CHECK(manifest.complete);
    CHECK(manifest.submission.name == "mat");
    REQUIRE(manifest.submission.images == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      const machine::SubmittedImage image = manifest.submission.store->image(k);
      CHECK(image.problem.j == images[k].problem.j);
      for (std::size_t i = 0; i < 4; ++i) {
        const machine::PackedQuery& query = images[k].queries[i];
        const auto number = static_cast<std::int64_t>(4 * k + i);
        CHECK(image.queries[i].fixed == query.fixed);
        CHECK(image.queries[i].task == (query.block ? number : -1));
        if (query.block) {
          CHECK(image.queries[i].extra == query.block->extra);
          CHECK(image.queries[i].q == machine::task_matrix_of(*query.block));
          CHECK((settings.bits == 4 || std::ranges::max(query.block->levels) > 127));
          const machine::Task* task = manifest.submission.find(number);
          REQUIRE(task != nullptr);
          const auto blocks = manifest.submission.blocks_of(*task);
          REQUIRE(blocks.size() == 1);
          CHECK(manifest.submission.store->matrix(blocks[0]) == image.queries[i].q);
        }
      }
    }
  }
}

TEST_CASE("a manifest has single problems number by number") {
  auto single = std::make_shared<machine::Single>();
  single->file = "a.json";
  single->format = "bqm";
  qubo::Quadratic& f = single->f;
  f = qubo::Quadratic(3);
  f.vartype = qubo::Vartype::Spin;
  f.sense = qubo::Sense::Max;
  f.offset = 0.1;
  f.linear = {0.25, 0.0, -3e100};
  f.names = {"\"a\"", "7", "[1,\"b\"]"};
  f.add(qubo::Terms{{0, 1, 1.0}, {0, 1, 1e-30}, {1, 2, 1e200}});
  f.add_constant(1e-40);
  REQUIRE(f.rests().size() == 2);
  const io::Manifest manifest = read(manifest_of({cim::pack(single, 0, {}, "here")}));
  REQUIRE(manifest.submission.images == 1);
  REQUIRE(manifest.singles);
  const machine::SubmittedImage image = manifest.submission.store->image(0);
  REQUIRE(image.single != nullptr);
  const machine::Single& back = *image.single;
  CHECK(back.file == single->file);
  CHECK(back.format == single->format);
  CHECK(back.f.sense == f.sense);
  CHECK(back.f.vartype == f.vartype);
  CHECK(back.f.names == f.names);
  for (unsigned k = 0; k < 8; ++k) {
    const std::vector<std::uint8_t> x{static_cast<std::uint8_t>(k & 1U),
                                      static_cast<std::uint8_t>(k >> 1U & 1U),
                                      static_cast<std::uint8_t>(k >> 2U)};
    ExactSum difference = qubo::exact_energy(back.f, x);
    difference.subtract(qubo::exact_energy(f, x));
    CHECK(difference.value() == 0.0);
  }
  const auto other = packed(1, {});
  CHECK(test::message_of<InputError>([&] {
          (void)read(manifest_of({cim::pack(single, 0, {}, "here"), other}));
        }) == "m:frame 2: single problems beside those of images");
}

TEST_CASE("a manifest in a file is read again, and must not change") {
  const std::string bytes = manifest_of({packed(1, {}), packed(2, {})});
  const io::Manifest memory = read(bytes);
  const test::Folder folder;
  const std::string path = folder.path("m.manifest");
  test::spill(path, bytes);
  const io::Manifest file = io::read_manifest(path, {});
  REQUIRE(file.submission.blocks.size() == memory.submission.blocks.size());
  for (std::size_t k = 0; k < file.submission.blocks.size(); ++k) {
    CHECK(file.submission.store->matrix(file.submission.blocks[k]) ==
          memory.submission.store->matrix(memory.submission.blocks[k]));
  }
  CHECK(file.submission.store->image(1).problem.h ==
        memory.submission.store->image(1).problem.h);
  std::string other = bytes;
  for (std::size_t i = other.size() / 2; i < other.size() / 2 + 200; ++i) {
    other[i] = static_cast<char>(other[i] ^ 1);
  }
  test::spill(path, other);
  const auto why = [&] {
    return test::message_of<InputError>([&] {
      for (std::size_t i = 0; i < 2; ++i) {
        (void)file.submission.store->image(i);
      }
    });
  };
  CHECK(why() == path + ": the file changed while it was read");
  test::spill(path, bytes.substr(0, bytes.size() / 3));
  CHECK(why() == path + ": the file became shorter while it was read");
}

TEST_CASE("polynomials come back, and damaged ones are refused") {
  qubo::Polynomial p;
  p.n = 3;
  p.monomials = {{{}, 0.5}, {{0, 1, 2}, -0.1}, {{1}, 1e-300}};
  p.constraints = {{"few", {{0, 0, 1.0}, {2, 2, -3.0}}, qubo::Relation::AtMost, 2.0}};
  p.names = {"\"a\"", "1", "\"\u00e9\""};
  const std::string text = io::json_of(p);
  const qubo::Polynomial back = io::polynomial_of_json(text, 3, "here");
  CHECK(io::json_of(back) == text);
  CHECK(back.constraints[0].relation == qubo::Relation::AtMost);
  const auto why = [&](const std::string& from, const std::string& to) {
    std::string damaged = text;
    const auto at = damaged.find(from);
    REQUIRE(at != damaged.npos);
    damaged.replace(at, from.size(), to);
    return test::message_of<InputError>(
        [&] { (void)io::polynomial_of_json(damaged, 3, "here"); });
  };
  CHECK(why("\"variables\":3", "\"variables\":4") ==
        "here: 'cim.polynomial': it has 4 variables (expected 1 to 3)");
  CHECK(why("\"variables\":3", "\"variables\":{}") ==
        "here: 'cim.polynomial' is not a polynomial");
  CHECK(why("0,1,2", "0,1,3") == "here: 'cim.polynomial': there is no variable 3");
  CHECK(why("0,1,2", "0,2,1") ==
        "here: 'cim.polynomial': the variables of a term do not increase");
  CHECK(why("0.5", "\"x\"") ==
        "here: 'cim.polynomial': its weights are not finite or too large");
  CHECK(why("<=", "<") ==
        "here: 'cim.polynomial': an unknown relation (expected =, <= or >=)");
  CHECK(why("{", "[") == "here: 'cim.polynomial': no 'variables'");
  CHECK(why("\"a\",1", "1") ==
        "here: 'cim.polynomial': the number of names differs from the number of "
        "variables");
}

TEST_CASE("numbers are left out where nothing was left to solve") {
  machine::PackedImage solved = packed(1, {});
  for (machine::PackedQuery& query : solved.queries) {
    query.block.reset();
    std::ranges::fill(query.fixed, std::uint8_t{0});
  }
  solved.tasks.assign(4, {});
  const io::Manifest manifest = read(manifest_of({solved, solved, packed(2, {})}));
  REQUIRE(manifest.submission.images == 3);
  CHECK(manifest.submission.store->image(1).queries[3].task == -1);
  CHECK(manifest.submission.store->image(2).queries[0].task == 8);
  CHECK(manifest.submission.store->image(2).queries[3].task == 11);
}

TEST_CASE("a stream that is not a manifest is refused") {
  const std::string bytes = test::written([](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    writer.finish(true);
  });
  CHECK(
      test::message_of<InputError>([&] { (void)read(bytes); }) ==
      "m:frame 0: not a manifest (expected what oa-cim-pack wrote beside the archive)");
}

TEST_CASE("a manifest that contradicts itself is refused") {
  CHECK(why_not(0, 0, {2, 2}, 3) == "(nothing was thrown)");
  CHECK(why_not(0, 0, {2, 2}, 2) == "m:frame 1: tensor 'cim.levels' is too short");
  CHECK(why_not(0, 0, {2, 2}, 4) == "m:frame 1: tensor 'cim.levels' is too long");
  CHECK(why_not(0, 0, {2, 3}, 1) ==
        "m:frame 1: query 0: 'cim.fixed' has other values than 0, 1 and 2");
  const std::string contradiction =
      "m:frame 1: query 0: its task, free variables and auxiliary spins contradict "
      "each "
      "other";
  CHECK(why_not(-1, 0, {2, 2}, 3) == contradiction);
  CHECK(why_not(0, 0, {1, 0}, 0) == contradiction);
  CHECK(why_not(0, -1, {2, 2}, 3) == contradiction);
  CHECK(why_not(0, 65, {2, 2}, 3) == contradiction);
  CHECK(why_not(7, 0, {2, 2}, 3) ==
        "m:frame 1: query 0: task 7 (tasks must increase from image to image)");
}

TEST_CASE("matrices are read as they were written, and others fold") {
  const machine::PackedImage image = packed(3, {.merge = true});
  const std::string text = io::matrix_csv(image, image.tasks[0], io::TaskFormat::Qubo);
  io::Input input = io::Input::memory(test::bytes_of(text), "m.csv");
  const machine::TaskMatrix q = io::read_matrix_csv(input).q;
  REQUIRE(q.n == 36);
  const machine::TaskMatrix second = machine::task_matrix_of(*image.queries[1].block);
  for (int i = 0; i < 9; ++i) {
    for (int k = i; k < 9; ++k) {
      CHECK(q.row(9 + i)[k - i] == second.row(i)[k - i]);
    }
    CHECK(q.row(i)[20 - i] == 0.0F);  // another block
  }
  const std::string full = "1,2\n3,4\n";
  io::Input symmetric = io::Input::memory(test::bytes_of(full), "m.csv");
  CHECK(io::read_matrix_csv(symmetric).q.cells == std::vector<float>{1, 5, 4});
}

TEST_CASE("an Ising matrix is symmetric, the shared spin last") {
  const machine::PackedImage image = packed(4, {.merge = true});
  const std::vector<int> two{0, 1};
  const std::string text = io::matrix_csv(image, two, io::TaskFormat::Ising);
  io::Input input = io::Input::memory(test::bytes_of(text), "m.csv");
  const machine::TaskMatrix q = io::read_matrix_csv(input).q;
  REQUIRE(q.n == 19);
  const machine::Block& block = *image.queries[1].block;
  for (int i = 0; i < 9; ++i) {
    CHECK(q.row(9 + i)[0] == 0.0F);
    CHECK(q.row(9 + i)[9 - i] == 2.0F * block.row(i)[9]);
    for (int k = i + 1; k < 9; ++k) {
      CHECK(q.row(9 + i)[k - i] == 2.0F * block.row(i)[k]);
    }
  }
}

TEST_CASE("tables that are not matrices are refused") {
  const auto why = [](const std::string& text) {
    return test::message_of<InputError>([&] {
      io::Input input = io::Input::memory(test::bytes_of(text), "m.csv");
      (void)io::read_matrix_csv(input);
    });
  };
  CHECK(why("") == "m.csv: the matrix is not square (0 rows of 0 cells)");
  CHECK(why("1,2\n") == "m.csv: the matrix is not square (1 rows of 2 cells)");
  CHECK(why("1\n2\n") ==
        "m.csv:2: the matrix is not square (expected 1 rows of 1 cells)");
  CHECK(why("1,2\n3\n") ==
        "m.csv:2: the matrix is not square (expected 2 rows of 2 cells)");
  for (const char* cell : {"x", "", "nan", "1e999", "0.1", "1e31"}) {
    CAPTURE(cell);
    CHECK(why("1," + std::string(cell) + "\n0,1\n") ==
          "m.csv:1: '" + std::string(cell) +
              "' (expected a number that a float holds)");
  }
  CHECK(why(test::repeated("0,", 4096) + "0\n") == "m.csv:1: over 4096 columns");
}

TEST_SUITE_END();
