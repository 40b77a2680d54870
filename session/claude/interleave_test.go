package claude

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// moody is a runtime that keeps the rules of turns as real ones do, and leaves everything else to chance: how long things
// take, when prompts are folded into a turn, whether it begins turns by itself, and when it dies.
type moody struct {
	*fake
	rnd *rand.Rand

	mu      sync.Mutex
	queue   []string // uuids of prompts not taken up
	stopped bool     // the running turn was interrupted
	deaths  bool
}

func newMoody(f *fake, seed uint64, deaths bool) *moody {
	m := &moody{fake: f, rnd: rand.New(rand.NewPCG(seed, 1)), deaths: deaths}
	f.onSend = func(msg driver.UserMessage) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.queue = append(m.queue, msg.UUID)
	}
	f.onStop = func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.stopped = true
	}
	f.queued = func(uuid string) bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		for i, q := range m.queue {
			if q == uuid {
				m.queue = append(m.queue[:i:i], m.queue[i+1:]...)
				return true
			}
		}
		return false
	}
	go m.live()
	return m
}

// live runs turns until the process ends.
func (m *moody) live() {
	for n := 0; ; n++ {
		m.nap()
		select {
		case <-m.done:
			return
		default:
		}
		m.mu.Lock()
		var taken []string
		for len(m.queue) > 0 && (len(taken) == 0 || m.rnd.IntN(2) == 0) {
			taken = append(taken, m.queue[0])
			m.queue = m.queue[1:]
		}
		own := len(taken) == 0 && m.rnd.IntN(6) == 0
		m.stopped = false
		die := m.deaths && m.rnd.IntN(25) == 0
		m.mu.Unlock()
		if len(taken) > 0 || own {
			m.turn(fmt.Sprintf("%p-%d", m, n), taken)
		}
		if die {
			m.die(driver.Exit{Exit: proc.Exit{Code: 1}})
			return
		}
	}
}

// turn runs one turn for the prompts it has taken.
func (m *moody) turn(id string, taken []string) {
	about := "its own work"
	if len(taken) > 0 {
		about = taken[0]
	}
	early := m.chance(2)
	if early {
		m.echo(taken)
	}
	m.start()
	for round := range 1 + m.pick(3) {
		m.nap()
		if m.interrupted() {
			break
		}
		m.text(fmt.Sprintf("m-%s-%d", id, round), about)
		if round == 0 && !early {
			m.echo(taken)
			early = true
		}
		if m.chance(2) { // a tool, after which prompts are folded in
			call := fmt.Sprintf("t-%s-%d", id, round)
			m.tool(call, "Bash", `{"command":"x"}`)
			m.nap()
			m.line(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]}}`, call)
			m.mu.Lock()
			folded := m.queue
			m.queue = nil
			m.mu.Unlock()
			m.echo(folded)
		}
	}
	if !early {
		m.echo(taken)
	}
	if m.interrupted() {
		m.aborted()
	} else {
		m.result()
	}
	m.mu.Lock()
	rests := len(m.queue) == 0
	m.mu.Unlock()
	if rests {
		m.nap() // a prompt may be written meanwhile
		m.idle()
	}
}

func (m *moody) echo(uuids []string) {
	for _, uuid := range uuids {
		m.taken(uuid)
	}
}

func (m *moody) interrupted() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stopped
}

func (m *moody) pick(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rnd.IntN(n)
}

func (m *moody) chance(of int) bool { return m.pick(of) == 0 }

func (m *moody) nap() { time.Sleep(time.Duration(1+m.pick(50)) * time.Millisecond) }

// TestRandomInterleavings lets users and runtimes do what they may in any order, and checks what must hold in all of them.
func TestRandomInterleavings(t *testing.T) {
	for seed := range repeat.Times(15, 30, 150) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { interleave(t, uint64(seed)) })
	}
}

func interleave(t *testing.T, seed uint64) {
	synctest.Test(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		deaths := seed%3 == 0
		ch, open := fakeWorld(t)
		n := uint64(0)
		ch.onStart = func(_ context.Context, f *fake) error {
			n++
			newMoody(f, seed*100+n, deaths)
			return nil
		}
		c, err := ch.a.Open(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		ch.c = c
		ids := 0
		steered := map[session.PromptID]bool{} // taken by the runtime; true if it was in a turn that was stopped or died
		for range 12 {
			time.Sleep(time.Duration(rnd.IntN(150)) * time.Millisecond) // it may do something by itself
			ids++
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			turn := turnID(ids)
			go func() {
				done <- c.Send(ctx, turn, session.Prompt{ID: session.PromptID(turn), Text: "x"}, session.OriginUser)
			}()
			stopped := false
			for running := true; running; {
				select {
				case err := <-done:
					if err != nil && session.KindOf(err) != session.KindCancelled {
						t.Errorf("turn %d: %v", ids, err)
					}
					running = false
				case <-time.After(time.Duration(rnd.IntN(80)) * time.Millisecond):
					switch rnd.IntN(12) {
					case 0:
						cancel()
						stopped = true
					case 1:
						c.Abort()
						stopped = true
					case 2, 3, 4:
						ids++
						id := session.PromptID(turnID(ids))
						ok, err := c.(session.Steerer).Steer(t.Context(), session.Prompt{ID: id, Text: "y"})
						if ok && err == nil {
							steered[id] = false
						}
					}
				}
			}
			cancel()
			for id := range steered {
				steered[id] = steered[id] || stopped
			}
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Second) // the runtimes notice that they are gone
		checkInterleaving(t, ch, steered, deaths)
	})
}

func checkInterleaving(t *testing.T, ch *chat, steered map[session.PromptID]bool, deaths bool) {
	t.Helper()
	if err := claudetest.CheckOrder(ch.list()); err != nil {
		t.Error(err)
	}
	running := map[session.TurnID]int{}
	told := map[session.PromptID]int{}
	for _, e := range ch.list() {
		switch e := e.(type) {
		case session.TurnStarted:
			running[e.Turn]++
			if e.Origin == session.OriginSteer {
				told[e.Prompt.ID]++
			}
		case session.TurnEnded:
			running[e.Turn] -= 10
		case session.Steered:
			told[e.Prompt]++
			if e.Turn == "" {
				t.Errorf("steered into no turn: %+v", e)
			}
		case session.PartDelta:
			if e.Text != "its own work" && e.Text != string(e.Turn) {
				t.Errorf("what was said about %s is in %s", e.Text, e.Turn)
			}
		}
	}
	for turn, state := range running {
		if state != -9 {
			t.Errorf("turn %s is started and ended %d", turn, state)
		}
	}
	for id, excused := range steered {
		if told[id] > 1 || told[id] == 0 && !excused && !deaths {
			t.Errorf("prompt %s was taken up %d times", id, told[id])
		}
	}
	if t.Failed() {
		t.Logf("%s", outlineOf(ch.list()))
	}
}
