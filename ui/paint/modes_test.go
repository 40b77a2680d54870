package paint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// state is the state of a terminal that programs borrow.
type state map[string]string

var privateMode = regexp.MustCompile(`^\x1b\[\?([0-9;]+)([hl])`)

// feed applies the sequences that change the state. It fails on an unknown sequence, so that a new mode must be added here.
func (s state) feed(t *testing.T, out string) {
	t.Helper()
	for out != "" {
		i := strings.IndexByte(out, 0x1b)
		if i < 0 {
			return
		}
		out = out[i:]
		if m := privateMode.FindStringSubmatch(out); m != nil {
			for mode := range strings.SplitSeq(m[1], ";") {
				s["?"+mode] = m[2]
			}
			out = out[len(m[0]):]
			continue
		}
		n := s.other(out)
		if n == 0 {
			t.Fatalf("a sequence the test does not know: %q", out)
		}
		out = out[n:]
	}
}

// other applies the sequences other than private modes and returns the length of the one it found.
func (s state) other(out string) int {
	depth := func(key string, by int) func() {
		return func() { s[key] = strings.Repeat("+", max(0, len(s[key])+by)) }
	}
	set := func(key, value string) func() { return func() { s[key] = value } }
	none := func() {}
	for _, k := range []struct {
		seq  string
		then func()
	}{
		{"\x1b[>1u", depth("kitty", 1)}, {"\x1b[<1u", depth("kitty", -1)}, {"\x1b[<u", depth("kitty", -1)},
		{"\x1b[22;2t", depth("title", 1)}, {"\x1b[23;2t", depth("title", -1)},
		{"\x1b[>4;2m", set("other keys", "2")}, {"\x1b[>4m", set("other keys", "")},
		{"\x1b[5 q", set("cursor", "5")}, {"\x1b[0 q", set("cursor", "")}, {"\x1b[ q", set("cursor", "")},
		{"\x1b[r", set("margins", "")}, {"\x1b[m", set("pen", "")}, {"\x1b]8;;\x1b\\", set("link", "")},
		{"\x1b\\", none}, {"\x1b[9999;1H", none}, {"\x1b[H", none}, {"\x1b[J", none},
	} {
		if strings.HasPrefix(out, k.seq) {
			k.then()
			return len(k.seq)
		}
	}
	return 0
}

// fresh returns the state of a terminal before a program runs.
func fresh() state {
	return state{
		"?1049": "l", "?2004": "l", "?1004": "l", "?2031": "l", "?1002": "l", "?1006": "l", "?2027": "l", "?2026": "l",
		"?25": "h", "?7": "h", "kitty": "", "title": "", "other keys": "", "cursor": "", "margins": "", "pen": "", "link": "",
	}
}

func diff(a, b state) (d []string) {
	for k := range a {
		if a[k] != b[k] {
			d = append(d, fmt.Sprintf("%s is %q, was %q", k, b[k], a[k]))
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			d = append(d, fmt.Sprintf("%s is new", k))
		}
	}
	return d
}

func TestEveryModeIsGivenBack(t *testing.T) {
	all := Options{AltScreen: true, Mouse: true}
	for _, m := range append(borrowed(all), mouseButtons, mouseSGR, graphemes) {
		t.Run(fmt.Sprintf("%q", m.take+m.give), func(t *testing.T) {
			s := fresh()
			s.feed(t, m.take)
			if len(diff(fresh(), s)) == 0 {
				t.Errorf("%q changes nothing", m.take)
			}
			s.feed(t, m.give)
			if d := diff(fresh(), s); len(d) > 0 {
				t.Errorf("after %q and %q: %s", m.take, m.give, d)
			}
		})
	}
}

// Every way out of the program restores the terminal.
func TestEveryWayOut(t *testing.T) {
	ways := map[string]func(p *Painter){
		"stop":      func(p *Painter) { p.Stop(nil) },
		"release":   func(p *Painter) { p.Release() },
		"emergency": func(p *Painter) { p.Emergency() },
		"emergency while released": func(p *Painter) {
			p.Release()
			p.Emergency()
		},
		"retake and stop": func(p *Painter) {
			p.Release()
			p.Retake()
			p.Stop(nil)
		},
	}
	for name, way := range ways {
		for _, o := range []Options{{}, {AltScreen: true}, {AltScreen: true, Mouse: true}} {
			t.Run(fmt.Sprintf("%s, alt %v, mouse %v", name, o.AltScreen, o.Mouse), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					out := &pipe{}
					o.Out, o.Width, o.Height, o.Quiet, o.Env = out, 10, 3, true, []string{"TERM=xterm"}
					p := New(o)
					p.Start()
					defer p.Stop(nil)
					p.ModeReport(modeGraphemes, reportSet)
					p.Draw(Frame{CursorShape: 5, CursorVisible: true}, Now)
					synctest.Wait()
					taken := fresh()
					taken.feed(t, out.String())
					if o.AltScreen && taken["?1049"] != "h" || taken["?2027"] != "h" || taken["kitty"] != "+" || taken["cursor"] != "5" {
						t.Errorf("not taken: %v", taken)
					}
					way(p)
					s := fresh()
					s.feed(t, out.String())
					if d := diff(fresh(), s); len(d) > 0 {
						t.Errorf("after %q: %s", out.String(), d)
					}
				})
			})
		}
	}
}

func TestQuestionsAreAskedOnceAndLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		o := quiet(out)
		o.Quiet = false
		p := New(o)
		p.Start()
		synctest.Wait()
		if got := out.String(); !strings.HasSuffix(got, questions) || !strings.HasSuffix(questions, "\x1b[c") {
			t.Errorf("wrote %q", got)
		}
		p.Release()
		p.Retake()
		p.Stop(nil)
		if n := strings.Count(out.String(), "\x1b[c"); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestEmergencyWhileTheWriterIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{gate: make(chan struct{}, 1)}
		out.gate <- struct{}{}
		restored := 0
		o := quiet(out)
		o.Restore = func() { restored++ }
		p := New(o)
		p.Start()
		p.Draw(rows("stuck"), Now)
		synctest.Wait() // the modes are taken, the frame is stuck
		done := make(chan struct{})
		go func() {
			p.Emergency()
			p.Emergency()
			close(done)
		}()
		time.Sleep(emergencyPatience + time.Millisecond)
		out.gate <- struct{}{} // one of the two writes that wait goes through, the other later
		<-done
		if restored != 1 {
			t.Errorf("restored %d times", restored)
		}
		close(out.gate)
		synctest.Wait()
		p.Stop(nil)
		if n := strings.Count(out.String(), giving(p.heldModes(false, p.opts.Mouse, false))); n != 1 {
			t.Errorf("gave back %d times in %q", n, out.String())
		}
	})
}

func TestEmergencyReturnsWhenNothingGoesThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{gate: make(chan struct{}, 1)}
		out.gate <- struct{}{}
		restored := false
		o := quiet(out)
		o.Restore = func() { restored = true }
		p := New(o)
		p.Start()
		p.Draw(rows("stuck"), Now)
		synctest.Wait()
		begun := time.Now()
		p.Emergency()
		if d := time.Since(begun); d > 500*time.Millisecond || !restored {
			t.Errorf("took %v, restored %v", d, restored)
		}
		close(out.gate)
		p.Stop(nil)
	})
}

// What was begun between frames, such as progress, ends with every way of giving the terminal back.
func TestPartingIsSaidOnEveryWayOut(t *testing.T) {
	const parting = "\x1b]9;4;0;0\x1b\\"
	ways := map[string]func(p *Painter){
		"stop":      func(p *Painter) { p.Stop(nil) },
		"release":   func(p *Painter) { p.Release() },
		"emergency": func(p *Painter) { p.Emergency() },
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := newVirtual(t, 20, 5)
				p := New(Options{Out: v, Width: 20, Height: 5, AltScreen: true, Quiet: true, Parting: parting})
				p.Start()
				defer p.Stop(nil)
				synctest.Wait()
				if strings.Contains(v.written(), parting) {
					t.Error("it was said before the end")
				}
				way(p)
				synctest.Wait()
				if n := strings.Count(v.written(), parting); n != 1 {
					t.Errorf("said %d times in %q", n, v.written())
				}
			})
		})
	}
	if ms := borrowed(Options{Parting: "\x1b[2J"}); giving(ms) != giving(borrowed(Options{})) {
		t.Error("a sequence that moves the cursor got through")
	}
}

// The shape of the cursor is set when it changes, and again after the terminal was given back, where terminals support it.
func TestCursorShapes(t *testing.T) {
	for term, knows := range map[string]bool{"xterm-256color": true, "tmux": true, "linux": false, "dumb": false, "": false, "vt220": false} {
		synctest.Test(t, func(t *testing.T) {
			out := &pipe{}
			p := New(Options{Out: out, Width: 10, Height: 3, Quiet: true, AltScreen: true, Env: []string{"TERM=" + term}})
			p.Start()
			defer p.Stop(nil)
			tell := func(shape int) {
				p.Draw(Frame{CursorShape: shape, CursorVisible: true}, Now)
				synctest.Wait()
			}
			for _, shape := range []int{0, 6, 6, 2, 9, 2} {
				tell(shape)
			}
			p.Release()
			p.Retake()
			tell(2)
			tell(0)
			got := regexp.MustCompile("\x1b\\[[0-9]* q").FindAllString(out.String(), -1)
			if want := []string{"\x1b[6 q", "\x1b[2 q", "\x1b[0 q", "\x1b[2 q", "\x1b[0 q"}; knows != (len(got) > 0) || knows && !slices.Equal(got, want) {
				t.Errorf("TERM %q: %q", term, got)
			}
		})
	}
}

// TestFills names terminals whose erased cells keep the color of their surroundings.
func TestFills(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want bool
	}{
		{[]string{"TERM=xterm-256color"}, true}, {[]string{"TERM=tmux-256color"}, true}, {[]string{"TERM=screen-256color"}, false},
		{[]string{"TERM=screen-256color", "TMUX=/tmp/x"}, true}, {[]string{"TERM=vt220"}, false}, {[]string{"TERM=dumb"}, false}, {nil, false},
	} {
		if got := fills(c.env); got != c.want {
			t.Errorf("%q: %v", c.env, got)
		}
	}
}

// A terminal of the VT series does not get the requests that it would show, or misread.
func TestQuestionsFor(t *testing.T) {
	for term, all := range map[string]bool{"xterm-256color": true, "vte-256color": true, "linux": true, "": true, "vt": true, "vt100": false, "vt220": false} {
		got := questionsFor(term)
		if strings.Contains(got, "\x1b]") != all || !strings.HasSuffix(got, "\x1b[c") {
			t.Errorf("%q is asked %q", term, got)
		}
	}
}
