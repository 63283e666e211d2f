#include "cli/help_pages.h"

#include <algorithm>

namespace oa::cli {
namespace {

constexpr std::string_view kMainOptions = "Main options";

constexpr std::array kPages{
    HelpPage{"oa-anneal",
             "  oa-qubo model.bin digits | oa-anneal | oa-score\n"
             "  oa-anneal --solver tabu --time-limit 10 problem.qubo\n",
             {{{kMainOptions,
                "FILE --output --solver --time-limit --target --reads --top --format "
                "--sense --seed --threads"},
               {"Problem",
                "--vartype --graph --coefficients --fix --initial --convert "
                "--drop-names"},
               {"Solver", "--schedule --hot --cold"},
               {"Effort", "--sweeps --max-nodes --no-presolve --no-recover"},
               {"Samples", "--sample --temperature --beta --samples --marginals"},
               {"Proofs", "--all-optima --count-optima --verify"},
               {"Output",
                "--solution --trace --join --best-of --no-times --json --verbose "
                "--quiet --help "
                "--version"}}}},
    HelpPage{"oa-bench", "  oa-bench --n 4096 --heads 4\n"},
    HelpPage{"oa-cim-ingest", "  oa-cim-ingest mat.manifest results/ | oa-score\n"},
    HelpPage{"oa-cim-pack", "  oa-cim-pack problems.oa -o mat.tar.gz\n"},
    HelpPage{"oa-cim-sim", "  oa-cim-sim mat.tar.gz -o results\n"},
    HelpPage{"oa-digits", "  oa-digits -o digits\n"},
    HelpPage{"oa-heatmap",
             "  oa-heatmap sparsity solutions.oa\n"
             "  oa-heatmap curves run.jsonl -o curves.png\n"},
    HelpPage{
        "oa-qubo",
        "  oa-qubo model.bin digits | oa-anneal | oa-score\n"
        "  oa-qubo model.bin picture.png --fit -o problem.oa\n"
        "  oa-qubo --values V.npy --queries Q.npy | oa-anneal | oa-score\n",
        {{{kMainOptions,
           "MODEL IMAGES --output --first --index --fit --layer --head --shard "
           "--plan --coefficients --threads"},
          {"Least squares", "--values --queries --lambda --choose --real-coefficients"},
          {"Images", "--labels --invert"},
          {"Problem", "--stride --levels --encoding --penalty --level-scale --answers"},
          {"Output", "--json --quiet --help --version"}}}},
    HelpPage{
        "oa-score",
        "  oa-score solutions.oa\n"
        "  oa-score model.bin picture.png --fit\n"
        "  oa-score --compare exact.oa machine.oa\n",
        {{{kMainOptions,
           "FILE --output --model --first --index --fit --wrong --csv --compare "
           "--json --threads"},
          {"Images", "--labels --invert"},
          {"Model", "--stride --coefficients --levels --layer-by-layer"},
          {"Text", "--generate --prompt --temperature --seed"},
          {"Report", "--truth --marginals --top-k --join --quiet --help --version"}}}},
    HelpPage{"oa-tasks", "  oa-tasks recall -o recall --pairs 16\n"},
    HelpPage{
        "oa-train",
        "  oa-train digits -o model.bin --epochs 3\n"
        "  oa-train photos -o model.bin --resize 32 --grey\n",
        {{{kMainOptions,
           "DATA --output --test --epochs --recipe --attention --heads --layers "
           "--coefficients --seed --threads"},
          {"Data",
           "--text --context --sentences --images --labels --test-images --test-labels "
           "--resize --grey --invert --first --held-out"},
          {"Model",
           "--patch --window --embedding --patch-norm --positions --previous --dim "
           "--residual --token-mlp --query-positions --pooling --head --init --convert "
           "--mixing"},
          {"Attention",
           "--queries --keys --loops --causal --levels --normalization --lambda "
           "--value-scale "
           "--divide-output"},
          {"Training",
           "--batch --parts --lr --schedule --warmup --weight-decay --clip --smoothing "
           "--double-softmax --average --shift --rotate --scale --shear --mirror "
           "--random-tokens --gradient --exact --max-nodes --curriculum --temperature "
           "--tolerance --admm-iterations"},
          {"Output",
           "--seeds --checkpoint --resume --log --csv --tensorboard --json --quiet "
           "--help --version"}}}},
    HelpPage{"oa-view",
             "  oa-view model.bin\n"
             "  oa-view --check solutions.oa\n"},
};

constexpr HelpPage kNoPage{};

}  // namespace

const HelpPage& help_page(std::string_view tool) {
  const auto* found = std::ranges::find(kPages, tool, &HelpPage::tool);
  return found == kPages.end() ? kNoPage : *found;
}

}  // namespace oa::cli
