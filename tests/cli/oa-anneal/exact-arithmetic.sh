# Energies, bounds and proofs are those of the numbers in the file, not of rounded ones.
solve() {
  oa-anneal -q --no-times "$@" |
    sed -n 's/.*"energy":\([^,]*\),"bound":\([^,]*\),.*"proved_optimal":\([^,]*\),.*"x":\([^}]*\).*/\1 \2 \3 \4/p'
}

# The constant of a cut is not a double.
printf '%s\n' '4 4' '1 2 -0.1' '2 3 -0.2' '3 4 -0.3' '1 4 -0.7' > cut.rud
solve cut.rud
printf '%s\n' '8 7' '1 2 -2' '3 1 0' '3 2 -2' '5 4 -1e16' '4 6 2' '6 5 -1e16' '8 7 3' > far.rud
solve far.rud
oa-anneal -q --no-times far.rud > far.json
oa-anneal -q --verify far.json far.rud

# Two energies that are one double; of two solutions the x of the second is shown.
printf '%s\n' 'p qubo 0 2 2 0' '0 0 -1e16' '1 1 -1' > close.qubo
solve close.qubo
solve --no-presolve close.qubo
solve --top 2 close.qubo

# The smaller one of two optima.
printf '%s\n' '3 2' '1 2 1' '2 3 1' > tie.rud
solve tie.rud
solve --no-presolve tie.rud

# The smallest numbers, and very unequal ones.
printf '%s\n' 'p qubo 0 2 2 1' '0 0 5e-324' '1 1 -1e-323' '0 1 -1e-323' > small.qubo
solve small.qubo
printf '%s\n' 'p qubo 0 2 2 0' '0 0 -1e296' '1 1 -1e-300' > unequal.qubo
solve unequal.qubo
printf '%s\n' '2 1' '1 2 5e-324' > half.rud
status oa-anneal half.rud

# Spins whose weights are no dyadic fractions, without fields.
printf '%s\n' '# vartype=SPIN' '0 1 0.1' '1 2 -0.7' '0 2 0.3' '2 3 0.3' '1 3 0.9' > spins.coo
solve spins.coo
