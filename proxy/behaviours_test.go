package proxy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The page about what clients can expect lists every behaviour once, and every test it names exists.
func TestBehavioursAreProven(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "proxy-behaviours.md"))
	if err != nil {
		t.Fatal(err)
	}
	exists := testNames(t, "..")
	name := regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)
	behaviours, complaints := 0, 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| ") || cells[len(cells)-1] == "---" || strings.HasPrefix(line, "| # ") || strings.HasPrefix(line, "| complaint ") {
			continue
		}
		state, proof := cells[len(cells)-2], cells[len(cells)-1]
		switch len(cells) {
		case 4:
			behaviours++
			if n, err := strconv.Atoi(strings.TrimSpace(cells[0])); err != nil || n != behaviours {
				t.Errorf("%q is not number %d", line, behaviours)
			}
		case 3:
			complaints++
		default:
			t.Errorf("%q has %d cells", line, len(cells))
			continue
		}
		names := name.FindAllString(proof, -1)
		for _, n := range names {
			if !exists[n] {
				t.Errorf("there is no %s", n)
			}
		}
		words := strings.Trim(name.ReplaceAllString(proof, ""), " ,:;.")
		switch {
		case state == "held" && len(names) == 0:
			t.Errorf("no test holds %q", line)
		case state == "superseded" || state == "not applicable":
			if words == "" {
				t.Errorf("no reason is given in %q", line)
			}
		case state != "held":
			t.Errorf("%q is no state", state)
		}
	}
	if behaviours != 152 || complaints != 22 {
		t.Errorf("%d behaviours and %d complaints, want 152 and 22", behaviours, complaints)
	}
}

// testNames finds the tests of the whole program.
func testNames(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
