//go:build race

package highlight

// slow stretches the time that a lexer may take: the race detector makes it up to 20 times slower.
const slow = 20
