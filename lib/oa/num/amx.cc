#include "oa/num/amx.h"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace oa::num {
namespace {

#if defined(__x86_64__) && defined(__linux__)
// Linux saves and restores tiles only for processes that asked for them.
bool ask() {
  constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr int kTileData = 18;               // XFEATURE_XTILEDATA
  return __builtin_cpu_supports("amx-tile") != 0 &&
         __builtin_cpu_supports("amx-bf16") != 0 &&
         __builtin_cpu_supports("amx-int8") != 0 &&
         syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
#else
bool ask() {
  return false;
}
#endif

bool may_use = true;

}  // namespace

bool amx_here() {
  static const bool here = ask();
  return here && may_use;
}

void allow_amx(bool allowed) {
  may_use = allowed;
}

}  // namespace oa::num
