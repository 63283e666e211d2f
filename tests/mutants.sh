#!/bin/sh
# Checks that the tests notice wrong arithmetic: each line below changes one place of
# the library, in a copy; then the unit tests of the named layers must fail, crash or
# not end.  A mutant that survives means that a test is missing.
# Usage: mutants.sh BUILD [FILE] (a build with tests, up to date; nothing in it is
# changed; FILE: only those of files with this in their name)
set -u
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

# FILE LAYERS-OF-TESTS SED
mutants='
base/exact_sum.cc   base       s/if (error != 0.0)/if (error > 0.0)/
base/exact_sum.cc   base       s/lost < 0.0) == (/lost < 0.0) != (/
base/exact_sum.cc   base       s/up - sum == 2.0/up - sum != 2.0/
qubo/energies.cc    qubo,solve s/0.5 \* j(a, a), halves_/j(a, a), halves_/
qubo/energies.cc    qubo,solve s/bits_ |= pairs_\[k\];//
encode/encode.cc    encode     s/asked.empty() ? k : asked\[static_cast<std::size_t>(k)\]/k/
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
attention/optimizing.cc model  s/dx, -2.0F \* scale_/dx, 2.0F * scale_/;s/dh_, v_, dq_, -2.0F/dh_, v_, dq_, 2.0F/
attention/optimizing.cc model  s/query_.q, dv_, -2.0F \* scale_/query_.q, dv_, -scale_/
attention/optimizing.cc model  s/dj_, v_, dv_, 4.0F/dj_, v_, dv_, 2.0F/
attention/softmax.cc model     s/num::matmul_transposed_add(p, dout, dv);//
solve/exact/convex.cc solve    s/    if (left\[i\] < 0.0) {/    if (left[i] >= 0.0) {/
solve/exact/twins.cc  solve    s/return false;/return true;/
solve/exact/roof.cc solve      s/linear += c.weight;/linear -= c.weight;/
solve/exact/roof.cc solve      s/linear > 0 ? 2 \* i : 2 \* i + 1/linear > 0 ? 2 * i + 1 : 2 * i/
solve/heuristic/merge.cc solve      s/inside += 0.5 \* flips/inside += flips/
solve/heuristic/merge.cc solve      s/x\[i\] ^= y/x[i] |= y/
solve/exact/spin_bound.cc solve      s/0.125 \* c.weight/0.25 * c.weight/
solve/exact/spin_bound.cc solve      s/form.rest.add(-0.5 \* value)/form.rest.add(-0.4 * value)/
solve/exact/clique_bound.cc solve  s/sum.add(cliques_\[t\].least() \* weight)/sum.add(-weight)/
solve/exact/clique_bound.cc solve  s/sum.add(-0.5 \* value)/sum.add(-0.4 * value)/
solve/exact/odd_clique.cc solve    s/member.minus != (sign < 0.0)/member.minus/
solve/exact/odd_clique.cc solve    s/sorted\[a\].minus != sorted\[0\].minus/sorted[a].minus/
solve/exact/odd_clique.cc solve    s/merged.back().weight += clique.weight;//
solve/exact/violated_cliques.cc solve s/gain > kHelps ? now : before/before/
solve/exact/violated_cliques.cc solve s/-product - limit, third/product - limit, third/
solve/exact/clique_kernels.cc solve s/if (k < n) {/if (k > n) {/
solve/exact/presolve.cc solve      s/linear\[at(c.other)\] += c.weight;/linear[at(c.other)] -= c.weight;/
solve/exact/presolve.cc solve      s/below(l + b) - m;/below(l + b) + m;/
solve/exact/presolve.cc solve      s/if (any || last < i)/if (true)/
solve/exact/presolve.cc solve      s/high == 0 \&\& any/high == 0/
solve/exact/whole.cc solve      s/units - static_cast<Whole>(nearest)/0/
solve/cut/cut_graph.cc solve   s/rest.add(0.25 \* c.weight)/rest.add(0.125 * c.weight)/
solve/cut/cut_graph.cc solve   s/-2.0 \* std::abs(linear.value())/0.0/
solve/exact/blocks.cc solve     s/value_of(f, \*one) - at_zero/value_of(f, *one) + at_zero/
solve/exact/blocks.cc solve     s/offset_ += at_zero;//
solve/exact/blocks.cc solve     s/earliest_\[at(i)\] >= turn_/earliest_[at(i)] > turn_/
solve/exact/blocks.cc solve     s/needed_\[at(block.head)\] = true/needed_[at(block.head)] = false/
solve/exact/blocks.cc solve     s/cut->at_one : cut->at_zero/cut->at_zero : cut->at_one/
solve/exact/blocks.cc solve     s/symmetric \&\& twice == 0/symmetric/
solve/exact/blocks.cc solve     s/block.head == largest.head \&\&/true \&\&/
solve/cut/cut_bound.cc solve   s/rounded > 0.0 ? std::ldexp/true ? std::ldexp/
solve/cut/cut_bound.cc solve   s/sum.add(e.odd ? -price : 0.0);//
solve/cut/cut_bound.cc solve   s/fixed\[e\] == Fixed::Free \&\& price < 0.0/fixed[e] == Fixed::Free \&\& price > 0.0/
solve/cut/cut_bound.cc solve   s/sum.rounded_down();/std::nextafter(sum.value(), 1e300);/
solve/cut/odd_cycle.cc solve   s/state % 2 == std::int32_t{odd} ? 1 : 0/state % 2 == std::int32_t{odd} ? 0 : 1/
solve/cut/odd_cycle.cc solve   s/if (odd % 2 != 0)/if (odd % 2 == 0)/
solve/posed.cc      solve      s/posed.error = std::ldexp(changes/posed.error = std::ldexp(0.0 * changes/
solve/exact/exact.cc solve      s/most - level.base + level.slack(moves);/most - 0.01 * std::abs(most) - level.base;/
solve/exact/exact.cc solve      s/worst.energy - 0.5 \* found_.step()/worst.energy - 1.5 * found_.step()/
solve/exact/exact.cc solve      s/h.push_back(v.g\[i\] + 0.5/h.push_back(v.g[i] - 0.5/
solve/general.cc    solve      s/> 4.0 \* posed_.error/>= 0.0 * posed_.error/
solve/method/result.cc solve      s/energy < s.value()/energy.value < s.energy/
'

cd "$build" || exit 99
all_link=$(ninja -t commands oa-unit | tail -1 | sed 's/^: && //; s/ && cd .*//')
survived=0 killed=0

# build_unit LAYERS [OBJECT]: the tests of these layers, with an object before the library
build_unit() {
  wanted=$(echo "$1" | tr , '|')
  tests=$(ls tests/CMakeFiles/oa-unit.dir/unit/*/*.o | grep -E "/unit/($wanted)/" | tr '\n' ' ')
  link=$(echo "$all_link" | tr ' ' '\n' | grep -v 'oa-unit.dir/unit/' | tr '\n' ' ' |
    sed "s,-o tests/oa-unit,$tests ${2-} -o $dir/unit,")
  sh -c "$link" 2>"$dir/err" || { head -n 3 "$dir/err"; exit 99; }
}

# Without a change all tests must pass.
build_unit base,qubo,cim,train,model,solve
(cd "$dir" && ./unit) >"$dir/out" 2>&1 || { echo "the tests fail without a change"; exit 99; }

echo "$mutants" | grep "^[^ ]*${2-}" >"$dir/list"
while read -r file layers change <&3; do
  [ -n "$file" ] || continue
  echo "$file" >>"$dir/tried"
  sed "$change" "$root/lib/oa/$file" >"$dir/mutant.cc"
  if cmp -s "$dir/mutant.cc" "$root/lib/oa/$file"; then
    echo "changes nothing: $file $change"
    survived=$((survived + 1))
    continue
  fi
  compile=$(ninja -t commands "lib/CMakeFiles/oa.dir/oa/$file.o" | tail -1 |
    sed "s,ccache ,,; s, -MD.*, -Wno-error -I$root/lib/oa/${file%/*} -o $dir/mutant.o -c $dir/mutant.cc,")
  if ! sh -c "$compile" 2>"$dir/err"; then
    echo "does not compile: $file $change"
    head -n 3 "$dir/err"
    survived=$((survived + 1))
    continue
  fi
  build_unit "$layers" "$dir/mutant.o"
  if (cd "$dir" && timeout 120 ./unit --abort-after=1) >"$dir/out" 2>&1; then
    echo "survived: $file $change"
    survived=$((survived + 1))
  else
    killed=$((killed + 1))
    echo "$file" >>"$dir/killed"
    echo "killed: $file $change"
  fi
done 3<"$dir/list"

# row FILE MUTANTS KILLED
row() { printf '| %-24s | %7s | %6s |\n' "$@"; }
row changed mutants killed
row --- --- ---
touch "$dir/killed"
uniq "$dir/tried" | while read -r file; do
  row "$file" "$(grep -c "^$file$" "$dir/tried")" "$(grep -c "^$file$" "$dir/killed")"
done
row all $((killed + survived)) $killed
[ $survived = 0 ]
