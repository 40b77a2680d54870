package uitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/core"
)

// catalog is a login with a few models.
type catalog struct{ err error }

func (c catalog) Models(context.Context) ([]session.Model, error) {
	efforts := []string{"low", "medium", "high"}
	return []session.Model{
		{ID: "claude-opus-4.8", Name: "Claude Opus 4.8", Vendor: "Anthropic", Purpose: "hard problems and long work", ContextWindow: 200_000, MaxPrompt: 168_000, MaxOutput: 32_000, Efforts: efforts,
			Vision: true, Price: &session.Price{Input: 500, Output: 2500, CacheRead: 50, CacheWrite: 625}, Category: "powerful", PriceCategory: "high",
			Notes: []string{"10% off until the end of March"}},
		{ID: "claude-sonnet-5", Name: "Claude Sonnet 5", Vendor: "Anthropic", Purpose: "everyday work; fast enough to wait for", Default: true, ContextWindow: 1_000_000, MaxOutput: 64_000, Efforts: efforts,
			Vision: true, Price: &session.Price{Input: 300, Output: 1500, UpTo: 200_000}, LongContext: &session.Price{Input: 600, Output: 2250}},
		{ID: "gpt-5.5", Name: "GPT-5.5", Vendor: "OpenAI", Purpose: "everyday work and hard problems", ContextWindow: 400_000, MaxOutput: 128_000, Efforts: []string{"none", "low", "high"},
			Price: &session.Price{Input: 125, Output: 1000}},
		{ID: "gemini-3-pro", Name: "Gemini 3 Pro", Vendor: "Google", Preview: true, ContextWindow: 128_000, Unusable: "a policy of your organization"},
	}, c.err
}

func (c catalog) Account(context.Context) (session.Account, error) {
	return session.Account{Login: "ada", Plan: "pro", Quotas: []session.Quota{{Name: "premium_interactions", Entitlement: 300, Remaining: 1214}}}, c.err
}

func withCatalog(c catalog) func(*ui.Options) {
	return func(o *ui.Options) { o.Catalog = c }
}

func TestModelPicker(t *testing.T) {
	eachSize(t, Config{Settings: opus, Options: withCatalog(catalog{})}, func(p *Program, size string) {
		p.Type("/model")
		p.Golden("models-" + size)
		p.Send("gem")
		p.Keys("enter")
		p.Golden("models-unusable-" + size)
		p.Keys("backspace", "backspace", "backspace")
		p.Send("gpt")
		p.Keys("enter")
		p.Golden("models-chosen-" + size)
		if s := p.Session.Settings(); s.Model != "gpt-5.5" || s.Effort != "high" {
			t.Errorf("settings are %+v", s)
		}
	})
}

func TestModelPickerFails(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.Catalog = brokenCatalog{} }}, func(p *Program) {
		p.Type("/model")
		p.Golden("models-failed")
		p.Keys("esc")
		if !p.Has("asks before it acts") {
			t.Error("the chat is not back")
		}
	})
}

type brokenCatalog struct{ catalog }

func (brokenCatalog) Models(context.Context) ([]session.Model, error) {
	return nil, &session.Error{Op: "list models", Kind: session.KindNetwork, Err: errors.New("no route to host")}
}

func TestEffortAndModePickers(t *testing.T) {
	Run(t, Config{Settings: opus, Options: withCatalog(catalog{})}, func(p *Program) {
		p.Type("/effort")
		p.Golden("efforts")
		p.Keys("up", "enter")
		if s := p.Session.Settings(); s.Effort != "medium" {
			t.Errorf("settings are %+v", s)
		}
		p.Type("/mode")
		p.Golden("modes")
		p.Keys("down", "enter")
		if s := p.Session.Settings(); s.Mode != session.ModeAcceptEdits {
			t.Errorf("settings are %+v", s)
		}
		p.Keys("shift+tab")
		if s := p.Session.Settings(); s.Mode != session.ModePlan {
			t.Errorf("after shift+tab settings are %+v", s)
		}
	})
}

// /plan with words turns plan mode on and sends them, on the screen and in lines.
func TestPlanWithItsPrompt(t *testing.T) {
	check := func(t *testing.T, turn *sessiontest.Turn) {
		if mode := turn.Conversation().Settings().Mode; turn.Prompt.Text != "fix the hours" || mode != session.ModePlan {
			t.Errorf("%q in mode %s", turn.Prompt.Text, mode)
		}
	}
	Run(t, Config{}, func(p *Program) {
		p.Type("/plan fix the hours")
		check(p.T, p.Agent.Turn(p.T))
	})
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("/plan fix the hours")
		check(l.T, l.Agent.Turn(l.T))
	})
}

