* Source:     Pyomo MPS Writer
* Format:     Free MPS
*
NAME unknown
OBJSENSE
 MAX
ROWS
 N  o
 L  c_u_weight_
 E  c_e_two_
 G  r_l_between_
 L  r_u_between_
 E  c_e_ONE_VAR_CONSTANT
COLUMNS
     a o 3
     a c_u_weight_ 2
     a r_l_between_ 1
     a r_u_between_ 1
     b o 2
     b c_u_weight_ 3
     b c_e_two_ 1
     c o 4
     c c_u_weight_ 1
     c c_e_two_ 1
     c r_l_between_ 1
     c r_u_between_ 1
     d o 1
     d c_e_two_ 1
     d r_l_between_ -1
     d r_u_between_ -1
     ONE_VAR_CONSTANT o -5
     ONE_VAR_CONSTANT c_e_ONE_VAR_CONSTANT 1
RHS
     RHS c_u_weight_ 4
     RHS c_e_two_ 2
     RHS r_l_between_ 0
     RHS r_u_between_ 1
     RHS c_e_ONE_VAR_CONSTANT 1
BOUNDS
 BV BOUND a
 BV BOUND b
 LI BOUND c 0
 UI BOUND c 1
 BV BOUND d
ENDATA
