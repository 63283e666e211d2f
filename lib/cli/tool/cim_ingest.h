#pragma once

#include "app/machine/ingest.h"
#include "cli/options.h"

namespace oa::cli {

/// Options of oa-cim-ingest.
struct CimIngestOptions {
  app::Common common;
  app::IngestOptions ingest;
};

void declare(App& app, CimIngestOptions& options);
[[nodiscard]] app::Exit work(const CimIngestOptions& options,
                             app::Context& context,
                             app::PdfText pdf_text);

}  // namespace oa::cli
