// oa-cim-pack: makes matrices for a coherent Ising machine.  See oa-cim-pack(1).
#include "cli/cli.h"
#include "cli/tool/cim_pack.h"

int main(int argc, char** argv) {
  return oa::cli::run<oa::cli::CimPackOptions>(
      {"oa-cim-pack", "Packs problems as matrices for a coherent Ising machine."},
      argc,
      argv,
      oa::cli::declare,
      oa::cli::work);
}
