package changes

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session"
	"parley/session/changes/snapshot"
)

// findings lists the changes of a call.
type findings struct {
	changes []Change
	gap     string
	refused []refusal
}

// refusal is the reason that keeps changes from being taken back.
type refusal struct {
	why  string
	path string // of the first of them
	more int
}

// text returns what is missing, as sentences; "" for nothing. Paths are relative to dir where they are below it.
func (f *findings) text(dir string) string {
	out := f.gap
	for _, r := range f.refused {
		path := r.path
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
		what := "The change of " + path
		if r.more > 0 {
			what = "The changes of " + path + " and " + human.Count(r.more, "other file", "other files")
		}
		out = join(out, what+" cannot be undone: "+r.why+".")
	}
	return out
}

// lateWhy is the reason for a call that did not wait to have no images.
const lateWhy = "copying it took too long"

// alike reports whether two states are the same, or look the same if their content was not read.
func alike(a, b snapshot.State) bool {
	return a.Same(b) || a.Kind == snapshot.File && b.Kind == snapshot.File && a.Sum == "" && b.Sum == "" && a.Size == b.Size && a.Mode == b.Mode ||
		a.Kind == snapshot.Other && b.Kind == snapshot.Other
}

// differ reports whether two states are surely not the same.
func differ(a, b snapshot.State) bool {
	if a.Same(b) || a.Kind == snapshot.Other && b.Kind == snapshot.Other {
		return false
	}
	if a.Kind != snapshot.File || b.Kind != snapshot.File {
		return true
	}
	return a.Mode != b.Mode || a.Size != b.Size || a.Sum != "" && b.Sum != ""
}

// findNamed finds the changes of files that a call names, or that its result does.
func (t *tracker) findNamed(f *findings, p *tracked, e session.ToolEnded) {
	files := slices.Clone(p.files)
	reported := map[string]session.FileEdit{}
	for _, edit := range e.Edits {
		path := ""
		for _, named := range filesOf(session.FileCall{Paths: []string{edit.Path}}, t.meta.Dir) {
			path = target(resolve(named))
		}
		if _, twice := reported[path]; path == "" || twice {
			continue
		}
		reported[path] = edit
		if !slices.ContainsFunc(files, func(f *trackedFile) bool { return f.path == path }) {
			files = append(files, &trackedFile{path: path})
		}
	}
	for _, file := range files {
		edit, is := reported[file.path]
		t.findFile(f, p, file, edit, is && e.Outcome == session.ToolOK)
	}
}

// findFile finds the change of one file. reported is true if the result says it was changed, as in edit.
func (t *tracker) findFile(f *findings, p *tracked, file *trackedFile, edit session.FileEdit, reported bool) {
	before, why := file.before(t.life)
	if p.isLate() {
		before, why = snapshot.State{}, lateWhy
	}
	known := why == ""
	after, ok := snapshot.State{}, false
	if known {
		after, ok = t.later(t.life, p, file.path, before)
	}
	if !ok {
		var err error
		if after, err = t.lib.o.Store.Take(t.life, file.path); err != nil {
			if reported || known && before.Kind != snapshot.None {
				f.gap = join(f.gap, "What stands at "+file.path+" cannot be read: "+err.Error()+".")
			}
			return
		}
	}
	c := Change{Path: file.path, Before: before, After: after}
	if !known {
		if !reported {
			return // it may not have changed
		}
		c.Before, c.Unsure = snapshot.State{Kind: snapshot.File, Mode: after.Mode, Unkept: why}, why
	}
	if state, newer := t.newest(p, file.path); newer {
		if alike(state, c.After) {
			return // it is recorded already
		}
		if known {
			c.Before = state
		}
	}
	if reported {
		t.trust(&c, edit, known)
	}
	if c.Before.Same(c.After) || !reported && !differ(c.Before, c.After) {
		return
	}
	if c.Before.Kind == snapshot.None && c.After.Kind != snapshot.None {
		c.Dirs = present(file.dirs)
	}
	f.put(c)
}

// add adds what was found later. A file has one change, from its first state to its last.
func (f *findings) add(later findings) {
	for _, c := range later.changes {
		if i := slices.IndexFunc(f.changes, func(o Change) bool { return o.Path == c.Path }); i >= 0 {
			f.changes[i].After = c.After
			continue
		}
		f.changes = append(f.changes, c)
	}
	if !strings.Contains(f.gap, later.gap) {
		f.gap = join(f.gap, later.gap)
	}
	for _, r := range later.refused {
		f.refuse(r)
	}
}

// refuse adds changes that cannot be taken back.
func (f *findings) refuse(r refusal) {
	if i := slices.IndexFunc(f.refused, func(o refusal) bool { return o.why == r.why }); i >= 0 {
		f.refused[i].more += 1 + r.more
		return
	}
	f.refused = append(f.refused, r)
}

// put adds a change, with the reason if it cannot be taken back.
func (f *findings) put(c Change) {
	why := c.Unsure
	if why == "" && !c.Before.Whole() {
		why = c.Before.Unkept
		if why == "" {
			why = "it was not a regular file"
		}
	}
	if why != "" {
		f.refuse(refusal{why: why, path: c.Path})
	}
	f.changes = append(f.changes, c)
}

