package transcript_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/live"
	"parley/session/sessiontest"
)

// archived is an agent that keeps its sessions in an archive.
type archived struct {
	*sessiontest.Agent
	*archive.Archive
}

// TestJournalAddsNothing resumes what was held live and is wholly on disk: nothing may be there twice.
func TestJournalAddsNothing(t *testing.T) {
	for _, name := range recordings(t) {
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			rec, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir, data, id := unpack(t, rec)
			live := mapLive(t, data)
			if diff := cmp.Diff(view(session.Fold(live)), view(session.Fold(merged(t, dir, id, live)))); diff != "" {
				t.Errorf("what was resumed (+) differs from what was live (-):\n%s", diff)
			}
		})
	}
}

// TestJournalFillsACut resumes with only the first lines of the transcript on disk, as after a kill, because runtimes write
// behind: all that was said and done is there, once, and in its order.
func TestJournalFillsACut(t *testing.T) {
	for _, name := range []string{"two-turns", "edit", "parallel", "denied", "question"} {
		for _, version := range []string{"sdk-0.2.112", "native"} {
			t.Run(version+"/"+name, func(t *testing.T) {
				rec, err := txtar.ParseFile(filepath.Join("testdata", version, name+".txtar"))
				if err != nil {
					t.Fatal(err)
				}
				dir, data, id := unpack(t, rec)
				live := mapLive(t, data)
				want := view(session.Fold(live))
				cuts := 0
				for i := range rec.Files {
					if filepath.Base(rec.Files[i].Name) != string(id)+".jsonl" {
						continue
					}
					lines := bytes.SplitAfter(rec.Files[i].Data, []byte("\n"))
					for n := 1; n < len(lines); n++ {
						cuts++
						if err := os.WriteFile(filepath.Join(dir, "projects", filepath.FromSlash(rec.Files[i].Name)), bytes.Join(lines[:n], nil), 0o600); err != nil {
							t.Fatal(err)
						}
						if diff := cmp.Diff(want, view(session.Fold(merged(t, dir, id, live)))); diff != "" {
							t.Errorf("after line %d, what was resumed (+) differs from what was live (-):\n%s", n, diff)
						}
					}
				}
				if cuts < 5 {
					t.Errorf("only %d cuts", cuts)
				}
			})
		}
	}
}

// merged is what a resumed session shows that parley held live and whose transcript is in the directory.
func merged(t *testing.T, dir string, id session.ID, held []session.Event) []session.Event {
	t.Helper()
	journals := sessiontest.Journals()
	journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: "/work"}, held...)
	m := live.NewManager(live.Deps{Agents: []session.Agent{archived{sessiontest.NewAgent("builtin"), archive.New(dir)}}, Journals: journals})
	defer m.Close(context.Background())
	_, events, err := m.Read(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return events
}
