// oa-qubo: poses the problems of images and sequences as a stream.  See oa-qubo(1).
#include "cli/cli.h"
#include "cli/tool/qubo.h"

int main(int argc, char** argv) {
  return oa::cli::run<oa::cli::QuboOptions>(
      {"oa-qubo",
       "Writes the attention of images or sequences as a stream of QUBO problems."},
      argc,
      argv,
      oa::cli::declare,
      oa::cli::work);
}
