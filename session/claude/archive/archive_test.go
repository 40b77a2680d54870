package archive

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude/claudetest"
)

// storedAt is when the first entry of every stored session was written.
var storedAt = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

const storedID = session.ID("0a1b2c3d-0000-4000-8000-000000000001")

// stored writes a transcript: lines get a uuid, a parent and a time ten seconds after the one before, where they say none.
func stored(t testing.TB, lines ...string) *Archive {
	t.Helper()
	var b strings.Builder
	parent := "null"
	for i, l := range lines {
		if !strings.HasPrefix(l, "{") {
			b.WriteString(l + "\n")
			continue
		}
		uuid := fmt.Sprintf(`"l%d"`, i+1)
		if !strings.Contains(l, `"customTitle"`) {
			l = fmt.Sprintf(`{"parentUuid":%s,"uuid":%s,"timestamp":%q,%s`, parent, uuid, storedAt.Add(time.Duration(i)*10*time.Second).Format(time.RFC3339), l[1:])
			parent = uuid
		}
		b.WriteString(l + "\n")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "projects", "-work", string(storedID)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return New(dir)
}

func fromUser(content string) string {
	if !strings.HasPrefix(content, "[{") {
		content = fmt.Sprintf("%q", content)
	}
	return `{"type":"user","message":{"role":"user","content":` + content + `}}`
}

func fromModel(id, block string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":"claude-x","content":[%s],"usage":{"input_tokens":2,"output_tokens":1}}}`, id, block)
}

func textBlock(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }

func callBlock(id, name, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, name, input)
}

