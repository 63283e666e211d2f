# An independent program reads what we write and writes what we read.
python=/usr/bin/python3
$python -c 'import numpy' 2>/dev/null || { echo "no numpy for $python"; exit 77; }
PYTHONDONTWRITEBYTECODE=1 $python "$CASE_DIR/../../ref/with_numpy.py"
