#include "cli/history.h"

#include "oa/base/version.h"

#include <doctest/doctest.h>

namespace oa::cli {

TEST_CASE("history has the options that may change a result, and no folders") {
  App app("oa-tool");
  app::Common common;
  std::string model;
  std::string shard;
  bool wrong = false;
  std::optional<IndexSet> index;
  app.add_option("MODEL", model);
  app.add_option("--shard", shard);
  app.add_flag("--wrong", wrong);
  add_indices(app, "--index", index, "");
  add_output(app, common, "");
  add_threads(app, common);
  add_seed(app, common);
  app.parse({"--index",
             "3,7-9",
             "-j",
             "2",
             "-o",
             "/tmp/x",
             "--wrong",
             "--shard",
             "3/8",
             "/home/me/model.bin"});
  CHECK(history("oa-tool", app) == "oa-tool " + std::string(kVersion) +
                                       " model.bin --shard=3/8 --wrong --index=3,7-9");
}

}  // namespace oa::cli
