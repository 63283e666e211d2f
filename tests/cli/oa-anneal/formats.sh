# A problem in every format: one line of JSON each, in the file's own sense.
oa-anneal --no-times "$DATA"/problem/v1/ok/a.* 2>&1 | sed "s,$DATA/,,;"'s/"solver":.*"seed":1,//'
