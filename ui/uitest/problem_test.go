package uitest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// problems are errors as the rooms below make them, one of each kind a turn can end with.
var problems = []struct {
	name string
	err  error
}{
	{"auth", &session.Error{Op: "ask the model", Kind: session.KindAuth, Status: 401, Err: errors.New("bad credentials")}},
	{"forbidden", &session.Error{Op: "ask the model", Kind: session.KindForbidden, Status: 403, Err: errors.New("no seat in this organization")}},
	{"quota", &session.Error{Op: "ask the model", Kind: session.KindQuota, Status: 402, Err: errors.New("premium requests used up")}},
	{"rate-limit", &session.Error{Op: "ask the model", Kind: session.KindRateLimit, Status: 429,
		Err: errors.New("weekly limit reached"), RetryAfter: 52 * time.Hour}},
	{"overloaded", &session.Error{Op: "ask the model", Kind: session.KindOverloaded, Status: 529, Err: errors.New("overloaded")}},
	{"server", &session.Error{Op: "ask the model", Kind: session.KindServer, Status: 500, Err: errors.New("internal error")}},
	{"network", &session.Error{Op: "ask the model", Kind: session.KindNetwork, Err: errors.New("dial tcp 140.82.121.4:443: connect: network is unreachable")}},
	{"stalled", &session.Error{Op: "ask the model", Kind: session.KindStalled, Err: errors.New("nothing came for 90 s")}},
	{"bad-request", &session.Error{Op: "ask the model", Kind: session.KindBadRequest, Status: 400, Err: errors.New("tools.0.input_schema: unknown field")}},
	{"too-long", &session.Error{Op: "ask the model", Kind: session.KindTooLong, Status: 413, Err: errors.New("prompt is 212,000 tokens, the limit is 200,000")}},
	{"model", &session.Error{Op: "ask the model", Kind: session.KindModel, Status: 404, Err: errors.New("claude-opus-9 is not available")}},
	{"refused", &session.Error{Op: "run a tool", Kind: session.KindRefused, Err: errors.New("the command was refused")}},
	{"unsupported", &session.Error{Op: "change mode", Kind: session.KindUnsupported, Err: errors.New("plan mode comes later")}},
	{"not-found", &session.Error{Op: "open session", Kind: session.KindNotFound, Err: errors.New("no such session")}},
	{"locked", &session.Error{Op: "open journal", Kind: session.KindLocked, Err: errors.New("process 4711 has it")}},
	{"corrupt", &session.Error{Op: "open journal", Kind: session.KindCorrupt, Err: errors.New("line 3 is not JSON")}},
	{"disk", &session.Error{Op: "write journal", Kind: session.KindDisk, Err: errors.New("no space left on device")}},
	{"runtime", &session.Error{Op: "start the agent", Kind: session.KindRuntime, Err: errors.New("exec: claude: not found")}},
	{"invalid", &session.Error{Op: "send prompt", Kind: session.KindInvalid, Err: errors.New("an image without data")}},
	{"cancelled", &session.Error{Op: "ask the model", Kind: session.KindCancelled, Err: context.Canceled}},
	{"internal", errors.New("index out of range")},
}

func TestProblemScreens(t *testing.T) {
	for _, tt := range problems {
		t.Run(tt.name, func(t *testing.T) {
			Run(t, Config{Settings: opus}, func(p *Program) {
				p.Type("hello")
				turn := p.Turn()
				turn.Text("I will look")
				turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: session.ProblemOf(tt.err, time.Now())})
				p.Settle()
				p.Golden("problem-" + tt.name)
			})
		})
	}
}

func TestInterruptedScreen(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.OpenPart(session.PartText, "I will look at the")
		p.Settle()
		p.Keys("esc")
		p.Settle()
		p.Golden("interrupted")
	})
}

func TestRetryScreen(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Emit(session.RetryScheduled{Attempt: 2, Of: 5, Delay: 8 * time.Second, Why: "Copilot answered 529: overloaded"})
		p.Pass(3 * time.Second)
		p.Golden("retry")
		turn.Text("Here I am.")
		p.Settle()
		if p.Has("trying again") {
			t.Error("the retry is still shown after it went on")
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestNoticeScreen(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Emit(session.Notice{Severity: session.Info, Text: "CLAUDE.md was read"},
			session.Notice{Severity: session.Warning, Text: "the last line of the journal was torn and left out"},
			session.Compacted{Before: 180000, After: 21000}, session.ModelChanged{Model: "gpt-5.5", Effort: "low"})
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("notices")
	})
}

// TestCompactionScreen opens the summary of a compaction, between one without a summary and one taken back.
func TestCompactionScreen(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Emit(session.Compacted{Auto: true, Before: 180000, After: 95000, Dropped: []session.CallID{"a", "b"}},
			session.Compacted{Before: 180000, After: 21000, Focus: "the parser", Summary: "## Task\nMake the parser of dates accept a " +
				"week number, because the calendars of two customers are written with weeks, and keep all tests green.\n\n## Next step\nRun the tests of dates."})
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("compaction-folded")
		p.Keys("tab")
		p.Settle()
		p.Golden("compaction-open")
	})
}

// TestWalkingThroughModes leaves one line, however many modes were passed.
func TestWalkingThroughModes(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Keys("shift+tab")
		p.Type("hello")
		turn := p.Turn()
		turn.Text("Hello.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("shift+tab", "shift+tab")
		p.Settle()
		if n := strings.Count(p.Text(), "Switched to"); n != 1 || !p.Has("Switched to default mode") {
			t.Errorf("%d lines tell the mode:\n%s", n, p.Text())
		}
	})
}
