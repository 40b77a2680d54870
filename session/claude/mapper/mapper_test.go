package mapper

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude/claudetest"
)

// testTime is when everything in these tests happens.
var testTime = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// say maps lines and returns the events as short texts.
func say(m *Mapper, lines ...string) []string {
	var events []session.Event
	for _, l := range lines {
		events = append(events, m.Map([]byte(l), testTime)...)
	}
	return brief(events)
}

// brief writes events without their heads' session, generation and time.
func brief(events []session.Event) []string {
	var out []string
	for _, e := range events {
		b, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(b, &fields); err != nil {
			panic(err)
		}
		for _, k := range []string{"session", "gen", "at"} {
			delete(fields, k)
		}
		b, err = json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		out = append(out, session.EventType(e)+string(b))
	}
	return out
}

// begun is a mapper with a running turn.
func begun() *Mapper {
	m := New("s", 1)
	m.EnableHookNotices()
	m.Begin("t", session.Prompt{Text: "p"}, session.OriginUser, testTime)
	return m
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// What a runtime says beside its answers, one line each.
func TestMapLines(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"limit": {`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","rateLimitType":"five_hour","utilization":0.75,"resetsAt":1767268800}}`,
			[]string{`limit_reported{"quota":{"name":"five_hour","percent":25,"resetsAt":"2026-01-01T12:00:00Z"},"turn":"t"}`}},
		"spent limit": {`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"seven_day"}}`,
			[]string{`limit_reported{"quota":{"name":"seven_day"},"turn":"t"}`}},
		"limit without words": {`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}`, nil},
		"retry": {`{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"retry_delay_ms":1500.5,"error_status":429,"error":"rate_limit"}`,
			[]string{`retry_scheduled{"attempt":3,"delay":1500500000,"of":11,"turn":"t","why":"429 rate limit"}`}},
		"retry without a status": {`{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":null,"error":"unknown"}`,
			[]string{`retry_scheduled{"attempt":2,"delay":500000000,"of":11,"turn":"t","why":"unknown"}`}},
		"note": {`{"type":"system","subtype":"informational","content":"Something.","level":"warning"}`,
			[]string{`notice{"severity":"warning","text":"Something.","turn":"t"}`}},
		"hook that failed": {`{"type":"system","subtype":"hook_response","hook_name":"Stop","output":"","outcome":"error"}`,
			[]string{`notice{"severity":"warning","text":"Hook Stop failed","turn":"t"}`}},
		"hook without words": {`{"type":"system","subtype":"hook_response","hook_name":"Stop","output":" \n","outcome":"success"}`, nil},
		"fallback": {`{"type":"system","subtype":"model_fallback","original_model":"a","fallback_model":"b"}`,
			[]string{`model_changed{"model":"b","turn":"t"}`}},
		"mode": {`{"type":"system","subtype":"status","status":null,"permissionMode":"plan"}`,
			[]string{`mode_changed{"mode":"plan","turn":"t"}`}},
		"unknown mode": {`{"type":"system","subtype":"status","status":null,"permissionMode":"dontAsk"}`, nil},
		"title":        {`{"type":"system","subtype":"session_title_changed","title":"T"}`, []string{`title_changed{"title":"T","turn":"t"}`}},
		"new session":  {`{"type":"conversation_reset","new_conversation_id":"n"}`, []string{`session_id_changed{"id":"n","turn":"t"}`}},
		"same session": {`{"type":"conversation_reset","new_conversation_id":"s"}`, nil},
		"compaction": {`{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":9,"post_tokens":3}}`,
			[]string{`compacted{"after":3,"auto":true,"before":9,"turn":"t"}`}},
		"still running": {`{"type":"tool_progress","tool_use_id":"x-heartbeat-1","parent_tool_use_id":"x"}`, nil},
		"command output": {`{"type":"user","message":{"role":"user","content":"<local-command-stdout>Set model to b</local-command-stdout>"}}`,
			[]string{`notice{"severity":"info","text":"Set model to b","turn":"t"}`}},
		"the model is set": {`{"type":"user","isReplay":true,"message":{"role":"user","content":"<local-command-stdout>Set model to b</local-command-stdout>"}}`,
			nil},
		"echo of a prompt":       {`{"type":"user","isReplay":true,"message":{"role":"user","content":"words"}}`, nil},
		"unknown":                {`{"type":"new_thing","words":"x"}`, nil},
		"unknown note":           {`{"type":"system","subtype":"new_thing"}`, nil},
		"no JSON":                {`{"type":`, nil},
		"no object":              {`[]`, nil},
		"fields of other shapes": {`{"type":"system","subtype":"informational","content":"Still told.","is_error":"no","usage":7}`, []string{`notice{"severity":"info","text":"Still told.","turn":"t"}`}},
	} {
		t.Run(name, func(t *testing.T) { same(t, say(begun(), c.line), c.want...) })
	}
}

