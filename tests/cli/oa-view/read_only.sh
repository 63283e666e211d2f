# A file without write permission is not replaced, a folder without it gets nothing.
# Root may write anywhere, so root becomes nobody.
chmod 755 .. .
echo kept >file
mkdir folder
chmod 444 file
chmod 555 folder
as_nobody=
if [ "$(id -u)" = 0 ]; then
  as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
  chown 65534 file folder .
fi
$as_nobody oa-view --version >/dev/null 2>&1 || { echo "nobody cannot run oa-view here"; exit 77; }
try() { status $as_nobody oa-view --check - -o "$1" <"$DATA/stream/v1/ok/problems.oa" 2>&1; }
try file
try folder/new
try /proc/version
cp "$DATA/stream/v1/ok/problems.oa" secret.oa
chmod 000 secret.oa
status $as_nobody oa-view secret.oa 2>&1
cat file
ls -A . folder
