package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// BenchmarkProgram measures the program as a user has it, with the agent of its own, on a pty of 120x40 cells; what it
// talks to is a simulated Copilot in another process. Run it with -benchtime 1x, as make figures does.
//
// What it is held to: --version in 20 ms, the first frame in 25 ms, a key taken in 28 ms; idle 0.1 % CPU, 15 wakeups a
// second and no byte; key to echo 1 ms in the middle and 2 ms at 95 of 100; 3 bytes on the wire for each of text; with
// 10,000 messages 50 ms from resuming to the end of the conversation on the screen, 40 MB resident.
func BenchmarkProgram(b *testing.B) {
	bin := build(b)
	for _, c := range []struct {
		name    string
		measure func(b *testing.B, bin string)
	}{
		{"start", measureStart}, {"idle", measureIdle}, {"echo-empty", measureEcho}, {"echo-streaming", measureEchoStreaming},
		{"stream", measureStream}, {"long", measureLong},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.measure(b, bin)
			b.ReportMetric(0, "ns/op")
		})
	}
}

const (
	echoes    = 80
	tokens    = 4000
	idleFor   = 6 * time.Second
	longTurns = 3400 // of three messages each
)

// streams answers at 1,000 tokens a second.
var streams = fmt.Sprintf(`
pace: {chars: 4, rate: 1000}
rules:
  - when: {prompt: stream}
    reply:
      - filler: {tokens: "%d", rate: "1000", mark: "F"}
  - reply: "You said **{{last_user}}**"
`, tokens)

func measureStart(b *testing.B, bin string) {
	var version, frame, input []float64
	w := newWorld(b).signIn(streams)
	for range 3 { // files that are made once, and the disk's cache
		w.untilShown(bin, "asks before it acts")
	}
	for b.Loop() {
		for range 15 {
			version = append(version, w.versionTime(bin))
			frame = append(frame, w.untilShown(bin, "asks before it acts"))
			input = append(input, w.untilTyped(bin))
		}
	}
	report(b, version, "version")
	report(b, frame, "frame")
	report(b, input, "input")
}

// versionTime runs --version and returns how long it takes from exec to exit.
func (w *world) versionTime(bin string) float64 {
	w.t.Helper()
	cmd := exec.Command(bin, "--version")
	cmd.Env = w.env
	began := time.Now()
	if err := cmd.Run(); err != nil {
		w.t.Fatal(err)
	}
	return ms(time.Since(began))
}

// untilTyped starts the program with a key typed ahead every 2 ms, and returns after how long one of them showed.
func (w *world) untilTyped(bin string) float64 {
	w.t.Helper()
	began := time.Now()
	tm := w.startCommand(120, 40, exec.Command(bin))
	stop := make(chan struct{})
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				// What is typed before the terminal is raw would be echoed by its driver.
				if bytes.Contains([]byte(tm.output()), []byte("\x1b[?2004h")) {
					tm.pt.WriteString("ж")
				}
			}
		}
	}()
	tm.shows("ж")
	close(stop)
	seen, _ := tm.firstSeen("ж")
	tm.send("\x03\x03\x03")
	tm.exit()
	return ms(seen.Sub(began))
}

func measureIdle(b *testing.B, bin string) {
	for b.Loop() {
		tm := startSettled(b, newWorld(b).signIn(streams), bin)
		before, sent, began := tm.used(), tm.sent(), time.Now()
		time.Sleep(idleFor)
		after, took := tm.used(), time.Since(began)
		b.ReportMetric(float64(after.wakeups-before.wakeups)/took.Seconds(), "wakeups/s")
		b.ReportMetric(100*float64(after.cpu-before.cpu)/float64(took), "cpu-%")
		b.ReportMetric(float64(tm.sent()-sent)/took.Seconds(), "wire-B/s")
		b.ReportMetric(after.resident, "rss-MB")
		tm.quit()
	}
}

func measureEcho(b *testing.B, bin string) {
	var times []float64
	for b.Loop() {
		tm := startSettled(b, newWorld(b).signIn(streams), bin)
		times = append(times, tm.echoes(echoes)...)
		tm.quit()
	}
	report(b, times, "echo")
}

func measureEchoStreaming(b *testing.B, bin string) {
	var times []float64
	for b.Loop() {
		tm := startSettled(b, newWorld(b).signIn(streams), bin)
		for len(times) < echoes {
			from := tm.sent()
			tm.send("stream\r")
			tm.seenAfter(from, "esc to stop")
			time.Sleep(300 * time.Millisecond)
			times = append(times, tm.echoes(40)...) // in less than the answer takes
			tm.send("\x15")
			tm.seenAfter(from, "ENDMARKF")
			tm.settle()
		}
		tm.quit()
	}
	report(b, times, "echo")
}

