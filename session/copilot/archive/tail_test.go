package archive

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/history"
	"parley/session/sessiontest"
)

// longTalk are the lines of a session with many turns, which change the model and the task list now and then.
func longTalk(turns int) []string {
	lines := []string{begin("claude-x")}
	for n := range turns {
		lines = append(lines, turn(n+1, fmt.Sprintf("prompt %d", n), strings.Repeat("words\n", 100))...)
		switch at := 10*(n+1) + 5; n % 40 {
		case 10:
			lines = append(lines, line(at, "session.model_change", data{"newModel": fmt.Sprintf("model-%d", n), "reasoningEffort": "high"}))
		case 20:
			lines = append(lines, sql(at, fmt.Sprintf("INSERT INTO todos (id, title, status) VALUES ('%d', 'Task %d', 'pending')", n, n))...)
		case 30:
			lines = append(lines, sql(at, fmt.Sprintf("UPDATE todos SET status = 'done' WHERE id = '%d'", n-10))...)
		case 35:
			lines = append(lines, line(at, "session.mode_changed", data{"previousMode": "interactive", "newMode": []string{"plan", "interactive"}[n/40%2]}))
		}
	}
	return lines
}

// sql are the lines of a call that changes the task list.
func sql(second int, query string) []string {
	call := fmt.Sprintf("call-%d", second)
	return []string{
		line(second, "assistant.turn_start", data{"turnId": "0"}),
		line(second, "tool.execution_start", data{"toolCallId": call, "toolName": "sql", "arguments": data{"query": query}}),
		// The runtime begins the data of a result with the call.
		strings.Replace(line(second+1, "tool.execution_complete", data{"success": true, "result": data{"content": "1 row(s)"}}), `"data":{`, `"data":{"toolCallId":"`+call+`",`, 1),
		line(second+2, "assistant.turn_end", data{"turnId": "0"}),
	}
}

// TestTailIsTheEnd reads ends of several lengths, which fold to the same turns as the whole.
func TestTailIsTheEnd(t *testing.T) {
	h := newHome(t)
	h.put(storedID, workspaceText, longTalk(300)...)
	a := New(h.dir)
	events, err := a.Replay(t.Context(), storedID)
	if err != nil {
		t.Fatal(err)
	}
	all := session.Fold(events)
	for _, n := range []int64{10, 1000, 5000, 20_000, 60_000, 100_000, 1 << 30} {
		tail, err := a.Tail(t.Context(), storedID, n)
		if err != nil {
			t.Fatal(err)
		}
		turns, d := sessiontest.SameEnd(session.Fold(history.LastTurns(&tail, nil)), all)
		if d != "" || n > 5000 && turns < 3 || tail.Whole != (n == 1<<30) {
			t.Errorf("%d bytes: %d turns, whole %v: %s", n, turns, tail.Whole, d)
		}
	}
	h.add(storedID, `{"type":"user.mess`)
	if half, err := a.Tail(t.Context(), storedID, 20_000); err != nil || len(half.Events) == 0 {
		t.Errorf("with a line that is being written: %v", err)
	}
	h.add(storedID, "\n")
	if _, err := a.Tail(t.Context(), storedID, 20_000); session.KindOf(err) != session.KindCorrupt {
		t.Errorf("with a damaged line: %v", err)
	}
	if _, err := a.Tail(t.Context(), "unknown", 20_000); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a session that is not there: %v", err)
	}
}

// TestTailOfRecordedSessions cuts what real runtimes stored before every line.
func TestTailOfRecordedSessions(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "mapper", "testdata", "*", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no recordings", err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, stored, _ := bytes.Cut(raw, []byte("\n\n"))
		h := newHome(t)
		h.put(storedID, workspaceText, strings.Split(strings.TrimSpace(string(stored)), "\n")...)
		a := New(h.dir)
		events, err := a.Replay(t.Context(), storedID)
		if err != nil {
			t.Fatal(err)
		}
		all := session.Fold(events)
		for at := 0; at < len(stored); at += bytes.IndexByte(stored[at:], '\n') + 1 {
			tail, err := a.Tail(t.Context(), storedID, int64(len(stored)-at))
			if session.KindOf(err) == session.KindUnsupported {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, d := sessiontest.SameEnd(session.Fold(history.LastTurns(&tail, nil)), all); d != "" {
				t.Errorf("%s from %d: %s", path, at, d)
			}
			if bytes.IndexByte(stored[at:], '\n') < 0 {
				break
			}
		}
	}
}
