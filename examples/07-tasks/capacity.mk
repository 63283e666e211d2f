# How many pairs a state of fixed size holds: recall of 4 to 64 pairs by layers of width 16 to
# 64, each kind at the learning rate that is best on held-out examples.  Needs the oa tools on
# PATH.
#
#   make -f capacity.mk                   the table, in out/capacity.txt
#   make -f capacity.mk PAIRS='4 16' WIDTHS=16 KINDS='softmax mesa' RATES=0.003
#
# Existing files are kept.  Two jobs: make -j2.

OUT = out/capacity
PAIRS = 4 8 16 32 64
WIDTHS = 16 32 64
KINDS = softmax linear gla mamba delta gated-delta mesa ttt exact
RATES = 0.001 0.003 0.01
SEED = 1
# Half of the keys that may come are in an example.
data-options = recall --pairs $1 --keys $(shell expr 2 '*' $1) --train 33000

maps = heads=1,plain=true,output=true
options-softmax = --attention softmax:$(maps)
options-linear = --attention linear:$(maps)
options-exact =
options = $(or $(options-$1),$(if $(filter exact,$1),,--attention $1))

# A run is PAIRS.WIDTH.KIND@RATE.
runs := $(foreach p,$(PAIRS),$(foreach w,$(WIDTHS),$(foreach k,$(KINDS),$(RATES:%=$p.$w.$k@%))))
pairs = $(word 1,$(subst ., ,$*))
width = $(word 2,$(subst ., ,$*))
kind = $(word 3,$(subst ., ,$(word 1,$(subst @, ,$*))))
rate = $(word 2,$(subst @, ,$*))

$(OUT).txt: capacity.sh $(runs:%=$(OUT)/%.json)
	sh capacity.sh $(OUT) '$(PAIRS)' '$(WIDTHS)' '$(KINDS)' '$(RATES)' >$@
	@cat $@

$(OUT)/%/task.json:
	@mkdir -p $(OUT)
	oa-tasks $(call data-options,$*) -q -o $(@D)

.SECONDEXPANSION:
$(OUT)/%.json: | $(OUT)/$$(pairs)/task.json
	oa-train $(OUT)/$(pairs) -q -j 1 --test --seed $(SEED) --dim $(width) --lr $(rate) \
	  $(call options,$(kind)) -o $(OUT)/$*.bin --json=$@.part
	@mv $@.part $@

clean:
	rm -rf $(OUT) $(OUT).txt

.PHONY: clean
.PRECIOUS: $(OUT)/%/task.json
.DELETE_ON_ERROR:
