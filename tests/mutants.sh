#!/bin/sh
# Checks that the tests notice wrong arithmetic: each line below changes one place of
# the library, in a copy; then the unit tests of the named rooms must fail, crash or
# not end.  A mutant that survives means that a test is missing.
# Usage: mutants.sh BUILD [FILE [JOBS]] (a build with tests by Ninja, not by folders and
# up to date; nothing in it is changed; FILE: only those of files with this in their
# name, '' for all)
set -u
root=$(cd "$(dirname "$0")/.." && pwd)

# FILE[:SOURCE] ROOMS-OF-TESTS SED; SOURCE includes FILE and lies beside it.
mutants='
base/exact_sum.cc   base       s/if (error != 0.0)/if (error > 0.0)/
base/exact_sum.cc   base       s/lost < 0.0) == (/lost < 0.0) != (/
base/exact_sum.cc   base       s/up - sum == 2.0/up - sum != 2.0/
qubo/energies.cc    qubo,solve s/0.5 \* j(a, a), halves_/j(a, a), halves_/
qubo/energies.cc    qubo,solve s/bits_ |= pairs_\[k\];//
encode/encode.cc    encode     s/queries.empty() ? k : queries\[static_cast<std::size_t>(k)\]/k/
io/tensor/safetensors.cc io    s/ \&\& a.shape == b.shape;/;/
qubo/energies.cc    qubo,solve s/sum += linear_\[i\]/sum -= linear_[i]/
qubo/energies.cc    qubo,solve s/for (std::size_t b = 0; b < a; ++b) {/for (std::size_t b = 1; b < a; ++b) {/
qubo/problem.cc     qubo       s/part.add(0.5 \* double/part.add(double/
qubo/problem.cc     qubo       s/part.add(double{h\[ones\[a\]\]});//
qubo/problem.cc     qubo       s/0.5 \* double{row\[a\]} \* xa/double{row[a]} * xa/
qubo/quadratic.cc   qubo       s/sum.add(f.offset);//
qubo/quadratic.cc   qubo       s/part += std::int32_t{weights\[k\]}/part -= std::int32_t{weights[k]}/
qubo/quadratic.cc   qubo       s/factor \* value\[other\]/factor/
qubo/quadratic.cc   qubo       s/to_binary ? 4.0 : 0.25;/to_binary ? 4.0 : 0.5;/
qubo/quadratic.cc   qubo       s/to_binary ? -2.0 : 0.25/to_binary ? 2.0 : 0.25/
qubo/pairs.cc       qubo       s/upper + lower) \/ (halves/upper - lower) \/ (halves/
qubo/pairs.cc       qubo       s/rests.push_back({first, second, left});//
qubo/pairs.cc       qubo       s/put(i, k, sum);/put(i, k, before);/
cim/quantise.cc     cim        s/std::nearbyint(rule.scale \* s.row/std::floor(rule.scale * s.row/
cim/quantise.cc     cim        s/pull(block, i) + 1/pull(block, i)/
cim/quantise.cc     cim        s/rest > 0 ? 1 : -1/rest > 0 ? -1 : 1/
cim/quantise.cc     cim        s/std::abs(level) > rule.top_level/std::abs(level) > rule.top_level + 1/
train/loss.cc       train      s/last\[k\] - y;/last[k] + y;/
train/loss.cc       train      s/p\[k\] \* (d\[k\] - along)/p[k] * d[k]/
train/loss.cc       train      s/top + std::log(sum)/std::log(sum)/
parts/layers.cc     model      s/num::multiply(workspace.slope, workspace.dhidden);//
parts/layers.cc     model      s/num::add_rows(dy, gradient.vector(bias_));//
attention/kinds/optimizing.cc model  s/dh_, v, dq, -2.0F/dh_, v, dq, 2.0F/
attention/kinds/optimizing.cc model  s/q, dv, -2.0F \* scale_/q, dv, -scale_/
attention/kinds/optimizing.cc model  s/dj_, v, dv, 2.0F \* gram/dj_, v, dv, 4.0F * gram/
attention/kinds/softmax.cc model     s/num::matmul_transposed_add(p, dout, dv);//
solve/exact/box/convex.cc solve    s/    if (left\[i\] < 0.0) {/    if (left[i] >= 0.0) {/
solve/exact/box/twins.cc  solve    s/return false;/return true;/
solve/exact/presolve/roof.cc solve      s/linear += c.weight;/linear -= c.weight;/
solve/exact/presolve/roof.cc solve      s/linear > 0 ? 2 \* i : 2 \* i + 1/linear > 0 ? 2 * i + 1 : 2 * i/
solve/program/product_bound.cc solve  s/row.high) - row.weights\[at(j)\])/row.high))/
solve/program/product_bound.cc solve  s/limit : limit - row.weights\[at(one)\])/limit : limit)/
solve/program/product_bound.cc solve  s/  to += change;//
solve/program/product_search.cc solve s/bound_.shift()) + 1.0/bound_.shift())/
solve/program/product_search.cc solve s/cost > 0.0 ? 0 : 1/cost > 0.0 ? 1 : 0/
solve/heuristic/merge.cc solve      s/inside += 0.5 \* flips/inside += flips/
solve/heuristic/merge.cc solve      s/x\[i\] ^= y/x[i] |= y/
solve/exact/spin/bound.cc solve      s/0.125 \* c.weight/0.25 * c.weight/
solve/exact/spin/bound.cc solve      s/form.rest.add(-0.5 \* value)/form.rest.add(-0.4 * value)/
solve/exact/spin/clique_bound.cc solve  s/sum.add(cliques_\[t\].least() \* weight)/sum.add(-weight)/
solve/exact/spin/clique_bound.cc solve  s/sum.add(-0.5 \* value)/sum.add(-0.4 * value)/
solve/exact/spin/odd_clique.cc solve    s/member.minus != (sign < 0.0)/member.minus/
solve/exact/spin/odd_clique.cc solve    s/sorted\[a\].minus != sorted\[0\].minus/sorted[a].minus/
solve/exact/spin/odd_clique.cc solve    s/merged.back().weight += clique.weight;//
solve/exact/spin/odd_clique.cc solve s/gain > kHelps ? now : before/before/
solve/exact/spin/odd_clique.cc solve s/-product - limit, third/product - limit, third/
solve/exact/spin/clique_kernels.cc solve s/if (k < n) {/if (k > n) {/
solve/exact/presolve/presolve.cc solve      s/linear\[at(c.other)\] += c.weight;/linear[at(c.other)] -= c.weight;/
solve/exact/presolve/presolve.cc solve      s/below(l + b) - m;/below(l + b) + m;/
solve/exact/presolve/presolve.cc solve      s/if (any || last < i)/if (true)/
solve/exact/presolve/presolve.cc solve      s/high == 0 \&\& any/high == 0/
solve/arithmetic/whole.cc solve      s/units - static_cast<Whole>(nearest)/0/
solve/cut/graph.cc solve   s/rest.add(0.25 \* c.weight)/rest.add(0.125 * c.weight)/
solve/cut/graph.cc solve   s/-2.0 \* std::abs(linear.value())/0.0/
solve/exact/tree/blocks.cc solve     s/value_of(f, \*one) - at_zero/value_of(f, *one) + at_zero/
solve/exact/tree/blocks.cc solve     s/offset_ += at_zero;//
solve/exact/tree/blocks.cc solve     s/earliest_\[at(i)\] >= turn_/earliest_[at(i)] > turn_/
solve/exact/tree/blocks.cc solve     s/needed_\[at(block.head)\] = true/needed_[at(block.head)] = false/
solve/exact/tree/blocks.cc solve     s/cut->at_one : cut->at_zero/cut->at_zero : cut->at_one/
solve/exact/tree/blocks.cc solve     s/symmetric \&\& twice == 0/symmetric/
solve/exact/tree/blocks.cc solve     s/block.head == largest.head \&\&/true \&\&/
solve/cut/bound.cc solve   s/rounded > 0.0 ? std::ldexp/true ? std::ldexp/
solve/cut/bound.cc solve   s/sum.add(e.odd ? -price : 0.0);//
solve/cut/bound.cc solve   s/fixed\[e\] == Fixed::Free \&\& price < 0.0/fixed[e] == Fixed::Free \&\& price > 0.0/
solve/cut/bound.cc solve   s/sum.rounded_down();/std::nextafter(sum.value(), 1e300);/
solve/cut/odd_cycle.cc solve   s/state % 2) ^ std::int32_t{odd}/state % 2)/
solve/cut/odd_cycle.cc solve   s/if (odd % 2 != 0)/if (odd % 2 == 0)/
solve/single/posed.cc      solve      s/posed.error = std::ldexp(changes/posed.error = std::ldexp(0.0 * changes/
solve/exact/box/exact.cc solve      s/most - level.base + level.slack(moves);/most - 0.01 * std::abs(most) - level.base;/
solve/exact/box/exact.cc solve      s/worst.energy - 0.5 \* found_.step()/worst.energy - 1.5 * found_.step()/
solve/exact/box/exact.cc solve      s/h.push_back(v.g\[i\] + 0.5/h.push_back(v.g[i] - 0.5/
solve/single/quadratic.cc solve    s/energy > least_gap();/energy >= 0.0;/
solve/method/result.cc solve      s/energy < s.value()/energy.value < s.energy/
attention/kernel/decode.cc attention s/sum += share\[at(part)\] \* scratch/sum += scratch/
attention/kernel/decode.cc attention s/std::min(job.panel, job.end - begin)/job.panel/
attention/kernel/decode.cc attention s/scale(sum, num::kLane, factor);//
attention/kernel/decode.cc attention s/scale(scratch.o.row(row), scratch.o.stride, factor);//
attention/kernel/decode.cc attention s/hn::Le(highest, hn::Set(d, top))/hn::Le(highest, hn::Set(d, 500.0F))/
survey/kernel/fused/rows.cc survey,attention s/row.sum \*= factor;//
survey/kernel/fused/rows.cc survey,attention s/num::scale({o.row(r), 1, o.cols, o.stride}, factor);//
survey/kernel/fused/rows.cc survey,attention s/float kSlack = 8.0F/float kSlack = 300.0F/
survey/kernel/fused/rows.cc survey,attention s/std::fill(row + done, row + run.begin, 0.0F);//
survey/kernel/fused/rows.cc survey,attention s/std::fill(row + done, row + length, 0.0F);//
survey/kernel/fused/rows.cc survey,attention s/hn::IfThenZeroElse(hn::Eq(weight, hn::Zero(d)), x)/x/
survey/kernel/fused/rows.cc survey,attention s/j < c.cols \&\& factor != 0.0F/j < c.cols/
survey/kernel/fused/rows.cc survey,attention s/return hn::AllTrue(d, hn::Eq(bits, hn::Zero(d)));/return true;/
survey/kernel/fused/rows.cc survey,attention s/if (q == first || !pattern.alike(q - 1, q))/if (q == first)/
survey/kernel/fused/tile.cc survey,attention s/static_cast<double>(row.reference);/0.0;/
survey/kernel/fused/flash1.cc survey,attention s/return sums\[at(r)\].sum \* x;/return x;/
survey/kernel/fused/backward.cc survey,attention s/return y + factor \* x;/return factor * x;/
survey/kernel/fused/backward.cc survey,attention s/i < count \&\& t.begins/i < count/
survey/kernel/fused/backward.cc survey,attention s/add_scaled_rows(w.dq, t.scale, to)/add_scaled_rows(w.dq, 1.0F, to)/
survey/kernel/pattern/pattern.cc survey,attention s/p.grain_ = 1 << std::countr_zero(edges);/p.grain_ = 1 << 20;/
survey/kernel/pattern/patterns.cc survey,attention s/i < globals ? n : globals/globals/
survey/kernel/pattern/patterns.cc survey,attention s/runs\[r\].begin <= number + skipped/runs[r].begin < number + skipped/
survey/kernel/pattern/patterns.cc survey,attention s/const int left = keys - 1 - /const int left = keys - /
survey/kernel/pattern/patterns.cc survey,attention s/std::max(run.begin, end)/run.begin/
survey/kernel/pattern/patterns.cc survey,attention s/begin + block - summary, begin + block/begin + block - summary, begin + block - 1/
survey/kernel/fused/threshold.cc survey,attention s/row.limit - tau/row.limit - 2.0F * tau/
survey/kernel/fused/threshold.cc survey,attention s/if (kept) {/if (!kept) {/
survey/kernel/sparse/topk.cc survey,attention s/list.ranks\[i\] == rank \&\& equal-- > 0/list.ranks[i] == rank/
survey/kernel/sparse/topk.cc survey,attention s/hn::And(negative, hn::Set(r, 0x7FFFFFFF))/hn::Zero(r)/
survey/kernel/sparse/topk.cc survey,attention s/logit_of(low + 1);  /logit_of(low + 9999999);  /
survey/kernel/sparse/topk.cc survey,attention s/s.sum \* std::exp(before - s.top)/s.sum/
survey/kernel/sparse/topk.cc survey,attention s/hn::IfThenElse(hn::IsNaN(x), infinite, /hn::IfThenElse(hn::IsNaN(x), hn::Zero(f), /
survey/kernel/sparse/hard.cc survey,attention s/means(h, i) += mean_gradient/means(h, i) = mean_gradient/
survey/kernel/sparse/learned_mask.cc survey,attention s/if (key_block != query_block) {/if (true) {/
survey/kernel/sparse/learned_mask.cc survey,attention s/g \* (1.0F - g) \/ mask.temperature/g * (1.0F - g)/
survey/kernel/sparse/csr.cc survey,attention s/log_sums(h, query) = log_sum;/log_sums(h, query) = 0.0F;/
survey/kernel/scan/gated_scan.cc survey,attention s/hn::Store(hn::Zero(d), d, b + j);//
survey/kernel/scan/gated_scan.cc survey,attention s/s = hn::NegMulAdd(hn::Load(d, k + i)/s = hn::MulAdd(hn::Load(d, k + i)/
survey/kernel/scan/gated_scan.cc survey,attention s/kLargestSum = 20.0F/kLargestSum = 500.0F/
survey/kernel/scan/outer_scan.cc survey,attention s/first ? hn::Zero(d) : hn::Load(d, out/hn::Zero(d); (void)first; (void)(out/
survey/kernel/scan/diagonal_scan.cc survey,attention s/d_pole_im = hn::NegMulAdd(g_re, s_im/d_pole_im = hn::MulAdd(g_re, s_im/
survey/kernel/scan/selective_chunk.cc survey,attention s/hn::Mul(slope, hn::Load(d, g.decay + from))/slope/
survey/kernel/scan/selective_scan.cc survey,attention s/b += db\[from\];/b = db[from];/
survey/kernel/scan/selective_scan.cc survey,attention s/ + skip\[i\] \* x.dy\[from\]//
survey/kernel/scan/linear_scan.cc survey,attention s/scale_row(state.u, x.decays.last, state.u, f);//
survey/kernel/scan/linear_scan.cc survey,attention s/x.clamps += s.clamped/x.clamps += 0 * s.clamped/
survey/kernel/scan/convolution.cc survey,attention s/const int from = x.rows - state.rows + i;/const int from = x.rows - 1 - state.rows + i;/
'

# link_tests FOLDER ROOMS [OBJECT]: the tests of these rooms as FOLDER/unit, with an
# object before the library.
link_tests() {
  wanted=$(echo "$2" | tr , '|')
  tests=$(find tests/CMakeFiles/oa-unit.dir/unit -name '*.o' |
    grep -E "/unit/($wanted)/" | tr '\n' ' ')
  link=$(ninja -t commands oa-unit | tail -1 | sed 's/^: && //; s/ && cd .*//' |
    tr ' ' '\n' | grep -v 'oa-unit.dir/unit/' | tr '\n' ' ' |
    sed "s,-o tests/oa-unit,$tests ${3-} -o $1/unit,")
  sh -c "$link" 2>"$1/err" || { head -n 3 "$1/err"; return 1; }
}

# try FOLDER LINE: the result of one mutant, in a line; its file and `killed` or
# `survived` go to FOLDER/result.
try() {
  folder=$1
  spec=$(echo "$2" | cut -d' ' -f1)
  rooms=$(echo "$2" | sed 's/^[^ ]* *\([^ ]*\).*/\1/')
  change=$(echo "$2" | sed 's/^[^ ]* *[^ ]* *//')
  file=${spec%:*}
  target=oa
  library=oa/
  case $file in
    io/*) target=oa_io ;;
    survey/*) target=oa_survey library= ;;
  esac
  from=$root/lib/$library$file
  to=$folder/$library$file
  mkdir -p "${to%/*}"
  sed "$change" "$from" >"$to"
  compiled=$to
  object=$file
  if [ "$spec" != "$file" ]; then
    object=${file%/*}/${spec#*:}
    compiled=$root/lib/$library$object
  fi
  fate=survived
  said="survived:"
  if cmp -s "$to" "$from"; then
    said="changes nothing:"
  else
    compile=$(ninja -t commands "lib/CMakeFiles/$target.dir/$library$object.o" | tail -1 |
      sed "s,ccache ,,; s, , -I$folder ,; s, -MD.*, -Wno-error -o $folder/mutant.o -c $compiled,")
    if ! sh -c "$compile" 2>"$folder/err"; then
      said="does not compile: $(head -n 3 "$folder/err")"
    elif ! link_tests "$folder" "$rooms" "$folder/mutant.o"; then
      said="does not link:"
    elif ! sh -c 'cd "$1" && timeout 300 ./unit --abort-after=1; exit $?' sh "$folder" \
      >"$folder/out" 2>&1; then
      fate=killed
      said="killed:"
    fi
  fi
  echo "$said $file $change"
  echo "$file $fate" >"$folder/result"
  rm -f "$folder/unit" "$folder/mutant.o"
}

if [ "$1" = --try ]; then  # BUILD FOLDER NUMBER
  cd "$2" || exit 99
  mkdir "$3/$4"
  try "$3/$4" "$(sed -n "$4p" "$3/list")"
  exit 0
fi

build=$(cd "$1" && pwd)
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$build" || exit 99

echo "$mutants" | grep "^[^ ]*${2-}" | grep . >"$dir/list"
count=$(wc -l <"$dir/list")
[ "$count" != 0 ] || { echo "no file has '$2' in its name"; exit 2; }
# Without a change all tests must pass.
rooms=$(sed 's/^[^ ]* *\([^ ]*\).*/\1/' "$dir/list" | tr , '\n' | sort -u | paste -sd,)
link_tests "$dir" "$rooms" || exit 99
(cd "$dir" && ./unit) >"$dir/out" 2>&1 || { echo "the tests fail without a change"; exit 99; }

seq "$count" |
  xargs -n 1 -P "${3:-1}" "$root/tests/mutants.sh" --try "$build" "$dir"

# row FILE MUTANTS KILLED
row() { printf '| %-42s | %7s | %6s |\n' "$@"; }
row changed mutants killed
row --- --- ---
for number in $(seq "$count"); do
  cat "$dir/$number/result"
done >"$dir/results"
for file in $(cut -d' ' -f1 "$dir/results" | awk '!seen[$0]++'); do
  row "$file" "$(grep -c "^$file " "$dir/results")" "$(grep -c "^$file killed" "$dir/results")"
done
killed=$(grep -c ' killed$' "$dir/results")
row all "$count" "$killed"
[ "$killed" = "$count" ]
