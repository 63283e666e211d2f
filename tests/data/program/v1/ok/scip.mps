* SCIP STATISTICS
*   Problem name     : small
*   Variables        : 4 (4 binary, 0 integer, 0 implicit integer, 0 continuous)
*   Constraints      : 3
NAME          small
OBJSENSE
  MAX
ROWS
 N  Obj 
 L  weight 
 E  two 
 L  between 
COLUMNS
    INTSTART  'MARKER'                            'INTORG'                           
    a         Obj                              3  weight                           2 
    a         between                          1 
    b         Obj                              2  two                              1 
    b         weight                           3 
    d         Obj                              1  two                              1 
    d         between                         -1 
    c         Obj                              4  weight                           1 
    c         two                              1  between                          1 
    INTEND    'MARKER'                            'INTEND'                           
RHS
    RHS       weight                           4  two                              2 
    RHS       between                          1  Obj                              5 
RANGES
    RANGE     between                          1 
BOUNDS
 BV Bound     a                                  
 BV Bound     b                                  
 BV Bound     d                                  
 BV Bound     c                                  
ENDATA