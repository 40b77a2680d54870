//go:build !race

package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
)

// storeLongSession stores a session with so many bytes of words and results, a part in small pieces, and returns its id.
func (w *world) storeLongSession(id string, least int) {
	w.t.Helper()
	dir := filepath.Join(w.home, ".local", "share", "parley", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, id+".jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	meta, _ := json.Marshal(session.Meta{ID: session.ID(id), Agent: "builtin", Dir: w.dir, Created: at, Updated: at})
	fmt.Fprintf(out, `{"v":1,"meta":%s}`+"\n", meta)
	put := func(e session.Event) {
		line, err := session.EncodeEvent(e)
		if err != nil {
			w.t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	words := strings.Repeat("some words of an answer ", 8)
	result := strings.Repeat("a line of what a command wrote, as they are\n", 1000)
	for n, size := 0, 0; size < least; n++ {
		h := session.Head{Session: session.ID(id), Turn: session.TurnID(fmt.Sprintf("t%d", n)), Gen: 1, At: at}
		part, call := session.PartID(fmt.Sprintf("p%d", n)), session.CallID(fmt.Sprintf("c%d", n))
		put(session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(h.Turn), Text: "go on"}})
		put(session.ToolStarted{Head: h, Call: call, Name: "Bash"})
		put(session.ToolReady{Head: h, Call: call, Input: json.RawMessage(`{"command":"make"}`)})
		put(session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: result}})
		put(session.PartStarted{Head: h, Part: part, Kind: session.PartText})
		for range 100 {
			put(session.PartDelta{Head: h, Part: part, Text: words})
		}
		put(session.PartEnded{Head: h, Part: part})
		put(session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
		size += len(result) + 100*len(words)
	}
	if err := out.Flush(); err != nil {
		w.t.Fatal(err)
	}
}

// peak runs a command and returns how much memory it had at most, and how much it printed.
func (w *world) peak(args ...string) (peak, printed int) {
	w.t.Helper()
	file := filepath.Join(w.home, "peak")
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env, cmd.Dir = append([]string{asParley + "=1", peakFile + "=" + file}, w.env...), w.dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	for buf := make([]byte, 64<<10); ; {
		n, err := out.Read(buf)
		printed += n
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		w.t.Fatal(err)
	}
	return w.readPeak(file), printed
}

func (w *world) readPeak(file string) int {
	w.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	n, err := strconv.Atoi(string(data))
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// least returns the least of three measurements, or the first that is at most enough. On a busy machine with one processor the
// collector starts late, which says nothing of what the program keeps.
func least(enough int, measure func() int) int {
	n := measure()
	for range 2 {
		if n <= enough {
			break
		}
		n = min(n, measure())
	}
	return n
}

// TestLongSessionsTakeNoMoreMemoryThanTheyShow shows a session of 64 MB, or of little more than [longJournal], in several ways.
// Beyond what a short one takes, the program needs at most 1.3 times what is shown, and a little for what it reads into. The
// race detector's own memory is several times that, so this file is not built with it.
func TestLongSessionsTakeNoMoreMemoryThanTheyShow(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	shown := repeat.Times(20, 20, 64) << 20
	most := shown*13/10 + 12<<20
	w.storeLongSession("short", 1)
	w.storeLongSession("long", shown)
	chat := func(id string) int {
		file := filepath.Join(w.home, "peak")
		w.env = append(w.env, peakFile+"="+file)
		tm := w.start(100, 30, "-r", id)
		tm.shows("some words of an answer")
		tm.until("the session", func(s string) bool { return !strings.Contains(s, "loading") })
		tm.send("/quit\r")
		if code := tm.exit(); code != 0 {
			t.Fatalf("exit %d", code)
		}
		return w.readPeak(file)
	}
	for _, args := range [][]string{{"sessions", "show"}, {"sessions", "show", "--json"}} {
		base, _ := w.peak(append(args, "short")...)
		more := least(most, func() int {
			peak, printed := w.peak(append(args, "long")...)
			if printed < shown {
				t.Fatalf("%v printed %d bytes", args, printed)
			}
			return peak - base
		})
		t.Logf("%v: %d MB for %d MB", args, more>>20, shown>>20)
		if more > most {
			t.Errorf("%v: %d MB of memory for %d MB", args, more>>20, shown>>20)
		}
	}
	base := chat("short")
	more := least(most, func() int { return chat("long") - base })
	t.Logf("chat: %d MB for %d MB", more>>20, shown>>20)
	if more > most {
		t.Errorf("the chat: %d MB of memory for %d MB", more>>20, shown>>20)
	}
}
