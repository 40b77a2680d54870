package uitest

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

func steers(o *ui.Options) { managerOf(o).Steering = true }

func TestSteering(t *testing.T) {
	eachSize(t, Config{Options: steers}, func(p *Program, size string) {
		p.Agent.Steerable(true)
		p.Type("why does it flake?")
		turn := p.Turn()
		turn.Text("I look at the upload.")
		p.Type("and add a test")
		p.Send("ダウンロードだけを見て")
		p.Keys("ctrl+s")
		p.Golden("steering-" + size)
		prompt := turn.Steered(p.T)
		if prompt.Text != "ダウンロードだけを見て" {
			t.Errorf("sent %q into the turn", prompt.Text)
		}
		turn.TakeIn(prompt)
		turn.Text("I look at the download.")
		p.Settle()
		p.Golden("steered-" + size)
		turn.End(session.TurnCompleted)
		if turn = p.Turn(); turn.Prompt.Text != "and add a test" {
			t.Errorf("then came %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestSteeringWhereItCannotBe queues instead, and says so.
func TestSteeringWhereItCannotBe(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		p.Send("rather this")
		p.Keys("ctrl+s")
		if !p.Has("queued") || !p.Has("can't take messages while it works") {
			t.Errorf("it does not say that the prompt waits:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		turn = p.Turn()
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Send("idle")
		p.Keys("ctrl+s")
		if turn = p.Turn(); turn.Prompt.Text != "idle" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestEnterSteers(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { steers(o); o.EnterSteers = true }}, func(p *Program) {
		p.Agent.Steerable(true)
		p.Type("go on")
		turn := p.Turn()
		p.Type("rather this")
		if got := turn.Steered(p.T).Text; got != "rather this" {
			t.Errorf("enter sent %q into the turn", got)
		}
		p.Type("/queue")
		if !p.Has("next step") {
			t.Errorf("the list does not tell what is queued from what is steered:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Send("later")
		p.Keys("ctrl+s")
		if !p.Has("> later") {
			t.Errorf("ctrl+s does not queue:\n%s", p.Text())
		}
		turn.End(session.TurnCancelled)
		p.Settle()
	})
}

func TestQueueList(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("first")
		turn := p.Turn()
		p.Type("second")
		p.Type("三番目")
		p.Type("fourth")
		p.Type("/queue")
		p.Golden("queue-list")
		p.Keys("down", "alt+down", "alt+up", "alt+up")
		if rows := p.Rows(); !strings.Contains(rows[2], "❯ 三番目") || !strings.Contains(rows[3], "second") {
			t.Errorf("not moved, or the selection has not gone along:\n%s", p.Text())
		}
		p.Golden("queue-moved")
		p.Keys("alt+down", "up")
		p.Keys("down", "enter")
		if !p.Has("> 三番目") || len(p.Rows()) == 0 || strings.Count(p.Text(), "三番目") != 1 {
			t.Errorf("the prompt is not back in the composer alone:\n%s", p.Text())
		}
		p.Send("!")
		p.Keys("enter")
		p.Type("/queue")
		p.Keys("ctrl+x")
		if !p.Has("Queue") || p.Has("second") || !p.Has("❯ fourth") {
			t.Errorf("dropped, and the list is gone or still has it:\n%s", p.Text())
		}
		p.Keys("esc") // of the list, not of the turn
		for _, want := range []string{"fourth", "三番目!"} {
			turn.End(session.TurnCompleted)
			if turn = p.Turn(); turn.Prompt.Text != want {
				t.Errorf("then came %q, not %q", turn.Prompt.Text, want)
			}
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// warmAgent counts how often it was asked to prepare.
type warmAgent struct {
	*sessiontest.Agent
	warmed atomic.Int32
}

func (a *warmAgent) Warm(ctx context.Context, _ session.OpenOptions) (func(), error) {
	a.warmed.Add(1)
	return func() {}, nil
}

// TestWarmUp prepares the agent when the first letter is typed, and not before.
func TestWarmUp(t *testing.T) {
	w := sessiontest.NewWorld()
	a := &warmAgent{Agent: w.Agent}
	w.Deps.Agents = []session.Agent{a}
	Run(t, Config{World: w}, func(p *Program) {
		p.Settle()
		if n := a.warmed.Load(); n != 0 {
			t.Errorf("warmed %d times before a key", n)
		}
		p.Send("h")
		p.Settle()
		if n := a.warmed.Load(); n != 1 {
			t.Errorf("warmed %d times by the first letter", n)
		}
		p.Send("ello")
		p.Settle()
		if n := a.warmed.Load(); n != 1 {
			t.Errorf("warmed %d times by a word", n)
		}
	})
}

// TestSettingsReachTheRunningTurn changes mode, model and effort while a turn runs.
func TestSettingsReachTheRunningTurn(t *testing.T) {
	problem := func(o *ui.Options) {
		withCatalog(catalog{})(o)
		managerOf(o).Modes = func(_ string, m session.Mode) string {
			if m == session.ModeAcceptEdits {
				return "この代理人にはありません"
			}
			return ""
		}
	}
	Run(t, Config{Settings: opus, Options: problem}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		p.Keys("shift+tab")
		p.Golden("mode-skipped")
		if got := turn.Conversation().Settings().Mode; got != session.ModePlan {
			t.Errorf("the running turn is in mode %q", got)
		}
		p.Type("/mode default")
		p.Settle()
		if got := turn.Conversation().Settings().Mode; got != session.ModeDefault {
			t.Errorf("the running turn is in mode %q", got)
		}
		p.Type("/effort low")
		p.Settle()
		if got := turn.Conversation().Settings().Effort; got != "low" {
			t.Errorf("the running turn thinks %q:\n%s", got, p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestQueueingWhileReading leaves the reader where they are: what is queued stands above the field.
func TestQueueingWhileReading(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		turn.OpenPart(session.PartText, strings.Repeat("line\n\n", 60))
		p.Pass(time.Second)
		p.Keys("pgup", "pgup")
		p.Type("and then this")
		if !p.Has("below") || !p.Has("> and then this") {
			t.Errorf("the reader was taken away, or nothing is queued:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		turn = p.Turn()
		p.Pass(time.Second)
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Type("now")
		if p.Has("below") {
			t.Errorf("who sends at once does not see it:\n%s", p.Text())
		}
		p.Turn().End(session.TurnCompleted)
		p.Settle()
	})
}

// TestQueueDoesNotNameTheKeysOfAQuestion: with the keyboard at the question the arrows select an answer.
func TestQueueDoesNotNameTheKeysOfAQuestion(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		p.Type("and then this")
		if !p.Has("↑ takes it back") {
			t.Fatalf("the key is not named:\n%s", p.Text())
		}
		_, answer := commandAsk(turn, "make")
		p.Pass(2 * time.Second)
		if p.Has("↑ takes it back") {
			t.Errorf("a key is named that does something else:\n%s", p.Text())
		}
		p.Answer("n")
		got(p, answer)
		if !p.Has("↑ takes it back") {
			t.Errorf("the key is not named again:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Turn().End(session.TurnCompleted)
		p.Settle()
	})
}

// TestInterruptHoldsTheQueue sends nothing after escape that the user does not send again: a new prompt goes first, enter sends the
// rest, up takes it back.
func TestInterruptHoldsTheQueue(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("long")
		turn := p.Turn()
		p.Type("now delete the old tests")
		p.Type("and push")
		p.Keys("esc")
		turn.End(session.TurnCancelled)
		p.Settle()
		p.Golden("queue-held")
		p.Send("rather this")
		if !p.Has("waits · what you write goes first") {
			t.Errorf("it does not say what goes first:\n%s", p.Text())
		}
		p.Keys("enter")
		if turn = p.Turn(); turn.Prompt.Text != "rather this" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		p.Settle()
		if !p.Has("and push") || !p.Has("enter sends all 2") {
			t.Errorf("the held prompts do not wait:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("up")
		if !p.Has("> and push") {
			t.Errorf("the last one is not back:\n%s", p.Text())
		}
		p.Keys("ctrl+u", "enter")
		if turn = p.Turn(); turn.Prompt.Text != "now delete the old tests" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestEscapeTwiceListsPrompts opens the list of earlier prompts from an empty composer.
func TestEscapeTwiceListsPrompts(t *testing.T) {
	forks := func(o *ui.Options) {
		managerOf(o).Forks = func(context.Context, session.ID, session.TurnID) (*live.Session, error) { return nil, nil }
	}
	Run(t, Config{Options: forks}, func(p *Program) {
		p.Keys("esc", "esc")
		if p.Has("Rewind") {
			t.Errorf("a list without prompts:\n%s", p.Text())
		}
		p.Type("first")
		turn := p.Turn()
		turn.Text("Well.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("esc")
		p.Pass(3 * time.Second)
		p.Keys("esc")
		before := p.Text()
		p.Keys("esc")
		if !p.Has("first") || p.Text() == before {
			t.Errorf("no list of prompts:\n%s", p.Text())
		}
	})
}
