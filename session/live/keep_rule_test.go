package live_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// keeper is a keeper of rules in memory.
type keeper struct {
	mu   sync.Mutex
	kept []string
	err  error
}

func (k *keeper) KeepRule(dir string, _ *session.PermissionAsk, a session.Answer) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil {
		k.kept = append(k.kept, dir+" "+string(a.Scope)+" "+a.Rule.Text)
	}
	return k.err
}

// An answer with a lasting scope keeps its rule before the agent gets it. If that fails, it counts for the session, with a notice.
func TestLastingAnswersAreKept(t *testing.T) {
	offered := []session.Rule{{Text: "command ls *"}, {Text: "command ls"}}
	together := []session.Rule{{Text: "command ls *\ncommand wc *"}}
	edited := session.Rule{Text: "command ls -l"}
	for name, c := range map[string]struct {
		answer  session.Answer
		offered []session.Rule
		err     error
		kept    []string
		scope   session.Scope
		rule    string
		notice  string
	}{
		"project": {session.Answer{Decision: session.Allow, Scope: session.ScopeProject}, offered, nil,
			[]string{project + " project command ls *"}, session.ScopeProject, "command ls *", ""},
		"global, edited": {session.Answer{Decision: session.Allow, Scope: session.ScopeGlobal, Rule: &edited}, offered, nil,
			[]string{project + " global command ls -l"}, session.ScopeGlobal, "command ls -l", ""},
		"fails": {session.Answer{Decision: session.Allow, Scope: session.ScopeProject}, offered, errors.New("disk full"),
			nil, session.ScopeSession, "command ls *", "Couldn't save the rule; it applies to this session only."},
		"a set": {session.Answer{Decision: session.Allow, Scope: session.ScopeProject}, together, nil,
			[]string{project + " project command ls *\ncommand wc *"}, session.ScopeProject, "command ls *\ncommand wc *", ""},
		"a set fails": {session.Answer{Decision: session.Allow, Scope: session.ScopeProject}, together, errors.New("disk full"),
			nil, session.ScopeSession, "command ls *\ncommand wc *", "Couldn't save the rules; they apply to this session only."},
		"no rule":  {session.Answer{Decision: session.Allow, Scope: session.ScopeProject}, nil, nil, nil, session.ScopeOnce, "", ""},
		"session":  {session.Answer{Decision: session.Allow, Scope: session.ScopeSession}, offered, nil, nil, session.ScopeSession, "", ""},
		"denied":   {session.Answer{Decision: session.Deny, Scope: session.ScopeProject}, offered, nil, nil, session.ScopeProject, "", ""},
		"runtimes": {session.Answer{Decision: session.Allow, Scope: session.ScopeProject, Rule: &session.Rule{Text: "tool X", Destination: "Claude Code"}}, offered, nil, nil, session.ScopeProject, "tool X", ""},
	} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			k := &keeper{err: c.err}
			w.Deps.Rules = k
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "go")
			turn := w.Agent.Turn(t)
			id, got := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "ls", Rules: c.offered}})
			if err := s.Answer(id, c.answer); err != nil {
				t.Fatal(err)
			}
			if err := s.Answer(id, c.answer); session.KindOf(err) != session.KindNotFound {
				t.Errorf("%s: answered twice: %v", name, err)
			}
			a := <-got
			rule := ""
			if a.Rule != nil {
				rule = a.Rule.Text
			}
			if a.Scope != c.scope || rule != c.rule || !slices.Equal(k.kept, c.kept) {
				t.Errorf("%s: the agent got %s %q, kept is %q", name, a.Scope, rule, k.kept)
			}
			synctest.Wait()
			turn.End(session.TurnCompleted)
			closeAll(t, m)
			if says := noticed(seen.all()); !strings.Contains(says, c.notice) || (says == "") != (c.notice == "") {
				t.Errorf("%s: notices %q", name, says)
			}
			for _, e := range w.Journals.Stored(s.ID()) {
				if e, ok := e.(session.Settled); ok && (e.Answer.Scope != c.scope || e.How != session.SettledAnswered) {
					t.Errorf("%s: stored %+v", name, e)
				}
			}
		})
	}
}