// library stores a few sessions.
func library() *sessiontest.World {
	w := sessiontest.NewWorld()
	start := time.Date(1999, 12, 31, 22, 0, 0, 0, time.UTC)
	put := func(id, title, dir, branch, agent, model string, turns int, ago time.Duration) {
		at := start.Add(-ago)
		m := session.Meta{ID: session.ID(id), Agent: agent, Dir: dir, Branch: branch, Title: title, First: title, Model: model, Turns: turns, Created: at, Updated: at}
		var events []session.Event
		for i := range turns {
			h := session.Head{Session: m.ID, Turn: session.TurnID(fmt.Sprintf("%s-%d", id, i)), At: at}
			part := session.PartID(fmt.Sprintf("%s-p%d", id, i))
			events = append(events, session.TurnStarted{Head: h, Prompt: session.Prompt{Text: title + ", part " + fmt.Sprint(i+1)}},
				session.PartStarted{Head: h, Part: part, Kind: session.PartText},
				session.PartDelta{Head: h, Part: part, Text: "This is what I found about it in part " + fmt.Sprint(i+1) + "."},
				session.PartEnded{Head: h, Part: part}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
		}
		w.Journals.Put(m, events...)
	}
	put("s1", "Why the upload test flakes", Dir, "main", "builtin", "claude-opus-4.8", 12, 0)
	put("s2", "Retry with jitter", Dir, "jitter", "builtin", "gpt-5.5", 4, 70*time.Hour)
	put("s3", "Upload service: first sketch", "/home/ada/src/other", "", "builtin", "claude-sonnet-5", 31, 12*24*time.Hour)
	put("s4", "テストが失敗する理由", "/home/ada/src/other", "main", "builtin", "claude-sonnet-5", 2, 20*24*time.Hour)
	return w
}

func TestResumePicker(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			Run(t, Config{Width: s.w, Height: s.h, World: library()}, func(p *Program) {
				p.Type("/resume")
				p.Golden("resume-" + s.name)
				p.Send("upl")
				p.Golden("resume-filtered-" + s.name)
				p.Keys("down", "enter")
				p.Golden("resumed-" + s.name)
			})
		})
	}
}

func TestResumeByWords(t *testing.T) {
	words := "jitter"
	Run(t, Config{World: library(), Options: func(o *ui.Options) { o.Resume = &words }}, func(p *Program) {
		if !p.Has("Retry with jitter") || p.Has("first sketch") {
			t.Errorf("the picker is not filtered:\n%s", p.Text())
		}
		p.Keys("enter")
		if !p.Has("in part 4") {
			t.Errorf("the session is not shown:\n%s", p.Text())
		}
	})
}

func TestHelp(t *testing.T) {
	eachSize(t, Config{}, func(p *Program, size string) {
		p.Keys("?")
		p.Golden("help-" + size)
		p.Keys("pgdown")
		p.Keys("esc")
		if !p.Has("asks before it acts") {
			t.Error("the chat is not back")
		}
	})
}

func TestCompletion(t *testing.T) {
	eachSize(t, Config{}, func(p *Program, size string) {
		p.Send("/")
		p.Golden("completion-" + size)
		p.Keys("e")
		p.Keys("tab")
		if rows := p.Rows(); !strings.Contains(strings.Join(rows, "\n"), "> /effort") {
			t.Errorf("not completed:\n%s", p.Text())
		}
		p.Keys("ctrl+c")
		p.Type("/nonsense")
		p.Golden("unknown-command-" + size)
	})
}

func TestDoubleSlashIsAPrompt(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("//etc is a directory")
		turn := p.Turn()
		if turn.Prompt.Text != "/etc is a directory" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Type("/etc/hosts has what?")
		turn = p.Turn()
		if turn.Prompt.Text != "/etc/hosts has what?" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
	})
}

func TestFirstRun(t *testing.T) {
	eachSize(t, Config{Options: func(o *ui.Options) {
		o.Session, o.Manager = nil, nil
		o.SignIn = &core.SignIn{GH: true, Looked: []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "gh"}}
	}}, func(p *Program, size string) {
		p.Golden("first-run-" + size)
		p.Keys("down", "enter")
		if r := p.Left(); r.Choice != core.ChooseDemo {
			t.Errorf("chose %q", r.Choice)
		}
	})
}

// TestPickerFindsFirstPrompts looks for the words that a session with a title began with.
func TestPickerFindsFirstPrompts(t *testing.T) {
	w := sessiontest.NewWorld()
	w.Journals.Put(session.Meta{ID: "s1", Agent: "builtin", Dir: Dir, Title: "Tidy the cellar", First: "please repaint the attic"})
	w.Journals.Put(session.Meta{ID: "s2", Agent: "builtin", Dir: Dir, Title: "Something else", First: "no"})
	Run(t, Config{World: w}, func(p *Program) {
		p.Type("/resume")
		p.Send("attic")
		p.Settle()
		if !p.Has("Tidy the cellar") || p.Has("Something else") {
			t.Errorf("looking for the first prompt finds:\n%s", p.Text())
		}
	})
}
