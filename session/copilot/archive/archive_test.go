package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
)

const storedID = session.ID("0a1b2c3d-0000-4000-8000-000000000001")

// home is a home directory of the runtime in a test.
type home struct {
	t   testing.TB
	dir string
}

func newHome(t testing.TB) home { return home{t, t.TempDir()} }

func (h home) folder(id session.ID) string { return filepath.Join(h.dir, stateFolder, string(id)) }

// put writes a session.
func (h home) put(id session.ID, workspace string, lines ...string) {
	h.t.Helper()
	if err := os.MkdirAll(h.folder(id), 0o755); err != nil {
		h.t.Fatal(err)
	}
	h.write(id, workspaceFile, workspace)
	h.write(id, eventsFile, strings.Join(lines, "\n")+"\n")
}

func (h home) write(id session.ID, name, text string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.folder(id), name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// add appends to the events of a session.
func (h home) add(id session.ID, text string) {
	h.t.Helper()
	f, err := os.OpenFile(filepath.Join(h.folder(id), eventsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		h.t.Fatal(err)
	}
}

var start = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// line is an event, so many seconds after the start.
func line(second int, kind string, data map[string]any) string {
	d, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	at, agent := start.Add(time.Duration(second)*time.Second).Format(time.RFC3339Nano), ""
	if a, rest, ok := strings.Cut(kind, "/"); ok {
		agent, kind = fmt.Sprintf(`"agentId":%q,`, a), rest
	}
	return fmt.Sprintf(`{"type":%q,"data":%s,%s"id":"e%d-%s","timestamp":%q,"parentId":null}`, kind, d, agent, second, kind, at)
}

type data = map[string]any

// turn are the lines of a turn with an answer, ten seconds long.
func turn(n int, prompt, answer string) []string {
	s := 10 * n
	return []string{
		line(s, "user.message", data{"content": prompt, "messageId": fmt.Sprintf("m%d", n), "delivery": "idle", "turnId": "0"}),
		line(s+1, "system.message", data{"role": "system", "content": strings.Repeat("system ", 100)}),
		line(s+1, "assistant.turn_start", data{"turnId": "0"}),
		line(s+2, "assistant.message", data{"messageId": fmt.Sprintf("a%d", n), "content": answer, "model": "claude-x"}),
		line(s+3, "assistant.turn_end", data{"turnId": "0"}),
	}
}

func begin(model string) string {
	return line(0, "session.start", data{"sessionId": storedID, "selectedModel": model, "startTime": start, "context": data{"cwd": "/project/dir", "branch": "topic"}})
}

const workspaceText = "id: x\ncwd: /project/dir\nname: Mend the tests\nuser_named: true\ncreated_at: 2026-11-23T08:00:00.000Z\nupdated_at: 2026-11-23T08:00:01.000Z\n"

func text(t *testing.T, a *Archive, id session.ID) string {
	t.Helper()
	events, err := a.Replay(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, turn := range session.Fold(events).Turns {
		fmt.Fprintf(&b, "%s %q:", turn.ID, turn.Prompt.Text)
		for _, e := range turn.Entries {
			switch e := e.(type) {
			case *session.Part:
				fmt.Fprintf(&b, " %s", e.Text())
			case *session.Mark:
				if n, ok := e.Event.(session.Notice); ok {
					fmt.Fprintf(&b, " [%s]", n.Text)
				}
			}
		}
		fmt.Fprintf(&b, " %s\n", turn.Outcome)
	}
	return b.String()
}

func TestSessionsAreDescribed(t *testing.T) {
	h := newHome(t)
	h.put(storedID, workspaceText, append([]string{begin("claude-x")}, turn(1, "please\n  mend it", "Done.")...)...)
	h.put("named-by-its-prompt", "cwd: /project/other\nname: what is...\n", append([]string{begin("gpt-x")}, turn(1, "what is this?", "A test.")...)...)
	h.put("no-prompt", "cwd: /project\n", begin("claude-x"))
	h.put("no-description", "", append(append([]string{begin("claude-x")}, turn(1, "hi", "hello")...),
		line(30, "session.model_change", data{"newModel": "gpt-y"}), line(31, "child/session.model_change", data{"newModel": "gpt-z"}))...)
	if err := os.MkdirAll(h.folder(".session-operation-locks"), 0o755); err != nil {
		t.Fatal(err)
	}
	a := New(h.dir)
	metas, err := a.Sessions(t.Context())
	if err != nil || len(metas) != 3 {
		t.Fatalf("%d sessions, %v", len(metas), err)
	}
	byID := map[session.ID]session.Meta{}
	for _, m := range metas {
		byID[m.ID] = m
	}
	for id, want := range map[session.ID]session.Meta{
		storedID:              {Dir: "/project/dir", Branch: "topic", Title: "Mend the tests", First: "please mend it", Model: "claude-x", Created: start},
		"named-by-its-prompt": {Dir: "/project/other", Branch: "topic", First: "what is this?", Model: "gpt-x", Created: start},
		"no-description":      {Dir: "/project/dir", Branch: "topic", First: "hi", Model: "gpt-y", Created: start},
	} {
		got := byID[id]
		if got.Updated.IsZero() || got.Agent != "copilot" {
			t.Errorf("%s: %+v", id, got)
		}
		want.ID, want.Agent, want.Updated = id, "copilot", got.Updated
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is\n%+v, want\n%+v", id, got, want)
		}
	}
	reads := a.Reads()
	if _, err := a.Sessions(t.Context()); err != nil || a.Reads() != reads {
		t.Errorf("unchanged sessions were read again: %d of %d, %v", a.Reads(), reads, err)
	}
	h.add(storedID, line(40, "session.model_change", data{"newModel": "gpt-y"})+"\n")
	if m, err := a.Describe(t.Context(), storedID); err != nil || m.Model != "gpt-y" || a.Reads() != reads+1 {
		t.Errorf("a changed session is %+v, %v", m, err)
	}
}

func TestReplayReadsOnlyWhatIsNew(t *testing.T) {
	h := newHome(t)
	h.put(storedID, workspaceText, append([]string{begin("claude-x")}, turn(1, "one", "First.")...)...)
	a := New(h.dir)
	const first = "m1 \"one\": First. completed\n"
	if got := text(t, a, storedID); got != first {
		t.Errorf("got %s", got)
	}
	torn := line(20, "user.message", data{"content": "two", "messageId": "m2"})
	h.add(storedID, torn[:30])
	if got := text(t, a, storedID); got != first {
		t.Errorf("with a line that is being written: %s", got)
	}
	h.add(storedID, torn[30:]+"\n"+strings.Join(turn(2, "", "Second.")[1:], "\n")+"\n{\"type\":\n")
	want := first + "m2 \"two\": Second. completed\n \"\": [Copilot's record of this session: 1 damaged entry was left out.] \n"
	if got := text(t, a, storedID); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	h.put(storedID, workspaceText, append([]string{begin("claude-x")}, turn(1, "three", "Rewritten.")...)...)
	if got := text(t, a, storedID); got != "m1 \"three\": Rewritten. completed\n" {
		t.Errorf("a file that was cut and rewritten: %s", got)
	}
}

func TestIDsAreNames(t *testing.T) {
	h := newHome(t)
	h.put(storedID, workspaceText, begin("claude-x"))
	if err := os.WriteFile(filepath.Join(h.dir, eventsFile), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := New(h.dir)
	for id, kind := range map[session.ID]session.Kind{
		"": session.KindInvalid, ".": session.KindInvalid, "..": session.KindInvalid, "../session-state": session.KindInvalid, "a/b": session.KindInvalid,
		session.ID(strings.Repeat("x", 200)): session.KindInvalid, "unknown": session.KindNotFound,
	} {
		if _, err := a.Replay(t.Context(), id); session.KindOf(err) != kind {
			t.Errorf("replay %q: %v", id, err)
		}
		if err := a.Remove(t.Context(), id); session.KindOf(err) != kind {
			t.Errorf("remove %q: %v", id, err)
		}
	}
	if _, err := New("").Replay(t.Context(), storedID); session.KindOf(err) != session.KindNotFound {
		t.Errorf("without a home: %v", err)
	}
	if metas, err := New(filepath.Join(h.dir, "none")).Sessions(t.Context()); len(metas) != 0 || err != nil {
		t.Errorf("without a folder: %v %v", metas, err)
	}
}

func TestRemoveDeletesTheFolder(t *testing.T) {
	h := newHome(t)
	h.put(storedID, workspaceText, append([]string{begin("claude-x")}, turn(1, "one", "First.")...)...)
	a := New(h.dir)
	paths, err := a.Kept(t.Context(), storedID)
	if err != nil || len(paths) != 1 || paths[0] != h.folder(storedID) {
		t.Fatalf("%v %v", paths, err)
	}
	if err := a.Remove(t.Context(), storedID); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Replay(t.Context(), storedID); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a removed session: %v", err)
	}
}

func TestPromptsOfADirectory(t *testing.T) {
	h := newHome(t)
	h.put("a", "cwd: /project/dir\n", append(append([]string{begin("x")}, turn(1, "one", "1")...), turn(2, "two", "2")...)...)
	h.put("b", "cwd: /elsewhere\n", append([]string{begin("x")}, turn(1, "other", "1")...)...)
	h.put("c", "cwd: /project/dir\n", append([]string{begin("x")}, turn(1, "skipped", "1")...)...)
	var got []string
	err := New(h.dir).Prompts(t.Context(), "/project/dir", func(id session.ID) bool { return id == "c" }, func(all []session.PastPrompt) bool {
		for _, p := range all {
			got = append(got, p.Text)
		}
		return true
	})
	if err != nil || strings.Join(got, " ") != "two one" {
		t.Errorf("%q, %v", got, err)
	}
	asked := 0 // and no more sessions than are wanted
	err = New(h.dir).Prompts(t.Context(), "/project/dir", func(session.ID) bool { asked++; return false }, func([]session.PastPrompt) bool { return false })
	if err != nil || asked != 1 {
		t.Errorf("%d sessions are asked for, %v", asked, err)
	}
}

func TestAfterNamesTheNextTurnsEvent(t *testing.T) {
	h := newHome(t)
	lines := append(append([]string{begin("x")}, turn(1, "one", "1")...), turn(2, "two", "2")...)
	h.put(storedID, workspaceText, append(lines, line(30, "user.message", data{"content": "three", "messageId": "m3"}))...)
	a := New(h.dir)
	for turn, want := range map[session.TurnID]string{"m1": "e20-user.message", "m2": "e30-user.message"} {
		if got, err := a.After(context.Background(), storedID, turn); err != nil || got != want {
			t.Errorf("after %s: %q, %v", turn, got, err)
		}
	}
	if _, err := a.After(t.Context(), storedID, "m3"); session.KindOf(err) != session.KindInvalid {
		t.Errorf("a turn without an answer: %v", err)
	}
	if _, err := a.After(t.Context(), storedID, "m4"); session.KindOf(err) != session.KindNotFound {
		t.Errorf("an unknown turn: %v", err)
	}
}