func noticed(events []session.Event) string {
	var all []string
	for _, e := range events {
		if n, ok := e.(session.Notice); ok {
			all = append(all, n.Text)
		}
	}
	return strings.Join(all, "\n")
}

// limits allow some modes, and want one of them instead of others.
type limits struct {
	mu      sync.Mutex
	allowed []session.Mode
}

func (l *limits) set(allowed ...session.Mode) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.allowed = allowed
}

func (l *limits) ModeProblem(m session.Mode) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m == "" {
		m = session.ModeDefault
	}
	if len(l.allowed) == 0 || slices.Contains(l.allowed, m) {
		return ""
	}
	return "your administrator forbids it in /policy"
}

func (l *limits) InsteadOf(m session.Mode) session.Mode {
	if l.ModeProblem(m) == "" {
		return m
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.allowed[0]
}

// No way leads to a mode that the administrator forbids.
func TestForbiddenModes(t *testing.T) {
	const plan, bypass, edits = session.ModePlan, session.ModeBypass, session.ModeAcceptEdits
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		l := &limits{allowed: []session.Mode{plan, session.ModeDefault}}
		w.Deps.Modes = l
		m := w.Manager()
		if _, err := m.Draft(live.DraftOptions{Dir: project, Settings: session.Settings{Mode: bypass}}); session.KindOf(err) != session.KindUnsupported || !strings.Contains(err.Error(), "/policy") {
			t.Errorf("draft: %v", err)
		}
		if m.ModeProblem("builtin", edits) == "" || m.ModeProblem("builtin", plan) != "" {
			t.Error("the modes that are offered")
		}
		s := draft(t, m)
		seen := watch(s)
		if err := s.Configure(session.Settings{Model: "opus", Mode: edits}); session.KindOf(err) != session.KindUnsupported {
			t.Errorf("configure: %v", err)
		}
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		id, _ := turn.AskPermission("Bash", "ls")
		if err := s.Answer(id, session.Answer{Decision: session.Allow, Mode: bypass}); session.KindOf(err) != session.KindUnsupported {
			t.Errorf("answer: %v", err)
		}
		turn.Emit(session.ModeChanged{Mode: edits})
		synctest.Wait()
		if got := s.Settings().Mode; got != session.ModeDefault || turn.Conversation().Settings().Mode != session.ModeDefault {
			t.Errorf("after the agent changed it: %s", got)
		}
		if says := noticed(seen.all()); !strings.Contains(says, "Switched back to default mode") {
			t.Errorf("notices %q", says)
		}
		turn.End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.set(plan) // the policy changes
		if err := s.Configure(session.Settings{Model: "haiku", Mode: session.ModeDefault}); err != nil || s.Settings() != (session.Settings{Model: "haiku", Mode: plan}) {
			t.Errorf("another model: %+v %v", s.Settings(), err)
		}
		l.set(session.ModeDefault)
		send(t, s, "again")
		turn = w.Agent.Turn(t)
		if got := s.Settings().Mode; got != session.ModeDefault {
			t.Errorf("at the next prompt: %s", got)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

func TestForbiddenModesOfStoredSessions(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		l := &limits{}
		w.Deps.Modes = l
		m := w.Manager()
		s := draft(t, m)
		if err := s.Configure(session.Settings{Mode: session.ModeAcceptEdits}); err != nil {
			t.Fatal(err)
		}
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("fine") })
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "go"}); err != nil {
			t.Fatal(err)
		}
		closeAll(t, m)
		l.set(session.ModePlan)
		m = w.Manager()
		for name, open := range map[string]func(context.Context) (*live.Session, error){
			"resumed": func(ctx context.Context) (*live.Session, error) { return m.Resume(ctx, s.ID()) },
			"copied":  func(ctx context.Context) (*live.Session, error) { return m.Fork(ctx, s.ID(), "") },
		} {
			got, err := open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if says := noticed(watch(got).all()); got.Settings().Mode != session.ModePlan || !strings.Contains(says, "acceptEdits mode, but your administrator") {
				t.Errorf("%s: %+v, notices %q", name, got.Settings(), says)
			}
		}
		d, err := m.Draft(live.DraftOptions{Dir: project})
		if err != nil || d.Settings().Mode != session.ModePlan {
			t.Errorf("a new session: %+v %v", d, err)
		}
		closeAll(t, m)
	})
}
