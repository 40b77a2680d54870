package uitest

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

const (
	focusGained = "\x1b[I"
	focusLost   = "\x1b[O"
)

// in is a terminal by its environment.
func in(env ...string) func(*ui.Options) {
	return func(o *ui.Options) { o.Env = append(slices.Clone(o.Env), env...) }
}

// mark remembers how much of what the terminal got was looked at.
type mark struct{ at int }

func (m *mark) since(p *Program) string {
	raw := p.Raw()
	s := raw[m.at:]
	m.at = len(raw)
	return s
}

var titleOrProgress = regexp.MustCompile("\x1b\\]2;[^\a\x1b]*\a|\x1b\\]9;4;[^\x1b]*\x1b\\\\")

func TestNotifications(t *testing.T) {
	for name, c := range map[string]struct {
		env    []string
		notify string
		asks   string
		ends   string
	}{
		"bell":              {nil, "", "\a", "\a"},
		"iTerm2":            {[]string{"TERM_PROGRAM=iTerm.app"}, "", "\x1b]9;parley asks: Run this command?\x1b\\", "\x1b]9;parley is done after 1m 00s: clean up\x1b\\"},
		"WezTerm":           {[]string{"TERM_PROGRAM=WezTerm"}, "", "\x1b]777;notify;parley asks;Run this command?\x1b\\", "\x1b]777;notify;parley is done after 1m 00s;clean up\x1b\\"},
		"kitty in tmux":     {[]string{"KITTY_WINDOW_ID=1", "TMUX=x"}, "", "\x1bPtmux;\x1b\x1b]99;i=parley:d=0;parley asks\x1b\x1b\\", "parley is done after 1m 00s"},
		"what is preferred": {[]string{"TERM_PROGRAM=WezTerm"}, "osc9", "\x1b]9;parley asks", "\x1b]9;parley is done"},
		"off":               {[]string{"TERM_PROGRAM=WezTerm"}, "off", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{Options: func(o *ui.Options) {
				in(c.env...)(o)
				o.Appearance.Notify = c.notify
			}}, func(p *Program) {
				var m mark
				p.Type("clean up")
				turn := p.Turn()
				p.Send(focusLost)
				m.since(p)
				_, answer := commandAsk(turn, "make clean")
				p.Pass(time.Second)
				expect(t, m.since(p), c.asks)
				p.Send(focusGained)
				p.Pass(time.Second)
				p.Keys("y")
				got(p, answer)
				p.Send(focusLost)
				p.Pass(time.Minute)
				m.since(p)
				turn.EndWith(session.TurnEnded{Outcome: session.TurnCompleted, Duration: time.Minute})
				p.Pass(time.Second)
				expect(t, m.since(p), c.ends)
			})
		})
	}
}

// expect checks that a notification was sent, or with "" that none was.
func expect(t *testing.T, raw, want string) {
	t.Helper()
	raw = titleOrProgress.ReplaceAllString(raw, "")
	if want == "" {
		for _, seq := range []string{"\a", "\x1b]9;", "\x1b]777;", "\x1b]99;"} {
			if strings.Contains(raw, seq) {
				t.Errorf("notified with %q", seq)
			}
		}
	} else if strings.Count(raw, want) != 1 {
		t.Errorf("%q is not once in %.300q", want, raw)
	}
}

// Who looks is not disturbed, and neither is anybody by a short turn, an interrupted one, or before a queued prompt.
func TestNoNotifications(t *testing.T) {
	Run(t, Config{Options: in("TERM_PROGRAM=WezTerm")}, func(p *Program) {
		var m mark
		p.Send(focusGained)
		p.Type("one")
		turn := p.Turn()
		p.Pass(time.Minute)
		_, answer := commandAsk(turn, "make clean")
		p.Pass(time.Second)
		p.Keys("n")
		got(p, answer)
		p.Send(focusLost)
		p.Send(focusGained)
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		p.Type("two")
		turn = p.Turn()
		p.Send(focusLost)
		turn.EndWith(session.TurnEnded{Outcome: session.TurnCompleted, Duration: 3 * time.Second})
		p.Pass(time.Second)
		p.Type("three")
		turn = p.Turn()
		p.Pass(time.Minute)
		p.Type("four")
		turn.EndWith(session.TurnEnded{Outcome: session.TurnCompleted, Duration: time.Minute})
		p.Turn()
		p.Pass(time.Minute)
		p.Keys("esc")
		p.Pass(time.Second)
		expect(t, m.since(p), "")
	})
}