// Lifecycle messages between turns open none; words of the top level do.
func TestOnlyWordsOpenATurn(t *testing.T) {
	m := New("s", 1)
	for _, l := range []string{
		`{"type":"system","subtype":"init","session_id":"s","model":"m","permissionMode":"default"}`,
		`{"type":"system","subtype":"task_notification","task_id":"x","status":"completed"}`,
		`{"type":"system","subtype":"session_state_changed","state":"running"}`,
		`{"type":"user","isReplay":true,"message":{"role":"user","content":"<local-command-stdout>Set model</local-command-stdout>"}}`,
		`{"type":"result","subtype":"success","usage":{"input_tokens":1}}`,
		`{"type":"result","subtype":"success","is_error":true,"result":"API Error: 500 oops"}`,
	} {
		for _, e := range m.Map([]byte(l), testTime) {
			if _, ok := e.(session.TurnStarted); ok {
				t.Errorf("opened a turn: %s", l)
			}
		}
	}
	got := say(m, `{"type":"assistant","message":{"id":"a","model":"m","content":[{"type":"text","text":"hi"}]}}`,
		`{"type":"result","subtype":"success","duration_ms":2}`)
	same(t, got, `turn_started{"origin":"autonomous","turn":"auto-1-1"}`,
		`part_replaced{"kind":"text","part":"a:0","text":"hi","turn":"auto-1-1"}`,
		`turn_ended{"duration":2000000,"outcome":"completed","turn":"auto-1-1"}`)
}

func TestBeginEndsAnAutonomousTurn(t *testing.T) {
	m := New("s", 1)
	say(m, `{"type":"assistant","message":{"id":"a","model":"m","content":[{"type":"text","text":"hi"}]}}`)
	same(t, brief(m.Begin("t", session.Prompt{Text: "p"}, session.OriginQueued, testTime)),
		`turn_ended{"outcome":"completed","turn":"auto-1-1"}`, `turn_started{"origin":"queued","prompt":{"text":"p"},"turn":"t"}`)
}

// A message id that comes again, as careless gateways make them, must not run into the parts of the earlier message.
func TestRepeatedMessageIDs(t *testing.T) {
	m := begun()
	one := `{"type":"stream_event","event":{"type":"message_start","message":{"id":"same","model":"m"}}}`
	two := `{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"words"}}}`
	three := `{"type":"assistant","message":{"id":"same","model":"m","content":[{"type":"text","text":"words"}]}}`
	parts := map[string]bool{}
	for range 2 {
		for _, l := range []string{one, two, three} {
			for _, e := range m.Map([]byte(l), testTime) {
				if p, ok := e.(session.PartStarted); ok {
					parts[string(p.Part)] = true
				}
			}
		}
	}
	if len(parts) != 2 {
		t.Errorf("parts %v", parts)
	}
}

func TestModelsAsTheUserKnowsThem(t *testing.T) {
	m := New("s", 1)
	m.SetModelNames(func(id string) string { return strings.ReplaceAll(id, "4-6", "4.6") })
	say(m, `{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4-6","permissionMode":"plan"}`)
	same(t, say(m, `{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4-6","permissionMode":"plan"}`),
		`runtime_changed{"state":"ready"}`)
	same(t, say(m, `{"type":"system","subtype":"init","session_id":"s","model":"claude-haiku-4-6","permissionMode":"plan"}`),
		`runtime_changed{"state":"ready"}`, `model_changed{"model":"claude-haiku-4.6"}`)
}

const childWords = `{"type":"assistant","parent_tool_use_id":"call","message":{"id":"a","model":"m","content":[{"type":"text","text":"early"}]}}`

// What a child says before anybody knows of it is kept until its call is announced.
func TestEarlyChildren(t *testing.T) {
	m := begun()
	same(t, say(m, childWords))
	got := say(m, `{"type":"assistant","message":{"id":"b","model":"m","content":[{"type":"tool_use","id":"call","name":"Agent","input":{}}]}}`)
	same(t, got, `tool_started{"call":"call","name":"Agent","turn":"t"}`,
		`child_started{"call":"call","id":"call","name":"agent","turn":"t"}`,
		`part_replaced{"child":"call","kind":"text","part":"call/a:0","text":"early","turn":"t"}`,
		`tool_ready{"call":"call","input":{},"turn":"t"}`)
}

// Early lines are bounded, and those without an announcement are mapped at the end of the turn: no text is lost.
func TestEarlyChildrenAreBounded(t *testing.T) {
	m := begun()
	told := 0
	for range maxEarlyLines {
		told += len(say(m, childWords))
	}
	if told != 0 {
		t.Errorf("%d events too early", told)
	}
	if got := say(m, childWords); len(got) == 0 {
		t.Error("more than is kept is not told either")
	}
	texts := 0
	for _, e := range m.Map([]byte(`{"type":"result","subtype":"success"}`), testTime) {
		if _, ok := e.(session.PartReplaced); ok {
			texts++
		}
	}
	if texts != maxEarlyLines {
		t.Errorf("%d texts told, want %d", texts, maxEarlyLines)
	}
}

