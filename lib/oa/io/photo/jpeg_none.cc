#include "oa/base/error.h"
#include "oa/io/photo/photo.h"

namespace oa::io {

Photo decode_jpeg(std::string_view /*bytes*/, const std::string& name) {
  throw IoError(name + ": this program was built without libjpeg");
}

}  // namespace oa::io
