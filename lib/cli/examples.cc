#include "cli/examples.h"

#include <algorithm>
#include <array>

namespace oa::cli {
namespace {

struct Examples {
  std::string_view tool;
  std::string_view lines;
};

constexpr std::array kExamples{
    Examples{"oa-anneal",
             "  oa-qubo model.bin digits | oa-anneal | oa-score\n"
             "  oa-anneal --solver tabu --time-limit 10 problem.qubo\n"},
    Examples{"oa-bench", "  oa-bench --n 4096 --heads 4\n"},
    Examples{"oa-cim-ingest", "  oa-cim-ingest mat.manifest results/ | oa-score\n"},
    Examples{"oa-cim-pack", "  oa-cim-pack problems.oa -o mat.tar.gz\n"},
    Examples{"oa-cim-sim", "  oa-cim-sim mat.tar.gz -o results\n"},
    Examples{"oa-digits", "  oa-digits -o digits\n"},
    Examples{"oa-heatmap",
             "  oa-heatmap sparsity solutions.oa\n"
             "  oa-heatmap curves run.jsonl -o curves.png\n"},
    Examples{"oa-qubo",
             "  oa-qubo model.bin digits | oa-anneal | oa-score\n"
             "  oa-qubo model.bin picture.png --fit -o problem.oa\n"},
    Examples{"oa-score",
             "  oa-score solutions.oa\n"
             "  oa-score model.bin picture.png --fit\n"
             "  oa-score --compare exact.oa machine.oa\n"},
    Examples{"oa-tasks", "  oa-tasks recall -o recall --pairs 16\n"},
    Examples{"oa-train",
             "  oa-train digits -o model.bin --epochs 3\n"
             "  oa-train photos -o model.bin --resize 32 --grey\n"},
    Examples{"oa-view",
             "  oa-view model.bin\n"
             "  oa-view --check solutions.oa\n"},
};

}  // namespace

std::string_view examples_of(std::string_view tool) {
  const auto* found = std::ranges::find(kExamples, tool, &Examples::tool);
  return found == kExamples.end() ? std::string_view() : found->lines;
}

}  // namespace oa::cli
