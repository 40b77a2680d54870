package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The page about what a person can expect of the Claude agent numbers every behaviour, and every test it names exists.
func TestClaudeBehavioursAreProven(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(sources, "docs", "claude-behaviours.md"))
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir(sources, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			exists[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	name, n := regexp.MustCompile(`\bTest[A-Z]\w*`), 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) != 3 || cells[0] == "#" {
			continue
		}
		n++
		if cells[0] != strconv.Itoa(n) {
			t.Errorf("%q is not number %d", line, n)
		}
		tests := name.FindAllString(cells[2], -1)
		if len(tests) == 0 {
			t.Errorf("no test holds %q", cells[1])
		}
		for _, test := range tests {
			if !exists[test] {
				t.Errorf("there is no %s", test)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d behaviours", n)
	}
}
