# Invalid command lines: status 2, only the reason is printed.
for line in '--kinds nothing' '--kinds softmax:heads=0' '--kinds mlp:groups=2' '--kinds =' \
    '--n 0' '--n 4,,8' '--n many' '--n 99999999999' '--d 0' '--heads 0' '--rounds 0' \
    '--time-limit 0' '--threads 0' 'surplus' '--csv /nowhere/at/all'; do
  status oa-bench $line 2>why
  sed 's/(expected optimizing, .*)/(expected ...)/; s/(it has .*)/(it has ...)/' why
done
rm why
ls -A
