package sessions

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// shelf is a manager with sessions that can be read; those of Copilot cannot be forked.
type shelf struct {
	core.Manager
	removal library.Removal
	err     error
	removed []session.ID
	kept    bool

	restored []session.Meta
	bin      []session.Meta
	emptied  []session.Meta
	which    func(which func(session.Meta) bool)
}

func (s *shelf) CanFork(agent string) bool { return agent != "copilot" }

func (s *shelf) Read(_ context.Context, id session.ID) (session.Meta, []session.Event, error) {
	return session.Meta{ID: id, Title: "A title"}, []session.Event{session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{Text: "the words"}}}, s.err
}

func (s *shelf) Removal(context.Context, session.ID) (library.Removal, error) {
	return s.removal, s.err
}

func (s *shelf) Discard(_ context.Context, id session.ID, kept bool) error {
	s.removed, s.kept = append(s.removed, id), kept
	return s.err
}

func (s *shelf) RestoreFrom(_ context.Context, id session.ID, at time.Time) error {
	s.restored = append(s.restored, session.Meta{ID: id, Deleted: at})
	return s.err
}

func (s *shelf) Deleted(context.Context) ([]session.Meta, error) { return s.bin, nil }

func (s *shelf) Empty(_ context.Context, which func(session.Meta) bool) (int, error) {
	if s.which != nil {
		s.which(which)
	}
	for _, m := range s.bin {
		if which(m) {
			s.emptied = append(s.emptied, m)
		}
	}
	return 1, s.err
}

func actsOn(t *testing.T, m *shelf) Sessions {
	l := Sessions{Dir: t.TempDir(), Home: "/home/a", Now: "now", Manager: m, Look: &style.Look{Now: func() time.Time { return time.Unix(0, 0) }},
		All: []session.Meta{{ID: "now"}, {ID: "a", Agent: "builtin", Title: "A title", Turns: 2}, {ID: "c", Agent: "copilot"}}}
	return l
}

func does(l Sessions, key, id string) panel.Effect {
	return l.Do(list.Acted{Row: list.Row{ID: id}, Key: key})
}

func TestForkFromTheList(t *testing.T) {
	l := actsOn(t, &shelf{})
	if e, is := does(l, keyFork, "a").(panel.All); !is || e[1] != (panel.Fork{Session: "a"}) {
		t.Errorf("%#v", e)
	}
	if e, is := does(l, keyFork, "c").(panel.Notice); !is || !strings.Contains(e.Text, "can't fork") {
		t.Errorf("%#v", e)
	}
	if e := does(l, keyFork, "gone"); e != nil {
		t.Errorf("%#v", e)
	}
}

func TestExportFromTheList(t *testing.T) {
	l := actsOn(t, &shelf{})
	if n := does(l, keyExport, "a").(panel.Run).Work(t.Context()).(panel.Notice); n.Warn {
		t.Fatal(n.Text)
	}
	files, _ := filepath.Glob(filepath.Join(l.Dir, "*.md"))
	if len(files) != 1 {
		t.Fatalf("%q", files)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), "the words") {
		t.Errorf("%s, %v", text, err)
	}
	if n := does(l, keyExport, "a").(panel.Run).Work(t.Context()).(panel.Notice); !n.Warn {
		t.Errorf("a file is overwritten: %s", n.Text)
	}
}

// TestTheQuestionBeforeDeleting says what is deleted, or why nothing is.
func TestTheQuestionBeforeDeleting(t *testing.T) {
	if n, is := does(actsOn(t, &shelf{}), keyDelete, "now").(panel.Notice); !is || !strings.Contains(n.Text, "open here") {
		t.Errorf("%#v", n)
	}
	for _, c := range []struct {
		m     shelf
		texts []string // of the question
		why   string   // there is none
	}{
		{shelf{removal: library.Removal{Agent: "claude", Paths: []string{"/home/a/.claude/x.jsonl"}}}, []string{"“A title”, 2 turns", "brought back", "Claude Code keeps it too", "~/.claude/x.jsonl"}, ""},
		{shelf{removal: library.Removal{Agent: "claude", Paths: []string{"/x"}, Folder: "/scratch"}}, []string{"Its scratch folder goes along"}, ""},
		{shelf{err: &session.Error{Op: "remove", Kind: session.KindLocked, Err: context.Canceled}}, nil, "Not deleted."},
		{shelf{err: &session.Error{Op: "remove", Kind: session.KindNotFound, Err: context.Canceled}}, nil, "can't delete it there"},
	} {
		l := actsOn(t, &c.m)
		msg := does(l, keyDelete, "a").(panel.Start).Cmd(t.Context())
		e, _ := l.Update(list.Open(l.Look, l, ""), msg)
		if n, is := e.(panel.Notice); is != (c.why != "") || is && !strings.Contains(n.Text, c.why) {
			t.Errorf("%#v", e)
			continue
		} else if is {
			continue
		}
		q := e.(panel.Push).Panel.(*list.Panel).Source
		for _, want := range c.texts {
			if !strings.Contains(q.Options().Text, want) {
				t.Errorf("%q lacks %q", q.Options().Text, want)
			}
		}
		if q.Choose("no") != nil {
			t.Error("no deletes")
		}
		q.Choose("yes").(panel.Run).Work(t.Context())
		if len(c.m.removed) != 1 || c.m.kept != (len(c.m.removal.Paths) > 0) {
			t.Errorf("removed %q, kept %v", c.m.removed, c.m.kept)
		}
	}
}

