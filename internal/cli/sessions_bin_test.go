package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/store"
	"parley/ui/core"
)

// binned returns the sessions in the bin.
func (w *world) binned() (all []session.Meta) {
	w.t.Helper()
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "list", "is:deleted", "--json")), &all); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// files returns the files below a directory with their contents, but for locks and summaries.
func (w *world) files(dir string) map[string]string {
	all := map[string]string{}
	_ = filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() && !strings.Contains(path, "lock") && !strings.HasSuffix(path, ".summary.json") {
			data, _ := os.ReadFile(path)
			all[path] = string(data)
		}
		return nil
	})
	return all
}

// TestBin deletes a session with its log of changes, tags and draft, which no list, search or command then finds, and brings all of it
// back, byte by byte. What it cost still counts.
func TestBin(t *testing.T) {
	w := newWorld(t).signIn(`
rules:
  - when: {prompt: write, result: false}
    reply: [{tool: Write, input: {file_path: "new.txt", content: "new\n"}}]
  - when: {}
    reply: Done.
`)
	w.mustRun("-p", "--permission-mode", "acceptEdits", "write")
	w.mustRun("-p", "another")
	id := ""
	for _, m := range w.listed() {
		if m.First == "write" {
			id = string(m.ID)
		}
	}
	w.mustRun("sessions", "tag", id, "infra")
	data := filepath.Join(w.home, ".local", "share", "parley")
	drafts := store.NewDrafts(filepath.Join(data, "composer"))
	if err := drafts.Save(core.SessionDraft(session.ID(id)), "unsent"); err != nil {
		t.Fatal(err)
	}
	if err := drafts.Close(); err != nil {
		t.Fatal(err)
	}
	before, spent := w.files(data), w.mustRun("usage", "--json")
	if out := w.mustRun("sessions", "rm", id, "--json"); !strings.Contains(out, id) {
		t.Errorf("%s", out)
	}
	for path := range w.files(data) {
		if strings.Contains(path, id) {
			t.Errorf("left behind: %s", path)
		}
	}
	if n := len(w.files(filepath.Join(data, "composer"))); n != 0 {
		t.Errorf("%d drafts are left", n)
	}
	if all := w.binned(); len(w.listed()) != 1 || len(all) != 1 || string(all[0].ID) != id || all[0].Deleted.IsZero() || strings.Join(all[0].Tags, "") != "infra" {
		t.Errorf("listed %+v, in the bin %+v", w.listed(), all)
	}
	if out := w.mustRun("sessions", "search", "write", "--json"); strings.Contains(out, id) {
		t.Errorf("a search finds it: %s", out)
	}
	if out := w.mustRun("sessions", "search", "write", "is:deleted", "--json"); !strings.Contains(out, id) {
		t.Errorf("a search in the bin does not find it: %s", out)
	}
	for _, args := range [][]string{{"sessions", "show", id}, {"sessions", "rm", id}, {"-p", "-r", id + " more"}} {
		if o := w.run(args...); o.code == 0 {
			t.Errorf("%q: %+v", args, o)
		}
	}
	if got := w.mustRun("usage", "--json"); got != spent {
		t.Errorf("the sums are %s, were %s", got, spent)
	}
	w.mustRun("sessions", "restore", id[:8])
	after := w.files(data)
	for path, text := range before {
		if after[path] != text {
			t.Errorf("%s is %q, was %q", path, after[path], text)
		}
	}
	if len(after) != len(before) || len(w.listed()) != 2 || len(w.binned()) != 0 {
		t.Errorf("%d files, were %d; listed %d", len(after), len(before), len(w.listed()))
	}
	w.mustRun("sessions", "undo", "--yes", id)
	if _, err := os.Stat(filepath.Join(w.dir, "new.txt")); err == nil {
		t.Error("its changes can't be undone")
	}
	if o := w.run("sessions", "restore", id); o.code != 2 || !strings.Contains(o.err, "the bin is empty") {
		t.Errorf("%+v", o)
	}
}

// TestEmptyBin deletes for good: one of the bin, one of the list, and the rest of the bin.
func TestEmptyBin(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	for _, prompt := range []string{"one", "two", "three", "four"} {
		w.mustRun("-p", prompt)
	}
	ids := map[string]string{}
	for _, m := range w.listed() {
		ids[m.First] = string(m.ID)
	}
	for _, first := range []string{"one", "two", "three"} {
		w.mustRun("sessions", "rm", ids[first])
	}
	w.mustRun("sessions", "rm", "--now", ids["one"])
	if out := w.mustRun("sessions", "rm", "--now", ids["four"]); out != "Deleted “four” ("+ids["four"]+") for good.\n" {
		t.Errorf("%q", out)
	}
	if got, _ := w.offers("sessions", "restore", ""); len(got) != 2 || !slices.Contains(got, ids["two"]) {
		t.Errorf("restore offers %q", got)
	}
	if len(w.listed()) != 0 || len(w.binned()) != 2 {
		t.Fatalf("listed %+v, in the bin %+v", w.listed(), w.binned())
	}
	for _, args := range [][]string{{"sessions", "rm"}, {"sessions", "rm", "--empty-bin", ids["two"]}, {"sessions", "restore"}, {"sessions", "restore", ""}, {"sessions", "restore", "../x"}} {
		if o := w.run(args...); o.code != 2 && o.code != 1 || o.err == "" {
			t.Errorf("%q: %+v", args, o)
		}
	}
	if out := w.mustRun("sessions", "rm", "--empty-bin", "--json"); strings.TrimSpace(out) != `{"deleted":2}` && !strings.Contains(out, `"deleted": 2`) {
		t.Errorf("%s", out)
	}
	if len(w.binned()) != 0 {
		t.Errorf("in the bin %+v", w.binned())
	}
	for path := range w.files(filepath.Join(w.home, ".local")) {
		for _, id := range ids {
			if strings.Contains(path, id) {
				t.Errorf("left: %s", path)
			}
		}
	}
}

// TestBinTakesWhatTheAgentStores moves a session of Claude Code with its folder, only if that is asked for, and brings it back to where Claude
// Code finds it. A place that is taken is left as it is.
func TestBinTakesWhatTheAgentStores(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	path := filepath.Join(w.home, ".claude", "projects", "-work", theirID+".jsonl")
	part := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "tool-results", "a.txt")
	for p, text := range map[string]string{path: theirTranscript, part: "output"} {
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, time.Time{}, time.Now().Add(-time.Hour).Truncate(time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	before := w.listed()
	if o := w.run("sessions", "rm", theirID); o.code != 2 || len(w.listed()) != 1 {
		t.Errorf("unasked: %+v", o)
	}
	w.mustRun("sessions", "rm", "--with-transcript", theirID)
	if len(w.listed()) != 0 || len(w.files(filepath.Join(w.home, ".claude", "projects"))) != 0 {
		t.Fatalf("listed %+v", w.listed())
	}
	if all := w.binned(); len(all) != 1 || all[0].Agent != "claude" || all[0].First != before[0].First {
		t.Errorf("%+v", all)
	}
	if err := os.WriteFile(path, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := w.run("sessions", "restore", theirID); o.code == 0 || !strings.Contains(o.err, "is there already") {
		t.Errorf("%+v", o)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.mustRun("sessions", "restore", theirID)
	after := w.listed()
	if len(after) != 1 || after[0].Headline() != before[0].Headline() || !after[0].Updated.Equal(before[0].Updated) {
		t.Errorf("%+v, was %+v", after, before)
	}
	if data, err := os.ReadFile(part); string(data) != "output" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}
