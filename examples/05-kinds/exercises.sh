# Eight exercises of a textbook chapter on attention for small devices, worked out: our answer, the
# published one, and why they differ.  Pairs of queries and keys are those that oa-bench counts.
# Needs the oa tools on PATH.
set -eu

# pairs KIND TOKENS: the pairs that a kind scores, of its sparsity 1 - pairs / tokens^2
pairs() {
  oa-bench -q --kinds "$1" --n "$2" --d 8 --rounds 1 --json |
    sed -n 's/.*"sparsity":\([0-9.e-]*\).*/\1/p' | awk -v n="$2" '{ printf "%.0f", (1 - $1) * n * n }'
}

bigbird=$(pairs bigbird:radius=3,globals=2,random=2 512)
windows=
for n in 512 2048 8192; do
  windows="$windows $(pairs longformer:radius=256,globals=32 $n)"
done

awk -v bigbird="$bigbird" -v windows="$windows" '
  function result(ours, published, why) {
    printf "  ours       %s\n  published  %s\n  why        %s\n", ours, published, why
  }
  function mib(bytes) { return bytes / 1024 / 1024 }
  # The largest block of width 64 in 48 KiB, with so many bytes for each row and column.
  function block(bytes,   b) {
    while (bytes * (b + 1) * 64 + 2 * (b + 1) ^ 2 + 8 * (b + 1) <= 48 * 1024) ++b
    return b
  }
  # Intensity and the share of the peak that it allows.
  function roofline(flops, bytes, ridge,   i) {
    i = flops / bytes
    return sprintf("%.2f MB, %.0f FLOP/B, %.0f %%", bytes / 1e6, i, 100 * (i > ridge ? 1 : i / ridge))
  }
  BEGIN {
    print "1. Memory traffic of standard and flash attention: 2048 tokens, width 64, 16 bits, blocks of 64"
    matrix = 2048 * 64 * 2; scores = 2048 * 2048 * 2
    standard = 4 * matrix + 4 * scores; flash = 2 * matrix + 2048 / 64 * 2 * matrix
    result(sprintf("standard %.1f MiB, flash %.1f MiB (%.1f MiB with K and V in a cache)",
                   mib(standard), mib(flash), mib(4 * matrix)),
           "standard 32.5 MiB, flash 1 MiB",
           "every block of queries reads all keys and values again, unless a cache holds them")

    print "2. The cache of keys and values: 32 heads of width 128, 8192 tokens, 16 bits"
    for (g = 32; g >= 1; g /= (g == 4 || g == 32 ? 4 : 2))
      caches = caches (caches ? ", " : "") sprintf("%d groups %d MiB (%.1f %%)", g, mib(2 * 8192 * g * 128 * 2), 100 * g / 32)
    result(caches, "the same sizes; a table says 12.5 % for 8 groups, 25 % for 4", "the columns of the table are exchanged")

    print "3. Sparsity of BigBird: a window of 3, 2 random keys, 2 global tokens, 512 tokens"
    result(sprintf("%d pairs by oa-bench (%d by formula), sparsity %.2f %%", bigbird,
                   2 * 2 * 512 - 2 * 2 + 510 * 7 - 3 * 4 + 510 * 2, 100 * (1 - bigbird / 512 ^ 2)),
           "6656 pairs, 97.5 %", "a row has 2w + 1 + r + g keys, not 2w + 1 + r + 2g; global rows have all; windows end at the ends")

    print "4. The largest block in 48 KiB: width 64, 16 bits"
    result(sprintf("%d; with an accumulator of 16 bits %d, of 32 bits %d", block(6), block(8), block(10)),
           "48", "48 is the multiple of 16 with an accumulator of 32 bits, which the formula lacks")

    print "5. The error of m random features, for queries and keys of norm up to R = 0.8"
    result(sprintf("|A^ - A| <= %.2f / sqrt(m) |A| on average, in the Frobenius norm", sqrt(exp(4 * 0.8 ^ 2) - 1)),
           "C / sqrt(m), with a C that depends on the dimension",
           "C is sqrt(exp(4 R^2) - 1): it depends on the norms")

    print "6. What 12 layers save, 4 full, 4 with 4 groups of 12 heads, 4 with a window of 256 and 32 global tokens"
    count = split(windows, seen, " ")
    for (k = 1; k <= count; ++k) {
      n = 512 * 4 ^ (k - 1); dense = seen[k] / n ^ 2; kept = (256 + 32) / n; kept = kept > 1 ? 1 : kept
      core = core (k > 1 ? ", " : "") sprintf("%.1f", 100 * (1 - dense) / 3)
      cache = cache (k > 1 ? ", " : "") sprintf("%.1f", 100 * (1 - 4 / 12 + 1 - kept) / 3)
    }
    result(core " % of the FLOPs of scores and values, " cache " % of the cache (512, 2048, 8192 tokens)",
           "about 45 % of the FLOPs, about 60 % of the cache",
           "grouped keys save no FLOPs of scores: a third of the layers can save at most a third")

    print "7. Layers with a window of 32 until each of 1024 tokens depends on every other"
    for (seen_to = 0; seen_to < 1023; seen_to += 32) ++layers
    result(layers " layers", "16 layers", "16 layers span the sequence from its middle, not from one end to the other")

    print "8. The roofline of 25.6 GB/s and 2 TFLOP/s: 512 tokens, width 768, 16 bits"
    ridge = 2e12 / 25.6e9; flops = 4 * 512 * 512 * 768; flash = 4 * 512 * 768 * 2
    result("standard with 12 heads " roofline(flops, flash + 4 * 12 * 512 * 512 * 2, ridge) \
           "; with one " roofline(flops, flash + 4 * 512 * 512 * 2, ridge) "; flash " roofline(flops, flash, ridge) \
           "; decoding with 8 heads a key " sprintf("8 FLOP/B, %.0f %%", 100 * 8 / ridge),
           "flash 2 MB and 40 % of the peak; decoding with grouped keys 70 %",
           "Q, K, V and O once are 3.15 MB; a step of decoding does 2 FLOPs for each number of the cache and head of its group")
  }'
