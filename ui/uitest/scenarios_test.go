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
	files, err := filepath.Glob("*_test.go")
	if more, err2 := filepath.Glob("../*_test.go"); err == nil {
		files, err = append(files, more...), err2
	}
	if err != nil {
		t.Fatal(err)
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
			if strings.HasPrefix(name, "Test") {
				if !strings.Contains(tests.String(), "func "+name+"(") {
					t.Errorf("%s: there is no test %s", cells[0], name)
				}
			} else if _, err := os.Stat(filepath.Join("testdata", name+".screen")); err != nil {
				t.Errorf("%s: %v", cells[0], err)
			}
		}
	}
	if rows < 15 {
		t.Errorf("only %d rows were found", rows)
	}
}
