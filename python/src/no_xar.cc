// In a wheel: what keeps libarchive's writer of xar out, which needs libxml2 and ICU,
// 37 MB. All writers of libarchive refer to it; nothing here calls it.

extern "C" __attribute__((visibility("hidden"))) int archive_write_set_format_xar(
    void* /*archive*/) {
  constexpr int kFatal = -30;
  return kFatal;
}
