// Without a file of assembly the compiler wants bodies for the functions that argon.go links.
