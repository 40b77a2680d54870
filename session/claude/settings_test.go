package claude

import (
	"errors"
	"slices"
	"testing"

	"parley/session"
	"parley/session/claude/driver"
)

// A refused setting stays as it was. After the end of the process a refusal is not an error.
func TestAppliedSettings(t *testing.T) {
	before := session.Settings{Model: "claude-a-1", Effort: "low", Mode: session.ModeDefault}
	want := session.Settings{Model: "claude-b-1", Effort: "high", Mode: session.ModePlan}
	refusal := errors.New("no")
	for name, c := range map[string]struct {
		fail  map[string]error
		ended bool
		want  session.Settings
		kind  session.Kind
		err   bool
	}{
		"accepted":    {nil, false, want, "", false},
		"refused":     {map[string]error{"mode ": refusal, "model ": refusal, "effort ": refusal}, false, before, session.KindOf(refusal), true},
		"unsupported": {map[string]error{"mode ": driver.ErrUnsupported}, false, session.Settings{Model: want.Model, Effort: want.Effort, Mode: before.Mode}, session.KindUnsupported, true},
		"lowered":     {nil, false, session.Settings{Model: want.Model, Effort: "max", Mode: want.Mode}, session.KindUnsupported, true},
		"ended":       {nil, true, before, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newFake(driver.Options{})
			p.fail = c.fail
			if c.ended {
				p.die(driver.Exit{})
				<-p.done
			} else {
				defer func() { p.die(driver.Exit{}); <-p.done }()
			}
			a, want := applied{settings: before}, want
			if name == "lowered" {
				want.Effort = "max"
			}
			_, modelErr := a.setModel(t.Context(), p, nil, want.Model)
			err := errors.Join(a.setMode(t.Context(), p, want.Mode), modelErr, a.setEffort(t.Context(), p, nil, before, want))
			if got, setting := a.get(); got != c.want || setting {
				t.Errorf("%+v, %v, want %+v", got, setting, c.want)
			}
			if (err != nil) != c.err || err != nil && session.KindOf(err) != c.kind {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestSettingsThatAreAppliedAreNotSet(t *testing.T) {
	s := session.Settings{Model: "claude-a-1", Effort: "low", Mode: session.ModePlan}
	p := newFake(driver.Options{})
	defer func() { p.die(driver.Exit{}); <-p.done }()
	a := applied{settings: s}
	model, err := a.setModel(t.Context(), p, nil, s.Model)
	if err = errors.Join(err, a.setMode(t.Context(), p, s.Mode), a.setEffort(t.Context(), p, nil, s, s)); err != nil || model != "" {
		t.Errorf("%q, %v", model, err)
	}
	models := []session.Model{{ID: "claude-a-1"}}
	if model, err := a.setModel(t.Context(), p, models, ""); err != nil || model != "" {
		t.Errorf("the default, which is in use: %q, %v", model, err)
	}
	if got := p.called(); !slices.Equal(got, nil) {
		t.Errorf("set %q", got)
	}
}

// A process reports modes late, and some of them twice.
func TestLateReportsOfModes(t *testing.T) {
	a := &applied{unreported: []session.Mode{session.ModeAcceptEdits, session.ModePlan}}
	for i, c := range []struct {
		reported session.Mode
		late     bool
	}{
		{session.ModeAcceptEdits, true}, {session.ModeAcceptEdits, true}, {session.ModeDefault, false}, {session.ModePlan, false},
		{session.ModeAcceptEdits, false},
	} {
		if got := a.late(c.reported); got != c.late {
			t.Errorf("report %d of %s: late is %t", i+1, c.reported, got)
		}
	}
}
