package login

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTokenFileRemovesOneHost removes the token of one host and leaves the others; the file goes with the last one.
func TestTokenFileRemovesOneHost(t *testing.T) {
	f := TokenFile(filepath.Join(t.TempDir(), "token.json"))
	for _, host := range []string{"github.com", "octo.ghe.com"} {
		if err := f.Save(host, NewSecret("gho_"+host)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		host          string
		removed, left bool
	}{{"github.com", true, true}, {"github.com", false, true}, {"octo.ghe.com", true, false}, {"octo.ghe.com", false, false}} {
		removed, err := f.Remove(tc.host)
		_, missing := os.Stat(string(f))
		if err != nil || removed != tc.removed || (missing == nil) != tc.left {
			t.Errorf("%s: %v %v %v", tc.host, removed, err, missing)
		}
		if s, err := f.Load("octo.ghe.com"); err != nil || s.IsZero() == tc.left {
			t.Errorf("after %s: %v", tc.host, err)
		}
	}
	if removed, err := TokenFile("").Remove("github.com"); removed || err != nil {
		t.Errorf("no file: %v %v", removed, err)
	}
}
