package safefs

import (
	"strings"
	"testing"
)

// Names of temporary files are recognized, and names that are only similar are not.
func TestTemporaryNames(t *testing.T) {
	a, b := Temporary(), Temporary()
	if a == b || !IsTemporary(a) || !IsTemporary(b) {
		t.Errorf("%q, %q", a, b)
	}
	for _, name := range []string{"", ".parley-", ".parley", a + "A", a[:len(a)-1], strings.ToLower(a), a[1:], "x" + a,
		a[:len(a)-1] + "1", a[:len(a)-1] + ".", ".parley-settings", prefix + strings.Repeat("é", letters/2)} {
		if IsTemporary(name) {
			t.Errorf("%q passes for a temporary name", name)
		}
	}
}
