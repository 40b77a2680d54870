// Package highlight finds the colors of code with chroma's lexers: the kinds of its tokens, to which a theme assigns looks.
//
// Layouts request the tokens of code with its language. [Highlighter.Next] returns a job, which may run on any goroutine, and
// [Highlighter.Take] returns whose layouts its result changes. A [OpenBlock] holds provisional tokens of a block that is still
// being written, from windows of its last lines.
//
// The package draws nothing, starts no goroutine, and reads no clock except the one it is given and that which bounds a lexer.
package highlight
