package foreign

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sources"
)

// TestParts reads what the recordings of crush and goose lack.
func TestParts(t *testing.T) {
	for name, c := range map[string]struct {
		steps      func(role, parts string, s step, emit func(step) bool) bool
		role, text string
		want       string
	}{
		"crush: a prompt of parts": {crushSteps, "user", `[{"type":"text","data":{"text":"a"}},{"type":"text","data":{"text":"added","hidden":true}},{"type":"shell_command","data":{"command":"ls","output":"x"}}]`,
			"1 > \"a\\n$ ls\\nx\"\n  completed\n"},
		"crush: a failure":   {crushSteps, "assistant", `[{"type":"finish","data":{"reason":"error","message":"No quota","details":"at all"}}]`, ""},
		"crush: a bad part":  {crushSteps, "assistant", `[7,{"type":"text","data":{"text":"a"}}]`, "1 > \"\"\n  text \"a\"\n  completed\n > \"\"\n  note \"it's record of this session: 1 damaged entry was left out.\"\n  \n"},
		"crush: no parts":    {crushSteps, "assistant", `{}`, " > \"\"\n  note \"it's record of this session: 1 damaged entry was left out.\"\n  \n"},
		"crush: an image":    {crushSteps, "user", `[{"type":"image_url","data":{"url":"x"}},{"type":"binary","data":{"Data":"AAAA"}}]`, ""},
		"goose: an image":    {gooseSteps, "user", `[{"type":"image","data":"AAAA","mimeType":"image/png"}]`, ""},
		"goose: a note":      {gooseSteps, "assistant", `[{"type":"text","text":"a"},{"type":"systemNotification","msg":"shortened"}]`, "1 > \"\"\n  text \"a\"\n  note \"shortened\"\n  completed\n"},
		"goose: a bad part":  {gooseSteps, "assistant", `["x"]`, " > \"\"\n  note \"it's record of this session: 1 damaged entry was left out.\"\n  \n"},
		"goose: no parts":    {gooseSteps, "assistant", `null`, ""},
		"goose: a lost call": {gooseSteps, "user", `[{"type":"toolResponse","id":"x","toolResult":{"value":[]}}]`, "1 > \"\"\n  completed\n"},
	} {
		b := newBuilder("s")
		c.steps(c.role, c.text, step{}, func(s step) bool { b.add(s); return true })
		if got := strings.ReplaceAll(conversation(b.end("it")), "s-1", "1"); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", name, got, c.want)
		}
	}
}

// TestManyCallsWithOneID tells them apart, also where a turn has more than anybody reads.
func TestManyCallsWithOneID(t *testing.T) {
	b := newBuilder("s")
	const n = 50_000
	for range n {
		b.add(step{kind: stepCall, call: "--", name: "a"})
	}
	for range n / 2 {
		b.add(step{kind: stepResult, call: "--"})
	}
	events := b.end("it")
	check(t, events)
	ends := 0
	for _, e := range events {
		if _, is := e.(session.ToolEnded); is {
			ends++
		}
	}
	if ends != n || b.damaged != 0 {
		t.Errorf("%d calls, %d left out", ends, b.damaged)
	}
}

// TestCrushProjects finds the databases that the program lists, once each, and that of the working directory. A list that cannot be read is named.
func TestCrushProjects(t *testing.T) {
	home := t.TempDir()
	script := func(id string) string {
		return "CREATE TABLE sessions(id, parent_session_id, title, created_at, updated_at); CREATE TABLE messages(id, session_id, role, parts, model, created_at);" +
			"INSERT INTO sessions VALUES('" + id + "', '', 'A title', 1795933151000, 1795933175); INSERT INTO messages VALUES('m', '" + id + "', 'user', '[{\"type\":\"text\",\"data\":{\"text\":\"hi\"}}]', '', 1);"
	}
	for dir, id := range map[string]string{"work/.crush": "a", "other/.crush": "b", "third/data": "c"} {
		build(t, filepath.Join(home, dir, "crush.db"), script(id)).Close()
	}
	list := filepath.Join(home, ".local/share/crush/projects.json")
	write(t, list, strings.ReplaceAll(`{"projects":[{"path":"HOME/other","data_dir":"HOME/other/.crush"},{"path":"HOME/third","data_dir":"data"},{"path":"HOME/work"},
		{"path":"HOME/gone","data_dir":"HOME/gone/.crush"},{"path":"relative","data_dir":"x"}]}`, "HOME", filepath.ToSlash(home)))
	p := programs(t, home, nil)["crush"]
	metas, err := p.Sessions(t.Context())
	if err != nil || len(metas) != 3 || p.Reads() != 3 {
		t.Errorf("%+v, %v, %d reads", metas, err, p.Reads())
	}
	for _, m := range metas {
		want := filepath.Join(home, map[string]string{"crush-a": "work", "crush-b": "other", "crush-c": "third"}[string(m.ID)])
		if m.Dir != want || m.Created.UTC().Year() != 2026 || m.Updated.UTC().Year() != 2026 || m.First != "hi" {
			t.Errorf("%+v", m)
		}
	}
	write(t, list, "[")
	untrusted := newProgram("crush", crush{list, func() (string, error) { return "", errors.New("it is not trusted") }, &database{temp: t.TempDir()}})
	if metas, err := untrusted.Sessions(t.Context()); err == nil || len(metas) != 0 {
		t.Errorf("untrusted: %+v, %v", metas, err)
	}
	if metas, err := programs(t, home, nil)["crush"].Sessions(t.Context()); err == nil || !strings.Contains(err.Error(), "projects.json") || len(metas) != 1 {
		t.Errorf("%+v, %v", metas, err)
	}
}

// TestACopiedProject lists the sessions of a database and of a copy of it, each of its own directory, and reads each where it is.
func TestACopiedProject(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{"copied", "work"} {
		build(t, filepath.Join(home, dir, ".crush", "crush.db"), "CREATE TABLE sessions(id, parent_session_id, title, created_at, updated_at);"+
			"CREATE TABLE messages(id, session_id, role, parts, model, created_at); INSERT INTO sessions VALUES('a', '', 'A title', 1795933151000, 1795933175);"+
			"INSERT INTO messages VALUES('m', 'a', 'user', '[{\"type\":\"text\",\"data\":{\"text\":\"in "+dir+"\"}}]', '', 1);").Close()
	}
	list, err := json.Marshal(map[string]any{"projects": []map[string]string{{"path": filepath.Join(home, "copied")}, {"path": filepath.Join(home, "work")}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, ".local/share/crush/projects.json"), string(list))
	metas, err := programs(t, home, nil)["crush"].Sessions(t.Context())
	if err != nil || len(metas) != 2 || metas[0].ID == metas[1].ID {
		t.Fatalf("%+v, %v", metas, err)
	}
	p := programs(t, home, nil)["crush"]
	for _, m := range metas {
		events, err := p.Replay(t.Context(), m.ID)
		if err != nil || !strings.Contains(conversation(events), m.First) || filepath.Base(m.Dir) != strings.TrimPrefix(m.First, "in ") {
			t.Errorf("%s: %+v, %s, %v", m.ID, m, conversation(events), err)
		}
		if _, err := p.Open(t.Context(), session.OpenOptions{Session: m.ID}); sources.Marked(m.ID) == strings.Contains(err.Error(), "crush --session") {
			t.Errorf("%s: %v", m.ID, err)
		}
	}
}
