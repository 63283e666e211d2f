// oa-score: predicts classes from solutions and counts errors.  See oa-score(1).
#include "cli/cli.h"
#include "cli/tool/score.h"

int main(int argc, char** argv) {
  return oa::cli::run<oa::cli::ScoreOptions>(
      {"oa-score",
       "Predicts classes from the solutions of problems, and counts errors."},
      argc,
      argv,
      oa::cli::declare,
      oa::cli::work);
}
