package guard

import (
	"strings"

	"parley/internal/linediff"
)

// diffs are the hunks of a diff in the form of git, by what its headers say of each file.
type diffs []fileDiff

type fileDiff struct{ header, hunks string }

// split splits a diff into its files.
func split(diff string) diffs {
	var all diffs
	inHunk := false
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			all = append(all, fileDiff{})
			inHunk = false
		case strings.HasPrefix(line, "@@"):
			inHunk = true
		}
		if len(all) == 0 {
			if strings.TrimSpace(line) == "" {
				continue
			}
			all = append(all, fileDiff{})
		}
		d := &all[len(all)-1]
		if inHunk {
			d.hunks += line
		} else {
			d.header += line
		}
	}
	return all
}

// of returns the hunks for a file with the numbers of lines that they add and remove. A diff of one file is that of any path.
func (all diffs) of(path string) (patch string, added, removed int) {
	for _, d := range all {
		if len(all) == 1 || strings.Contains(d.header, "b/"+strings.TrimPrefix(path, "/")+"\n") {
			patch = d.hunks
			break
		}
	}
	added, removed = linediff.Count(patch)
	return patch, added, removed
}
