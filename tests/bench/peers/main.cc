// Kernels of oa beside those of others, in turns, on the time of this process:
//   peers [ROUNDS [NAME]]      cases whose name begins with NAME
// A line a case and peer: median and least milliseconds, the time of ours by that of
// the peer (median of the rounds' ratios, and least by least), and how far the peer's
// output is from ours, as root mean squares.  Build and run: PEERS.md.
#include "oa/base/rng.h"
#include "peer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace peers {
namespace {

double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Long data repeat themselves, so that 1 GiB is made in a moment.
AlignedFloats drawn(oa::Rng& rng, std::size_t count) {
  constexpr std::size_t kPeriod = std::size_t{1} << 24;
  AlignedFloats all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = i < kPeriod ? static_cast<float>(rng.normal()) : all[i - kPeriod];
  }
  return all;
}

Data draw(const Problem& p) {
  oa::Rng rng(1);
  const auto d = static_cast<std::size_t>(p.width);
  const auto keys = static_cast<std::size_t>(p.keys);
  if (p.kind == Problem::Kind::Selective) {
    Data data{
        drawn(rng, keys * d), drawn(rng, keys * d), drawn(rng, keys * 1024), {}, {}};
    data.decay.resize(keys * 1024);
    // Steps from 0.001 to 0.1, as models begin.
    std::ranges::generate(data.decay, [&] {
      return static_cast<float>(0.001 * std::pow(100.0, rng.uniform()));
    });
    return data;
  }
  const std::size_t q = static_cast<std::size_t>(p.queries * p.heads) * d;
  const std::size_t kv = keys * static_cast<std::size_t>(p.groups) * d;
  Data data{drawn(rng, q), drawn(rng, kv), drawn(rng, kv), {}, {}};
  if (p.kind == Problem::Kind::Gated) {
    data.decay.resize(kv);
    std::ranges::generate(data.decay,
                          [&] { return static_cast<float>(-0.1 * rng.uniform()); });
  } else if (p.kind == Problem::Kind::Delta) {
    // Keys and queries of length near 1, and decays as models begin.
    for (AlignedFloats* x : {&data.q, &data.k}) {
      for (float& value : *x) {
        value /= std::sqrt(static_cast<float>(p.width));
      }
    }
    data.decay.resize(keys * static_cast<std::size_t>(p.heads));
    data.step.resize(data.decay.size());
    std::ranges::generate(data.decay,
                          [&] { return static_cast<float>(-0.02 * rng.uniform()); });
    std::ranges::generate(data.step, [&] { return static_cast<float>(rng.uniform()); });
  }
  return data;
}

double distance(const float* a, const float* b, std::size_t count) {
  double square = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(a[i]);
    const double off = static_cast<double>(b[i]) - x;
    square += off * off;
    size += x * x;
  }
  return std::sqrt(square / size);
}

struct Contender {
  const char* name;
  Run run;
  std::vector<double> ms{};
};

