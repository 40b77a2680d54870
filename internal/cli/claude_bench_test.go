//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/session/claude/claudetest"
)

// The figures of the whole program with the Claude agent, between processes of their own: times on the wall clock, as
// each of them writes them down. Run them on a machine that has nothing else to do.

// BenchmarkClaudeLatency measures with a simulated runtime how long it takes from a line on its standard output to the
// screen (p50, p95), and from Enter to its standard input (p50, p95), in milliseconds. The lines come apart: what comes
// faster than frames waits for the next one, which is never more than 16 ms away on a terminal that is near.
func BenchmarkClaudeLatency(b *testing.B) {
	w := newWorld(b).signIn("")
	notes := filepath.Join(w.home, "clock")
	w.standInRuntime("ticking", clockVariable+"="+notes)
	tm := w.start(120, 40, "--agent", "claude")
	tm.shows("Claude Code")
	var toScreen, toRuntime []float64
	turn := 0
	for b.Loop() {
		turn++
		last := fmt.Sprintf("w%dx%d", turn, words-1)
		tm.send(fmt.Sprintf("go %d", turn))
		tm.shows(fmt.Sprintf("go %d", turn))
		time.Sleep(300 * time.Millisecond) // a warm runtime is ready, and nothing is being drawn
		entered := time.Now()
		tm.send("\r")
		tm.shows(last)
		tm.until("rest", func(s string) bool { return !strings.Contains(s, "esc to stop") })
		at := readClock(b, notes)
		toRuntime = append(toRuntime, float64(at[fmt.Sprintf("read %d", turn)]-entered.UnixNano())/1e6)
		for i := range words {
			word := fmt.Sprintf("w%dx%d", turn, i)
			if seen, ok := tm.firstSeen(word); ok {
				toScreen = append(toScreen, float64(seen.UnixNano()-at["wrote "+word])/1e6)
			} else {
				b.Fatalf("%s was never shown", word)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	report(b, toScreen, "screen")
	report(b, toRuntime, "stdin")
	tm.send("/quit\r")
	tm.exit()
}

func report(b *testing.B, ms []float64, what string) {
	b.Helper()
	slices.Sort(ms)
	b.ReportMetric(ms[len(ms)/2], what+"-p50-ms")
	b.ReportMetric(ms[min(len(ms)-1, len(ms)*95/100)], what+"-p95-ms")
}

// firstSeen returns when a text was first read from the terminal.
func (tm *terminal) firstSeen(text string) (time.Time, bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	end := bytes.Index(tm.raw.Bytes(), []byte(text))
	if end < 0 {
		return time.Time{}, false
	}
	end += len(text)
	i, _ := slices.BinarySearchFunc(tm.reads, end, func(r stamp, end int) int { return r.end - end })
	if i == len(tm.reads) {
		return time.Time{}, false
	}
	return tm.reads[i].at, true
}

func readClock(b *testing.B, name string) map[string]int64 {
	b.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	at := map[string]int64{}
	for line := range strings.Lines(string(data)) {
		what, ns, _ := cutLast(strings.TrimSpace(line))
		if at[what], err = strconv.ParseInt(ns, 10, 64); err != nil {
			b.Fatal(err)
		}
	}
	return at
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// standInRuntime makes parley use one of the test binary's own runtimes.
func (w *world) standInRuntime(script string, env ...string) {
	w.t.Helper()
	path := filepath.Join(w.home, "runtime", "2.1.197") // as the vendor's installer names it, which tells the version
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	line := fmt.Sprintf("#!/bin/sh\nunset %s\n%s exec %s \"$@\"\n", asParley, strings.Join(env, " "), strings.Join(claudetest.Program(script), " "))
	if err := os.WriteFile(path, []byte(line), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.env = append(w.env, "PARLEY_CLAUDE_PATH="+path)
}

// BenchmarkClaudeOpen opens a session of 10,000 messages that Claude Code wrote, in the program itself: from the start of
// the process to the first frame (which has the newest turn), and to the frame with the end of the search that needs all
// of it. The time that the same program takes to show an empty chat is told too.
func BenchmarkClaudeOpen(b *testing.B) {
	bin := build(b)
	w := newWorld(b).signIn("")
	w.standInRuntime("ticking", clockVariable+"="+filepath.Join(w.home, "clock"))
	id := w.longSession(10_000)
	var empty, opened []float64
	for b.Loop() {
		empty = append(empty, w.untilShown(bin, "mode", "--agent", "claude"))
		opened = append(opened, w.untilShown(bin, "the very last words", "-r", id))
	}
	b.ReportMetric(0, "ns/op")
	report(b, empty, "empty")
	report(b, opened, "opened")
}

// build builds the program as a user has it.
func build(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "parley")
	cmd := exec.Command("go", "build", "-o", bin, ".")
	cmd.Dir = sources
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return bin
}

// untilShown starts the program and returns after how many milliseconds the terminal was sent the text.
func (w *world) untilShown(bin, text string, args ...string) float64 {
	w.t.Helper()
	began := time.Now()
	tm := w.startCommand(120, 40, exec.Command(bin, args...))
	tm.shows(text)
	seen, ok := tm.firstSeen(text)
	if !ok {
		w.t.Fatalf("%q was not sent in one piece", text)
	}
	tm.send("/quit\r")
	tm.exit()
	return float64(seen.Sub(began)) / 1e6
}

// longSession writes a session of so many messages as Claude Code does, and returns its id.
func (w *world) longSession(messages int) string {
	w.t.Helper()
	const id = "10000000-0000-4000-8000-000000000001"
	dir := strings.NewReplacer("/", "-", "_", "-", ".", "-").Replace(w.dir)
	path := filepath.Join(w.home, ".claude", "projects", dir, id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	var out bytes.Buffer
	parent, at := any(nil), time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for n := range messages {
		uuid := fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n)
		at = at.Add(time.Second)
		line := map[string]any{"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": w.dir, "sessionId": id,
			"version": "2.1.197", "uuid": uuid, "timestamp": at.Format("2006-01-02T15:04:05.000Z")}
		switch prose := strings.Repeat("This is a sentence of an answer, with `code` and **words**.\n", 12); {
		case n == messages-1:
			line["type"], line["message"] = "assistant", said(n, map[string]any{"type": "text", "text": "These are\n\nthe very last words"})
		case n%4 == 0:
			line["type"], line["message"] = "user", map[string]any{"role": "user", "content": fmt.Sprintf("prompt %d of many", n)}
		case n%4 == 1:
			line["type"], line["message"] = "assistant", said(n, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", n), "name": "Read",
				"input": map[string]any{"file_path": w.dir + "/main.go"}})
		case n%4 == 2:
			line["type"], line["message"] = "user", map[string]any{"role": "user", "content": []any{map[string]any{
				"type": "tool_result", "tool_use_id": fmt.Sprintf("toolu_%d", n-1), "content": strings.Repeat("\treturn fmt.Errorf(\"read: %w\", err)\n", 40)}}}
		default:
			line["type"], line["message"] = "assistant", said(n, map[string]any{"type": "text", "text": prose})
		}
		data, err := json.Marshal(line)
		if err != nil {
			w.t.Fatal(err)
		}
		out.Write(append(data, '\n'))
		parent = uuid
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return id
}

func said(n int, block map[string]any) map[string]any {
	return map[string]any{"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": "claude-sonnet-4-6",
		"stop_reason": "end_turn", "content": []any{block},
		"usage": map[string]any{"input_tokens": 100, "output_tokens": 66, "cache_read_input_tokens": 30000, "cache_creation_input_tokens": 0}}
}