// A permission that an unknown agent asks for cannot be shown where it belongs: no ask comes of it.
func TestAsksOfUnknownAgents(t *testing.T) {
	m := begun()
	same(t, say(m, `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"x","agent_id":"nobody"}}`))
	if m.Unknown()["ask of an unknown agent"] != 1 {
		t.Errorf("unknown: %v", m.Unknown())
	}
}

// When the process goes, everything that is open ends, once.
func TestExitEndsEverything(t *testing.T) {
	m := begun()
	events := append([]session.Event{}, m.Map([]byte(`{"type":"assistant","message":{"id":"b","model":"m","content":[{"type":"tool_use","id":"call","name":"Agent","input":{"run_in_background":true}}]}}`), testTime)...)
	for _, l := range []string{
		`{"type":"system","subtype":"task_started","task_id":"x","tool_use_id":"call","task_type":"local_agent"}`,
		`{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"y","agent_id":"x"}}`,
		`{"type":"stream_event","event":{"type":"message_start","message":{"id":"c","model":"m"}}}`,
		`{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"cut"}}}`,
	} {
		events = append(events, m.Map([]byte(l), testTime)...)
	}
	events = append(events, m.Exit(false, "exit status 1", testTime)...)
	if err := claudetest.CheckOrder(append([]session.Event{session.TurnStarted{Head: session.Head{Turn: "t"}}}, events...)); err != nil {
		t.Error(err)
	}
	all := strings.Join(brief(events), "\n")
	for _, want := range []string{`child_ended{"id":"call","outcome":"cancelled","turn":"t"}`, `settled{`, `part_ended{"part":"c:0"`, `"outcome":"failed"`, `"state":"exited"`} {
		if strings.Count(all, want) != 1 {
			t.Errorf("%s is not there once:\n%s", want, all)
		}
	}
	if strings.Contains(all, "part_retracted") {
		t.Error("words were taken back that nothing replaces")
	}
}

// A mistake in mapping costs one line.
func TestMistakesCostOneLine(t *testing.T) {
	m := begun()
	m.SetModelNames(func(string) string { panic("a mistake") })
	same(t, say(m, `{"type":"system","subtype":"model_fallback","fallback_model":"b"}`))
	m.SetModelNames(func(id string) string { return id })
	same(t, say(m, `{"type":"system","subtype":"session_title_changed","title":"T"}`), `title_changed{"title":"T","turn":"t"}`)
	if m.Unknown()["(mistake)"] != 1 {
		t.Errorf("unknown: %v", m.Unknown())
	}
}

// TestProblems pins what a failed turn says, with and without what the proxy knows of the request.
func TestProblems(t *testing.T) {
	marked := "API Error: 402 You have no quota (parley-error:1:eyJrIjoicXVvdGEiLCJzIjo0MDIsInIiOiJhYiIsInciOjYwfQ)"
	status := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		l    line
		word string
		want string
	}{
		"marked":    {line{Result: marked, APIErrorStatus: status(402)}, "unknown", `quota 402 ab 12:01:00 The Copilot allowance is used up: You have no quota.`},
		"unmarked":  {line{Result: `API Error: 500 {"type":"error","error":{"message":"Oops"}}`, APIErrorStatus: status(500)}, "server_error", `server 500  00:00:00 The service failed: Oops.`},
		"too long":  {line{Result: "Prompt is too long", TerminalReason: "prompt_too_long", APIErrorStatus: status(400)}, "invalid_request", `too_long 400  00:00:00 The conversation is too long for this model: Prompt is too long.`},
		"turns":     {line{Subtype: "error_max_turns", Errors: []string{"Reached maximum number of turns (1)"}}, "", `refused 0  00:00:00 The turn stopped because a request was denied: Reached maximum number of turns (1).`},
		"no words":  {line{Subtype: "error_during_execution", Errors: []string{"[ede_diagnostic] x=y"}}, "", `runtime 0  00:00:00 The agent's runtime failed: error during execution.`},
		"advice":    {line{Result: "API Error: 529 Overloaded. This is a server-side issue, usually temporary", APIErrorStatus: status(529)}, "overloaded", `overloaded 529  00:00:00 The model has no capacity at the moment: Overloaded.`},
		"no answer": {line{Result: "API Error: Connection error."}, "unknown", `network 0  00:00:00 The connection failed: Connection error.`},
	} {
		t.Run(name, func(t *testing.T) {
			p := problemAt(c.l, c.word, testTime)
			if got := fmt.Sprint(p.Kind, " ", p.Status, " ", p.RequestID, " ", p.RetryAt.Format(time.TimeOnly), " ", p.What); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
