package attention

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/style"
)

// watchAt returns a watch of a terminal that can do all, whose clock is in now.
func watchAt(now *time.Time) *Watch {
	*now = time.Unix(1000, 0)
	w := &Watch{Terminal: Terminal{Progress: true, Titles: true}, Now: func() time.Time { return *now }}
	w.Key()
	return w
}

func about() string { return "a subject" }

func TestOnlyAUserWhoLooksElsewhereIsNotified(t *testing.T) {
	var now time.Time
	w := watchAt(&now)
	turn := &session.Turn{Started: now}
	if title, _ := w.News(Scene{Running: turn, Ask: "1", Question: "Run it?"}); title != "" {
		t.Errorf("%q while the user types", title)
	}
	now = now.Add(awayAfter)
	if title, text := w.News(Scene{Running: turn, Ask: "2", Question: "Run it?"}); title != "parley asks" || text != "Run it?" {
		t.Errorf("%q %q", title, text)
	}
	if title, _ := w.News(Scene{Running: turn, Ask: "2", Question: "Run it?"}); title != "" {
		t.Error("a question is reported twice")
	}
	turn.Duration = 30 * time.Second
	if title, text := w.News(Scene{Subject: about}); !strings.Contains(title, "done after 30s") || text != "a subject" {
		t.Errorf("%q %q", title, text)
	}
	w.News(Scene{Running: turn})
	w.Focus(true)
	if title, _ := w.News(Scene{Subject: about}); title != "" {
		t.Errorf("%q though the window has the focus", title)
	}
}

// What another session does is reported once, and leaving a session whose turn runs is not its end.
func TestNewsOfAnotherSession(t *testing.T) {
	var now time.Time
	w := watchAt(&now)
	w.Focus(false)
	w.News(Scene{Running: &session.Turn{ID: "t", Started: now}})
	now = now.Add(time.Hour)
	if title, _ := w.News(Scene{Subject: about}); title != "" {
		t.Errorf("%q for a turn that runs on", title)
	}
	for i, want := range []string{"parley", "", "parley"} {
		if title, text := w.News(Scene{Subject: about, News: (i + 2) / 2, Elsewhere: "it asks"}); title != want || text != "it asks" && want != "" {
			t.Errorf("%d: %q %q", i, title, text)
		}
	}
}

func TestEndsThatAreNotReported(t *testing.T) {
	for name, tt := range map[string]struct {
		turn session.Turn
		then Scene
	}{
		"short":     {turn: session.Turn{Duration: time.Second}},
		"cancelled": {turn: session.Turn{Duration: time.Hour, Outcome: session.TurnCancelled}},
		"followed":  {turn: session.Turn{Duration: time.Hour}, then: Scene{Queued: 1}},
	} {
		var now time.Time
		w := watchAt(&now)
		w.Focus(false)
		w.News(Scene{Running: &tt.turn})
		tt.then.Subject = about
		if title, _ := w.News(tt.then); title != "" {
			t.Errorf("%s: %q", name, title)
		}
	}
}

func TestProgressIsRepeatedWhileItLasts(t *testing.T) {
	var now time.Time
	w := watchAt(&now)
	if w.Progress(Scene{}) != "" {
		t.Error("nothing is shown as something")
	}
	s := Scene{Running: &session.Turn{}}
	if first := w.Progress(s); first == "" || w.Progress(s) != "" {
		t.Error("it is not written once")
	}
	now = now.Add(progressEvery)
	if w.Progress(s) == "" {
		t.Error("the terminal has forgotten it")
	}
	w.Invalidate()
	if w.Progress(s) == "" {
		t.Error("another program has removed it")
	}
	if w.Progress(Scene{}) == "" || w.Progress(Scene{}) != "" {
		t.Error("the end is not written once")
	}
}

func TestWindowTitle(t *testing.T) {
	var now time.Time
	w := watchAt(&now)
	turn := &session.Turn{}
	for want, s := range map[string]Scene{"parley: a subject": {}, "… parley: a subject": {Running: turn}, "? parley: a subject": {Running: turn, Asks: 1},
		"42% parley: a subject": {Share: "42%"}} {
		s.Subject = about
		if got := w.WindowTitle(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	long := Subject(style.Measure{}, "", strings.Repeat("word ", 40), "~/src")
	if n := (style.Measure{}).Width(long); n > maxSubject || Subject(style.Measure{}, "a\nb", "x", "y") != "a b" || Subject(style.Measure{}, "", "", "~/src") != "~/src" {
		t.Errorf("%d columns: %q", n, long)
	}
}
