package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	stored "parley/session/sources"
)

// sameIDs writes sessions with one id in several places: of Claude Code in two projects, of the Copilot CLI under the same id, and of Codex
// in two files. Each begins with the words that it is called by.
func (w *world) sameIDs() (firsts []string) {
	w.t.Helper()
	const id = "0a1b2c3d-0000-4000-8000-000000000007"
	write := func(name, text string) {
		path := filepath.Join(w.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	for project, first := range map[string]string{"-work": "claude at home", "-elsewhere": "claude copied"} {
		write(".claude/projects/"+project+"/"+id+".jsonl", fmt.Sprintf(`{"parentUuid":null,"uuid":"u","timestamp":"2026-01-01T10:00:00Z","sessionId":%[1]q,"cwd":"/work","type":"user","message":{"role":"user","content":%[2]q}}
{"parentUuid":"u","uuid":"a","timestamp":"2026-01-01T10:00:01Z","sessionId":%[1]q,"cwd":"/work","type":"assistant","message":{"id":"m","model":"claude-x","content":[{"type":"text","text":"to %[2]s"}]}}
`, id, first))
		firsts = append(firsts, first)
	}
	write(".copilot/session-state/"+id+"/workspace.yaml", "id: x\ncwd: /work\n")
	write(".copilot/session-state/"+id+"/events.jsonl", `{"type":"session.start","data":{"context":{"cwd":"/work"}},"id":"e0","timestamp":"2026-01-01T10:00:00Z","parentId":null}
{"type":"user.message","data":{"content":"of copilot","messageId":"m1"},"id":"e1","timestamp":"2026-01-01T10:00:01Z","parentId":null}
{"type":"assistant.turn_start","data":{"turnId":"0"},"id":"e2","timestamp":"2026-01-01T10:00:01Z","parentId":null}
{"type":"assistant.message","data":{"messageId":"a1","content":"to of copilot","model":"x"},"id":"e3","timestamp":"2026-01-01T10:00:02Z","parentId":null}
{"type":"assistant.turn_end","data":{"turnId":"0"},"id":"e4","timestamp":"2026-01-01T10:00:03Z","parentId":null}
`)
	for place, first := range map[string]string{"sessions/2026/11/29": "codex first", "archived_sessions": "codex archived"} {
		write(".codex/"+place+"/rollout-2026-11-29T06-18-33-"+id+".jsonl", fmt.Sprintf(`{"timestamp":"2026-11-29T06:18:33Z","type":"session_meta","payload":{"id":%q,"cwd":"/work"}}
{"timestamp":"2026-11-29T06:18:34Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}}
{"timestamp":"2026-11-29T06:18:35Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"to %s"}]}}
`, id, first, first))
		firsts = append(firsts, first)
	}
	return append(firsts, "of copilot")
}

// TestEachRowIsTheSessionItShows runs every command on each of several sessions with one id, by the names that the list gives.
func TestEachRowIsTheSessionItShows(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	firsts := w.sameIDs()
	metas := w.listed()
	if len(metas) != len(firsts) {
		t.Fatalf("%+v", metas)
	}
	names := map[session.ID]bool{}
	for _, m := range metas {
		names[m.ID] = true
	}
	if len(names) != len(firsts) {
		t.Errorf("some share a name: %+v", metas)
	}
	if o := w.run("sessions", "show", "0a1b2c3d"); o.code != 0 || !strings.Contains(o.out, "claude at home") {
		t.Errorf("the one with the id is not shown: %s%s", o.out, o.err)
	}
	if o := w.run("sessions", "show", "0a1b2c3d-0000-4000-8000-000000000007."); o.code == 0 || !strings.Contains(o.err, "fits 2 sessions") || strings.Count(o.err, "claude copied") != 1 ||
		strings.Count(o.err, "of copilot") != 1 || strings.Count(o.err, ".at-") != 2 || !strings.Contains(o.err, "in /work") {
		t.Errorf("several are not told apart: %s", o.err)
	}
	described := func(first string) (m session.Meta) {
		for _, one := range w.listed() {
			if one.First == first && one.Parent == "" && !strings.HasSuffix(one.Title, "(fork)") {
				m = one
			}
		}
		return m
	}
	for _, m := range metas {
		id, foreign := string(m.ID), session.Foreign(m.Agent)
		for _, args := range [][]string{{"sessions", "show", id}, {"sessions", "show", id, "--json"}, {"sessions", "export", id}, {"sessions", "export", id, "--format", "html"}} {
			out := w.mustRun(args...)
			for _, first := range firsts {
				if strings.Contains(out, "to "+first) != (first == m.First) {
					t.Errorf("%q is about %s, not about %s", args, first, m.First)
				}
			}
		}
		copied := strings.TrimSpace(w.mustRun("sessions", "fork", id))
		if out := w.mustRun("sessions", "show", copied); !strings.Contains(out, "to "+m.First) || stored.Marked(session.ID(copied)) {
			t.Errorf("a copy of %s, %s, is\n%s", m.First, copied, out)
		}
		w.mustRun("sessions", "rename", id, "Title of "+m.First)
		w.mustRun("sessions", "tag", id, "of-"+strings.Fields(m.First)[1])
		w.mustRun("sessions", "pin", id)
		w.mustRun("sessions", "archive", id)
		if out := w.mustRun("sessions", "list", "is:archived", "--json"); strings.Count(out, `"id"`) != 1 || !strings.Contains(out, `"first": "`+m.First) {
			t.Errorf("archived are %s, want %s", out, m.First)
		}
		w.mustRun("sessions", "archive", "--undo", id)
		if now := described(m.First); string(now.ID) != id || now.Title != "Title of "+m.First || now.Archived || !now.Pinned || len(now.Tags) != 1 {
			t.Errorf("%s is %+v", m.First, now)
		}
		if o := w.run("sessions", "rm", "--with-transcript", id); (o.code != 0) != foreign {
			t.Errorf("%s: %+v", m.First, o)
		}
		if gone := described(m.First).ID == ""; gone == foreign {
			t.Errorf("%s is gone: %v", m.First, gone)
		}
		if foreign {
			continue
		}
		for _, first := range firsts {
			if first != m.First && described(first).ID == "" {
				t.Errorf("%s went with %s", first, m.First)
			}
		}
		w.mustRun("sessions", "restore", id)
		if now := described(m.First); string(now.ID) != id || now.Title != "Title of "+m.First {
			t.Errorf("%s came back as %+v", m.First, now)
		}
	}
	for _, m := range metas {
		if o := w.run("-p", "-r", string(m.ID)+" go on"); stored.Marked(m.ID) && (o.code == 0 || !strings.Contains(o.err, "fork")) {
			t.Errorf("%s goes on: %+v", m.First, o)
		}
	}
}

// TestRestoreOneOfTwo names the sessions of the bin that had one id, and brings back, or deletes for good, the one that is meant.
func TestRestoreOneOfTwo(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	path := filepath.Join(w.home, ".claude", "projects", "-work", theirID+".jsonl")
	for _, first := range []string{"older", "newer", "oldest"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(theirTranscript, "look here", first)), 0o600); err != nil {
			t.Fatal(err)
		}
		w.mustRun("sessions", "rm", "--with-transcript", theirID)
	}
	binned := w.binned()
	if len(binned) != 3 {
		t.Fatalf("%+v", binned)
	}
	o := w.run("sessions", "restore", theirID)
	if o.code == 0 || !strings.Contains(o.err, "fits 3 sessions") || !strings.Contains(o.err, "older") || !strings.Contains(o.err, "newer") || len(w.binned()) != 3 {
		t.Errorf("%+v", o)
	}
	ref := func(m session.Meta) string {
		text, err := json.Marshal(m.Deleted)
		if err != nil {
			t.Fatal(err)
		}
		return string(m.ID) + "@" + strings.Trim(string(text), `"`)
	}
	if out := w.mustRun("sessions", "list", "is:deleted"); strings.Count(out, theirID+"@") != 3 || !strings.Contains(out, ref(binned[1])) {
		t.Errorf("the list does not tell them apart:\n%s", out)
	}
	w.mustRun("sessions", "rm", "--now", ref(binned[0]))
	w.mustRun("sessions", "restore", ref(binned[2]))
	if all := w.listed(); len(all) != 1 || all[0].First != binned[2].First {
		t.Errorf("%+v", all)
	}
	if left := w.binned(); len(left) != 1 || left[0].First != binned[1].First {
		t.Errorf("%+v", left)
	}
	w.mustRun("sessions", "rm", "--now", "--with-transcript", theirID) // the living one
	if all, left := w.listed(), w.binned(); len(all) != 0 || len(left) != 1 {
		t.Errorf("%+v, %+v", all, left)
	}
	w.mustRun("sessions", "restore", theirID)
	if all := w.listed(); len(all) != 1 || all[0].First != binned[1].First {
		t.Errorf("%+v", all)
	}
}

