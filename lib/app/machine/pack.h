#pragma once

#include "app/context.h"
#include "app/solve/reading.h"
#include "oa/cim/pack.h"
#include "oa/io/machine/matrix_csv.h"
#include "oa/io/machine/uploads.h"

#include <string>
#include <vector>

namespace oa::app {

/// How problems are packed, and where the matrices go.
struct PackPlan {
  std::string manifest;
  io::TaskFormat format = io::TaskFormat::Qubo;
  cim::PackSettings pack;
  io::UploadSettings uploads;
  ReadingOptions reading;  ///< of single problems
  std::string fix;         ///< a file with values of variables, or empty
  bool force = false;      ///< replace the manifest of another command
  bool compare = false;    ///< print what each precision costs, and write no matrices
};

/// Packs a stream, or the single problems of files, and writes matrices and manifest,
/// or only a comparison of precisions.
[[nodiscard]] Exit pack(const std::vector<std::string>& files,
                        const PackPlan& plan,
                        Context& context);

}  // namespace oa::app
