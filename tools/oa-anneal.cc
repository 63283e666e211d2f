// oa-anneal: solves streams of problems or single problems.  See oa-anneal(1).
#include "cli/cli.h"
#include "cli/tool/anneal.h"

int main(int argc, char** argv) {
  return oa::cli::run<oa::cli::AnnealOptions>(
      {"oa-anneal",
       "Solves QUBO and Ising problems, and proves optimality where it can."},
      argc,
      argv,
      oa::cli::declare,
      oa::cli::work);
}
