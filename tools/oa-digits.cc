// oa-digits: writes the built-in digits as MNIST-named IDX files.  See oa-digits(1).
#include "cli/dataset_options.h"
#include "oa/data/digits.h"

namespace oa {
namespace {

struct Options : cli::DatasetOptions {
  Options() {
    train = 60000;
    test = 10000;
  }
};

void declare(cli::App& app, Options& o) {
  cli::add_dataset(app, o, "images", "Replace data that oa-digits did not write");
}

app::Exit work(const Options& o, app::Context& context) {
  const auto draw = [&](Split split, int first, int n) {
    return digits(o.common.seed, split, first, n);
  };
  return cli::write_dataset(
      o,
      {.task = {.task = "digits",
                .classes = 10,
                .options = {{"seed", std::to_string(o.common.seed)}}},
       .examples = "digits",
       .block = 500,
       .byte_vectors = false,
       .draw = draw},
      context);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-digits", "Writes generated images of handwritten-like digits as IDX files."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
