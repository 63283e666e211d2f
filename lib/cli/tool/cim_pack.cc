#include "cli/tool/cim_pack.h"

namespace oa::cli {

void declare(App& app, CimPackOptions& o) {
  add_inputs(app, o.files, "Stream of problems, or files of single problems");
  add_pack(app, o.pack);
  add_output(app, o.common, "Write the archive (or folder) to this path");
  add_json_summary(app, o.common);
  add_threads(app, o.common);
}

app::Exit work(const CimPackOptions& o, app::Context& context) {
  if (o.pack.list_machines) {
    return list_machines(o.common);
  }
  return app::pack(o.files, plan_of(o.pack, o.common), context);
}

}  // namespace oa::cli
