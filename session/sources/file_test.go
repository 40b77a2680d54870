package sources

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEnds reads each line of a short file, whole, in one of its ends, and no more than the bounds of a long one.
func TestEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for n := range 40 {
		for _, last := range []string{"", "\n"} {
			var lines []string
			for i := range n {
				lines = append(lines, fmt.Sprintf("%02d345678", i))
			}
			if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+last), 0o600); err != nil {
				t.Fatal(err)
			}
			for name, e := range map[string]Ends{"first": {50, 100, 100}, "more": {50, 100, 110}} {
				head, tail, err := e.Read(path, func([]byte) bool { return name == "first" })
				if err != nil || int64(len(head)) > e.Most || int64(len(tail)) > e.End {
					t.Errorf("%d lines: %q, %q, %v", n, head, tail, err)
				}
				got := strings.Split(string(head)+"\n"+string(tail), "\n")
				for i, line := range lines {
					reached := (i+1)*9 <= len(head) || (n-i)*9 <= int(e.End)
					if has := slices.Contains(got, line); reached != has && !(has && i*9 < len(head)) {
						t.Errorf("%s of %d lines: line %d is read: %v, want %v", name, n, i, has, reached)
					}
				}
			}
		}
	}
	if _, _, err := (Ends{1, 1, 1}).Read(filepath.Dir(path), nil); err == nil {
		t.Error("a folder is read")
	}
}
