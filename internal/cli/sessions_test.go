package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// A session of Claude Code alone, as the runtime writes it.
const (
	theirID         = "0a1b2c3d-0000-4000-8000-000000000001"
	theirTranscript = `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"look here"},"uuid":"u1","timestamp":"2026-01-01T12:00:00.000Z","permissionMode":"plan","cwd":"/work","sessionId":"0a1b2c3d-0000-4000-8000-000000000001"}
{"parentUuid":"u1","isSidechain":false,"message":{"content":[{"type":"text","text":"I looked."}],"id":"msg_1","model":"claude-sonnet-4-6","role":"assistant","usage":{"input_tokens":3,"output_tokens":2}},"type":"assistant","uuid":"a1","timestamp":"2026-01-01T12:00:02.000Z"}
{"parentUuid":"a1","isSidechain":false,"type":"user","message":{"role":"user","content":"and there"},"uuid":"u2","timestamp":"2026-01-01T12:01:00.000Z"}
{"parentUuid":"u2","isSidechain":false,"message":{"content":[{"type":"text","text":"There too."}],"id":"msg_2","model":"claude-sonnet-4-6","role":"assistant","usage":{"input_tokens":3,"output_tokens":2}},"type":"assistant","uuid":"a2","timestamp":"2026-01-01T12:01:02.000Z"}
`
)

func TestSessionsOfClaudeCode(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "ours")
	folder := filepath.Join(w.home, ".claude", "projects", "-work")
	if err := os.MkdirAll(filepath.Join(folder, theirID, "subagents"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, theirID+".jsonl")
	if err := os.WriteFile(path, []byte(theirTranscript), 0o600); err != nil {
		t.Fatal(err)
	}
	list := func() (out []session.Meta) {
		t.Helper()
		if err := json.Unmarshal([]byte(w.mustRun("sessions", "list", "--json")), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	metas := list()
	if len(metas) != 2 {
		t.Fatalf("%+v", metas)
	}
	if out := w.mustRun("sessions", "show", "0a1b"); !strings.Contains(out, "> look here") || !strings.Contains(out, "There too.") {
		t.Errorf("show: %q", out)
	}
	fork := strings.TrimSpace(w.mustRun("sessions", "fork", "0a1b", "--at", "1"))
	out := w.mustRun("sessions", "show", fork)
	if !strings.Contains(out, "look here (fork)") || !strings.Contains(out, "I looked.") || strings.Contains(out, "There too.") {
		t.Errorf("the copy: %q", out)
	}
	copied, err := os.ReadFile(filepath.Join(folder, fork+".jsonl"))
	if err != nil || !strings.Contains(string(copied), `"forkedFrom"`) {
		t.Errorf("%v: %s", err, copied)
	}
	for _, at := range []string{"7", "0", "zzz"} {
		if o := w.run("sessions", "fork", theirID, "--at", at); o.code != 2 || !strings.Contains(o.err, "--at") {
			t.Errorf("--at %s: %+v", at, o)
		}
	}
	// What Claude Code keeps is deleted only when that is said.
	if o := w.run("sessions", "rm", theirID); o.code != 2 || !strings.Contains(o.err, path) || !strings.Contains(o.err, "--with-transcript") {
		t.Errorf("rm: %+v", o)
	}
	w.mustRun("sessions", "rm", "--with-transcript", theirID)
	w.mustRun("sessions", "rm", "--with-transcript", fork)
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if metas = list(); len(metas) != 1 || metas[0].First != "ours" {
		t.Errorf("%+v", metas)
	}
}

func TestSessionsForkOfTheJournal(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "one")
	w.mustRun("-p", "-c", "two")
	id := strings.Fields(w.mustRun("sessions", "list"))[0]
	fork := strings.TrimSpace(w.mustRun("sessions", "fork", id, "--at", "1"))
	if out := w.mustRun("sessions", "show", fork); !strings.Contains(out, "You said: one") || strings.Contains(out, "You said: two") {
		t.Errorf("the copy: %q", out)
	}
	if got := w.mustRun("-p", "-r", fork, "three"); got != "You said: three\n" {
		t.Errorf("the copy went on with %q", got)
	}
	if out := w.mustRun("sessions", "show", id); !strings.Contains(out, "You said: two") || strings.Contains(out, "three") {
		t.Errorf("the original: %q", out)
	}
}

// TestSessionsOfOtherPrograms lists, finds, shows and copies a session of a program that parley does not drive.
func TestSessionsOfOtherPrograms(t *testing.T) {
	const (
		id   = "codex-01a225f4-8dec-7672-903b-8fae5da4c198"
		text = `{"timestamp":"2026-01-01T12:00:00Z","type":"session_meta","payload":{"cwd":"/work"}}
{"timestamp":"2026-01-01T12:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"look here"}]}}
{"timestamp":"2026-01-01T12:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"text":"I saw a heron."}]}}
`
	)
	w := newWorld(t)
	path := filepath.Join(w.home, ".codex/sessions/2026/01/01/rollout-2026-01-01T12-00-00-"+strings.TrimPrefix(id, "codex-")+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := w.mustRun("sessions", "list", "agent:codex"); !strings.Contains(out, id) || !strings.Contains(out, "look here") {
		t.Errorf("list: %q", out)
	}
	for range 2 { // without the index and with it
		if out := w.mustRun("sessions", "search", "heron"); !strings.Contains(out, "I saw a heron") {
			t.Errorf("search: %q", out)
		}
		w.mustRun("sessions", "reindex")
	}
	for _, command := range []string{"show", "export"} {
		if out := w.mustRun("sessions", command, "codex"); !strings.Contains(out, "Codex · /work") || !strings.Contains(out, "I saw a heron.") {
			t.Errorf("%s: %q", command, out)
		}
	}
	w.mustRun("sessions", "rename", id, "Birds")
	w.mustRun("sessions", "tag", id, "nature")
	if out := w.mustRun("sessions", "list", "tag:nature", "birds"); !strings.Contains(out, id) {
		t.Errorf("renamed: %q", out)
	}
	fork := strings.TrimSpace(w.mustRun("sessions", "fork", id))
	var copied []session.Meta
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "list", "agent:builtin", "--json")), &copied); err != nil {
		t.Fatal(err)
	}
	if len(copied) != 1 || string(copied[0].ID) != fork || copied[0].Agent != "builtin" || copied[0].Title != "Birds (fork)" || copied[0].Parent != id {
		t.Errorf("%+v", copied)
	}
	if out := w.mustRun("sessions", "show", fork); !strings.Contains(out, "I saw a heron.") {
		t.Errorf("the copy: %q", out)
	}
	if o := w.run("sessions", "rm", "--yes", id); o.code == 0 || !strings.Contains(o.err, "Codex has it") {
		t.Errorf("rm: %+v", o)
	}
	if kept, err := os.ReadFile(path); err != nil || string(kept) != text {
		t.Errorf("Codex's file was changed: %v", err)
	}
}
