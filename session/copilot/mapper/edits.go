package mapper

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"parley/internal/lazyregexp"
	"parley/internal/linediff"
	"parley/session"
)

// editTools are the tools that change files.
var editTools = setOf("create edit insert str_replace apply_patch undo_edit str_replace_editor")

// editsFiles reports whether a call changes files. Reading one with the old editor does not.
func editsFiles(tool string, input json.RawMessage) bool {
	var in struct {
		Command string `json:"command"`
	}
	if tool == "str_replace_editor" && json.Unmarshal(input, &in) == nil && in.Command == "view" {
		return false
	}
	return editTools[tool]
}

// editsOf reads the edits in the result of a tool: a diff in git's form with absolute paths, of one or more files.
func editsOf(diff string) []session.FileEdit {
	var edits []session.FileEdit
	var e *session.FileEdit
	var hunks []string
	finish := func() {
		if e == nil {
			return
		}
		fill(e, hunks)
		hunks = nil
		if e.Path != "" && (e.Patch != "" || e.Created || e.Deleted) {
			edits = append(edits, *e)
		}
		e = nil
	}
	inHunk := false
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "diff --git ") {
			finish()
			e, inHunk = &session.FileEdit{}, false
			continue
		}
		if e == nil {
			continue
		}
		if strings.HasPrefix(line, "@@") {
			inHunk = true
		}
		if !inHunk {
			header(e, line)
			continue
		}
		hunks = append(hunks, line)
	}
	finish()
	return edits
}

// fill sets the patch and the counts of an edit. The runtime splits files at line feeds, so the last line of a hunk may be the
// empty one after the last line feed of the file, which is none.
func fill(e *session.FileEdit, lines []string) {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if n := len(lines); n > 2 && (lines[n-1] == " " || e.Created && lines[n-1] == "+") {
		at := n - 1
		for at > 0 && !strings.HasPrefix(lines[at], "@@") {
			at--
		}
		lines = append(append(append([]string{}, lines[:at]...), shorter(lines[at], lines[n-1] == " ")), lines[at+1:n-1]...)
	}
	if len(lines) > 0 {
		e.Patch = strings.Join(lines, "\n") + "\n"
	}
	e.Added, e.Removed = linediff.Count(e.Patch)
}

// hunkHeader matches the first line of a hunk.
var hunkHeader = lazyregexp.New(`^@@ -(\d+),(\d+) \+(\d+),(\d+) @@`)

// shorter returns the first line of a hunk that has one line less after the edit and, if both is set, before it.
func shorter(head string, both bool) string {
	m := hunkHeader.FindStringSubmatch(head)
	if m == nil {
		return head
	}
	before, _ := strconv.Atoi(m[2]) // digits
	after, _ := strconv.Atoi(m[4])
	if both {
		before--
	}
	return fmt.Sprintf("@@ -%s,%d +%s,%d @@%s", m[1], max(0, before), m[3], max(0, after-1), head[len(m[0]):])
}

// header reads a line of a file's header.
func header(e *session.FileEdit, line string) {
	path := func(p string) string {
		p, _, _ = strings.Cut(p, "\t")
		if strings.HasSuffix(p, "/dev/null") {
			return ""
		}
		_, p, _ = strings.Cut(p, "/")
		if len(p) > 1 && p[1] == ':' { // a drive
			return p
		}
		return "/" + p
	}
	switch {
	case strings.HasPrefix(line, "--- "):
		if from := path(line[4:]); from != "" && e.Path == "" {
			e.Path = from
		} else if from == "" {
			e.Created = true
		}
	case strings.HasPrefix(line, "+++ "):
		if to := path(line[4:]); to != "" {
			e.Path = to
		} else {
			e.Deleted = true
		}
	case strings.HasPrefix(line, "create file mode"), strings.HasPrefix(line, "new file mode"):
		e.Created = true
	case strings.HasPrefix(line, "deleted file mode"):
		e.Deleted = true
	}
}
