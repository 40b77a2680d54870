package live_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// TestTurnsOfASessionThatWentOnOutside counts no turns where those of the journal are not all.
func TestTurnsOfASessionThatWentOnOutside(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]int{-time.Hour: 1, 2 * time.Second: 1, time.Hour: 0} {
		w := sessiontest.NewWorld()
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/project", Turns: 1, Updated: at})
		w.Deps.Agents = []session.Agent{&sessiontest.Keeper{Agent: w.Agent, Metas: []session.Meta{{ID: "s", Updated: at.Add(after)}}}}
		l := w.Manager().Listing(t.Context())
		if len(l.Sessions) != 1 || l.Sessions[0].Turns != want {
			t.Errorf("%v later: %+v", after, l.Sessions)
		}
	}
}

// TestListOfAService returns what a service has after a refresh, and the state that it reports of a session that a journal has.
func TestListOfAService(t *testing.T) {
	w := sessiontest.NewWorld()
	cloud := sessiontest.NewRemote("cloud")
	w.Deps.Agents = append(w.Deps.Agents, cloud)
	w.Journals.Put(session.Meta{ID: "s", Agent: "cloud", Dir: "/project", Remote: &session.Remote{State: session.RemoteQueued}})
	m := w.Manager()
	if m.RemoteName() != "cloud" || m.Remote("cloud") == nil || m.Remote("builtin") != nil {
		t.Errorf("the agent at a service is %q", m.RemoteName())
	}
	cloud.SetMissing("not on this host")
	if name, why := m.RemoteName(), m.RemoteMissing(); name != "" || why != "Copilot cloud agent: not on this host" {
		t.Errorf("an agent that is missing: %q, %q", name, why)
	}
	cloud.SetMissing("")
	cloud.OnRefresh(func(context.Context) error {
		cloud.Put(session.Meta{ID: "s", Remote: &session.Remote{State: session.RemoteRunning, Repository: "octo/app"}})
		cloud.Put(session.Meta{ID: "other", Agent: "cloud", Remote: &session.Remote{State: session.RemoteCompleted}})
		return errors.New("page 2 failed")
	})
	if l := m.Listing(t.Context()); len(l.Sessions) != 1 || l.Sessions[0].Remote.State != session.RemoteQueued {
		t.Errorf("before: %+v", l.Sessions)
	}
	if err := m.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), "page 2 failed") {
		t.Errorf("refresh: %v", err)
	}
	l := m.Listing(t.Context())
	i := slices.IndexFunc(l.Sessions, func(s session.Meta) bool { return s.ID == "s" })
	if len(l.Sessions) != 2 || i < 0 || l.Sessions[i].Remote.State != session.RemoteRunning || l.Sessions[i].Remote.Repository != "octo/app" || l.Sessions[i].Dir != "/project" {
		t.Errorf("after: %+v", l.Sessions)
	}
}

// TestAFailingAgentHidesNoOther lists the sessions of two agents wherever a third one that fails stands among them, also what that could
// still list, and opens one of each.
func TestAFailingAgentHidesNoOther(t *testing.T) {
	for at := range 3 {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			w.Deps.Agents = nil
			for i, name := range []string{"builtin", "claude", "copilot"} {
				k := &keeping{Agent: sessiontest.NewAgent(name), metas: []session.Meta{{ID: session.ID(name + "-1"), Agent: name, Dir: "/d"}}, events: told("t1", "one", "first")}
				if i == at {
					k.listErr = errBroken
				}
				w.Deps.Agents = append(w.Deps.Agents, k)
			}
			m := w.Manager()
			l := m.Listing(t.Context())
			if len(l.Sessions) != 3 || len(l.Problems) != 1 || !errors.Is(l.Problems[0], errBroken) {
				t.Errorf("%d fails: %+v", at, l)
			}
			if list, err := m.List(t.Context()); len(list) != 3 || err != nil {
				t.Errorf("%d fails: %+v, %v", at, list, err)
			}
			for _, meta := range l.Sessions {
				if _, err := m.Resume(t.Context(), meta.ID); err != nil {
					t.Errorf("%d fails: %s: %v", at, meta.ID, err)
				}
			}
			closeAll(t, m)
		})
	}
}
