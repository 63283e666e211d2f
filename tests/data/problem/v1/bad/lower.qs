# ObjectiveOffset 1
2 2
1 1 -3
2 1 2
