// Package highlight finds the colors of code with chroma's lexers: what kind each run of it is, which a theme makes colors
// of.
//
// In: code with its language, from layouts that want to draw it. Out: tokens, later: a layout requests what is not known
// yet, [Highlighter.Next] hands out a job, which may run on any goroutine, and [Highlighter.Take] names whose layouts its
// result changes. Of a block that is still being written, a [Growth] keeps guesses, made from windows of its last lines.
//
// The package draws nothing, starts no goroutine and reads no clock but the one it is given and that which bounds a lexer.
package highlight
