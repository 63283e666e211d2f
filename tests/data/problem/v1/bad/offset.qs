# ObjectiveOffset
1 1
1 1 1