func measureStream(b *testing.B, bin string) {
	for b.Loop() {
		tm := startSettled(b, newWorld(b).signIn(streams), bin)
		before, sent := tm.used(), tm.sent()
		tm.send("stream\r")
		tm.seenAfter(sent, "ENDMARKF")
		tm.settle()
		after := tm.used()
		b.ReportMetric(ms(after.cpu-before.cpu)*1000/tokens, "cpu-ms/1k-tokens")
		b.ReportMetric(float64(tm.sent()-sent)/(4*tokens), "wire-B/text-B")
		b.ReportMetric(after.resident, "rss-MB")
		tm.quit()
	}
}

func measureLong(b *testing.B, bin string) {
	var resumed, resized, echoed, resident []float64
	for b.Loop() {
		w := newWorld(b).signIn(streams)
		id := w.longJournal(longTurns)
		for range 5 {
			resumed = append(resumed, w.untilShown(bin, "the very last words", "-r", id))
		}
		tm := startSettled(b, w, bin, "-r", id)
		resident = append(resident, tm.used().resident)
		echoed = append(echoed, tm.echoes(echoes)...)
		for i := range 30 {
			from, began := tm.sent(), time.Now()
			if err := pty.Setsize(tm.pt, &pty.Winsize{Cols: uint16(90 + i%30), Rows: 40}); err != nil {
				b.Fatal(err)
			}
			resized = append(resized, ms(tm.seenAfter(from, "").Sub(began)))
			time.Sleep(40 * time.Millisecond)
		}
		resident = append(resident, tm.used().resident)
		tm.quit()
	}
	report(b, resumed, "resume")
	report(b, echoed, "echo")
	report(b, resized, "resize")
	b.ReportMetric(slices.Min(resident), "rss-MB")
	b.ReportMetric(slices.Max(resident), "rss-used-MB") // after 30 resizes
}

// startSettled starts the program and waits until nothing more comes.
func startSettled(b *testing.B, w *world, bin string, args ...string) *terminal {
	b.Helper()
	w.blind = true
	tm := w.startCommand(120, 40, exec.Command(bin, args...))
	tm.seenAfter(0, "asks before it acts")
	tm.settle()
	return tm
}

// settle waits until nothing more comes.
func (tm *terminal) settle() {
	for n := -1; n != tm.sent(); time.Sleep(time.Second) {
		n = tm.sent()
	}
}

// sent is how many bytes have come.
func (tm *terminal) sent() int {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.raw.Len()
}

func (tm *terminal) quit() {
	tm.send("\x15/quit\r")
	tm.exit()
}

// echoes types letters that are on the screen nowhere else, with pauses that vary, and returns after how many
// milliseconds each was drawn.
func (tm *terminal) echoes(n int) (took []float64) {
	tm.t.Helper()
	letters := []rune("абвгдежзиклмнопрстуфхцчшщъыьэюя")
	for i := range n {
		if i%len(letters) == 0 {
			tm.send("\x15") // ctrl+u: an empty composer
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(50*time.Millisecond + rand.N(34*time.Millisecond))
		letter := string(letters[i%len(letters)])
		from, began := tm.sent(), time.Now()
		tm.send(letter)
		took = append(took, ms(tm.seenAfter(from, letter).Sub(began)))
	}
	return took
}

// seenAfter waits for a text behind a position of the output, for anything at all if it is empty, and returns when it was
// read.
func (tm *terminal) seenAfter(from int, text string) (at time.Time) {
	tm.t.Helper()
	found := func() bool {
		tm.mu.Lock()
		defer tm.mu.Unlock()
		out := tm.raw.Bytes()[from:]
		i := bytes.Index(out, []byte(text))
		if i < 0 || len(out) == 0 {
			return false
		}
		n, _ := slices.BinarySearchFunc(tm.reads, from+i+max(1, len(text)), func(r stamp, end int) int { return r.end - end })
		at = tm.reads[n].at
		return true
	}
	for deadline := time.After(patience); !found(); {
		select {
		case <-tm.news:
		case <-tm.done:
			tm.t.Fatalf("the program ended without %q", text)
		case <-deadline:
			tm.t.Fatalf("no %q", text)
		}
	}
	return at
}

// used is what a process has used so far, as the system counts it.
type used struct {
	cpu      time.Duration
	wakeups  int     // voluntary context switches of its threads
	resident float64 // MB
}

// used asks the system about the program.
func (tm *terminal) used() (u used) {
	tm.t.Helper()
	proc := fmt.Sprintf("/proc/%d/", tm.cmd.Process.Pid)
	u.resident = float64(field(tm.t, proc+"status", "VmRSS:")) / 1024
	threads, err := filepath.Glob(proc + "task/*")
	if err != nil || len(threads) == 0 {
		tm.t.Fatalf("no threads: %v", err)
	}
	for _, thread := range threads {
		u.wakeups += field(tm.t, thread+"/status", "voluntary_ctxt_switches:")
		u.cpu += time.Duration(field(tm.t, thread+"/schedstat", ""))
	}
	return u
}

// field reads the number behind a name at the beginning of a line.
func field(t testing.TB, file, name string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var n int
		if rest, ok := strings.CutPrefix(line, name); ok {
			if _, err := fmt.Sscan(rest, &n); err == nil {
				return n
			}
		}
	}
	t.Fatalf("%s has no %s", file, name)
	return 0
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
