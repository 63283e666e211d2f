// make-problem: writes a random problem of any size, dense as .npy of int8 or sparse as
// Gset, for tests/limits.py.
#include "cli/cli.h"
#include "oa/base/number.h"
#include "oa/base/rng.h"
#include "oa/io/bytes/output.h"
#include "oa/io/tensor/npy.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  int variables = 100;
  std::int64_t couplings = 0;
};

void declare(cli::App& app, Options& o) {
  const auto number = [&](const char* name, auto& value, const char* what) {
    app.add_option(name, value, what)->type_name("N")->check(cli::at_least(0));
  };
  number("--variables", o.variables, "Variables of the problem");
  number("--couplings", o.couplings, "Edges of a Gset file; 0 for a matrix, all of it");
  cli::add_output(app, o.common, "Where the problem goes");
  cli::add_seed(app, o.common);
}

/// Whole numbers from -100 to 100 on the diagonal and above.
void write_matrix(const Options& o, io::Output& output) {
  const auto n = static_cast<std::size_t>(o.variables);
  const Rng rng(o.common.seed);
  std::vector<std::int8_t> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    Rng row = rng.fork(i);
    for (std::size_t k = i; k < n; ++k) {
      matrix[i * n + k] =
          static_cast<std::int8_t>(static_cast<int>(row.below(201)) - 100);
    }
  }
  io::write_npy(output,
                io::Dtype::I8,
                {o.variables, o.variables},
                std::as_bytes(std::span(matrix)));
}

/// Edges of weight 1 and -1 anywhere.
void write_graph(const Options& o, io::Output& output) {
  Rng rng(o.common.seed);
  const auto n = static_cast<std::uint32_t>(o.variables);
  output.write(format(o.variables) + " " + format(o.couplings) + "\n");
  for (std::int64_t e = 0; e < o.couplings; ++e) {
    const std::uint32_t i = rng.below(n);
    const std::uint32_t k = (i + 1 + rng.below(n - 1)) % n;
    output.write(std::to_string(i + 1) + " " + std::to_string(k + 1) +
                 (rng.below(2) != 0 ? " 1\n" : " -1\n"));
  }
}

app::Exit work(const Options& o, app::Context& context) {
  io::Output output = app::binary_output(o.common);
  if (o.couplings == 0) {
    write_matrix(o, output);
  } else {
    write_graph(o, output);
  }
  output.commit();
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"make-problem", "Writes a random problem."}, argc, argv, oa::declare, oa::work);
}
