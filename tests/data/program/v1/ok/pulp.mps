*SENSE:Maximize
NAME          small
ROWS
 N  OBJ
 L  weight
 E  two
 G  low
 L  high
COLUMNS
    MARK      'MARKER'                 'INTORG'
    a         weight     2.000000000000e+00
    a         low        1.000000000000e+00
    a         high       1.000000000000e+00
    a         OBJ        3.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    b         weight     3.000000000000e+00
    b         two        1.000000000000e+00
    b         OBJ        2.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    c         weight     1.000000000000e+00
    c         two        1.000000000000e+00
    c         low        1.000000000000e+00
    c         high       1.000000000000e+00
    c         OBJ        4.000000000000e+00
    MARK      'MARKER'                 'INTEND'
    MARK      'MARKER'                 'INTORG'
    d         two        1.000000000000e+00
    d         low       -1.000000000000e+00
    d         high      -1.000000000000e+00
    d         OBJ        1.000000000000e+00
    MARK      'MARKER'                 'INTEND'
RHS
    RHS       weight     4.000000000000e+00
    RHS       two        2.000000000000e+00
    RHS       low        0.000000000000e+00
    RHS       high       1.000000000000e+00
BOUNDS
 BV BND       a       
 BV BND       b       
 BV BND       c       
 BV BND       d       
ENDATA