func resultOf(id, text string) string {
	return fromUser(fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%q}]`, id, text))
}

func refold(t testing.TB, a *Archive) *session.Transcript {
	t.Helper()
	events, err := a.Replay(t.Context(), storedID)
	if err != nil {
		t.Fatal(err)
	}
	if err := claudetest.CheckOrder(events); err != nil {
		t.Error(err)
	}
	return session.Fold(events)
}

// inShort says what a transcript holds in a few words.
func inShort(tr *session.Transcript) string {
	var out []string
	for _, turn := range tr.Turns {
		s := "-"
		if turn.ID != "" {
			s = fmt.Sprintf("%s:%s:%q", turn.Origin, turn.Outcome, turn.Prompt.Text)
		}
		for _, e := range turn.Entries {
			switch e := e.(type) {
			case *session.Part:
				s += " " + e.Text()
			case *session.Tool:
				s += fmt.Sprintf(" %s=%s", e.Name, e.Outcome)
			case *session.Child:
				s += fmt.Sprintf(" child=%s", e.Outcome)
			case *session.Mark:
				s += " " + session.EventType(e.Event)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestReplayRules(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"an answer", []string{fromUser("hi"), fromModel("m1", textBlock("ho"))}, `user:completed:"hi" ho`},
		{"an unanswered call in the first turn of two", []string{fromUser("one"), fromModel("m1", callBlock("c1", "Bash", `{"command":"x"}`)), fromUser("two"), fromModel("m2", textBlock("ho"))},
			`user:cancelled:"one" Bash=cancelled | user:completed:"two" ho`},
		{"a result that comes in a later turn", []string{fromUser("one"), fromModel("m1", callBlock("c1", "Bash", `{"command":"x"}`)), fromUser("two"), resultOf("c1", "late"), fromModel("m2", textBlock("ho"))},
			`user:completed:"one" Bash=ok | user:completed:"two" ho`},
		{"an unanswered prompt", []string{fromUser("hi")}, `user:cancelled:"hi"`},
		{"an interrupt", []string{fromUser("hi"), fromModel("m1", textBlock("h")), fromUser("[Request interrupted by user]")}, `user:cancelled:"hi" h`},
		{"going on after a kill", []string{fromUser("one"), fromModel("m1", callBlock("c1", "Bash", `{}`)),
			`{"type":"assistant","message":{"id":"s","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`, fromUser("two"), fromModel("m2", textBlock("ho"))},
			`user:cancelled:"one" Bash=cancelled | user:completed:"two" ho`},
		{"echoes, notes and reminders", []string{fromUser("<command-name>/cost</command-name>"), fromUser("<local-command-stdout>0</local-command-stdout>"),
			`{"type":"user","isMeta":true,"message":{"content":"note"}}`, `{"type":"user","isCompactSummary":true,"message":{"content":"summary"}}`,
			fromUser(`[{"type":"text","text":"mine"},{"type":"text","text":"<system-reminder>\nnot mine</system-reminder>"}]`), fromModel("m1", textBlock("ho"))},
			`user:completed:"mine" ho`},
		{"a command that the model answers", []string{fromUser("<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>all of it</command-args>"),
			`{"type":"user","isMeta":true,"message":{"content":"what fix means"}}`, fromModel("m1", textBlock("ho"))}, `user:completed:"/fix all of it" ho`},
		{"compactions", []string{fromUser("one"), fromModel("m1", textBlock("a")), `{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":9,"postTokens":1}}`,
			fromModel("m2", textBlock("b")), `{"type":"system","subtype":"compact_boundary"}`, fromUser("two"), fromModel("m3", textBlock("c"))},
			`user:completed:"one" a compacted b | - compacted | user:completed:"two" c`},
		{"words taken into the turn", []string{fromUser("one"), fromModel("m1", callBlock("c1", "Bash", `{}`)), resultOf("c1", "ok"),
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":"more","source_uuid":"p2","commandMode":"prompt"}}`, fromModel("m2", textBlock("ho"))},
			`user:completed:"one" Bash=ok steered ho`},
		{"an answer without a prompt", []string{fromModel("m1", textBlock("ho"))}, `autonomous:completed:"" ho`},
		{"a failed request", []string{fromUser("one"), `{"type":"assistant","isApiErrorMessage":true,"error":"rate_limit","message":{"id":"s","model":"<synthetic>","content":[{"type":"text","text":"API Error: 429 slow down"}]}}`},
			`user:failed:"one"`},
		{"a failure that was overcome", []string{fromUser("one"), `{"type":"assistant","isApiErrorMessage":true,"error":"overloaded","message":{"id":"s","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}}`,
			fromModel("m1", textBlock("ho"))}, `user:completed:"one" notice ho`},
		{"damage", []string{fromUser("one"), `!broken`, fromModel("m1", textBlock("ho"))}, `user:completed:"one" ho | - notice`},
		{"nothing", []string{`{"type":"mode","mode":"plan"}`}, "- notice"},
	} {
		if got := inShort(refold(t, stored(t, c.lines...))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestReplayDetails(t *testing.T) {
	picture := base64.StdEncoding.EncodeToString([]byte("png"))
	a := stored(t,
		fromUser(fmt.Sprintf(`[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":%q}}]`, picture)),
		fromModel("m1", textBlock("a")), fromModel("m1", callBlock("c1", "Bash", `{"command":"x"}`)), resultOf("c1", "ok"), fromModel("m2", textBlock("b")),
		`{"type":"custom-title","customTitle":"Name"}`)
	tr := refold(t, a)
	turn := tr.Turns[0]
	if len(turn.Prompt.Attachments) != 1 || string(turn.Prompt.Attachments[0].Data) != "png" || turn.Prompt.Attachments[0].MediaType != "image/png" {
		t.Errorf("attachments %+v", turn.Prompt.Attachments)
	}
	if turn.ID != "l1" || turn.Prompt.ID != "l1" || turn.Duration != 40*time.Second || turn.Usage.Input != 4 || turn.Model != "claude-x" || tr.Title != "Name" {
		t.Errorf("%+v of %q", turn, tr.Title)
	}
	again, err := a.Replay(t.Context(), storedID)
	if err != nil || len(again) == 0 {
		t.Fatal(err)
	}
	if f := a.recent[storedID].file; f.BytesRead() == 0 {
		t.Error("nothing was read")
	} else if before := f.BytesRead(); true {
		if _, err := a.Replay(t.Context(), storedID); err != nil || f.BytesRead() != before {
			t.Errorf("read again: %d bytes", f.BytesRead()-before)
		}
	}
}

func TestForkAnchors(t *testing.T) {
	a := stored(t, fromUser("one"), fromModel("m1", textBlock("a")), fromUser("two"), fromModel("m2", textBlock("b")), fromModel("m2", textBlock("c")), fromUser("three"))
	for _, c := range []struct {
		upTo session.TurnID
		want string
		kind session.Kind
	}{
		{"l1", `user:completed:"one" a`, ""}, {"l3", `user:completed:"one" a | user:completed:"two" b c`, ""},
		{"", `user:completed:"one" a | user:completed:"two" b c`, ""}, {"l6", "", session.KindInvalid}, {"l9", "", session.KindNotFound},
	} {
		id, err := a.Fork(t.Context(), storedID, c.upTo)
		if session.KindOf(err) != c.kind {
			t.Errorf("at %q: %v", c.upTo, err)
			continue
		}
		if err != nil {
			continue
		}
		events, err := a.Replay(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		tr := session.Fold(events)
		if got := inShort(tr); got != c.want || tr.Title != "one (fork)" || tr.Turns[0].ID == "l1" {
			t.Errorf("at %q: %s, %q", c.upTo, got, tr.Title)
		}
	}
}

func TestRemove(t *testing.T) {
	a := stored(t, fromUser("one"), fromModel("m1", textBlock("a")))
	if metas, err := a.Sessions(t.Context()); err != nil || len(metas) != 1 {
		t.Fatal(metas, err)
	}
	if paths, err := a.Kept(t.Context(), storedID); err != nil || len(paths) != 1 {
		t.Errorf("%v %v", paths, err)
	}
	if err := a.Remove(t.Context(), storedID); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Replay(t.Context(), storedID); session.KindOf(err) != session.KindNotFound {
		t.Errorf("%v", err)
	}
	if metas, err := a.Sessions(t.Context()); err != nil || len(metas) != 0 {
		t.Error(metas, err)
	}
}

func TestReplayReportsTheContext(t *testing.T) {
	const big = `{"type":"assistant","message":{"id":"m2","model":"claude-x","content":[{"type":"text","text":"b"}],"usage":{"input_tokens":2,"cache_read_input_tokens":40,"cache_creation_input_tokens":300}}}`
	const compacted = `{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":342,"postTokens":50}}`
	for want, lines := range map[int64][]string{
		342: {fromUser("one"), fromModel("m1", textBlock("a")), fromUser("two"), big},
		50:  {fromUser("one"), big, compacted},
		0:   {fromUser("one")},
	} {
		events, err := stored(t, lines...).Replay(t.Context(), storedID)
		if err != nil {
			t.Fatal(err)
		}
		if got := session.Fold(events).Context; got != (session.ContextState{Used: want}) {
			t.Errorf("want %d, got %+v", want, got)
		}
	}
}
