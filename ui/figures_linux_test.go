package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// BenchmarkFigures measures the screen against what it is held to, and Bubble Tea's own renderer beside it, both with the
// same model, in processes of their own on a pty of 120x40 cells. Run it with -benchtime 1x or more; make figures does.
// All processor time is that of the screen alone: no agent, no session, and what emitting costs is taken off.
//
// What it is held to: key to echo 1 ms in the middle and 2 ms at 95 of 100, empty, long and streaming; idle 0.1 % CPU, 15
// wakeups a second and no byte; 20 ms of CPU for 1,000 tokens at 1,000 a second, 3 bytes on the wire for each of text at 30
// frames a second, the last word on the screen 10 ms after it may be (33 + 10); a resize of 10,000 messages 2 ms.
func BenchmarkFigures(b *testing.B) {
	b.Run("echo-empty/"+bare, func(b *testing.B) { // how busy the machine is
		measureEchoEmpty(b, bare)
		b.ReportMetric(0, "ns/op")
	})
	for _, c := range []struct {
		name    string
		measure func(b *testing.B, painter string)
	}{
		{"idle", measureIdle}, {"echo-empty", measureEchoEmpty}, {"echo-10000", measureEchoLong}, {"echo-streaming", measureEchoStreaming},
		{"stream", measureStream}, {"resize-10000", measureResize},
	} {
		for _, painter := range []string{ours, stock} {
			b.Run(c.name+"/"+painter, func(b *testing.B) {
				c.measure(b, painter)
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

const (
	longTurns = 3400 // of three messages each
	echoes    = 80
	idleFor   = 6 * time.Second
	streamed  = 4000 // tokens
)

func measureIdle(b *testing.B, painter string) {
	for b.Loop() {
		c := startShown(b, painter)
		before, seen := c.spent(), c.len()
		time.Sleep(time.Second) // being asked wakes it
		woken, began := c.wakeups(), time.Now()
		time.Sleep(idleFor)
		b.ReportMetric(float64(c.wakeups()-woken)/time.Since(began).Seconds(), "wakeups/s")
		after, took := c.spent(), time.Since(began)+time.Second
		b.ReportMetric(100*float64(after.CPU-before.CPU)/float64(took), "cpu-%")
		b.ReportMetric(float64(c.len()-seen)/took.Seconds(), "wire-B/s")
		c.stop()
	}
}

func measureEchoEmpty(b *testing.B, painter string) {
	var times []float64
	for b.Loop() {
		c := startShown(b, painter)
		times = append(times, c.echoes(echoes)...)
		c.stop()
	}
	reportTimes(b, times)
}

func measureEchoLong(b *testing.B, painter string) {
	var times []float64
	for b.Loop() {
		c := startShown(b, painter)
		c.ask(fmt.Sprintf("fill %d", longTurns))
		c.quiet()
		times = append(times, c.echoes(echoes)...)
		b.ReportMetric(float64(c.spent().Heap)/1e6, "heap-MB")
		b.ReportMetric(c.resident(), "rss-MB")
		c.stop()
	}
	reportTimes(b, times)
}

func measureEchoStreaming(b *testing.B, painter string) {
	var times []float64
	for b.Loop() {
		c := startShown(b, painter)
		c.order("stream 7000 1000 9632")
		time.Sleep(300 * time.Millisecond)
		times = append(times, c.echoes(echoes)...)
		c.reply()
		c.stop()
	}
	reportTimes(b, times)
}

func measureStream(b *testing.B, painter string) {
	var text, wire, writes, cpu, tokens, lags []float64
	for b.Loop() {
		emitting := startShown(b, nothing)
		_, alone := emitting.stream(streamed, 1000, 9632)
		emitting.stop()
		c := startShown(b, painter)
		end, s := c.stream(streamed, 1000, 9632)
		text, wire, writes = append(text, float64(end.Streamed)), append(wire, float64(s.Written)), append(writes, float64(s.Writes))
		cpu, tokens = append(cpu, float64(s.CPU-alone.CPU)/1e6), append(tokens, streamed)
		for i := range 12 { // lags of streams that end at any point of a frame
			mark := rune(9633 + i)
			end, _ := c.stream(90+7*i, 1000, mark)
			lags = append(lags, float64(c.at(string(mark), 0).UnixNano()-end.At)/1e6)
		}
		c.stop()
	}
	b.ReportMetric(sum(cpu)/sum(tokens)*1000, "cpu-ms/1k-tokens")
	b.ReportMetric(sum(wire)/sum(text), "wire-B/text-B")
	b.ReportMetric(sum(writes)/(sum(tokens)/1000), "frames/s")
	slices.Sort(lags)
	b.ReportMetric(lags[len(lags)/2], "lag-p50-ms")
	b.ReportMetric(lags[len(lags)-1], "lag-max-ms")
}

func measureResize(b *testing.B, painter string) {
	var times []float64
	var cpu []float64
	for b.Loop() {
		c := startShown(b, painter)
		c.ask(fmt.Sprintf("fill %d", longTurns))
		c.quiet()
		before := c.spent()
		const steps = 30
		for i := range steps {
			from, began := c.len(), time.Now()
			if err := pty.Setsize(c.pt, &pty.Winsize{Cols: uint16(90 + i%30), Rows: 40}); err != nil {
				b.Fatal(err)
			}
			times = append(times, float64(c.after(from).Sub(began))/1e6)
			time.Sleep(40 * time.Millisecond)
		}
		cpu = append(cpu, float64(c.spent().CPU-before.CPU)/1e6/steps)
		c.stop()
	}
	reportTimes(b, times)
	b.ReportMetric(sum(cpu)/float64(len(cpu)), "cpu-ms/step")
}

func reportTimes(b *testing.B, ms []float64) {
	b.Helper()
	slices.Sort(ms)
	b.ReportMetric(ms[len(ms)/2], "p50-ms")
	b.ReportMetric(ms[len(ms)*95/100], "p95-ms")
}

func sum(all []float64) (s float64) {
	for _, v := range all {
		s += v
	}
	return s
}

// resident is how many megabytes the process holds.
func (c *onPty) resident() float64 {
	c.b.Helper()
	return c.status("", "VmRSS:") / 1024
}

// wakeups is how often its threads have given up the processor by themselves.
func (c *onPty) wakeups() (n float64) {
	c.b.Helper()
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", c.cmd.Process.Pid))
	if err != nil {
		c.b.Fatal(err)
	}
	for _, thread := range threads {
		n += c.status("task/"+thread.Name()+"/", "voluntary_ctxt_switches:")
	}
	return n
}

// status reads a number of the process, or of one of its threads, from what the system says of it.
func (c *onPty) status(thread, name string) (n float64) {
	c.b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%sstatus", c.cmd.Process.Pid, thread))
	if err != nil {
		c.b.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			if _, err := fmt.Sscan(rest, &n); err == nil {
				return n
			}
		}
	}
	c.b.Fatalf("no %s", name)
	return 0
}

// onPty is a screen in a process of its own, as seen by its terminal.
type onPty struct {
	b       *testing.B
	cmd     *exec.Cmd
	pt      *os.File
	orders  *os.File
	replies *json.Decoder
	ended   chan struct{}
	news    chan struct{}

	mu    sync.Mutex
	seen  []byte
	reads []readAt
}

// readAt says when how much had been seen.
type readAt struct {
	end int
	at  time.Time
}

// startShown starts the screen and waits until it is drawn.
func startShown(b *testing.B, painter string) *onPty {
	b.Helper()
	orders, ordered, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	replies, replied, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{figuresPainter + "=" + painter, "TERM=xterm-256color", "COLORTERM=truecolor", "HOME=" + b.TempDir()}
	cmd.ExtraFiles = []*os.File{orders, replied}
	pt, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		b.Fatal(err)
	}
	orders.Close()
	replied.Close()
	c := &onPty{b: b, cmd: cmd, pt: pt, orders: ordered, replies: json.NewDecoder(replies), ended: make(chan struct{}), news: make(chan struct{}, 1)}
	go c.read()
	if painter != nothing {
		c.after(0)
		c.quiet()
	}
	return c
}

// stop ends the process.
func (c *onPty) stop() {
	c.orders.Close()
	_ = c.cmd.Wait()
	c.pt.Close()
	<-c.ended
}

// read notes when what came, before it looks at it, and answers what screens ask.
func (c *onPty) read() {
	defer close(c.ended)
	buf := make([]byte, 64<<10)
	for {
		n, err := c.pt.Read(buf)
		if n > 0 {
			at := time.Now()
			c.mu.Lock()
			c.seen = append(c.seen, buf[:n]...)
			c.reads = append(c.reads, readAt{len(c.seen), at})
			c.mu.Unlock()
			select {
			case c.news <- struct{}{}:
			default:
			}
			if bytes.Contains(buf[:n], []byte("\x1b[?2026$p")) {
				_, _ = c.pt.WriteString("\x1b[?2026;2$y")
			}
		}
		if err != nil {
			return
		}
	}
}

// len is how many bytes have come so far.
func (c *onPty) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.seen)
}

// wait waits for found to report when something was seen, looking again at everything that comes.
func (c *onPty) wait(what string, found func() (time.Time, bool)) time.Time {
	c.b.Helper()
	deadline := time.After(30 * time.Second)
	for {
		c.mu.Lock()
		at, ok := found()
		c.mu.Unlock()
		if ok {
			return at
		}
		select {
		case <-c.news:
		case <-c.ended:
			c.b.Fatalf("the screen ended without %s: %q", what, c.seen)
		case <-deadline:
			c.b.Fatalf("no %s", what)
		}
	}
}

// at is when the text came, looked for from a position on.
func (c *onPty) at(text string, from int) time.Time {
	c.b.Helper()
	return c.wait(text, func() (time.Time, bool) {
		i := bytes.Index(c.seen[from:], []byte(text))
		if i < 0 {
			return time.Time{}, false
		}
		return c.when(from + i + len(text)), true
	})
}

// after is when the first byte behind a position came.
func (c *onPty) after(from int) time.Time {
	c.b.Helper()
	return c.wait("output", func() (time.Time, bool) {
		if len(c.seen) <= from {
			return time.Time{}, false
		}
		return c.when(from + 1), true
	})
}

// when is when so many bytes had come. The lock is held.
func (c *onPty) when(end int) time.Time {
	i, _ := slices.BinarySearchFunc(c.reads, end, func(r readAt, end int) int { return r.end - end })
	return c.reads[i].at
}

// quiet waits until nothing has come for a while.
func (c *onPty) quiet() {
	for n := -1; n != c.len(); time.Sleep(400 * time.Millisecond) {
		n = c.len()
	}
}

// echoes types letters that are on the screen nowhere else and returns after how many milliseconds each was drawn. The
// pause between them varies, or they would come in step with whatever ticks.
func (c *onPty) echoes(n int) (ms []float64) {
	c.b.Helper()
	letters := []rune("абвгдежзиклмнопрстуфхцчшщъыьэюя")
	for i := range n {
		if i%len(letters) == 0 {
			c.send("\x15") // ctrl+u: an empty composer
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(50*time.Millisecond + rand.N(34*time.Millisecond))
		letter := string(letters[i%len(letters)])
		from, began := c.len(), time.Now()
		c.send(letter)
		ms = append(ms, float64(c.at(letter, from).Sub(began))/1e6)
	}
	return ms
}

func (c *onPty) send(keys string) {
	c.b.Helper()
	if _, err := c.pt.WriteString(keys); err != nil {
		c.b.Fatal(err)
	}
}
