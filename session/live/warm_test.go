package live_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// warmAgent is an agent that can prepare. It counts what it has prepared and what is left of it.
type warmAgent struct {
	*sessiontest.Agent
	mu      sync.Mutex
	options []session.OpenOptions
	left    int
	fail    error
}

func (a *warmAgent) Warm(ctx context.Context, o session.OpenOptions) (func(), error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fail != nil {
		return nil, a.fail
	}
	a.options = append(a.options, o)
	a.left++
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.left--
	}, nil
}

func (a *warmAgent) state() (times, left int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.options), a.left
}

func warmWorld(t *testing.T, f func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session)) {
	t.Helper()
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		a := &warmAgent{Agent: w.Agent}
		w.Deps.Agents = []session.Agent{a}
		m := w.Manager()
		s, err := m.Draft(live.DraftOptions{Dir: project, Settings: session.Settings{Model: "m1"}})
		if err != nil {
			t.Fatal(err)
		}
		f(t, w, a, s)
		if err := m.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if times, left := a.state(); left != 0 {
			t.Errorf("%d of %d are left", left, times)
		}
		if w.Endpoints.IsOpen(s.ID()) {
			t.Error("the endpoint is open")
		}
	})
}

func TestWarmTwiceIsOnce(t *testing.T) {
	warmWorld(t, func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session) {
		events := watch(s)
		before := len(events.all())
		for range 10 {
			s.Warm()
		}
		synctest.Wait()
		if times, left := a.state(); times != 1 || left != 1 {
			t.Errorf("prepared %d times, %d left", times, left)
		}
		if o := a.options[0]; o.Session != s.ID() || o.Settings.Model != "m1" || o.Dir != project || o.Endpoint.Bearer == "" {
			t.Errorf("%+v", o)
		}
		if !s.Draft() || w.Journals.Count() != 0 || len(events.all()) != before {
			t.Error("it is announced")
		}
	})
}

func TestWarmIsThrownAwayWhenSettingsChange(t *testing.T) {
	warmWorld(t, func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session) {
		s.Warm()
		synctest.Wait()
		if err := s.Configure(session.Settings{Model: "m2"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if times, left := a.state(); times != 1 || left != 0 {
			t.Errorf("prepared %d times, %d left", times, left)
		}
		if w.Endpoints.IsOpen(s.ID()) {
			t.Error("the endpoint is open")
		}
		s.Warm()
		synctest.Wait()
		if times, left := a.state(); times != 2 || left != 1 || a.options[1].Settings.Model != "m2" {
			t.Errorf("prepared %d times, %d left", times, left)
		}
	})
}

// deciding is a store of decisions.
type deciding struct{ *warmAgent }

func (deciding) Untrusted(context.Context, string) ([]session.RepositoryItem, error) { return nil, nil }

func (deciding) Trust(_ context.Context, dir string, _ []session.RepositoryItem, _ bool) error {
	if dir == "/broken" {
		return errors.New("disk full")
	}
	return nil
}

func TestWarmIsThrownAwayWhenTheDirectoryIsDecided(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		a := &warmAgent{Agent: w.Agent}
		w.Deps.Agents = []session.Agent{deciding{a}}
		m := w.Manager()
		s, err := m.Draft(live.DraftOptions{Dir: project})
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			dir  string
			want int
		}{{"/other", 1}, {project, 0}} {
			s.Warm()
			synctest.Wait()
			if err := m.Truster(a.Name()).Trust(t.Context(), tt.dir, nil, true); err != nil {
				t.Error(err)
			}
			if _, left := a.state(); left != tt.want {
				t.Errorf("%s: %d are left", tt.dir, left)
			}
		}
		s.Warm()
		synctest.Wait()
		if _, left := a.state(); left != 1 {
			t.Error("it is not prepared again")
		}
		if err := m.Truster(a.Name()).Trust(t.Context(), "/broken", nil, true); err == nil {
			t.Error("a failure is lost")
		}
		if err := m.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestWarmIsThrownAwayInTime(t *testing.T) {
	warmWorld(t, func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session) {
		s.Warm()
		time.Sleep(time.Hour)
		synctest.Wait()
		if times, left := a.state(); times != 1 || left != 0 || w.Endpoints.IsOpen(s.ID()) {
			t.Errorf("prepared %d times, %d left", times, left)
		}
	})
}