// TestDeletedWithItsFolder says that the folder of a session has gone into the bin with it.
func TestDeletedWithItsFolder(t *testing.T) {
	for folder, want := range map[string]string{"/scratch": "Deleted “A title” with its scratch folder. alt+u brings it back", "": "Deleted “A title”. alt+u brings it back"} {
		l := actsOn(t, &shelf{removal: library.Removal{Folder: folder}})
		e, _ := l.Update(list.Open(l.Look, l, ""), does(l, keyDelete, "a").(panel.Start).Cmd(t.Context()))
		if all := e.(panel.Run).Work(t.Context()).(panel.All); all[1].(panel.Notice).Text != want {
			t.Errorf("%q: %#v", folder, all[1])
		}
	}
}

// TestDeletedUnderneath keeps a session whose folder the open chat works in.
func TestDeletedUnderneath(t *testing.T) {
	m := &shelf{}
	l := actsOn(t, m)
	m.removal.Folder = l.Dir
	e, _ := l.Update(list.Open(l.Look, l, ""), does(l, keyDelete, "a").(panel.Start).Cmd(t.Context()))
	if n, is := e.(panel.Notice); !is || !strings.Contains(n.Text, "This chat works in") {
		t.Errorf("%#v", e)
	}
}

// TestDeletedSessions deletes a session without a question, which no list then shows but that of the bin, and brings it back by its row, as
// the last one, and by opening it.
func TestDeletedSessions(t *testing.T) {
	const inBin = "a\x000" // the row of the session in the bin
	m := &shelf{}
	l := actsOn(t, m)
	p := list.Open(l.Look, l, "")
	rows := func(typed string) (ids string) {
		words, only, _ := p.Source.(Sessions).Narrow(typed)
		for _, r := range p.Source.Rows() {
			if (only == nil || only[r.ID]) && len(words) == 0 {
				id, _, _ := strings.Cut(r.ID, "\x00")
				ids += id + " "
			}
		}
		return ids
	}
	tell := func(e panel.Effect) {
		t.Helper()
		all, is := e.(panel.Run).Work(t.Context()).(panel.All)
		if !is {
			t.Fatalf("%#v", e)
		}
		p.Source.(Sessions).Update(p, all[0].(panel.Tell).Msg)
	}
	if n, is := does(p.Source.(Sessions), keyUndo, "a").(panel.Notice); !is || !strings.Contains(n.Text, "Nothing was deleted") {
		t.Errorf("%#v", n)
	}
	e, _ := l.Update(p, does(l, keyDelete, "a").(panel.Start).Cmd(t.Context()))
	tell(e)
	if rows("") != "now c " || rows("is:deleted") != "a " || len(m.removed) != 1 || m.kept || p.Source.(Sessions).listed() != 2 {
		t.Errorf("%q, in the bin %q, removed %q", rows(""), rows("is:deleted"), m.removed)
	}
	for _, key := range []string{keyFork, keyRename, keyPin, keyExport} {
		if n, is := does(p.Source.(Sessions), key, inBin).(panel.Notice); !is || !strings.Contains(n.Text, "in the bin") {
			t.Errorf("%s: %#v", key, n)
		}
	}
	tell(does(p.Source.(Sessions), keyUndo, ""))
	if rows("") != "now a c " || rows("is:deleted") != "" || len(m.restored) != 1 {
		t.Errorf("%q, in the bin %q, restored %v", rows(""), rows("is:deleted"), m.restored)
	}
	p.Set(p.Source.(Sessions).binned("a"))
	tell(p.Source.(Sessions).Choose(inBin))
	if len(m.restored) != 2 || !m.restored[1].Deleted.IsZero() || rows("") != "now a c " {
		t.Errorf("%q, restored %v", rows(""), m.restored)
	}
	p.Set(p.Source.(Sessions).binned("a"))
	// The list has not read the bin, in which an older one with the same id is.
	m.bin = []session.Meta{{ID: "c", Deleted: time.Unix(9, 0)}, {ID: "a", Deleted: time.Unix(5, 0)}, {ID: "a", Deleted: time.Unix(3, 0)}}
	q := does(p.Source.(Sessions), keyDelete, inBin).(panel.Push).Panel.(*list.Panel).Source
	if q.Choose("no") != nil {
		t.Error("no deletes")
	}
	tell(q.Choose("yes"))
	if rows("is:deleted") != "" || len(m.emptied) != 1 || !m.emptied[0].Deleted.Equal(time.Unix(5, 0)) {
		t.Errorf("%q, emptied %v", rows("is:deleted"), m.emptied)
	}
	m.err = &session.Error{Op: "restore", Kind: session.KindInvalid, Err: context.Canceled}
	p.Set(p.Source.(Sessions).binned("c"))
	if n := does(p.Source.(Sessions), keyUndo, "c\x000").(panel.Run).Work(t.Context()).(panel.Notice); !n.Warn || !strings.HasPrefix(n.Text, "Not restored.") {
		t.Errorf("%#v", n)
	}
}

