package live

import (
	"context"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// customsFor is the time for which a list of custom agents and prompts is used before the files are read again.
const customsFor = 3 * time.Second

// customs holds the custom agents and prompts of agents and directories. It is safe for concurrent use.
type customs struct {
	now  func() time.Time
	life context.Context // ends with the manager
	end  context.CancelFunc
	work sync.WaitGroup

	mu     sync.Mutex
	closed bool // nothing begins to read any more
	known  map[customsKey]*customsEntry
}

type customsKey struct{ agent, dir string }

// customsEntry is a list with the time at which it was read. reading is closed when a list that is being read is there.
type customsEntry struct {
	list    session.Customs
	at      time.Time // zero: never read
	reading chan struct{}
}

func newCustoms(now func() time.Time) *customs {
	c := &customs{now: now, known: map[customsKey]*customsEntry{}}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// close ends reading and waits for its end.
func (c *customs) close() {
	c.end()
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.work.Wait()
}

// get returns the newest list that was read, and reads an old one again in the background. read reports whether there is one.
func (c *customs) get(l session.CustomsLister, key customsKey) (list session.Customs, read bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[key]
	if e == nil {
		e = &customsEntry{}
		c.known[key] = e
	}
	if e.reading == nil && (e.at.IsZero() || c.now().Sub(e.at) >= customsFor) && !c.closed {
		e.reading = make(chan struct{})
		c.work.Go(crash.Guarded(func() {
			list := l.Customs(c.life, key.dir)
			c.mu.Lock()
			defer c.mu.Unlock()
			e.list, e.at = list, c.now()
			close(e.reading)
			e.reading = nil
		}))
	}
	return e.list, !e.at.IsZero()
}

// await returns once a list was read, or with the error of ctx.
func (c *customs) await(ctx context.Context, l session.CustomsLister, key customsKey) error {
	if _, read := c.get(l, key); read {
		return nil
	}
	c.mu.Lock()
	reading := c.known[key].reading
	c.mu.Unlock()
	if reading == nil {
		return nil
	}
	select {
	case <-reading:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Customs returns the custom agents and prompts that an agent offers in a directory. It reads files.
func (m *Manager) Customs(ctx context.Context, agent, dir string) session.Customs {
	if l, ok := m.agent(agent).(session.CustomsLister); ok {
		return l.Customs(ctx, dir)
	}
	return session.Customs{}
}

// TakesCustoms reports whether sessions of an agent can be held by custom agents.
func (m *Manager) TakesCustoms(agent string) bool {
	_, ok := m.agent(agent).(session.CustomsLister)
	return ok
}

// promptsOf returns the custom prompts and skills of an agent in a directory that are known, as slash commands.
func (m *Manager) promptsOf(agent, dir string) (all []session.SlashCommand) {
	l, ok := m.agent(agent).(session.CustomsLister)
	if !ok {
		return nil
	}
	list, _ := m.customs.get(l, customsKey{agent, dir})
	for _, p := range list.Prompts {
		all = append(all, session.SlashCommand{Name: p.Name, Arguments: p.Arguments, About: p.About})
	}
	return append(all, list.Commands...)
}

// filled returns a prompt that names a custom prompt with the text of its file, any other unchanged. It may read files.
func (s *local) filled(p session.Prompt) session.Prompt {
	name, args, _ := strings.Cut(strings.TrimSpace(p.Text), " ")
	name, slash := strings.CutPrefix(name, "/")
	l, ok := s.agent.(session.CustomsLister)
	if !slash || name == "" || !ok {
		return p
	}
	dir := s.Meta().Dir
	if c, commands := s.agent.(session.Commander); commands {
		for _, known := range c.Commands(dir) {
			if known.Name == name {
				return p
			}
		}
	}
	for _, custom := range l.Customs(s.runtime.life, dir).Prompts {
		if custom.Name == name {
			p.Text = custom.Filled(args)
			return p
		}
	}
	return p
}
