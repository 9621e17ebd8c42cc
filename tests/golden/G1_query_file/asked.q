// what is never
E<> n == 3

A[] n
  <= 2
/* two
lines */ E<> n == 1
