NAME        
OBJSENSE
  MAX
ROWS
 N  Obj     
 L  weight  
 E  two     
 L  between 
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    a         Obj       3
    a         weight    2
    a         between   1
    b         Obj       2
    b         weight    3
    b         two       1
    c         Obj       4
    c         weight    1
    c         two       1
    c         between   1
    d         Obj       1
    d         two       1
    d         between   -1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     Obj       5
    RHS_V     weight    4
    RHS_V     two       2
    RHS_V     between   1
RANGES
    RANGE     between   1
BOUNDS
 BV BOUND     a       
 BV BOUND     b       
 BV BOUND     c       
 BV BOUND     d       
ENDATA
