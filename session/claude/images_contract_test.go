//go:build contract

package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/session/live"
	"parley/session/runtimes/runtimestest"
)

// TestContractFileChanges records what calls change in files on real runtimes: asked and unasked ones, of child agents, a
// denied one, and commands.
func TestContractFileChanges(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			newWhole(t, runtimestest.Claude(t, dir, rt.version)).fileChanges()
		})
		t.Run(rt.version+"/without hooks", func(t *testing.T) {
			t.Parallel()
			newWhole(t, runtimestest.Claude(t, dir, rt.version)).fileChangesWithoutHooks()
		})
	}
}

// tracked begins a session whose changes are recorded.
func (w *whole) tracked() *changes.Library {
	w.t.Helper()
	lib := changes.New(changes.Options{Dir: filepath.Join(w.home, "edits"), Store: snapshot.New(snapshot.Options{Dir: filepath.Join(w.home, "images")})})
	w.m = live.NewManager(live.Deps{Agents: []session.Agent{&opener{w.agent, w}}, Journals: w.journal, Endpoints: proxyEndpoints{w.server}, Grace: patience, Files: lib})
	var err error
	if w.s, err = w.m.Draft(live.DraftOptions{Agent: "claude", Dir: w.dir, Settings: session.Settings{Mode: session.ModeDefault}}); err != nil {
		w.t.Fatal(err)
	}
	w.watch()
	return lib
}

// mode changes the permission mode.
func (w *whole) mode(m session.Mode) {
	w.t.Helper()
	v := w.s.Settings()
	v.Mode = m
	if err := w.s.Configure(v); err != nil {
		w.t.Fatal(err)
	}
}

// known waits until something is reported about the changes of n calls.
func (w *whole) known(n int) {
	w.t.Helper()
	seen := map[session.CallID]bool{}
	w.until(fmt.Sprintf("changes of %d calls", n), func(e session.Event) bool {
		if c, ok := e.(session.FilesChanged); ok && c.Call != "" {
			seen[c.Call] = true
		}
		return len(seen) == n
	})
}

// put writes a file of the project.
func (w *whole) put(name, content string, mode os.FileMode) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		w.t.Fatal(err)
	}
}

// stands describes all files of the project.
func (w *whole) stands() []string {
	w.t.Helper()
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			w.t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(w.dir, e.Name()))
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %o %q", e.Name(), info.Mode().Perm(), content))
	}
	return out
}

