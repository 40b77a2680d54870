// Package help shows all keys and commands on the whole screen.
//
// In come the table of keys, with the user's own, and the keys that scroll and filter; out go rows, and the effect that
// closes it. The package stores where it was scrolled to and what it is filtered by, and nothing else.
package help
