// Package program knows what calls of programs do beyond what their names say.
//
// In come the words of a call. Out comes a [Use]: whether the call only reads, its words as they are printed then, which files
// it reads and writes, which other program it starts, and why no rule for the program covers it. The tables list what keeps
// programs reading; what they do not know is not safe, and an option of an unknown program that sounds like starting or
// writing something is not covered either. The package may import session/permission/shell; it looks at no disk and starts nothing.
package program
