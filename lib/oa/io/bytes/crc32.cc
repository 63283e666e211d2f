#include "oa/io/bytes/crc32.h"

#include <isa-l/crc.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace oa::io {
namespace {

/// ISA-L 2.30 returns with the upper halves of vectors in use: everything after it that
/// was compiled for shorter vectors would be a quarter slower.
#ifdef __x86_64__
__attribute__((target("avx"))) void give_back_vectors() {
  _mm256_zeroupper();
}
const bool kHasVectors = __builtin_cpu_supports("avx");
#else
void give_back_vectors() {}
constexpr bool kHasVectors = false;
#endif

}  // namespace

std::uint32_t extend_crc32(std::uint32_t sum, std::span<const std::byte> bytes) {
  // ISA-L's: every frame of a stream passes through it in each tool, and it runs at 50
  // GB/s where AVX-512 is, libdeflate's at 13, zlib's at 4.5.
  sum = ::crc32_gzip_refl(
      sum,
      reinterpret_cast<const unsigned char*>(bytes.data()),  // NOLINT: raw bytes
      bytes.size());
  if (kHasVectors) {
    give_back_vectors();
  }
  return sum;
}

}  // namespace oa::io
