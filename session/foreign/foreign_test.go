package foreign

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/session"
)

// programs returns the programs of a home directory, by name.
func programs(t testing.TB, home string, environ map[string]string) map[string]*Program {
	t.Helper()
	all := map[string]*Program{}
	for _, p := range All(Options{Home: home, Getenv: func(name string) string { return environ[name] }, Temp: t.TempDir(),
		Dir: func() (string, error) { return filepath.Join(home, "work"), nil }}) {
		all[p.Name()] = p
	}
	return all
}

// written returns a home directory with files.
func written(t testing.TB, files map[string]string) string {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(home, name), text)
	}
	return home
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// recorded returns a home directory with the recorded sessions of a program.
func recorded(t testing.TB, program string) string {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join("testdata", program))); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(home, func(path string, e os.DirEntry, err error) error {
		if filepath.Ext(path) != ".sql" {
			return err
		}
		script, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		build(t, strings.TrimSuffix(path, ".sql"), string(script)).Close()
		return os.Remove(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// build makes a database with a log, by statements, and returns the connection that has it open.
func build(t testing.TB, path, script string) *sqlite.Conn {
	t.Helper()
	write(t, path, "")
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenWAL)
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlitex.ExecuteScript(c, script, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

// shown returns all sessions of a program as text: how they are described, what is replayed and what is searched.
func shown(t testing.TB, p *Program) string {
	t.Helper()
	metas, err := p.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range metas {
		fmt.Fprintf(&b, "%s of %s in %s branch %q model %q\ntitle %q first %q created %s\n", m.ID, m.Agent, m.Dir, m.Branch, m.Model, m.Title, m.First,
			m.Created.UTC().Format("2006-01-02 15:04:05"))
		events, err := p.Replay(t.Context(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(conversation(events))
		_, err = p.Texts(t.Context(), m.ID, session.TextQuery{}, func(x session.Text) bool {
			fmt.Fprintf(&b, "  found %v %q\n", x.Prompt, x.Bytes)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// conversation returns what events fold to as text.
func conversation(events []session.Event) string {
	var b strings.Builder
	for _, turn := range session.Fold(events).Turns {
		fmt.Fprintf(&b, "%s > %q\n", turn.ID, turn.Prompt.Text)
		for _, e := range turn.Entries {
			switch e := e.(type) {
			case *session.Part:
				fmt.Fprintf(&b, "  %s %q\n", e.Kind, e.Text())
			case *session.Tool:
				exit := ""
				if e.Result.ExitCode != nil {
					exit = fmt.Sprintf(" exit %d", *e.Result.ExitCode)
				}
				fmt.Fprintf(&b, "  call %s %s %s: %s%s %q\n", e.Call, e.Name, e.Input, e.Outcome, exit, e.Result.Text)
			case *session.Mark:
				if n, is := e.Event.(session.Notice); is {
					fmt.Fprintf(&b, "  note %q\n", n.Text)
				}
			}
		}
		why := ""
		if turn.Problem != nil {
			why = " " + turn.Problem.What
		}
		fmt.Fprintf(&b, "  %s%s\n", turn.Outcome, why)
	}
	return b.String()
}

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(got)) {
		t.Errorf("%s differs; got\n%s", path, got)
	}
}

// TestRecordedSessions shows what each program itself stored, or would by its documented schema.
func TestRecordedSessions(t *testing.T) {
	for _, name := range []string{"antigravity", "codex", "crush", "gemini", "goose", "opencode"} {
		t.Run(name, func(t *testing.T) {
			home := recorded(t, name)
			p := programs(t, home, nil)[name]
			golden(t, name, strings.ReplaceAll(shown(t, p), home, "/home"))
			metas, err := p.Sessions(t.Context())
			if err != nil || len(metas) == 0 {
				t.Fatalf("%d sessions, %v", len(metas), err)
			}
			said := ""
			if _, err := p.Texts(t.Context(), metas[0].ID, session.TextQuery{}, func(text session.Text) bool {
				said += string(text.Bytes) + "\n"
				return true
			}); err != nil || !strings.Contains(said, "go.mod") || !strings.Contains(said, "example.com/hello") {
				t.Errorf("a search does not find what was said: %v\n%s", err, said)
			}
			_, err = p.Open(t.Context(), session.OpenOptions{Session: metas[0].ID})
			id := strings.TrimPrefix(string(metas[0].ID), name+"-")
			if problem := session.ProblemOf(err, metas[0].Created); session.KindOf(err) != session.KindUnsupported || !strings.Contains(problem.Next, id) || !strings.Contains(problem.Next, "/fork") {
				t.Errorf("it does not say how to go on: %+v", problem)
			}
			if !session.Foreign(name) || session.AgentTitle(name) == "" {
				t.Errorf("%s is not known as another program", name)
			}
		})
	}
}

// TestMissingProgramsCostNothing looks for sessions where there are none, also with files where folders are expected.
func TestMissingProgramsCostNothing(t *testing.T) {
	odd := map[string]string{".codex": "a file", ".local/share": "a file", ".gemini": "a file", "work/.crush": "a file"}
	for _, home := range []string{t.TempDir(), written(t, odd)} {
		for name, p := range programs(t, home, nil) {
			if metas, err := p.Sessions(t.Context()); len(metas) != 0 || err != nil || p.Reads() != 0 {
				t.Errorf("%s: %d sessions, %v, %d reads", name, len(metas), err, p.Reads())
			}
			for id, want := range map[session.ID]session.Kind{"": session.KindNotFound, "x": session.KindNotFound, session.ID(name): session.KindNotFound,
				session.ID(name + "-"): session.KindInvalid, session.ID(name + "-../x"): session.KindInvalid, session.ID(name + "-a\nb"): session.KindInvalid,
				session.ID(name + "-" + strings.Repeat("x", 200)): session.KindInvalid, session.ID(name + "-none"): session.KindNotFound,
				session.ID(name + "-none.at-00000000"): session.KindNotFound, session.ID(name + "-.at-00000000"): session.KindInvalid} {
				if _, err := p.Describe(t.Context(), id); session.KindOf(err) != want {
					t.Errorf("%s has %q: %v", name, id, err)
				}
			}
		}
	}
	if all := All(Options{}); len(all) != 0 {
		t.Errorf("%d programs without a home", len(all))
	}
}
