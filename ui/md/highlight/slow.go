//go:build !race

package highlight

// slow stretches the time that a lexer may take.
const slow = 1
