// Runs one of our scans for fla.py: reads the arrays of a folder, writes o, prints ms.
//   scans KIND FOLDER TOKENS HEADS WIDTH ROUNDS
// The folder has q, k, v (TOKENS x HEADS WIDTH), decay, step (and for mesa ridge) as
// raw floats.
#include "oa/base/arena.h"
#include "peer.h"
#include "survey/kernel/delta/delta_scan.h"
#include "survey/kernel/regression/mesa.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace oa;
using namespace oa::attention;
using peers::AlignedFloats;

struct Job {
  std::string kind;
  std::string folder;
  int tokens;
  int heads;
  int width;
};

AlignedFloats read(const Job& job, const std::string& name) {
  std::ifstream in(job.folder + "/" + name, std::ios::binary | std::ios::ate);
  if (!in) {
    return {};
  }
  AlignedFloats data(static_cast<std::size_t>(in.tellg()) / sizeof(float));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(data.data()),
          static_cast<std::streamsize>(data.size() * sizeof(float)));
  return data;
}

double process_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) +
         1e-6 * static_cast<double>(now.tv_nsec);
}

void run(const Job& job, int rounds) {
  const auto view = [&](const AlignedFloats& data) {
    const int cols = static_cast<int>(data.size()) / job.tokens;
    return num::ConstView{data.data(), job.tokens, cols, cols};
  };
  const AlignedFloats q = read(job, "q");
  const AlignedFloats k = read(job, "k");
  const AlignedFloats v = read(job, "v");
  const AlignedFloats decay = read(job, "decay");
  const AlignedFloats step = read(job, "step");
  const AlignedFloats ridge = read(job, "ridge");
  AlignedFloats gate = decay;
  for (float& g : gate) {
    g = std::exp(g);
  }
  const int cols = job.heads * job.width;
  AlignedFloats o(v.size());
  AlignedFloats z(v.size());
  const num::View out{o.data(), job.tokens, cols, cols};
  Arena arena(std::size_t{64} << 20);

  const DeltaShape delta{job.heads, job.width, job.width, 1};
  const MesaShape mesa{.heads = job.heads, .width = job.width};
  const bool regression = job.kind == "mesa";
  num::Buffer state(static_cast<std::size_t>(regression ? mesa_state_size(mesa)
                                                        : delta_state_size(delta)));
  const auto once = [&] {
    std::ranges::fill(state.span(), 0.0F);
    if (regression) {
      mesa_forward(mesa,
                   {view(q), view(k), view(v), view(gate), view(step), ridge},
                   out,
                   {z.data(), job.tokens, cols, cols},
                   state.span(),
                   arena);
    } else {
      delta_scan(delta,
                 {.q = view(q),
                  .k = view(k),
                  .v = view(v),
                  .step = view(step),
                  .log_decay = decay.empty() ? num::ConstView{} : view(decay),
                  .read = {}},
                 out,
                 state.span(),
                 {},
                 arena);
    }
  };
  once();
  std::vector<double> ms;
  for (int i = 0; i < rounds; ++i) {
    const double begin = process_ms();
    once();
    ms.push_back(process_ms() - begin);
  }
  std::ranges::sort(ms);
  std::printf("%.4f\n", ms[ms.size() / 2]);
  std::ofstream(job.folder + "/o", std::ios::binary)
      .write(reinterpret_cast<const char*>(o.data()),
             static_cast<std::streamsize>(o.size() * sizeof(float)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fputs("usage: scans KIND FOLDER TOKENS HEADS WIDTH ROUNDS\n", stderr);
    return 2;
  }
  run({argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5])},
      std::atoi(argv[6]));
  return 0;
}
