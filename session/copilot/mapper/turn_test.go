package mapper

import (
	"strings"
	"testing"

	"parley/session"
)

// begun returns the mapper of a turn whose prompt was taken.
func begun(t *testing.T) *Mapper {
	t.Helper()
	m := New("s", 1)
	m.Begin("t1", session.Prompt{ID: "t1"}, session.OriginUser, t0)
	feed(m, "user.message", `{"content":"hi","source":"command-parley-t1"}`, "assistant.turn_start", `{"turnId":"0"}`)
	if !m.Taken() {
		t.Fatal("the prompt was not taken")
	}
	return m
}

const startCall = `{"toolCallId":"c","toolName":"task","arguments":{"description":"Look","agent_type":"explore"}}`

func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		pairs []string
		want  string
	}{
		"a failed attempt is taken back": {[]string{
			"assistant.reasoning_delta", `{"reasoningId":"r","deltaContent":"Hm"}`, "assistant.message_delta", `{"messageId":"a","deltaContent":"Half"}`,
			"model.call_failure", `{"failureKind":"transport","source":"top_level"}`, "assistant.turn_retry", `{"reason":"streaming_error"}`,
			"assistant.message_delta", `{"messageId":"b","deltaContent":"Whole"}`, "assistant.message", `{"messageId":"b","content":"Whole"}`,
		}, "PartStarted PartDelta PartStarted PartDelta RetryScheduled PartRetracted PartRetracted PartStarted PartDelta PartEnded"},
		"an attempt of whose failure no event tells": {[]string{
			"assistant.reasoning_delta", `{"reasoningId":"r","deltaContent":"Hm"}`, "assistant.message_delta", `{"messageId":"a","deltaContent":"Half"}`,
			"assistant.message_delta", `{"messageId":"b","deltaContent":"Whole"}`, "assistant.message", `{"messageId":"b","content":"Whole"}`,
		}, "PartStarted PartDelta PartStarted PartDelta PartStarted PartDelta PartRetracted PartRetracted PartEnded"},
		"an answer in chunks keeps them all": {[]string{
			"assistant.message_delta", `{"messageId":"a","deltaContent":"One"}`, "assistant.message_delta", `{"messageId":"b","deltaContent":"Two"}`,
			"assistant.message", `{"messageId":"a","content":"One","chunkCount":2}`, "assistant.message", `{"messageId":"b","content":"Two","chunkCount":2}`,
		}, "PartStarted PartDelta PartStarted PartDelta PartEnded PartEnded"},
		"an abort ends calls without results": {[]string{
			"tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"sleep 9"}}`, "abort", `{}`, "session.idle", `{"aborted":true}`,
		}, "ToolStarted ToolReady ToolEnded TurnEnded"},
		"the result of a child's call comes before its end": {[]string{
			"tool.execution_start", startCall, "child/subagent.started", `{"toolCallId":"c","agentName":"explore","executionMode":"sync"}`,
			"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"done"}}`, "child/subagent.completed", `{"toolCallId":"c"}`,
		}, "ToolStarted ToolReady ChildStarted ToolEnded ChildEnded"},
		"a child that the user sent to the background": {[]string{
			"tool.execution_start", startCall, "child/subagent.started", `{"toolCallId":"c","executionMode":"sync"}`,
			"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"Agent moved to background (agent_id: child)."}}`,
			"assistant.idle", `{}`, "child/subagent.completed", `{"toolCallId":"c"}`,
		}, "ToolStarted ToolReady ChildStarted ToolEnded ChildStarted TurnEnded ChildEnded"},
		"children without ids of old runtimes": {[]string{
			"tool.execution_start", startCall, "assistant.message", `{"messageId":"a","content":"child","parentToolCallId":"c"}`,
			"subagent.completed", `{"toolCallId":"c"}`,
		}, "ToolStarted ToolReady ChildStarted PartReplaced ChildEnded"},
		"an error with which the turn goes on": {[]string{
			"session.error", `{"errorType":"query","message":"odd","statusCode":500}`, "assistant.message", `{"messageId":"a","content":"fine"}`, "session.idle", `{}`,
		}, "Notice PartReplaced TurnEnded"},
	} {
		m := begun(t)
		if got := brief(feed(m, c.pairs...)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

func TestExitEndsEverything(t *testing.T) {
	m := begun(t)
	feed(m, "tool.execution_start", startCall, "child/subagent.started", `{"toolCallId":"c","executionMode":"background"}`,
		"tool.execution_start", `{"toolCallId":"d","toolName":"bash","arguments":{}}`,
		"tool.execution_complete", `{"toolCallId":"d","success":true,"result":{"content":"<command started in background with shellId: 7>"}}`)
	if m.Shell("d") != "7" || m.Child("c") != "child" || !m.Running("child") {
		t.Fatal("the work in the background is not known")
	}
	events := m.Exit(false, "killed", t0)
	if got, want := brief(events), "ToolEnded ChildEnded ToolEnded TurnEnded RuntimeChanged"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	ended := events[len(events)-2].(session.TurnEnded)
	if ended.Outcome != session.TurnFailed || !strings.Contains(ended.Problem.What, "killed") || m.Busy() {
		t.Errorf("%+v, busy %v", ended, m.Busy())
	}
}

func TestErrorsHaveKinds(t *testing.T) {
	for kind, data := range map[session.Kind]string{
		session.KindQuota:      `{"errorType":"quota","statusCode":402,"message":"used up"}`,
		session.KindAuth:       `{"errorType":"authorization","statusCode":401,"message":"expired"}`,
		session.KindForbidden:  `{"errorType":"authorization","statusCode":403,"message":"no"}`,
		session.KindRateLimit:  `{"errorType":"rate_limit","statusCode":429,"message":"slow down"}`,
		session.KindTooLong:    `{"errorType":"context_limit","message":"too long"}`,
		session.KindBadRequest: `{"errorType":"query","statusCode":400,"message":"Execution failed: 400 bad"}`,
		session.KindOverloaded: `{"errorType":"query","statusCode":529,"message":"busy"}`,
		session.KindServer:     `{"errorType":"query","statusCode":500,"message":"oops"}`,
		session.KindNetwork:    `{"errorType":"query","message":"Failed native model HTTP request: x"}`,
		session.KindRuntime:    `{"errorType":"query","message":"odd"}`,
	} {
		m := begun(t)
		events := feed(m, "session.error", data, "session.idle", `{}`)
		ended, ok := events[len(events)-1].(session.TurnEnded)
		if !ok || ended.Outcome != session.TurnFailed || ended.Problem == nil || ended.Problem.Kind != kind {
			t.Errorf("%s: %+v", data, ended)
		}
	}
}
