package live_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

func TestLoosens(t *testing.T) {
	order := []session.Mode{session.ModePlan, session.ModeDefault, session.ModeAcceptEdits, session.ModeBypass, "unknown"}
	for i, m := range order {
		for j, other := range order {
			if m.Loosens(other) != (i > j) {
				t.Errorf("%q loosens %q: %v", m, other, i <= j)
			}
		}
	}
	if session.Mode("").Loosens(session.ModeDefault) || session.ModeDefault.Loosens("") {
		t.Error("an empty mode is the default")
	}
}

// bypassed stores a session that was left in bypass mode.
func bypassed(w *sessiontest.World) {
	putOld(w, session.ModeChanged{Head: session.Head{Session: "s", Gen: 1}, Mode: session.ModeBypass})
}

// Bypassing ends with the process in which the user chose it, whatever is stored; a notice says so once.
func TestResumeEndsBypass(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer") })
		bypassed(w)
		m := w.Manager()
		s := resume(t, m, "s")
		seen := watch(s)
		if got, shown := s.Settings().Mode, seen.transcript().Settings.Mode; got != session.ModeDefault || shown != session.ModeDefault {
			t.Errorf("resumed in %q, shows %q", got, shown)
		}
		told := func() (n int) {
			for _, e := range seen.all() {
				if e, ok := e.(session.Notice); ok && e.Severity == session.Warning && strings.Contains(e.Text, "bypass permissions mode") {
					n++
				}
			}
			return n
		}
		if told() != 1 {
			t.Errorf("told %d times", told())
		}
		send(t, s, "more")
		synctest.Wait()
		if got := w.Agent.Conversations()[0].Options.Settings.Mode; got != session.ModeDefault {
			t.Errorf("the agent works in %q", got)
		}
		closeAll(t, m)
		if got := session.Fold(w.Journals.Stored("s")).Settings.Mode; got != session.ModeDefault {
			t.Errorf("stored is %q", got)
		}
		again := w.Manager()
		seen = watch(resume(t, again, "s"))
		if told() != 0 {
			t.Error("it is told again")
		}
		closeAll(t, again)
	})
}

// What the user chose in this process outlives the runtime.
func TestBypassOutlivesTheRuntime(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer") })
		m := w.Manager()
		s := draft(t, m)
		if err := s.Configure(session.Settings{Mode: session.ModeBypass}); err != nil {
			t.Fatal(err)
		}
		send(t, s, "one")
		synctest.Wait()
		send(t, s, "two")
		synctest.Wait()
		if s.Settings().Mode != session.ModeBypass || m.Close(t.Context()) != nil {
			t.Errorf("%+v", s.Settings())
		}
	})
}

// Another process may bypass permissions in a session that is open here too; this one goes on as it was.
func TestBypassOfAnotherProcess(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer") })
		putOld(w)
		here, there := w.Manager(), w.Manager()
		s := resume(t, here, "s")
		if err := resume(t, there, "s").Configure(session.Settings{Mode: session.ModeBypass}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		closeAll(t, there)
		send(t, s, "more")
		synctest.Wait()
		if got := s.Settings().Mode; got == session.ModeBypass {
			t.Error("the mode came from another process")
		}
		if got := w.Agent.Conversations()[0].Options.Settings.Mode; got == session.ModeBypass {
			t.Error("the agent works without asking")
		}
		closeAll(t, here)
	})
}

// An unsupported mode does not choose another agent.
func TestUnusableModeAdvisesAnotherMode(t *testing.T) {
	err := session.UnusableMode("set mode", "not as root")
	p := session.ProblemOf(err, time.Time{})
	if session.KindOf(err) != session.KindUnsupported || p.What != "This permission mode cannot be used: not as root." ||
		strings.Contains(p.Next, "agent") || !strings.Contains(p.Next, "/mode") {
		t.Errorf("%+v", p)
	}
}
