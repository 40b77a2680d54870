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

// smallRooms have a bound of their own: what grows there is a feature's, and belongs into its room.
var smallRooms = map[string]int{"ui": 1500, "ui/lines": 1200}

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
		most := packageLines
		if bound, small := smallRooms[name]; small {
			most = bound
		}
		if lines > most {
			t.Errorf("%s has %d lines without its tests, more than %d", name, lines, most)
		}
	}
}
