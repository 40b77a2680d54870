package safefs

import (
	"crypto/rand"
	"strings"
)

const (
	prefix   = ".parley-"
	alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" // of rand.Text
	letters  = 26
)

// Temporary returns a new name for a file that is about to replace another in its directory.
func Temporary() string { return prefix + rand.Text()[:letters] }

// IsTemporary reports whether a name has the form of those that [Temporary] returns.
func IsTemporary(name string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && len(rest) == letters && strings.Trim(rest, alphabet) == ""
}
