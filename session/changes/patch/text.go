package patch

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"parley/session"
	"parley/session/changes/snapshot"
)

// Differ compares two states of a file, as [edits.Log.Diff] does.
type Differ func(path string, from, to snapshot.State) (session.FileEdit, error)

// Write writes the patch of a file. Names are relative to dir where the file is below it, and otherwise absolute, which
// git takes with --unsafe-paths only. What a patch cannot hold is a line that begins with "#", which git skips.
func Write(w io.Writer, dir string, f File, differ Differ) error {
	var b bytes.Buffer
	p := printer{b: &b, old: Name(dir, f.Path), new: Name(dir, f.Path), path: f.Path, differ: differ}
	if f.From != "" {
		p.old = Name(dir, f.From)
	}
	if err := p.file(f.Before, f.After); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Name returns the name of a file in a patch, without its prefix.
func Name(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// printer writes the patch of one file.
type printer struct {
	b        *bytes.Buffer
	old, new string // names
	path     string
	differ   Differ
}

// file writes a change. One of the kind of the file is two patches, as git's is.
func (p printer) file(before, after snapshot.State) error {
	if before.Kind == snapshot.Other || after.Kind == snapshot.Other {
		p.note("something that is not a file stood there, or stands there now")
		before, after = nothingIfOther(before), nothingIfOther(after)
	}
	none := snapshot.State{Kind: snapshot.None}
	if before.Kind != none.Kind && after.Kind != none.Kind && before.Kind != after.Kind {
		if err := p.one(before, none); err != nil {
			return err
		}
		return p.one(none, after)
	}
	return p.one(before, after)
}

func nothingIfOther(s snapshot.State) snapshot.State {
	if s.Kind == snapshot.Other {
		return snapshot.State{Kind: snapshot.None}
	}
	return s
}

// one writes a change that leaves the kind of the file as it is, or makes or removes the file.
func (p printer) one(before, after snapshot.State) error {
	hunks, err := p.hunks(before, after)
	if err != nil {
		return err
	}
	head := p.header(before, after)
	if head == "" && hunks == "" {
		return nil
	}
	fmt.Fprintf(p.b, "diff --git %s %s\n%s", quoted("a/"+p.old), quoted("b/"+p.new), head)
	if !strings.HasPrefix(hunks, "@@") {
		p.b.WriteString(hunks)
		return nil
	}
	old, new := ended(quoted("a/"+p.old)), ended(quoted("b/"+p.new))
	if before.Kind == snapshot.None {
		old = "/dev/null"
	}
	if after.Kind == snapshot.None {
		new = "/dev/null"
	}
	fmt.Fprintf(p.b, "--- %s\n+++ %s\n%s", old, new, hunks)
	return nil
}

// header returns the lines about the file itself.
func (p printer) header(before, after snapshot.State) string {
	was, is := Mode(before), Mode(after)
	var head string
	switch {
	case before.Kind == after.Kind && before.Kind == snapshot.None:
		return ""
	case before.Kind == snapshot.None:
		return "new file mode " + is + "\n"
	case after.Kind == snapshot.None:
		return "deleted file mode " + was + "\n"
	case was != is:
		head = "old mode " + was + "\nnew mode " + is + "\n"
	case before.Kind == snapshot.File && before.Mode != after.Mode:
		p.note(fmt.Sprintf("permissions %03o to %03o, which git does not record", before.Mode.Perm(), after.Mode.Perm()))
	}
	if p.old != p.new {
		head += "similarity index 100%\nrename from " + quoted(p.old) + "\nrename to " + quoted(p.new) + "\n"
	}
	return head
}

// hunks returns how the content differs: as hunks, or in one line if it is binary.
func (p printer) hunks(before, after snapshot.State) (string, error) {
	if before.Kind == snapshot.Link || after.Kind == snapshot.Link {
		return linkHunk(before, after), nil
	}
	if p.old != p.new || before.Sum != "" && before.Sum == after.Sum {
		return "", nil
	}
	if why := unkept(before, after); why != "" {
		p.note(why)
		return p.binary(before, after), nil
	}
	edit, err := p.differ(p.path, before, after)
	if err != nil {
		return "", err
	}
	switch {
	case edit.Patch != "":
		return strings.TrimSuffix(edit.Patch, "\n") + "\n", nil
	case before.Size == 0 && after.Size == 0:
		return "", nil
	case edit.Note != "" && edit.Note != binary:
		p.note(edit.Note)
	}
	return p.binary(before, after), nil
}

// unkept means that the content of a state was not kept, "" if both were.
func unkept(states ...snapshot.State) string {
	for _, s := range states {
		switch {
		case s.Kind != snapshot.File || s.Whole():
		case s.Unkept == "":
			return "its content was not kept"
		default:
			return "its content was not kept: " + strings.TrimRight(s.Unkept, ".")
		}
	}
	return ""
}

// binary returns the line of files whose content is not shown. Git applies no patch that has one.
func (p printer) binary(before, after snapshot.State) string {
	old, new := quoted("a/"+p.old), quoted("b/"+p.new)
	if before.Kind == snapshot.None {
		old = "/dev/null"
	}
	if after.Kind == snapshot.None {
		new = "/dev/null"
	}
	return fmt.Sprintf("Binary files %s and %s differ\n", old, new)
}

// note writes a line that git skips.
func (p printer) note(text string) { fmt.Fprintf(p.b, "# %s: %s\n", quoted(p.new), text) }

// linkHunk returns the hunk of a link, whose target is its content.
func linkHunk(before, after snapshot.State) string {
	if before.Kind == after.Kind && before.Target == after.Target {
		return ""
	}
	old, oldLines := targetLines("-", before)
	new, newLines := targetLines("+", after)
	return fmt.Sprintf("@@ -%s +%s @@\n%s%s", span(oldLines), span(newLines), old, new)
}

func targetLines(sign string, s snapshot.State) (text string, lines int) {
	if s.Kind != snapshot.Link || s.Target == "" {
		return "", 0
	}
	list := strings.SplitAfter(s.Target, "\n")
	if last := len(list) - 1; list[last] == "" {
		list = list[:last]
	} else {
		list[last] += "\n\\ No newline at end of file\n"
	}
	return sign + strings.Join(list, sign), len(list)
}

func span(lines int) string {
	switch lines {
	case 0:
		return "0,0"
	case 1:
		return "1"
	}
	return fmt.Sprintf("1,%d", lines)
}

// Mode returns the mode of a state as git records it: it knows links, and files that the owner may run or not.
func Mode(s snapshot.State) string {
	switch {
	case s.Kind == snapshot.Link:
		return "120000"
	case s.Kind != snapshot.File:
		return "000000"
	case s.Mode&0o100 != 0:
		return "100755"
	}
	return "100644"
}
