package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session/changes"
	"parley/ui"
)

func TestChangesLook(t *testing.T) {
	for name, size := range map[string][2]int{"changes": {120, 40}, "changes-80x24": {80, 24}, "changes-40x12": {40, 12}} {
		r := &record{}
		Run(t, Config{Width: size[0], Height: size[1], Options: withChanges(r)}, func(p *Program) {
			work(p, r)
			p.Type("/changes")
			p.Settle()
			p.Golden(name)
			p.Keys("down", "down")
			p.Golden(name + "-file")
			p.Keys("enter")
			p.Golden(name + "-reads")
			p.Keys("s")
			p.Golden(name + "-split")
			p.Keys("s", "esc", "tab", "?")
			p.Golden(name + "-by-file")
		})
	}
}

// withLosses is what work recorded, with what the user wrote since in one file, and one that a call is at.
func withLosses(r *record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.all[3].After
	r.lost = map[string][]changes.Loss{Dir + "/upload/retry.go": {{By: "you, or another program", From: last,
		To: r.file(strings.Replace(r.texts[last.Sum], "return resp, err", "return resp, wrap(err)", 1))}}}
	r.refused = map[string]string{Dir + "/testdata/big.bin": "What was there is not kept: it is larger than 32 MB."}
}

func TestChangesQuestionLook(t *testing.T) {
	for name, size := range map[string][2]int{"changes-lost": {120, 40}, "changes-lost-80x24": {80, 24}, "changes-lost-40x12": {40, 12}} {
		for _, light := range []bool{false, true} {
			if light {
				name += "-light"
			}
			r := &record{}
			Run(t, Config{Width: size[0], Height: size[1], Options: func(o *ui.Options) { withChanges(r)(o); o.Light = light }}, func(p *Program) {
				work(p, r)
				withLosses(r)
				p.Type("/changes")
				p.Settle()
				p.Keys("u")
				p.Settle()
				p.Golden(name)
			})
		}
	}
}

// Nothing is lost unless the user moves to that choice; a loss is shown first, and what was typed before answers nothing.
func TestLossesAreAskedAbout(t *testing.T) {
	r := &record{}
	Run(t, Config{Width: 120, Height: 40, Options: withChanges(r)}, func(p *Program) {
		work(p, r)
		withLosses(r)
		p.Type("/changes")
		p.Settle()
		p.Send("u\x1b[B\x1b[B\r") // all at once
		p.Settle()
		if !p.Has("Undo turn 2?") || len(r.steps) > 0 {
			t.Fatalf("typed ahead: %q\n%s", r.steps, p.Text())
		}
		for _, want := range []string{"changed by you, or another program", "return resp, wrap(err)", "larger than 32 MB", "❯ leave everything as it is",
			"undo the 2 without other changes", "undo all 3, and lose what is shown"} {
			if !p.Has(want) {
				t.Errorf("%q is not shown:\n%s", want, p.Text())
			}
		}
		p.Pass(time.Second)
		p.Keys("enter")
		if p.Has("Undo turn 2?") || len(r.steps) > 0 {
			t.Errorf("enter alone undid %q:\n%s", r.steps, p.Text())
		}
		p.Keys("home", "u")
		p.Pass(time.Second)
		p.Keys("down", "enter")
		p.Settle()
		if len(r.steps) != 1 || r.steps[0] != "undo "+Dir+"/internal/mocks/client_mock.go "+Dir+"/upload/old_client.go" {
			t.Errorf("undid %q:\n%s", r.steps, p.Text())
		}
		if !p.Has("Undid 2 files of turn 2. r brings them back.") {
			t.Errorf("the report is missing:\n%s", p.Text())
		}
		p.Keys("u")
		p.Pass(time.Second)
		p.Keys("down", "enter")
		p.Settle()
		if len(r.steps) != 2 || r.steps[1] != "undo "+Dir+"/upload/retry.go" {
			t.Errorf("undid %q:\n%s", r.steps, p.Text())
		}
	})
}

// Without losses a step happens at once, and the list shows what became of each file.
func TestChangesAreJudged(t *testing.T) {
	r := &record{}
	Run(t, Config{Width: 120, Height: 40, Options: withChanges(r)}, func(p *Program) {
		work(p, r)
		p.Type("/changes")
		p.Settle()
		p.Keys("end", "up", "up") // turn 1
		p.Keys("x")
		p.Settle()
		if len(r.steps) != 1 || r.steps[0] != "undo "+Dir+"/upload/retry.go" || !p.Has("Undid retry.go in turn 1. r brings it back.") && !p.Has("Undid upload/retry.go in turn 1. r brings it back.") {
			t.Errorf("rejected %q:\n%s", r.steps, p.Text())
		}
		p.Keys("u")
		p.Settle()
		if len(r.steps) != 2 || r.steps[1] != "undo "+Dir+"/upload/retry_test.go" {
			t.Errorf("undid %q:\n%s", r.steps, p.Text())
		}
		p.Keys("u")
		p.Settle()
		if len(r.steps) != 2 || !p.Has("Nothing of turn 1 is left to undo.") {
			t.Errorf("undid %q:\n%s", r.steps, p.Text())
		}
		p.Keys("r")
		p.Settle()
		if len(r.steps) != 3 || !p.Has("Brought back 2 files of turn 1.") {
			t.Errorf("redid %q:\n%s", r.steps, p.Text())
		}
		p.Keys("a")
		p.Settle()
		if !p.Has("Kept 2 files of turn 1.") || !p.Has("✓ Turn 1") {
			t.Errorf("not accepted:\n%s", p.Text())
		}
		p.Keys("home", "a", "esc")
		p.Settle()
		if p.Has("files changed") {
			t.Errorf("the header counts what is accepted:\n%s", p.Text())
		}
	})
}
