# The program in oa-stream(5) does what the page says.
python=/usr/bin/python3
$python -c 'import numpy' 2>/dev/null || { echo "no numpy for $python"; exit 77; }
awk '/^\.Bd/ { text = ""; inside = 1; next }
     /^\.Ed/ { if (text ~ /^import/) printf "%s", text; inside = 0 }
     inside { text = text $0 "\n" }' "$CASE_DIR/../../../man/oa-stream.5" |
  sed 's/\\e/\\/g; s/\\&//g' >example.py
cat "$DATA/stream/v1/ok/two-parts.oa" | $python example.py
head -c 700 "$DATA/stream/v1/ok/problems.oa" | $python example.py >out 2>&1 && echo "no error"
make-stream --kind solution --images 1 | $python example.py