func TestSendTakesTheWarmEndpoint(t *testing.T) {
	warmWorld(t, func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session) {
		s.Warm()
		synctest.Wait()
		bearer := a.options[0].Endpoint
		if _, err := s.Send(session.Prompt{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		turn := a.Turn(t)
		if got := a.Conversations()[0].Options.Endpoint; got != bearer || w.Log.Count("endpoint open") != 1 {
			t.Errorf("%+v, opened %d times", got, w.Log.Count("endpoint open"))
		}
		s.Warm() // there is a conversation already
		turn.End(session.TurnCompleted)
		synctest.Wait()
		s.Warm()
		synctest.Wait()
		if times, left := a.state(); times != 1 || left != 0 {
			t.Errorf("prepared %d times, %d left", times, left)
		}
		if !w.Endpoints.IsOpen(s.ID()) {
			t.Error("the conversation has lost its endpoint")
		}
	})
}

func TestSendWhileWarming(t *testing.T) {
	warmWorld(t, func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session) {
		s.Warm()
		if _, err := s.Send(session.Prompt{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		a.Turn(t).End(session.TurnCompleted)
		synctest.Wait()
		if n := w.Log.Count("endpoint open") - w.Log.Count("endpoint close"); n != 1 || !w.Endpoints.IsOpen(s.ID()) {
			t.Errorf("%d endpoints", n)
		}
	})
}

func TestFailedWarmLeavesNothing(t *testing.T) {
	warmWorld(t, func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session) {
		a.fail = errors.New("no runtime")
		s.Warm()
		synctest.Wait()
		if w.Endpoints.IsOpen(s.ID()) {
			t.Error("the endpoint is open")
		}
		a.fail = nil
		for range 100 { // with every key it would fail again
			s.Warm()
		}
		synctest.Wait()
		if times, _ := a.state(); times != 0 {
			t.Error("tried again at once")
		}
		time.Sleep(time.Minute)
		w.Endpoints.Fail(errors.New("no proxy"))
		s.Warm()
		synctest.Wait()
		w.Endpoints.Fail(nil)
		if err := s.Configure(session.Settings{Model: "m3"}); err != nil { // other settings are worth a try
			t.Fatal(err)
		}
		s.Warm()
		synctest.Wait()
		if times, left := a.state(); times != 1 || left != 1 {
			t.Errorf("prepared %d times, %d left", times, left)
		}
	})
}

// A session that another process has taken since it was read has its runtime there, and gets no second one.
func TestWarmLeavesSessionsOfOthersAlone(t *testing.T) {
	warmWorld(t, func(t *testing.T, w *sessiontest.World, a *warmAgent, s *live.Session) {
		w.Journals.Put(session.Meta{ID: "theirs", Agent: s.Meta().Agent, Dir: project})
		theirs, err := w.Manager().Resume(t.Context(), "theirs")
		if err != nil {
			t.Fatal(err)
		}
		j, _, _, err := w.Journals.Open(t.Context(), "theirs")
		if err != nil {
			t.Fatal(err)
		}
		theirs.Warm()
		synctest.Wait()
		if times, _ := a.state(); times != 0 || w.Endpoints.IsOpen("theirs") {
			t.Errorf("prepared %d times", times)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		theirs.Warm()
		synctest.Wait()
		if times, left := a.state(); times != 1 || left != 1 {
			t.Errorf("prepared %d times, %d left", times, left)
		}
		if err := theirs.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A prompt that the agent took for a turn and did nothing with waits again when the turn is over.
func TestSteeredPromptComesBack(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		a := &steerAgent{Agent: w.Agent}
		w.Deps.Agents = []session.Agent{a}
		m := w.Manager()
		defer m.Close(context.Background())
		s, err := m.Draft(live.DraftOptions{Dir: project})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Send(session.Prompt{Text: "work"}); err != nil {
			t.Fatal(err)
		}
		first := a.Turn(t)
		synctest.Wait()
		id, err := s.Steer(session.Prompt{Text: "and this"})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if a.Pending() != 0 {
			t.Fatal("delivered beside the running turn")
		}
		first.End(session.TurnCancelled)
		second := a.Turn(t)
		if second.Prompt.ID != id {
			t.Errorf("%+v", second.Prompt)
		}
		second.End(session.TurnCompleted)
		synctest.Wait()
	})
}

// steerAgent takes every steered prompt and does nothing with it.
type steerAgent struct{ *sessiontest.Agent }

func (a *steerAgent) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	c, err := a.Agent.Open(ctx, o)
	return &steerConversation{c}, err
}

type steerConversation struct{ session.Conversation }

func (*steerConversation) Steer(context.Context, session.Prompt) (bool, error) { return true, nil }

// wakeful is an agent whose conversations can be woken. It counts how often they were.
type wakeful struct {
	session.Agent
	mu   sync.Mutex
	n    int
	fail error
}

func (a *wakeful) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	c, err := a.Agent.Open(ctx, o)
	return &wakefulConversation{c, a}, err
}

func (a *wakeful) times() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n
}

type wakefulConversation struct {
	session.Conversation
	a *wakeful
}

func (c *wakefulConversation) Wake(context.Context) error {
	c.a.mu.Lock()
	defer c.a.mu.Unlock()
	c.a.n++
	return c.a.fail
}

// An open conversation is woken when the user begins to type: not with every key, not while a turn runs, and not at once
// after it has failed.
func TestTypingWakes(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("fine") })
		a := &wakeful{Agent: w.Agent}
		w.Deps.Agents = []session.Agent{a}
		m := w.Manager()
		s, err := m.Draft(live.DraftOptions{Dir: project})
		if err != nil {
			t.Fatal(err)
		}
		s.Warm()
		synctest.Wait()
		if n := a.times(); n != 0 {
			t.Fatalf("woken %d times before there is a conversation", n)
		}
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		for want := 1; want <= 2; want++ {
			for range 10 {
				s.Warm()
				synctest.Wait()
			}
			if n := a.times(); n != want {
				t.Errorf("woken %d times, want %d", n, want)
			}
			time.Sleep(time.Minute)
		}
		a.fail = errors.New("no")
		s.Warm()
		synctest.Wait()
		time.Sleep(15 * time.Second)
		s.Warm()
		synctest.Wait()
		if n := a.times(); n != 3 {
			t.Errorf("woken %d times, at once after it had failed", n)
		}
		if err := m.Close(context.Background()); err != nil {
			t.Error(err)
		}
		s.Warm()
		synctest.Wait()
		if n := a.times(); n != 3 {
			t.Error("woken after it was closed")
		}
	})
}
