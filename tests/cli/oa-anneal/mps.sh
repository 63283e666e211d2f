# Programs in MPS: forms that others write, and what is refused.  oa-exact-fuzz compares random
# programs of all kinds of rows, ranges and matrices with exhaustive search.
# A program that is no QUBO with proved penalties is refused by the name of what it has.
mps() { # sections ...
  printf '%s\n' "$@" >m.mps
  oa-anneal -q --no-times m.mps 2>&1 | grep -o '"energy".*\|oa-anneal:.*' | sed 's/,"bound.*//'
}
head="NAME t
ROWS
 N f
 L c
COLUMNS"
one=" x f -1 c 1
 y f -2 c 1"
binary="BOUNDS
 BV b x
 BV b y"
# A constant without the name of its set, names like words of the format, two numbers in a line.
mps '* a comment' 'NAME test FREE' 'OBJSENSE MAX' ROWS ' N cost' ' L c-1' ' N unused' COLUMNS \
  ' RHS cost 3 unused 7' ' RHS c-1 2' ' UP cost 2 c-1 1e0' RHS ' cost -2.5' ' set c-1 +2.00' \
  BOUNDS ' BV BND RHS' ' BV BND UP' ' FX BND UP 1.00' ENDATA
mps "$head" "$one" "RHS
 r c 1" "$binary" ENDATA
mps "$head" "$one" "$binary"
mps "$head" "$one" "BOUNDS
 BV b x" ENDATA
mps "$head" "$one" "BOUNDS
 BV b x
 UP b y 1" ENDATA
mps "$head" "$one" "BOUNDS
 BV b x
 UI b y 5" ENDATA
mps "$head" "$one" "BOUNDS
 SC b x 5" ENDATA
mps "$head" "$one" "$binary" "QCMATRIX c
 x x 1" ENDATA
mps "$head" "$one" "$binary" "SOS1
 s x 1" ENDATA
mps "$head" "$one" "$binary" "QSECTION f
 x x 1" ENDATA
mps "$head" "$one" "$binary" "WHATEVER" ENDATA
mps "$head" "$one" "$binary" "QMATRIX
 x y 1" ENDATA
mps "$head" "$one" "$binary" "QUADOBJ
 x y 1
 y x 1" ENDATA
mps "$head" "$one" "$binary" "QUADOBJ
 x z 1" ENDATA
mps "$head" "$one
 x f 3" "$binary" ENDATA
mps "$head" "$one" " z g 1" "$binary" ENDATA
mps "$head" "$one" " z f 1 f 2" "$binary" ENDATA
mps "$head" " x f nan" "$binary" ENDATA
mps "$head" "$one" "RHS
 r c 1
 s c 2" "$binary" ENDATA
mps "$head" "$one" "RHS
 r c 1
 r c 2" "$binary" ENDATA
mps "$head" "$one" "RHS
 r c" "$binary" ENDATA
mps "NAME t
ROWS
 L c
COLUMNS
 x c 1" "BOUNDS
 BV b x" ENDATA
mps "NAME t
ROWS
 X c" ENDATA
mps "$head" "$binary" ENDATA
mps "$head" "$one" "BOUNDS
 BV b x
 BV b x
 LI b y 2" ENDATA
# OR-tools and HiGHS name variables without entries only in BOUNDS, SCIP writes a square
# as two halves.
mps "$head" "$one" "BOUNDS
 BV b x
 UI b y 2
 FX b z 3" "QCMATRIX c
 x x -1
 x x -1" ENDATA
mps "NAME t
OBJSENSE
 Max
$(printf '%s\n' "$head" | tail -n +2)" " x f -1 c -1" "RHS
 RHS f -2 c -1" "BOUNDS
 UI b x 3" ENDATA
mps "$head" "$one" "$binary" " UP b z 2" ENDATA
