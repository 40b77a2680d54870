package instruct

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
)

// Told are the digests of the instructions that the model has read, by path.
type Told map[string]string

// opening matches the beginning of a file in a text for the model.
var opening = lazyregexp.New(`(?m)^<instructions file="([^"\n]*)" sum="([0-9a-f]*)">$`)

// Read adds the files in a text that the model has read.
func (t Told) Read(text string) {
	for _, m := range opening.FindAllStringSubmatch(text, -1) {
		t[m[1]] = m[2]
	}
}

// quoted returns a path as the text has it. Such a path has no quote and no line break.
func quoted(path string) string {
	return strings.NewReplacer(`"`, "'", "\n", " ", "\r", " ").Replace(path)
}

// sum identifies a text.
func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:6])
}

// text returns a file as the model reads it.
func (f File) text() string {
	body := f.Text
	if f.Cut {
		body += "\n(cut here: there are too many instructions)"
	}
	return fmt.Sprintf("<instructions file=\"%s\" sum=\"%s\">\n%s\n</instructions>\n", quoted(f.Path), sum(f.Text), body)
}

// Size is the size of a file in a text, in bytes.
type Size struct {
	Path string
	Size int
}

// Sizes returns the files in a text for the model.
func Sizes(text string) []Size {
	const end = "\n</instructions>\n"
	var out []Size
	found := opening.FindAllStringSubmatchIndex(text, -1)
	for i, m := range found {
		rest := text[m[0]:]
		if i+1 < len(found) {
			rest = text[m[0]:found[i+1][0]]
		}
		if n := strings.LastIndex(rest, end); n >= 0 {
			rest = rest[:n+len(end)]
		}
		out = append(out, Size{text[m[2]:m[3]], len(rest)})
	}
	return out
}

// Text returns the files in force, empty if there are none.
func (f Found) Text() string {
	var b strings.Builder
	for _, file := range f.Files {
		b.WriteString("\n" + file.text())
	}
	return b.String()
}

// Changes returns what the model has to know of files that were changed, added or removed since it read told, "" for nothing.
// It updates told. Files outside of Files that the model has read are left alone.
func (f Found) Changes(told Told, start Told) string {
	var b strings.Builder
	now := map[string]bool{}
	for _, file := range f.Files {
		path := quoted(file.Path)
		now[path] = true
		if told[path] != sum(file.Text) {
			told[path], start[path] = sum(file.Text), ""
			b.WriteString("These instructions are new or have changed; the text before no longer holds:\n" + file.text())
		}
	}
	for path := range start {
		if !now[path] && told[path] != "" {
			told[path] = ""
			fmt.Fprintf(&b, "The instructions of %s no longer hold.\n<instructions file=\"%s\" sum=\"\">\n</instructions>\n", path, path)
		}
	}
	return b.String()
}

// Touched returns the instructions that begin to hold because a file is touched: those of the directories around it that are
// not around the working directory, and those whose patterns match it. It adds them to told.
func (f Found) Touched(ctx context.Context, told Told, path string) string {
	var files []File
	for _, dir := range between(f.Top, filepath.Dir(path)) {
		for _, name := range append(slices.Clone(names), "CLAUDE.local.md") {
			files = append(files, File{Path: filepath.Join(dir, name)})
		}
	}
	for _, later := range f.Later {
		if later.about(path) {
			files = append(files, later)
		}
	}
	var b strings.Builder
	for _, file := range files {
		if _, known := told[quoted(file.Path)]; known || strays(f.Top, file.Path) || file.Path == path {
			continue
		}
		if file, ok := read(ctx, file, maxFile); ok && b.Len() < MaxText {
			told[quoted(file.Path)] = sum(file.Text)
			b.WriteString(file.text())
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "These instructions are for files such as this one:\n" + b.String()
}

// between returns the directories below top down to dir, top first, nil if dir is not within top.
func between(top, dir string) []string {
	var out []string
	for d := dir; below(top, d); d = filepath.Dir(d) {
		out = append(out, d)
		if d == top {
			break
		}
	}
	slices.Reverse(out)
	return out
}
