package status

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

var start = time.Unix(1000, 0)

func lookAt(d time.Duration) *style.Look {
	return &style.Look{Theme: style.NewTheme(true, true, nil), Now: func() time.Time { return start.Add(d) }}
}

// The hints of a running turn give way from the end, and how to stop it goes last.
func TestARunningTurnSaysHowToStopIt(t *testing.T) {
	run := &Run{Turn: &session.Turn{Started: start}, Heard: start.Add(5 * time.Second)}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{100, "• Waiting for Copilot  5s" + strings.Repeat(" ", 60) + "esc to stop"},
		{50, "• Waiting  5s                      esc to stop"},
		{40, "• Waiting  5s            esc to stop"},
		{30, "• Waiting  5s  esc to stop"},
	} {
		b := Line{Run: run, Spinner: "•"}
		if got := strings.TrimSpace(style.Unstyled(b.Row(lookAt(5*time.Second), tt.width))); got != tt.want {
			t.Errorf("%d columns: %q", tt.width, got)
		}
	}
	run.Stopping = true
	b := Line{Run: run, Spinner: "•"}
	if got := style.Unstyled(b.Row(lookAt(5*time.Second), 80)); !strings.Contains(got, "stopping") || strings.Contains(got, "esc") {
		t.Errorf("%q", got)
	}
}

func TestSilenceIsReportedUnlessACallRuns(t *testing.T) {
	h := session.Head{Turn: "t", At: start}
	tr := session.Fold([]session.Event{session.TurnStarted{Head: h}})
	run := &Run{Turn: tr.Turns[0], Heard: start}
	if got := run.Doing(start.Add(silence)); got != "waiting for Copilot, nothing for 1m 00s" {
		t.Errorf("%q", got)
	}
	tr.Apply(session.ToolStarted{Head: h, Call: "c"})
	tr.Apply(session.ToolReady{Head: h, Call: "c"})
	if got := run.Doing(start.Add(silence)); strings.Contains(got, "nothing") {
		t.Errorf("%q while a call runs", got)
	}
}

// What the model wrote is what it reports, and an estimate until then.
func TestARunningTurnCountsTokens(t *testing.T) {
	for _, tt := range []struct {
		written int
		output  int64
		want    string
	}{{796, 0, ""}, {4100, 0, "~1k tokens"}, {4100, 1025, "1k tokens"}, {4100, 2000, "2k tokens"}} {
		run := &Run{Turn: &session.Turn{Written: tt.written, Usage: session.Usage{Output: tt.output}}}
		if got := run.tokens(); got != tt.want {
			t.Errorf("%d bytes, %d tokens reported: %q", tt.written, tt.output, got)
		}
	}
}

// A notice takes the row from what runs, and a search from all.
func TestWhatTheLineShowsFirst(t *testing.T) {
	b := Line{Run: &Run{Turn: &session.Turn{}}, Notice: "copied", More: true, Bottom: " (end)"}
	if got := style.Unstyled(b.Row(lookAt(0), 40)); !strings.Contains(got, "copied") || !strings.Contains(got, "↓ more") {
		t.Errorf("%q", got)
	}
	if got := style.Unstyled(b.Small(lookAt(0), 30, true)); !strings.HasPrefix(got, "Make the window 40x10") {
		t.Errorf("%q", got)
	}
	b.Find = "find: x"
	if got := b.Row(lookAt(0), 40); got != b.Find {
		t.Errorf("%q", got)
	}
	empty := Line{}
	if got := empty.Row(lookAt(0), 40); got != "" {
		t.Errorf("%q", got)
	}
}

func TestAnInstallationAlwaysSaysHowToStopIt(t *testing.T) {
	i := &Install{Title: "Claude Code", InstallProgress: core.InstallProgress{Stage: "downloading", Done: 5e6, Total: 50e6, PerSecond: 1e6, Left: 45 * time.Second}}
	if i.Share() != "10%" {
		t.Errorf("%q", i.Share())
	}
	for w := 12; w < 120; w++ {
		if got := i.Text(style.Measure{}, w); (style.Measure{}).Width(got) > w || w >= 30 && !strings.HasSuffix(got, "esc to stop") {
			t.Errorf("%d columns: %q", w, got)
		}
	}
	var none *Install
	if none.Share() != "" {
		t.Error("nothing has a share")
	}
}

func TestTheSpinnerHasOneTimer(t *testing.T) {
	var s Spinner
	if s.Start(false) || !s.Start(true) || s.Start(true) {
		t.Error("it starts a wrong number of timers")
	}
	before := s.Cell(false)
	if !s.Turn(true) || s.Cell(false) == before || s.Cell(true) != "•" {
		t.Error("it does not move")
	}
	if s.Turn(false) || !s.Start(true) {
		t.Error("it does not stop with the turn")
	}
}

func TestTheQueueNamesWhatWaits(t *testing.T) {
	q := Queue{Prompts: []session.Prompt{{ID: "a", Text: "one"}, {ID: "b", Text: "two"}, {ID: "c", Text: "three"}}, Reclaim: true,
		Steered: map[session.PromptID]bool{"b": true}}
	var got []string
	for _, r := range q.Rows(lookAt(0), 80, 3) {
		got = append(got, strings.Join(strings.Fields(style.Unstyled(r)), " "))
	}
	want := "> one queued · /queue changes the order|> two goes in at the agent's next step|> three queued · ↑ takes it back"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	for name, c := range map[string]struct {
		held  string
		asked bool
		wrote bool
		width int
		want  string
	}{
		"after an interrupt":         {"abc", false, false, 80, "one waits|two waits|three waits · enter sends all 3 · ↑ takes this one back"},
		"while something is written": {"abc", false, true, 80, "one waits|two waits|three waits · what you write goes first"},
		"with a new one behind":      {"ab", false, false, 80, "one waits|two waits · enter sends all 2|three queued · ↑ takes it back"},
		"one of them":                {"a", false, false, 80, "one waits · enter sends it|two queued|three queued · ↑ takes it back"},
		"while a question asks":      {"abc", true, false, 80, "one waits|two waits|three waits"},
		"in a narrow window":         {"abc", false, false, 40, "one waits|two waits|three enter sends 3 · ↑ back"},
	} {
		q := Queue{Prompts: q.Prompts, Reclaim: !c.wrote, Asked: c.asked, Held: map[session.PromptID]bool{}}
		for _, id := range c.held {
			q.Held[session.PromptID(id)] = true
		}
		var got []string
		for _, r := range q.Rows(lookAt(0), c.width, 3) {
			got = append(got, strings.TrimPrefix(strings.Join(strings.Fields(style.Unstyled(r)), " "), "> "))
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if rows := q.Rows(lookAt(0), 80, 1); len(rows) != 1 || !strings.Contains(rows[0], "3 more") {
		t.Errorf("%q", rows)
	}
}