// TestSessionsWithOneID tells a session from those in the bin and of other programs that have the same id.
func TestSessionsWithOneID(t *testing.T) {
	m := &shelf{}
	l := actsOn(t, m)
	first, second := time.Unix(100, 0), time.Unix(200, 0)
	l.All = []session.Meta{{ID: "x", Agent: "builtin", Title: "live"}, {ID: "x.at-00000000", Agent: "codex", Title: "other"},
		{ID: "x", Agent: "builtin", Title: "old", Deleted: first}, {ID: "x", Agent: "builtin", Title: "older", Deleted: second}}
	rows := map[string]string{}
	for _, r := range l.Rows() {
		rows[r.Cells[0]] = r.ID
	}
	if len(rows) != 4 || rows["live"] != "x" {
		t.Fatalf("%q", rows)
	}
	for title, key := range rows {
		if s, known := l.find(key); !known || s.Title != title {
			t.Errorf("%s is %+v", title, s)
		}
	}
	if got := l.Choose(rows["live"]); got != (panel.Resume{ID: "x"}) {
		t.Errorf("%#v", got)
	}
	if _, is := l.Choose(rows["old"]).(panel.Run); !is {
		t.Error("one in the bin is opened without being brought back")
	}
	tell := l.Choose(rows["old"]).(panel.Run).Work(t.Context()).(panel.All)[0].(panel.Tell).Msg.(restoredMsg)
	if back := l.restored(tell.session); !back.All[2].Deleted.IsZero() || !back.All[3].Deleted.Equal(second) || len(m.restored) != 1 || !m.restored[0].Deleted.Equal(first) {
		t.Errorf("brought back: %+v, %+v", m.restored, back.All)
	}
	if back := l.restored(session.Meta{ID: "x"}); !back.All[3].Deleted.IsZero() || !back.All[2].Deleted.Equal(first) {
		t.Errorf("brought back: %+v", back.All)
	}
	if there := l.binned("x"); !there.All[2].Deleted.Equal(first) || !there.All[3].Deleted.Equal(second) || there.All[0].Deleted.IsZero() || !there.All[1].Deleted.IsZero() {
		t.Errorf("in the bin: %+v", there.All)
	}
	gone := l.emptied(rows["old"])
	if len(gone.All) != 3 || gone.All[2].Title != "older" {
		t.Errorf("%+v", gone.All)
	}
	var asked []bool
	m.which = func(which func(session.Meta) bool) {
		for _, s := range l.All {
			asked = append(asked, which(s))
		}
	}
	does(l, keyDelete, rows["old"]).(panel.Push).Panel.(*list.Panel).Source.Choose("yes").(panel.Run).Work(t.Context())
	if !slices.Equal(asked, []bool{false, false, true, false}) {
		t.Errorf("deleted for good: %v", asked)
	}
	if _, only, _ := l.Narrow("is:deleted"); only[rows["live"]] || !only[rows["old"]] || !only[rows["older"]] {
		t.Errorf("in the bin: %v", only)
	}
}

// TestTheProgramOfASession copies the command that goes on with it there, without what a terminal would act on, and says where there is none.
func TestTheProgramOfASession(t *testing.T) {
	l := actsOn(t, &shelf{})
	l.All = []session.Meta{{ID: "codex-a", Agent: "codex", Dir: "/work"}, {ID: "c", Agent: "claude", Dir: "/a\x1b[201~"}, {ID: "c.at-00000000", Agent: "claude"}, {ID: "b", Agent: "builtin"}}
	for id, want := range map[string]panel.Effect{
		"codex-a":       panel.Copy{What: "cd /work && codex resume a", Text: "cd /work && codex resume a"},
		"c":             panel.Copy{What: "claude --resume c", Text: "claude --resume c"},
		"c.at-00000000": panel.Notice{Text: "Claude Code might open another session: this one has the same id", Warn: true},
		"b":             panel.Notice{Text: "It is parley's own. enter opens it", Warn: true},
	} {
		if got := does(l, keyTool, id); got != want {
			t.Errorf("%s: %#v", id, got)
		}
	}
}
