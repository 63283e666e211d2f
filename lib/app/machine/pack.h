#pragma once

#include "app/context.h"
#include "app/solve/reading.h"
#include "oa/cim/pack.h"
#include "oa/io/machine/matrix_csv.h"
#include "oa/io/machine/uploads.h"

#include <string>
#include <vector>

namespace oa::app {

/// Settings for packing problems, and the destination of the matrices.
struct PackPlan {
  std::string manifest;
  io::TaskFormat format = io::TaskFormat::Qubo;
  cim::PackSettings pack;
  io::UploadSettings uploads;
  ReadingOptions reading;  ///< for single problems
  std::string fix;         ///< file of fixed values of variables, or empty
  bool force = false;      ///< replace the manifest of another command
  bool compare = false;    ///< print the errors of each precision, write no matrices
};

/// Packs a stream, or single problems from files, and writes matrices and a manifest,
/// or only compares precisions.
[[nodiscard]] Exit pack(const std::vector<std::string>& files,
                        const PackPlan& plan,
                        Context& context);

}  // namespace oa::app
