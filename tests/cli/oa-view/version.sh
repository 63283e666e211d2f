oa-view --version
oa-view -V
