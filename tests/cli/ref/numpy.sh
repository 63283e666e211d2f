# An independent program reads what we write and writes what we read.
find_numpy
$python "$CASE_DIR/../../ref/with_numpy.py"
