package limit

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session/caps"
	"parley/ui/panel"
	"parley/ui/style"
)

// fake is a session with limits.
type fake struct {
	set      caps.Caps
	standing caps.Standing
	err      error
}

func (f *fake) Cap(c caps.Caps) { f.set = c }
func (f *fake) Standing(context.Context) (caps.Standing, error) {
	return f.standing, f.err
}

func TestRun(t *testing.T) {
	for args, want := range map[string]struct {
		set  caps.Caps
		says string
	}{
		"20":       {caps.Caps{Session: 20e9}, "This session has a limit of 20.00 credits"},
		" 0.5 ":    {caps.Caps{Session: 5e8}, "0.50 credits"},
		"off":      {caps.Caps{Session: caps.None}, "This session has no limit of credits"},
		"Day 50":   {caps.Caps{Day: 50e9}, "the day has a limit of 50.00 credits"},
		"day none": {caps.Caps{Day: caps.None}, "no limit"},
		"day":      {says: "Use /limit 20"}, "0": {says: "Use /limit"}, "-1": {says: "Use /limit"}, "NaN": {says: "Use /limit"}, "inf": {says: "Use /limit"},
		"1e12": {says: "Use /limit"}, "20 30": {says: "Use /limit"}, "day 1 2": {says: "Use /limit"}, "much\x1b[2J": {says: "Use /limit"},
	} {
		f := &fake{}
		n, is := Command{Session: f}.Run(args).(panel.Notice)
		if !is || f.set != want.set || !strings.Contains(n.Text, want.says) || n.Warn != (want.set == caps.Caps{}) {
			t.Errorf("%q: %+v %+v", args, f.set, n)
		}
	}
}

func TestShow(t *testing.T) {
	f := &fake{standing: caps.Standing{Session: 1.5e9, Day: 3e9, Caps: caps.Caps{Session: caps.None, Day: 10e9}}}
	c := Command{Look: &style.Look{Now: time.Now}, Session: f}
	r, is := c.Run("").(panel.Run).Work(t.Context()).(panel.Report)
	if !is || r.Lines[0] != "This session: 1.50 credits, no limit" || r.Lines[1] != "Today, all sessions: 3.00 of 10.00 credits" || f.set != (caps.Caps{}) {
		t.Errorf("%+v", r)
	}
	f.err = errors.New("no host\x1b[2J")
	if n, is := c.Run("").(panel.Run).Work(t.Context()).(panel.Notice); !is || !strings.Contains(n.Text, "no host") || strings.ContainsRune(n.Text, '\x1b') {
		t.Errorf("%+v", n)
	}
}