// Without focus reports, a user who has not typed for long counts as away.
func TestAwayWithoutFocusReports(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		var m mark
		p.Type("one")
		turn := p.Turn()
		p.Pass(20 * time.Second)
		turn.EndWith(session.TurnEnded{Outcome: session.TurnCompleted, Duration: 20 * time.Second})
		p.Pass(time.Second)
		expect(t, m.since(p), "")
		p.Type("two")
		turn = p.Turn()
		p.Pass(time.Minute)
		m.since(p)
		_, answer := commandAsk(turn, "make clean")
		p.Pass(time.Second)
		expect(t, m.since(p), "\a")
		p.Keys("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestDesktopNotifications(t *testing.T) {
	for _, fails := range []bool{false, true} {
		var shown []string
		Run(t, Config{Options: func(o *ui.Options) {
			o.Appearance.Notify = "desktop"
			o.Appearance.Desktop = func(_ context.Context, title, text string) error {
				shown = append(shown, title+" / "+text)
				if fails {
					return errors.New("no notification daemon")
				}
				return nil
			}
		}}, func(p *Program) {
			var m mark
			p.Type("clean up")
			turn := p.Turn()
			p.Send(focusLost)
			m.since(p)
			_, answer := commandAsk(turn, "make clean")
			p.Pass(2 * time.Second) // without the focus frames come late, and the question is seen from then on
			if want := []string{"parley asks / Run this command?"}; !slices.Equal(shown, want) {
				t.Errorf("shown %q", shown)
			}
			if rang := strings.Contains(titleOrProgress.ReplaceAllString(m.since(p), ""), "\a"); rang != fails {
				t.Errorf("the bell rang: %t, the notification failed: %t", rang, fails)
			}
			p.Keys("n")
			got(p, answer)
			turn.End(session.TurnCompleted)
			p.Settle()
		})
	}
}

func TestProgress(t *testing.T) {
	Run(t, Config{Options: in("WT_SESSION=1")}, func(p *Program) {
		var m mark
		m.since(p)
		p.Type("clean up")
		turn := p.Turn()
		p.Settle()
		expectProgress(t, m.since(p), "3;0")
		_, answer := commandAsk(turn, "make clean")
		p.Pass(time.Second)
		expectProgress(t, m.since(p), "4;100")
		p.Keys("n")
		got(p, answer)
		p.Settle()
		expectProgress(t, m.since(p), "3;0")
		p.Pass(25 * time.Second) // said again: some terminals forget it
		expectProgress(t, m.since(p), "3;0", "3;0")
		turn.End(session.TurnCompleted)
		p.Settle()
		expectProgress(t, m.since(p), "0;0")
		p.Pass(time.Minute)
		expectProgress(t, m.since(p))
		p.Type("again")
		p.Turn()
		p.Pass(time.Second)
		m.since(p)
		p.Signals <- nil
		p.Left()
		expectProgress(t, m.since(p), "0;0")
	})
}

func expectProgress(t *testing.T, raw string, want ...string) {
	t.Helper()
	var got []string
	for _, s := range strings.Split(raw, "\x1b]9;4;")[1:] {
		state, _, _ := strings.Cut(s, "\x1b")
		got = append(got, state)
	}
	if !slices.Equal(got, want) {
		t.Errorf("progress %q, want %q", got, want)
	}
}

func TestNoProgressWhereNobodyKnowsIt(t *testing.T) {
	for _, options := range []func(*ui.Options){func(*ui.Options) {}, func(o *ui.Options) {
		in("WT_SESSION=1")(o)
		o.Appearance.Progress = "off"
	}} {
		Run(t, Config{Options: options}, func(p *Program) {
			p.Type("one")
			p.Turn().End(session.TurnCompleted)
			p.Settle()
			p.Signals <- nil
			p.Left()
			expectProgress(t, p.Raw())
		})
	}
}

// titles are those the terminal was given.
func titles(raw string) []string {
	var got []string
	for _, s := range strings.Split(raw, "\x1b]2;")[1:] {
		end := strings.IndexAny(s, "\a\x1b")
		got = append(got, s[:end])
	}
	return got
}

func TestTitles(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("clean up")
		turn := p.Turn()
		_, answer := commandAsk(turn, "make clean")
		p.Pass(time.Second)
		p.Keys("n")
		got(p, answer)
		p.Settle() // else the frame of the answer may be the one of the title
		turn.Emit(session.TitleChanged{Title: "Clean up \x1b]2;owned\a"})
		p.Settle() // else both may be shown at once, or one after the other
		turn.End(session.TurnCompleted)
		p.Settle()
		want := []string{"parley: ~/src/acme", "… parley: clean up", "? parley: clean up", "… parley: clean up",
			"… parley: Clean up ␛]2;owned␇", "parley: Clean up ␛]2;owned␇"}
		// Between the prompt and the beginning of its turn there may be a frame or not.
		got := slices.DeleteFunc(titles(p.Raw()), func(title string) bool { return title == "parley: clean up" })
		if !slices.Equal(got, want) {
			t.Errorf("titles %q, want %q", got, want)
		}
		p.Signals <- nil
		p.Left()
		raw := p.Raw()
		if strings.Count(raw, "\x1b[22;2t") != 1 || strings.Count(raw, "\x1b[23;2t") != 1 {
			t.Errorf("the title is not saved once and given back once in %q", raw)
		}
	})
	Run(t, Config{Options: func(o *ui.Options) { o.Appearance.NoTitle = true }}, func(p *Program) {
		p.Type("clean up")
		p.Turn().End(session.TurnCompleted)
		p.Settle()
		if got := titles(p.Raw()); got != nil {
			t.Errorf("titles %q", got)
		}
	})
}
