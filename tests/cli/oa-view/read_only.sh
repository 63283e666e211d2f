# A file without write permission is not replaced, one without read permission not read.
# Root may write anywhere, so root becomes nobody.
chmod 755 .. .
echo kept >file
chmod 444 file
as_nobody=
if [ "$(id -u)" = 0 ]; then
  as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
  chown 65534 file .
fi
$as_nobody oa-view --version >/dev/null 2>&1 || { echo "nobody cannot run oa-view here"; exit 77; }
exec 2>&1
for output in file /proc/version; do
  status $as_nobody oa-view --check - -o $output <"$DATA/stream/v1/ok/problems.oa"
done
cp "$DATA/stream/v1/ok/problems.oa" secret.oa
chmod 000 secret.oa
status $as_nobody oa-view secret.oa
cat file
ls -A
