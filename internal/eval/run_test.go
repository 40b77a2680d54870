package eval

import (
	"context"
	"os"
	"strings"
	"testing"

	"parley/internal/cli/headless"
	"parley/session"
	"parley/session/live"
	"parley/session/proc"
	"parley/session/sessiontest"
)

// Where requests do not pass parley, or only some of them, the figures are those that the agent reports, and they count for the bound of
// credits.
func TestFiguresThatTheAgentReports(t *testing.T) {
	for name, passed := range map[string]headless.Figures{"none passes": {}, "one passes": {Requests: 1, NanoAIU: 1, Usage: session.Usage{Input: 1}}} {
		t.Run(name, func(t *testing.T) { figuresOf(t, passed) })
	}
}

func figuresOf(t *testing.T, passed headless.Figures) {
	task, err := Parse("t", []byte(strings.Replace(small, "check:\n  - {file: a.txt, contains: [x, y]}", "check:\n  - {answer: Done}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	w := sessiontest.NewWorld()
	m := w.Manager()
	defer m.Close(context.Background())
	group := proc.New(proc.Options{})
	defer group.Close()
	go func() {
		turn := w.Agent.Turn(t)
		for range 2 {
			turn.Emit(session.UsageReported{Usage: session.Usage{Input: 100, Output: 10}}, session.CreditsReported{NanoAIU: 2e9})
		}
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
	}()
	report, err := Evaluate(t.Context(), Options{Tasks: []Task{task}, Agents: []string{"builtin"}, Models: []string{""}, Runs: 2, Jobs: 1,
		MaxNanoAIU: 3e9, Temp: t.TempDir(), Group: group, Environ: os.Environ(),
		Open: func(_ context.Context, _, _, dir string) (*Opened, error) {
			s, err := m.Draft(live.DraftOptions{Agent: "builtin", Dir: dir, Settings: session.Settings{Mode: session.ModeBypass}})
			return &Opened{Session: s, Figures: func() headless.Figures { return passed }, Settle: func(context.Context) {},
				Close: func(ctx context.Context) error { return s.Close(ctx) }}, err
		}})
	if err != nil || len(report.Runs) != 2 {
		t.Fatalf("%v, %+v", err, report.Runs)
	}
	if r := report.Runs[0]; !r.Passed || r.Requests != 2 || r.NanoAIU != 4e9 || r.Usage.Input != 200 {
		t.Errorf("%+v", r)
	}
	if r := report.Runs[1]; r.Skipped != "the credits are used up" {
		t.Errorf("%+v", r)
	}
}