// changes describes the recorded changes: tool, file, before and after.
func (w *whole) changes(lib *changes.Library) (out []string, all []changes.Change) {
	w.t.Helper()
	all, err := lib.Log(w.s.ID()).Changes(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	store := snapshot.New(snapshot.Options{Dir: filepath.Join(w.home, "images")})
	show := func(s snapshot.State) string {
		if s.Kind != snapshot.File {
			return string(s.Kind)
		}
		content, err := store.Read(w.t.Context(), s)
		return fmt.Sprintf("%o %q%s", s.Mode, content, strings.TrimPrefix(fmt.Sprint(err), "<nil>"))
	}
	dir, err := filepath.EvalSymlinks(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range all {
		name, err := filepath.Rel(dir, c.Path)
		if err != nil {
			w.t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s: %s > %s", c.Tool, name, show(c.Before), show(c.After))
		if c.Unsure != "" {
			line += " (" + c.Unsure + ")"
		}
		out = append(out, line)
	}
	return out, all
}

func (w *whole) compareChanges(lib *changes.Library, want []string) []changes.Change {
	w.t.Helper()
	got, all := w.changes(lib)
	if !slices.Equal(got, want) {
		w.t.Errorf("recorded are\n  %s\nand should be\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	return all
}

func (w *whole) fileChanges() {
	lib := w.tracked()
	w.put("hello.txt", "one\ntwo\n", 0o600)
	w.put("a.sh", "a\r\n", 0o755)
	w.put("b", "\x00\xff", 0o644)
	w.put("gone", "gone\n", 0o640)
	before := w.stands()

	w.answers(always(session.Answer{Decision: session.Deny, Message: "not now"}))
	w.completes("edit the file", "not now")
	w.answers(always(yes))
	w.completes("edit the file", "updated")
	w.known(1)
	w.mode(session.ModeAcceptEdits)
	w.completes("write the file new.txt", "")
	w.known(2)
	w.mode(session.ModeBypass)
	w.completes("run the line printf x >> hello.txt; printf y > a.sh; printf z >> b; rm gone; chmod 600 new.txt", "")
	w.known(3)
	w.completes("let a colleague run printf child > child.txt", "")
	w.known(4)

	all := w.compareChanges(lib, []string{
		`Edit hello.txt: 600 "one\ntwo\n" > 600 "uno\ntwo\n"`,
		`Write new.txt: none > 644 "x\n"`,
		`Bash a.sh: 755 "a\r\n" > 755 "y"`,
		`Bash b: 644 "\x00\xff" > 644 "\x00\xffz"`,
		`Bash gone: 640 "gone\n" > none`,
		`Bash hello.txt: 600 "uno\ntwo\n" > 600 "uno\ntwo\nx"`,
		`Bash new.txt: 644 "x\n" > 600 "x\n"`,
		`Bash child.txt: none > 644 "child"`,
	})
	// Each change is in the turn and the child in which the transcript has its call.
	for _, turn := range session.Fold(w.all()).Turns {
		w.inPlace(turn.ID, "", turn.Entries, all)
	}
	if busy := lib.Busy(w.s.ID()); len(busy) > 0 {
		w.t.Errorf("%q are busy", busy)
	}
	w.replayed()
	l := lib.Log(w.s.ID())
	plan, err := l.PlanUndo(w.t.Context(), changes.Scope{})
	if err != nil {
		w.t.Fatal(err)
	}
	if out, err := l.Apply(w.t.Context(), plan, nil); err != nil || len(out.Left) > 0 {
		w.t.Errorf("undo: %+v, %v", out, err)
	}
	if after := w.stands(); !slices.Equal(before, after) {
		w.t.Errorf("after undo there are\n  %s\nand should be\n  %s", strings.Join(after, "\n  "), strings.Join(before, "\n  "))
	}
}

// inPlace fails if a change of a call among the entries names another turn or child.
func (w *whole) inPlace(turn session.TurnID, child session.ChildID, entries []session.Entry, all []changes.Change) {
	w.t.Helper()
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Child:
			w.inPlace(turn, e.ID, e.Entries, all)
		case *session.Tool:
			for _, c := range all {
				if c.Call == e.Call && (c.Turn != turn || c.Child != child) {
					w.t.Errorf("the change of %s is of turn %s and child %q, its call of turn %s and child %q", c.Path, c.Turn, c.Child, turn, child)
				}
			}
			if e.Name == "Bash" && (e.Changes == nil || len(e.Changes.Edits) == 0) {
				w.t.Errorf("the command %s shows no changes", e.Call)
			}
		}
	}
}

// replayed fails if the stored transcript does not have the edits.
func (w *whole) replayed() {
	w.t.Helper()
	ends, err := w.agent.ReplayEdits(w.t.Context(), w.s.ID())
	if err != nil {
		w.t.Fatal(err)
	}
	var got []string
	for _, e := range ends {
		for _, edit := range e.Edits {
			before := "-"
			if edit.Before != nil {
				before = *edit.Before
			}
			got = append(got, fmt.Sprintf("%s %q %t", filepath.Base(edit.Path), before, edit.Created))
		}
	}
	if want := []string{`hello.txt "one\ntwo\n" false`, `new.txt "-" true`}; !slices.Equal(got, want) {
		w.t.Errorf("the transcript has %q, want %q", got, want)
	}
}

func (w *whole) fileChangesWithoutHooks() {
	lib := w.tracked()
	if err := os.MkdirAll(filepath.Join(w.home, ".claude"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.home, ".claude", "settings.json"), []byte(`{"disableAllHooks":true}`), 0o644); err != nil {
		w.t.Fatal(err)
	}
	w.put("hello.txt", "one\ntwo\n", 0o600)
	w.mode(session.ModeBypass)
	w.completes("edit the file", "updated")
	w.known(1)
	w.completes("write the file new.txt", "")
	w.known(2)
	w.completes("read the file new.txt", "")
	w.completes("write the file hello.txt", "")
	w.known(3)
	got, _ := w.changes(lib)
	for i, name := range []string{"hello.txt: 600 \"one\\ntwo\\n\" > 600 \"uno\\ntwo\\n\"", "new.txt: none > 644 \"x\\n\"", "hello.txt: 600 \"uno\\ntwo\\n\" > 600 \"x\\n\""} {
		if i >= len(got) || !strings.HasSuffix(got[i], name) {
			w.t.Errorf("recorded are\n  %s", strings.Join(got, "\n  "))
			break
		}
	}
}
