package uitest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestScenariosAreProven holds the list of scenarios to what there is: every golden screen and every test that a row names
// in its last column exists.
func TestScenariosAreProven(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "docs", "scenarios.md"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"*_test.go", "../*_test.go", "../*/*_test.go", "../../internal/cli/*_test.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	var tests strings.Builder
	for _, f := range files {
		s, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(s)
	}
	rows := 0
	for line := range strings.SplitSeq(string(b), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || len(cells) < 4 {
			continue
		}
		rows++
		for _, name := range regexp.MustCompile("`[^`]+`").FindAllString(cells[len(cells)-1], -1) {
			name = strings.Trim(name, "`")
			file := name
			if !strings.Contains(name, ".") {
				file += ".screen"
			}
			if strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") {
				if !strings.Contains(tests.String(), "func "+name+"(") {
					t.Errorf("%s: there is no test %s", cells[0], name)
				}
			} else if _, err := os.Stat(filepath.Join("testdata", file)); err != nil {
				t.Errorf("%s: %v", cells[0], err)
			}
		}
	}
	if rows < 15 {
		t.Errorf("only %d rows were found", rows)
	}
}
