* ENCODING=ISO-8859-1
NAME          
ROWS
 N  obj1    
 L  weight  
 E  two     
 G  between 
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    a         obj1                           -3
    a         weight                          2
    a         between                         1
    b         obj1                           -2
    b         weight                          3
    b         two                             1
    c         obj1                           -4
    c         weight                          1
    c         two                             1
    c         between                         1
    d         obj1                           -1
    d         two                             1
    d         between                        -1
    MARK0001  'MARKER'                 'INTEND'
RHS
    rhs       obj1                            5
    rhs       weight                          4
    rhs       two                             2
RANGES
    rng       between                         1
BOUNDS
 BV bnd       a       
 BV bnd       b       
 UP bnd       c                               1
 BV bnd       d       
QMATRIX
    a         b                               3
    b         a                               3
    c         c                              -1
ENDATA
