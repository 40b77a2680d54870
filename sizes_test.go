package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The sizes that a file and a package without its tests keep to, in lines.
const (
	fileLines    = 400
	packageLines = 5000
)

// TestFilesAndPackagesStaySmall counts lines: a bigger file or package has a second subject.
func TestFilesAndPackagesStaySmall(t *testing.T) {
	packages := map[string]int{}
	eachText(t, func(name, text string) {
		lines := strings.Count(text, "\n")
		if lines > fileLines {
			t.Errorf("%s has %d lines, more than %d", name, lines, fileLines)
		}
		if !strings.HasSuffix(name, "_test.go") {
			packages[filepath.Dir(name)] += lines
		}
	})
	for name, lines := range packages {
		if lines > packageLines {
			t.Errorf("%s has %d lines without its tests, more than %d", name, lines, packageLines)
		}
	}
}
