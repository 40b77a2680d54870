package live_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// TestTurnsOfASessionThatWentOnOutside counts no turns where those of the journal are not all.
func TestTurnsOfASessionThatWentOnOutside(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]int{-time.Hour: 1, 2 * time.Second: 1, time.Hour: 0} {
		w := sessiontest.NewWorld()
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project, Turns: 1, Updated: at})
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
	w.Journals.Put(session.Meta{ID: "s", Agent: "cloud", Dir: project, Remote: &session.Remote{State: session.RemoteQueued}})
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
	if len(l.Sessions) != 2 || i < 0 || l.Sessions[i].Remote.State != session.RemoteRunning || l.Sessions[i].Remote.Repository != "octo/app" || l.Sessions[i].Dir != project {
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

// marking is an agent whose sessions have names of their own if another agent has their ids.
type marking struct{ *keeping }

func (m *marking) Mark(_ context.Context, id session.ID) session.ID {
	return id + session.ID(".at-0000000"+m.Name()[:1])
}

func (m *marking) Describe(_ context.Context, id session.ID) (session.Meta, error) {
	for _, meta := range m.metas {
		if id == meta.ID || id == m.Mark(context.Background(), meta.ID) {
			meta.ID = id
			return meta, nil
		}
	}
	return session.Meta{}, &session.Error{Op: "find session", Kind: session.KindNotFound, Err: errors.New(string(id))}
}

// TestSessionsOfSeveralAgentsWithOneID lists each, that of a journal or of the first agent under the id, and opens, describes and matches
// the one whose row it is. One that has no other name is named as a problem.
func TestSessionsOfSeveralAgentsWithOneID(t *testing.T) {
	for _, journaled := range []string{"", "cc"} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			if journaled != "" {
				w.Journals.Put(session.Meta{ID: "s", Agent: journaled, Dir: "/d", First: journaled})
				w.Journals.Put(session.Meta{ID: "s.at-0000000b", Agent: "bb", Dir: "/d", First: "bb"}) // it was renamed
			}
			w.Deps.Agents = nil
			for _, name := range []string{"aa", "bb", "cc"} {
				w.Deps.Agents = append(w.Deps.Agents, &marking{&keeping{Agent: sessiontest.NewAgent(name), metas: []session.Meta{{ID: "s", Agent: name, Dir: "/d", First: name}}, events: told("t", name, name)}})
			}
			w.Deps.Agents = append(w.Deps.Agents, &sessiontest.Keeper{Agent: sessiontest.NewAgent("dd"), Metas: []session.Meta{{ID: "s", Agent: "dd"}}})
			m := w.Manager()
			l := m.Listing(t.Context())
			if len(l.Sessions) != 3 || len(l.Problems) != 1 || !strings.Contains(l.Problems[0].Error(), "dd has a session s too") {
				t.Fatalf("%+v", l)
			}
			for _, meta := range l.Sessions {
				if plain := cmp.Or(journaled, "aa"); (meta.ID == "s") != (meta.Agent == plain) || meta.First != meta.Agent {
					t.Errorf("%+v", meta)
				}
				s, err := m.Resume(t.Context(), meta.ID)
				if err != nil {
					t.Fatal(err)
				}
				if got := s.Meta(); got.Agent != meta.Agent || got.ID != meta.ID {
					t.Errorf("%s is opened as %+v", meta.ID, got)
				}
				if one, err := live.Match(l.Sessions, string(meta.ID)); err != nil || one.Agent != meta.Agent {
					t.Errorf("%s matches %+v, %v", meta.ID, one, err)
				}
				if own, _, err := m.Read(t.Context(), meta.ID); err != nil || own.Agent != meta.Agent {
					t.Errorf("%s is %+v, %v", meta.ID, own, err)
				}
			}
			if id, ok := live.Newest(l.Sessions, "/d"); !ok || id != "s" {
				t.Errorf("%s is continued", id)
			}
			closeAll(t, m)
		})
	}
}

// TestRefsOfTheBin tells sessions with one id apart by the time when they were deleted.
func TestRefsOfTheBin(t *testing.T) {
	at := func(s int) time.Time { return time.Date(2026, 1, 1, 0, 0, s, 0, time.UTC) }
	binned := []session.Meta{{ID: "abc", Title: "2", Deleted: at(2)}, {ID: "abc", Title: "1", Deleted: at(1)}, {ID: "abd", Title: "other", Deleted: at(3)}}
	all := append([]session.Meta{{ID: "abc", Title: "alive"}}, binned...)
	for text, want := range map[string]string{"abc": "alive", "abc@2026-01-01T00:00:01Z": "1", "abc@2026-01-01T00:00:02Z": "2", "abd": "other", "abd@": "other", "abc@": "2 1", "ab": "alive 2 1 other", "abc@2027": "", "abc@2026-01-01T00:00:01": "1"} {
		m, err := live.Match(all, text)
		got := m.Title
		if e, several := errors.AsType[*live.MatchError](err); several {
			for _, fit := range e.Fits {
				got = strings.TrimSpace(got + " " + fit.Title)
			}
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	if _, err := live.Match(binned, "abc"); err == nil {
		t.Error("one of two is restored")
	}
}

// TestMatchOfCopies names the session with an id by the beginning of that, and its copies only by their marks.
func TestMatchOfCopies(t *testing.T) {
	all := []session.Meta{{ID: "abc.at-00000001"}, {ID: "abc"}, {ID: "abc.at-00000022"}, {ID: "abd.at-00000003"}}
	binned := []session.Meta{{ID: "abcd"}, {ID: "abc.at-00000001"}, {ID: "abc"}}
	for i := range binned {
		binned[i].Deleted = time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC)
	}
	for _, c := range []struct {
		list       []session.Meta
		text, want string
	}{{all, "abc", "abc"}, {all, "abc.", ""}, {all, "abc.at-00000001", "abc.at-00000001"}, {all, "abc.at-0000002", "abc.at-00000022"}, {all, "abd", "abd.at-00000003"},
		{all, "ab", ""}, {all[:3], "ab", "abc"}, {binned, "abc", "abc"}, {binned, "abcd", "abcd"}, {binned, "abc.", "abc.at-00000001"}, {binned, "ab", ""}} {
		if m, err := live.Match(c.list, c.text); string(m.ID) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s of %d is %q, want %q: %v", c.text, len(c.list), m.ID, c.want, err)
		}
	}
}