void compare(const Problem& p, int rounds) {
  const Data data = draw(p);
  std::vector<Contender> all{{"ours", ours(p, data)}};
  if (!p.bounds_only) {
    all.push_back({"onnxruntime", onnxruntime(p, data)});
    all.push_back({"ggml", ggml(p, data)});
    all.push_back({"openblas", openblas(p, data)});
    all.push_back({"onednn", onednn(p, data)});
  }
  all.push_back({"a read", reading(p, data)});
  if (p.half) {
    Problem floats = p;
    floats.half = false;
    all.push_back({"floats read", reading(floats, data)});
  }
  all.push_back({"multiply-adds", multiply_adds(p)});
  std::erase_if(all, [](const Contender& c) { return !c.run.once; });
  for (Contender& c : all) {
    c.run.once();
  }
  const double begin = now();
  all[0].run.once();
  // A sample takes a few milliseconds; a slow case is called once.
  const int calls = std::max(1, static_cast<int>(4e-3 / (now() - begin)));
  for (int round = 0; round < rounds; ++round) {
    for (Contender& c : all) {
      const double start = now();
      for (int i = 0; i < calls; ++i) {
        c.run.once();
      }
      c.ms.push_back(1e3 * (now() - start) / calls);
    }
  }
  const Contender& first = all[0];
  const std::size_t outputs =
      p.kind == Problem::Kind::Attention ? data.q.size() : data.v.size();
  for (const Contender& c : all) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < c.ms.size(); ++i) {
      ratios.push_back(first.ms[i] / c.ms[i]);
    }
    const double least = *std::ranges::min_element(c.ms);
    std::printf(
        "%-24s %-13s %9.3f %9.3f ms", p.name.c_str(), c.name, median(c.ms), least);
    if (&c == &first) {
      p.decodes()
          ? std::printf("  %5.1f GB/s of the cache", p.cache_bytes() / least * 1e-6)
          : std::printf("  %5.1f GFLOP/s", p.flops() / least * 1e-6);
    } else {
      std::printf("  ours/it %5.2f %5.2f",
                  median(ratios),
                  *std::ranges::min_element(first.ms) / least);
      if (c.run.output) {
        std::printf("  off %.0e",
                    distance(first.run.output(), c.run.output(), outputs));
      }
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

std::vector<Problem> problems() {
  using enum Problem::Kind;
  std::vector<Problem> all;
  for (const int n : {256, 1024, 4096}) {
    const std::string size = std::to_string(n);
    all.push_back({"dense " + size, Attention, n, n});
    all.push_back({"causal " + size, Attention, n, n, 1, 1, 64, true});
    all.push_back({"causal 8:2 " + size, Attention, n, n, 8, 2, 64, true});
  }
  all.push_back({"window 256 of 16384", Attention, 16384, 16384, 1, 1, 64, true, 256});
  constexpr std::array kSharing{std::array{8, 1, 64},
                                std::array{8, 2, 64},
                                std::array{8, 8, 64},
                                std::array{32, 8, 128},
                                std::array{32, 4, 128}};
  const auto sharing = [](int heads, int groups, int d) {
    return std::to_string(heads) + ":" + std::to_string(groups) + " x " +
           std::to_string(d);
  };
  for (const int n : {512, 4096, 32768}) {
    for (const auto& [heads, groups, d] : kSharing) {
      const std::string name = sharing(heads, groups, d) + " " + std::to_string(n);
      all.push_back({"decode " + name, Attention, 1, n, heads, groups, d});
      all.push_back(
          {"half " + name, Attention, 1, n, heads, groups, d, false, 0, true});
    }
  }
  for (const auto& [heads, groups, d] : kSharing) {
    const int n = (1 << 30) / (8 * groups * d);
    const std::string name = sharing(heads, groups, d) + " of 1 GiB";
    for (const bool half : {false, true}) {
      Problem p{"memory " + name, Attention, 1, n, heads, groups, d};
      p.name += half ? ", half" : "";
      p.half = half;
      p.bounds_only = true;
      all.push_back(p);
    }
  }
  all.push_back({"gla 2048 x 1024", Gated, 2048, 2048, 16, 16, 64});
  all.push_back({"gated-delta 2048 x 1024", Delta, 2048, 2048, 16, 16, 64});
  all.push_back({"gated-delta 1 x 1024", Delta, 1, 1, 16, 16, 64});
  all.push_back({"mamba 2048 x 1024", Selective, 2048, 2048, 1, 1, 16});
  return all;
}

}  // namespace

double Problem::flops() const {
  if (kind == Kind::Delta) {
    return 6.0 * keys * heads * width * width;
  }
  if (kind != Kind::Attention) {
    return kind == Kind::Gated ? 4.0 * keys * heads * width * width
                               : 6.0 * keys * 1024 * width;
  }
  double pairs = 0.0;
  for (int i = 0; i < queries; ++i) {
    pairs += !causal ? keys : window > 0 ? std::min(i + 1, window) : i + 1;
  }
  return 4.0 * pairs * heads * width;
}

double Problem::cache_bytes() const {
  return 2.0 * keys * groups * width * (half ? 2 : 4);
}

}  // namespace peers

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 9;
  const std::string begin = argc > 2 ? argv[2] : "";
  for (const peers::Problem& p : peers::problems()) {
    if (p.name.starts_with(begin)) {
      peers::compare(p, rounds);
    }
  }
  return 0;
}