// Changes of files that Claude Code made in a session are not those of another agent's session with its id.
func TestChangesAreOfTheirSession(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "words")
	id := string(w.listed()[0].ID)
	path := filepath.Join(w.home, ".claude", "projects", "-work", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(w.dir, "theirs.txt")
	lines := fmt.Sprintf(`{"parentUuid":null,"uuid":"u","timestamp":"2026-01-01T10:00:00Z","sessionId":%[1]q,"cwd":%[2]q,"type":"user","message":{"role":"user","content":"theirs"}}
{"parentUuid":"u","uuid":"a","timestamp":"2026-01-01T10:00:01Z","sessionId":%[1]q,"cwd":%[2]q,"type":"assistant","message":{"id":"m","model":"claude-x","content":[{"type":"tool_use","id":"c","name":"Write","input":{"file_path":%[3]q,"content":"x\n"}}]}}
{"parentUuid":"a","uuid":"r","timestamp":"2026-01-01T10:00:02Z","sessionId":%[1]q,"cwd":%[2]q,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]},"toolUseResult":{"type":"create","filePath":%[3]q,"content":"x\n","structuredPatch":[]}}
`, id, w.dir, file)
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, m := range w.listed() {
		out := w.mustRun("sessions", "diff", "--json", string(m.ID))
		if has := strings.Contains(out, "theirs.txt"); has != (m.Agent == "claude") {
			t.Errorf("%s of %s changed %s", m.ID, m.Agent, out)
		}
	}
	if all := w.listed(); len(all) != 2 {
		t.Errorf("%+v", all)
	}
}

// TestTheNextSessionKeepsItsMarks removes the file of the session that has an id: another one gets the id, with its own title and tags.
func TestTheNextSessionKeepsItsMarks(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.sameIDs()
	var first string
	for _, m := range w.listed() {
		if m.Agent == "codex" && stored.Marked(m.ID) {
			first = m.First
			w.mustRun("sessions", "rename", string(m.ID), "Title of it")
			w.mustRun("sessions", "tag", string(m.ID), "its")
		}
	}
	folder := map[string]string{"codex first": "archived_sessions", "codex archived": "sessions"}[first] // of the other one
	if err := os.RemoveAll(filepath.Join(w.home, ".codex", folder)); err != nil {
		t.Fatal(err)
	}
	w.mustRun("sessions", "pin", "codex-")
	for _, m := range w.listed() {
		if m.Agent == "codex" && (m.First != first || stored.Marked(m.ID) || m.Title != "Title of it" || len(m.Tags) != 1 || !m.Pinned) {
			t.Errorf("%+v", m)
		}
	}
}
