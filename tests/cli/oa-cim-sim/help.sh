# The whole help: what it says is part of the contract with the manual.
oa-cim-sim --help
