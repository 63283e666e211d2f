# Invalid options, kind by kind: options that it does not have (it prints those it
# has), values out of range, heads that do not divide, causal, and more memory than may be.
kinds='optimizing softmax flash1 flash2 mqa gqa window strided dilated longformer
  sparse-transformer bigbird block-sparse csr learned-mask topk threshold hard linformer
  linear performer rfa memory gla h3 mamba delta gated-delta kda
  ttt mesa identity-qk pool uniform mlp query'
tokens() {
  oa-bench -q --rounds 1 --json "$@" >rows.json
  echo "status $?"
  tr '{' '\n' <rows.json | sed -n 's/.*"config":"\([^"]*\)".*"unsupported":"\([^"]*\)".*/\1: \2/p' |
    sed 's/free are [0-9,]*/free are .../'
}
echo 'An option that it does not have:'
for kind in $kinds; do
  oa-bench --kinds $kind:nothing=1 2>&1
done
echo 'Kinds of version 1.0.0:'
for kind in comba longhorn:heads=2 local-linear; do
  oa-bench --kinds $kind 2>&1
done
echo 'A value out of range:'
for option in optimizing:thin=-1 optimizing:thin=many flash1:scratch=-1 flash2:precision=half \
    flash1:block=-1 flash2:block=1025 \
    gqa:groups=-1 window:radius=-1 strided:stride=0 dilated:dilation=0 longformer:globals=-1 \
    sparse-transformer:form=round sparse-transformer:block=0 bigbird:random=-1 bigbird:seed=-1 \
    block-sparse:density=1.5 block-sparse:density=nan learned-mask:temperature=0 \
    learned-mask:penalty=inf learned-mask:noise=maybe topk:k=0 threshold:tau=-1 \
    threshold:tau=nan linformer:k=65537 linear:feature=sine performer:features=65537 \
    rfa:features=0 memory:slots=0 gla:rank=0 h3:shift=65 mamba:conv=0 \
    delta:conv=65 kda:rank=0 ttt:batch=0 mesa:steps=0 \
    identity-qk:self=1 pool:size=0 mlp:hidden=65 softmax:heads=1025 mqa:plain=yes; do
  oa-bench --kinds $option 2>&1
done
echo 'Heads that do not divide the width:'
tokens --n 8 --heads 3
echo 'Groups that do not divide the heads, pools and patterns that do not fit:'
tokens --n 8 --heads 4 --kinds gqa:groups=3,pool:size=2,gla:heads=64,h3:head_dim=3,h3:states=3
tokens --n 8 --kinds flash1:block=24,flash2:block=8,flash2:block=32,scratch=16
printf '3\n0\n-\n0-2\n' >three
tokens --n 4 --kinds csr:file=three
printf '3\n0\n0-2\n-\n' >later
tokens --n 3 --kinds csr:file=later --causal
echo 'A convolution in a layer that has none:'
tokens --n 8 --kinds ttt:conv=2,mesa:conv=4
echo 'Causal:'
tokens --n 8 --causal
echo 'More tokens than the memory holds:'
tokens --n 16777216 --kinds strided:stride=100,radius=40,sparse-transformer:form=strided,bigbird:random=1000,block-sparse,learned-mask
tokens --n 4 --d 65536 --kinds performer,rfa:features=65536
echo 'No pattern:'
printf '3\n0\n2-1\n1\n' >bad
status oa-bench --kinds csr:file=bad 2>&1
status oa-bench --kinds csr:file=nowhere 2>&1
tokens --kinds 'csr:rows=0;7' --n 2
tokens --kinds 'csr:rows=0;1-0' --n 2
