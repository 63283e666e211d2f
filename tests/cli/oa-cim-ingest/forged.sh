# Forged results: each refused, reported or harmless, as it should be.
python3 "$CASE_DIR/../../forged.py" "$OA_TOOLS" "$OA_TESTS"