// trust compares the image before a change with what the result says the file contained. The result is of the moment of the
// change: if something was written between the two, its text counts where it is surely the bytes.
func (t *tracker) trust(c *Change, edit session.FileEdit, known bool) {
	switch {
	case edit.Created:
		if !known || c.Before.Size > 0 { // some agents report an empty file as created
			c.Before, c.Unsure = snapshot.State{Kind: snapshot.None}, ""
		}
		return
	case edit.Before == nil:
		return
	}
	text := *edit.Before
	if text == "" && (!known || c.Before.Kind == snapshot.None) { // agents report a missing file so, too
		if !known {
			c.Before, c.Unsure = snapshot.State{Kind: snapshot.None}, "it was missing or empty before"
		}
		return
	}
	if known && c.Before.Kind == snapshot.File && c.Before.Whole() {
		content, err := t.lib.o.Store.Read(t.life, c.Before)
		if err != nil || !utf8.Valid(content) || string(content) == text || plain(string(content)) == plain(text) {
			return
		}
	}
	after, err := t.lib.o.Store.Read(t.life, c.After)
	exact := err == nil && isExact(text, after)
	switch {
	case exact || !known || !c.Before.Whole():
		state, err := t.lib.o.Store.Put(t.life, []byte(text))
		if err != nil {
			c.Before, c.Unsure = snapshot.State{Kind: snapshot.File, Unkept: err.Error()}, err.Error()
			return
		}
		state.Mode = modeOf(*c, known)
		c.Before, c.Unsure = state, ""
		if !exact {
			c.Unsure = "its line ends or its encoding may have been others"
		}
	default:
		c.Unsure = "another program wrote it at the same time"
	}
}

// modeOf returns the mode of a file before a change that did not set it.
func modeOf(c Change, known bool) fs.FileMode {
	if known && c.Before.Kind == snapshot.File || c.After.Kind != snapshot.File {
		return c.Before.Mode
	}
	return c.After.Mode
}

const byteOrderMark = "\ufeff"

// plain returns a text as agents give it: without a byte order mark, and with line feeds only.
func plain(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, byteOrderMark), "\r\n", "\n")
}

// isExact reports whether a text that an agent gives of a file is surely its bytes, by the file after the change.
func isExact(text string, after []byte) bool {
	if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) || !utf8.Valid(after) || bytes.HasPrefix(after, []byte(byteOrderMark)) && !strings.HasPrefix(text, byteOrderMark) {
		return false
	}
	feeds, returns := strings.Count(text, "\n"), strings.Count(text, "\r")
	if feeds == 0 && returns == 0 {
		return true
	}
	pairs := bytes.Count(after, []byte("\r\n"))
	switch {
	case returns == 0:
		return bytes.IndexByte(after, '\r') < 0 && bytes.IndexByte(after, '\n') >= 0
	case returns == feeds && strings.Count(text, "\r\n") == feeds:
		return pairs > 0 && bytes.Count(after, []byte("\n")) == pairs
	}
	return false
}

// newest returns the newest state of a path in the log, if it was recorded since the images of a call were made.
func (t *tracker) newest(p *tracked, path string) (snapshot.State, bool) {
	state, at, ok, err := t.log.Newest(t.life, path)
	return state, ok && err == nil && at > p.position
}

// compare finds the changes of a command.
func (t *tracker) compare(f *findings, p *tracked) {
	if p.snapshot == nil || p.isLate() {
		f.gap = join(f.gap, "What this command changed in files is not known: looking at them before it took too long.")
		return
	}
	r := t.tree().Compare(t.life, p.snapshot)
	f.gap = join(f.gap, sentence(r.Gap))
	for _, found := range r.Changed {
		if slices.ContainsFunc(f.changes, func(c Change) bool { return c.Path == found.Path }) {
			continue
		}
		c := Change{Path: found.Path, Before: found.Before, After: found.After, Dirs: found.Dirs}
		if state, ok := t.later(t.life, p, found.Path, found.Before); ok {
			c.After = state
		} else if t.isNamed(p, found.Path) {
			continue // by a call that has not changed it yet, or will be recorded
		}
		if state, newer := t.newest(p, found.Path); newer {
			if alike(state, c.After) {
				continue
			}
			c.Before = state
		}
		if !alike(c.Before, c.After) {
			f.put(c)
		}
	}
}

// isNamed reports whether a call that began after p names a path and has not been recorded.
func (t *tracker) isNamed(p *tracked, path string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, o := range t.calls {
		if o.seq > p.seq && o.isLooked() && slices.ContainsFunc(o.files, func(f *trackedFile) bool { return f.path == path }) {
			return true
		}
	}
	return false
}

// The bounds of what is shown of a command's changes.
const (
	maxShown   = 20
	maxPatch   = 8 << 10 // bytes
	longChange = "a long change"
)

// show returns the first changes of a command with short patches, and the number of the others.
func (t *tracker) show(changes []Change) (shown []session.FileEdit, more int) {
	for _, c := range changes[:min(len(changes), maxShown)] {
		e, err := t.log.Diff(t.life, c.Path, c.Before, c.After)
		if err != nil {
			e = session.FileEdit{Path: c.Path, Created: c.Before.Kind == snapshot.None, Deleted: c.After.Kind == snapshot.None}
		}
		if len(e.Patch) > maxPatch {
			e.Patch, e.Note = "", longChange
		}
		shown = append(shown, e)
	}
	return shown, len(changes) - len(shown)
}

// present returns the directories that exist.
func present(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			out = append(out, dir)
		}
	}
	return out
}

// join joins sentences.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// sentence begins a text with a capital letter and ends it with a period.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}
