package md

import (
	"strconv"
	"strings"
)

// hunk is one run of lines of a patch.
type hunk struct {
	file     string // set in the first hunk of a file
	name     string // of the file
	old, new int    // numbers of the first line
	lines    []string
}

func parsePatch(patch string) (hunks []hunk) {
	file, name := "", ""
	var in *hunk
	oldLeft, newLeft := 0, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		if in != nil && (oldLeft > 0 || newLeft > 0) || in != nil && strings.HasPrefix(line, `\`) {
			in.lines = append(in.lines, line)
			switch {
			case strings.HasPrefix(line, "-"):
				oldLeft--
			case strings.HasPrefix(line, "+"):
				newLeft--
			case !strings.HasPrefix(line, `\`):
				oldLeft, newLeft = oldLeft-1, newLeft-1
			}
			continue
		}
		after, isNew := strings.CutPrefix(line, "+++ ")
		before, isOld := strings.CutPrefix(line, "--- ")
		switch {
		case isOld:
			file = fileName(before)
			name = file
		case isNew:
			if n := fileName(after); n != "" {
				file, name = n, n
			}
		case strings.HasPrefix(line, "@@"):
			h, o, n := hunkHead(line)
			h.file, h.name = file, name
			file, oldLeft, newLeft = "", o, n
			hunks = append(hunks, h)
			in = &hunks[len(hunks)-1]
		}
	}
	return hunks
}

// fileName returns the path in a file line without its time stamp and the a/ or b/ of git.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if s == "/dev/null" {
		return ""
	}
	if len(s) > 2 && (s[:2] == "a/" || s[:2] == "b/") {
		s = s[2:]
	}
	return s
}

// hunkHead reads "@@ -41,3 +41,4 @@" and returns how many old and new lines follow.
func hunkHead(line string) (h hunk, oldLines, newLines int) {
	oldLines, newLines = 1, 1
	for _, f := range strings.Fields(line) {
		at, n := 0, 1
		a, b, both := strings.Cut(f[1:], ",")
		at, _ = strconv.Atoi(a)
		if both {
			n, _ = strconv.Atoi(b)
		}
		switch f[0] {
		case '-':
			h.old, oldLines = at, n
		case '+':
			h.new, newLines = at, n
		}
	}
	return h, oldLines, newLines
}

// cutSign splits the sign from a line of a hunk. A line without one counts as unchanged.
func cutSign(line string) (sign byte, text string) {
	switch {
	case line == "":
		return ' ', ""
	case strings.IndexByte("+- \\", line[0]) < 0:
		return ' ', line
	}
	return line[0], line[1:]
}
