package builtin

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/instruct"
	"parley/session/builtin/role"
	"parley/session/builtin/shell"
	"parley/session/builtin/skilltool"
	"parley/session/builtin/tool"
	"parley/session/permission"
	"parley/session/toolview"
)

// facts is the text that a session begins with: where it is and its instructions. They end the system prompt, and stay as they are
// while the session goes on, so that the cache holds; an event keeps them for a resume. What changes is told in a reminder. It
// is safe for concurrent use.
type facts struct {
	mu   sync.Mutex
	text string
	// start are the instructions in text, told all that the model has read. moved are the newest facts that it was told since.
	start, told instruct.Told
	moved       string
	// found are the instructions as they are on disk.
	found instruct.Found
	// skills is the newest list of skills that it was told.
	skills string
	// lost reports whether a summary took the place of reminders about changes.
	lost bool
}

// restore reads what the model was told before the conversation was opened.
func (f *facts) restore(t *session.Transcript) {
	f.start, f.told = instruct.Told{}, instruct.Told{}
	if t == nil {
		return
	}
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			switch e := e.(type) {
			case *session.Mark:
				if r, ok := e.Event.(session.Reminded); ok {
					f.read(r)
				}
			case *session.Tool:
				f.told.Read(e.Result.Sent)
			}
		}
	}
}

// read takes what the model was told.
func (f *facts) read(r session.Reminded) {
	if r.Facts {
		f.text, f.moved, f.lost = r.Text, "", false
		f.start, f.told = instruct.Told{}, instruct.Told{}
		f.start.Read(r.Text)
	} else {
		f.moved += r.Text + "\n"
	}
	f.told.Read(r.Text)
	if list := skilltool.Listed(r.Text); list != "" || r.Facts {
		f.skills = list
	}
}

// now returns the facts.
func (f *facts) now() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text
}

// summarised takes that reminders and results with instructions are no longer sent.
func (f *facts) summarised() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost = f.moved != ""
	for path := range f.told {
		if _, first := f.start[path]; !first {
			delete(f.told, path)
		}
	}
}

// touched returns the instructions that begin to hold with the files of a call.
func (f *facts) touched(ctx context.Context, paths []string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	for _, path := range paths {
		b.WriteString(f.found.Touched(ctx, f.told, path))
	}
	return b.String()
}

// system returns the system prompt. At the top it first tells what is new since the last turn.
func (l *loop) system(ctx context.Context) string {
	if l.child == "" {
		l.c.refresh(ctx)
	}
	return l.prompt()
}

// remind wraps a text so that the model knows that the user did not write it, except "".
func remind(text string) string {
	if text == "" {
		return ""
	}
	return "<system-reminder>\n" + text + "\n</system-reminder>"
}

// prompt returns the system prompt as it is.
func (l *loop) prompt() string {
	words := l.role().Words
	if l.c.o.Unattended && l.child == "" {
		words = role.Unattended(words)
	}
	if s := l.c.style(); l.child == "" && s.Text != "" {
		words += "\nThe user has chosen the output style " + s.Name + ". It is about how you answer:\n" + s.Text + "\n"
	}
	return words + "\n" + l.c.facts.now()
}

// refresh records the facts of a new session, or tells the model what has changed. It warns the user of files that were left
// out. Only the running turn calls it.
func (c *conversation) refresh(ctx context.Context) {
	o := c.sources()
	found := instruct.Find(ctx, o)
	env := instruct.Environment{Dir: o.Dir, Dirs: further(c), Date: c.o.Now().Format("2006-01-02"), Zone: instruct.Zone(c.o.Now()),
		Shell: shell.Name(c.top.ws), Environ: environOf(c)(), Home: c.top.ws.Home}
	if hides := c.hidden(ctx, c.top.ws); hides != nil {
		env.Names = func(path string) bool { return hides(path, path) == permission.Allow }
	}
	f, skills := &c.facts, c.has.skills.Look(ctx)
	f.mu.Lock()
	f.found = found
	if o.Skip {
		f.found.Later, f.found.Top = nil, ""
	}
	fresh := f.text == "" || f.lost
	var changes []string
	if !fresh {
		if moved := instruct.Moved(env.Moving(ctx), f.text, f.moved); len(moved) > 0 {
			changes = append(changes, "This has changed since:\n"+strings.Join(moved, "\n"))
		}
		if text := found.Changes(f.told, f.start); text != "" {
			changes = append(changes, text)
		}
		if text := skilltool.Changed(f.skills, skills); text != "" {
			changes = append(changes, text)
		}
	}
	f.mu.Unlock()
	var told session.Reminded
	switch {
	case fresh:
		told = session.Reminded{Facts: true, Text: env.Text(ctx)}
		if text := found.Text(); text != "" {
			told.Text += "\nThe user's instructions. The later ones are more specific and win.\n" + text
		}
		if skills != "" {
			told.Text += "\nThe skills that the tool Skill loads, by their names:\n" + skills
		}
	case len(changes) > 0:
		told = session.Reminded{Text: remind(strings.Join(changes, "\n"))}
	}
	if told.Text != "" {
		told.Head = c.head()
		f.mu.Lock()
		f.read(told)
		f.mu.Unlock()
		c.out.emit(told)
	}
	own := ""
	if o.Skip {
		own = c.open.Dir
	}
	for _, text := range c.left.warnings(found, c.top.ws.Short, own) {
		c.out.emit(session.Notice{Head: c.head(), Severity: session.Warning, Text: text})
	}
}

// leftOut knows about which instruction files that were not sent the user was warned. Only the running turn uses it.
type leftOut struct{ warned map[string]bool }

// warnings returns what the user is to read, each once. short spells a path, own is the session's directory where its instructions
// are skipped, else "".
func (l leftOut) warnings(found instruct.Found, short func(string) string, own string) (texts []string) {
	for _, left := range found.Left {
		if !l.warned[left.Path] && left.Warn {
			l.warned[left.Path] = true
			texts = append(texts, short(left.Path)+" was not sent: "+left.Why+". Replace it with a copy to use it.")
		}
	}
	if own != "" && !l.warned[""] {
		l.warned[""] = true
		if names := instruct.Names(found.Top, filepath.Clean(own)); len(names) > 0 {
			texts = append(texts, strings.Join(names, ", ")+" of this project not used: you have not agreed to its instructions. /trust shows them and asks.")
		}
	}
	return texts
}

// instructed adds the instructions that hold for the files of a call to what the model reads of its result.
func (l *loop) instructed(ctx context.Context, t *tool.Tool, j *tool.Job, out tool.Outcome) tool.Outcome {
	if out.How != session.ToolOK || t.Kind != toolview.Read && t.Kind != toolview.Edit || j.Place.Path == "" {
		return out
	}
	paths := []string{j.Place.Path}
	for _, p := range j.More {
		paths = append(paths, p.Path)
	}
	text := l.c.facts.touched(ctx, paths)
	if text == "" {
		return out
	}
	if out.Result.Sent == "" {
		out.Result.Sent = out.Result.Text
	}
	out.Result.Sent += "\n\n" + remind(strings.TrimRight(text, "\n"))
	return out
}
