package foreign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
)

const codexID = "01a225f4-8dec-7672-903b-8fae5da4c198"

func codexPath(id string) string {
	return ".codex/sessions/2026/11/29/rollout-2026-11-29T06-18-33-" + id + ".jsonl"
}

const codexHead = `{"timestamp":"2026-11-29T06:18:33Z","type":"session_meta","payload":{"cwd":"/repos/a","git":{"branch":"topic"}}}`

// codexSaid is a message.
func codexSaid(role, text string) string {
	said, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"timestamp":"2026-11-29T06:18:34Z","type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":"input_text","text":%s}]}}`, role, said)
}

// TestCodexLines reads each kind of line, also those of older versions and damaged ones.
func TestCodexLines(t *testing.T) {
	item := func(payload string) string { return `{"type":"response_item","payload":` + payload + `}` }
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"what the program adds": {[]string{codexSaid("user", "<environment_context>x"), codexSaid("developer", "x"), codexSaid("user", "hi"), codexSaid("assistant", "yes")},
			"1 > \"hi\"\n  text \"yes\"\n  completed\n"},
		"marked": {[]string{`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"added"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["x.y"]}}}`,
			codexSaid("user", "hi")}, "1 > \"hi\"\n  completed\n"},
		"an old command": {[]string{codexSaid("user", "hi"), item(`{"type":"function_call","name":"shell","call_id":"c","arguments":"{\"command\":[\"bash\",\"-lc\",\"false\"]}"}`),
			item(`{"type":"function_call_output","call_id":"c","output":"{\"output\":\"no\",\"metadata\":{\"exit_code\":1}}"}`)},
			"1 > \"hi\"\n  call c Bash {\"command\":\"false\"}: failed exit 1 \"no\"\n  completed\n"},
		"a command without a shell": {[]string{codexSaid("user", "hi"), item(`{"type":"local_shell_call","call_id":"c","action":{"command":["go","test"]}}`)},
			"1 > \"hi\"\n  call c Bash {\"command\":\"go test\"}: cancelled \"\"\n  completed\n"},
		"a patch": {[]string{codexSaid("user", "hi"), item(`{"type":"custom_tool_call","name":"apply_patch","call_id":"c","input":"*** Begin"}`),
			item(`{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"done"}]}`)},
			"1 > \"hi\"\n  call c apply_patch {\"input\":\"*** Begin\"}: ok \"done\"\n  completed\n"},
		"the same id again": {[]string{codexSaid("user", "hi"), item(`{"type":"function_call","name":"a.b","call_id":"c/1","arguments":"not JSON"}`),
			item(`{"type":"function_call","name":"a.b","call_id":"c/1","arguments":"[]"}`), item(`{"type":"function_call_output","call_id":"c/1","output":"one"}`)},
			"1 > \"hi\"\n  call c_1 a_b {}: ok \"one\"\n  call c_1--2 a_b {}: cancelled \"\"\n  completed\n"},
		"a search": {[]string{codexSaid("user", "hi"), item(`{"type":"web_search_call","action":{"query":"go"}}`)},
			"1 > \"hi\"\n  call call web_search {\"query\":\"go\"}: cancelled \"\"\n  completed\n"},
		"an end by the user": {[]string{codexSaid("user", "hi"), `{"type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}`}, "1 > \"hi\"\n  cancelled\n"},
		"a failure":          {[]string{codexSaid("user", "hi"), `{"type":"event_msg","payload":{"type":"error","message":"no quota"}}`}, "1 > \"hi\"\n  failed no quota\n"},
		"a compaction":       {[]string{codexSaid("user", "hi"), `{"type":"compacted","payload":{"message":"x"}}`}, "1 > \"hi\"\n  note \"Codex shortened the conversation here.\"\n  completed\n"},
		"damage": {[]string{codexSaid("user", "hi"), "{", `{"type":"response_item","payload":[]}`, strings.Repeat(`{"a":`, 20000), "\x00\x1b]0;x\x07", "", codexSaid("assistant", "a\x1b[31mb")},
			"1 > \"hi\"\n  text \"a\\x1b[31mb\"\n  completed\n > \"\"\n  note \"Codex's record of this session: 4 damaged entries were left out.\"\n  \n"},
		"a line without an end": {[]string{codexSaid("user", "hi"), `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"text":"` + strings.Repeat("x", 5<<20)},
			"1 > \"hi\"\n  completed\n > \"\"\n  note \"Codex's record of this session: 1 damaged entry was left out.\"\n  \n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := programs(t, written(t, map[string]string{codexPath(codexID): codexHead + "\n" + strings.Join(c.lines, "\n") + "\n"}), nil)["codex"]
			events, err := p.Replay(t.Context(), "codex-"+codexID)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(conversation(events), "codex-"+codexID+"-", ""); got != c.want {
				t.Errorf("got\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// TestCodexSessions describes sessions: without those of child agents and empty ones, with the bad ones named, and each read once.
func TestCodexSessions(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("%s%02d", codexID[:34], n) }
	long := codexHead + "\n" + codexSaid("developer", strings.Repeat("x", 100_000)) + "\n" + codexSaid("user", "late") + "\n" + strings.Repeat(codexSaid("assistant", "y")+"\n", 2000) +
		`{"type":"turn_context","payload":{"model":"gpt-x"}}` + "\n" + `{"type":"event_msg","payload":{"type":"thread_name_updated","thread_name":"A name"}}` + "\n"
	home := written(t, map[string]string{
		codexPath(id(1)): codexHead + "\n" + codexSaid("user", "one\n two\x1b") + "\n",
		codexPath(id(2)): long,
		codexPath(id(3)): codexHead + "\n",
		codexPath(id(4)): strings.Replace(codexHead, `"cwd"`, `"source":{"subagent":"review"},"cwd"`, 1) + "\n" + codexSaid("user", "of a child") + "\n",
		codexPath(id(5)): "no session\n",
		codexPath("x"):   codexHead + "\n" + codexSaid("user", "without an id") + "\n",
		".codex/archived_sessions/rollout-2026-11-29T06-18-33-" + id(6) + ".jsonl": codexHead + "\n" + codexSaid("user", "put away") + "\n",
		".codex/sessions/2026/11/29/other.jsonl":                                   "no session",
	})
	p := programs(t, home, nil)["codex"]
	metas, err := p.Sessions(t.Context())
	if err == nil || !strings.Contains(err.Error(), id(5)) || !strings.Contains(err.Error(), "-x.jsonl") {
		t.Errorf("the bad files are not named: %v", err)
	}
	got := map[session.ID]session.Meta{}
	for _, m := range metas {
		got[m.ID] = m
	}
	if len(metas) != 3 || got[session.ID("codex-"+id(1))].First != "one two\x1b" || got[session.ID("codex-"+id(6))].First != "put away" {
		t.Errorf("%+v", metas)
	}
	if m := got[session.ID("codex-"+id(2))]; m.First != "late" || m.Model != "gpt-x" || m.Title != "A name" || m.Branch != "topic" || m.Dir != "/repos/a" {
		t.Errorf("%+v", m)
	}
	reads := p.Reads()
	if _, err := p.Sessions(t.Context()); err == nil || p.Reads() != reads {
		t.Errorf("%d of %d files were read again, %v", p.Reads()-reads, reads, err)
	}
	path := filepath.Join(home, codexPath(id(1)))
	write(t, path, codexHead+"\n"+codexSaid("user", "changed")+"\n")
	if err := os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	if m, err := p.Describe(t.Context(), session.ID("codex-"+id(1))); err != nil || m.First != "changed" || !m.Updated.Equal(time.Unix(1e9, 0)) || p.Reads() != reads+1 {
		t.Errorf("%+v, %v, %d reads", m, err, p.Reads()-reads)
	}
	p = programs(t, home, nil)["codex"] // finds one without a list
	for range 2 {
		if m, err := p.Describe(t.Context(), session.ID("codex-"+id(2))); err != nil || m.First != "late" || p.Reads() > 8 {
			t.Errorf("%+v, %v, %d reads", m, err, p.Reads())
		}
	}
	if p := programs(t, t.TempDir(), map[string]string{"CODEX_HOME": filepath.Join(home, ".codex")})["codex"]; len(sessionsOf(t, p)) != 3 {
		t.Error("CODEX_HOME does not count")
	}
}

// sessionsOf returns the sessions of a program that can be read.
func sessionsOf(t testing.TB, p *Program) []session.Meta {
	t.Helper()
	metas, _ := p.Sessions(t.Context())
	return metas
}
