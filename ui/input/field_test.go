package input

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/files"
	"parley/ui/keymap"
	"parley/ui/style"
	"parley/ui/textarea"
)

// chat has fixed answers.
type chat struct {
	dir             string
	running, queued bool
}

func (c *chat) Dir() string   { return c.dir }
func (c *chat) Running() bool { return c.running }
func (c *chat) Queued() bool  { return c.queued }

func (c *chat) Commands(query string) (all []textarea.Candidate) {
	for _, name := range []string{"mode", "model", "review"} {
		if strings.HasPrefix(name, query) {
			all = append(all, textarea.Candidate{Text: name})
		}
	}
	return all
}

func (c *chat) Arguments(command string) []textarea.Candidate {
	if command != "mode" {
		return nil
	}
	return []textarea.Candidate{{Text: "acceptEdits"}, {Text: "default"}, {Text: "plan"}}
}

func (c *chat) Complete(command string) bool { return command != "review" }

// field is a Model whose commands run in goroutines and report to one channel.
type field struct {
	*Model
	t    *testing.T
	chat *chat
	ctx  context.Context
	msgs chan tea.Msg
}

// newField returns a field of 80 by 24 cells in a directory with a few files.
func newField(t *testing.T, change func(*Options)) *field {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &field{t: t, chat: &chat{dir: "/project"}, ctx: t.Context(), msgs: make(chan tea.Msg, 64)}
	disk := fstest.MapFS{"main.go": {}, "docs/a file.md": {}, "docs/keys.md": {}}
	now := func() time.Time { return time.Unix(1_700_000_000, 0) }
	o := Options{Context: f.ctx, Look: &style.Look{Theme: style.NewTheme(true, true, nil), Now: now, Width: 80, Height: 24}, Keys: keys,
		Dir: f.chat.Dir, Running: f.chat.Running, Queued: f.chat.Queued, Commands: f.chat.Commands, Arguments: f.chat.Arguments, Complete: f.chat.Complete, Tree: func(dir string) *files.Tree {
			return files.NewTree(files.TreeOptions{Dir: dir, Now: now, Open: func(string) fs.FS { return disk }})
		}}
	if change != nil {
		change(&o)
	}
	f.Model = New(o)
	t.Cleanup(f.Close)
	return f
}

// run starts a command.
func (f *field) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				f.run(c)
			}
			return
		}
		if msg != nil {
			f.msgs <- msg
		}
	}()
}

// update hands a message in, starts the command and returns the action.
func (f *field) update(msg tea.Msg) Action {
	a, cmd := f.Update(msg)
	f.run(cmd)
	return a
}

// until handles results of commands until the condition holds.
func (f *field) until(what string, ok func() bool) (last Action) {
	f.t.Helper()
	for !ok() {
		select {
		case msg := <-f.msgs:
			if a := f.update(msg); a != nil {
				last = a
			}
		case <-f.ctx.Done():
			f.t.Fatalf("%s: never", what)
		}
	}
	return last
}

// key presses a key such as "enter", "ctrl+r" or "x" and returns the action.
func (f *field) key(name string) Action {
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"backspace": tea.KeyBackspace, "home": tea.KeyHome}
	k := tea.KeyPressMsg{}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		name, k.Mod = rest, tea.ModCtrl
	}
	if code, ok := named[name]; ok {
		k.Code = code
		return f.update(k)
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return f.update(k)
}

// write types a text, character by character, and returns the last action.
func (f *field) write(text string) (a Action) {
	for _, r := range text {
		a = f.key(string(r))
	}
	return a
}

// want checks the text.
func (f *field) want(text string) {
	f.t.Helper()
	if got := f.Value(); got != text {
		f.t.Errorf("the field holds %q, want %q", got, text)
	}
}

// screen returns the rows of the field and of the list above it, without styles.
func (f *field) screen() string {
	rows, _, _ := f.Rows(80, 8)
	return style.Unstyled(strings.Join(append(f.ListRows(10), rows...), "\n"))
}
