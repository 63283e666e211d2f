#include "oa/base/error.h"

#include <system_error>

namespace oa {

IoError::IoError(const std::string& what, int error)
    : std::runtime_error(what + ": " +
                         std::error_code(error, std::generic_category()).message()) {}

}  // namespace oa
