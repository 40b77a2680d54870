package sessiontest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"parley/session"
	"parley/session/live"
)

// World is everything a manager needs, in memory.
type World struct {
	Log       *Log
	Agent     *Agent
	Journals  *MemoryJournals
	Endpoints *MemoryEndpoints
	// Deps are the dependencies of the managers that Manager makes; a test may change them before.
	Deps live.Deps
}

// NewWorld makes a world with one agent named "builtin" and nothing stored. Its ids are "id-1", "id-2" and so on.
func NewWorld() *World {
	log := &Log{}
	w := &World{Log: log, Agent: NewAgent("builtin"), Journals: Journals(), Endpoints: Endpoints()}
	w.Agent.log, w.Journals.log, w.Endpoints.log = log, log, log
	var n atomic.Int64
	w.Deps = live.Deps{Agents: []session.Agent{w.Agent}, Journals: w.Journals, Endpoints: w.Endpoints,
		NewID: func() string { return fmt.Sprintf("id-%d", n.Add(1)) }}
	return w
}

// Manager makes a manager of the world.
func (w *World) Manager() *live.Manager { return live.NewManager(w.Deps) }

// AfterCrash returns the world as a new process finds it after this one was killed: only what the journals had written is
// there, their locks are gone, and so are all conversations. New ids go on where the old ones stopped.
func (w *World) AfterCrash() *World {
	log := &Log{}
	n := &World{Log: log, Agent: NewAgent(w.Agent.name), Journals: w.Journals.AfterCrash(), Endpoints: Endpoints(), Deps: w.Deps}
	n.Agent.log, n.Journals.log, n.Endpoints.log = log, log, log
	n.Deps.Agents, n.Deps.Journals, n.Deps.Endpoints = []session.Agent{n.Agent}, n.Journals, n.Endpoints
	return n
}

// Log says who was called, in order: "journal create", "journal open", "journal append turn_started", "journal flush",
// "journal close", "journal remove", "endpoint open", "endpoint close", "agent open", "conversation send",
// "conversation abort", "conversation answer", "conversation configure", "conversation close".
type Log struct {
	mu    sync.Mutex
	lines []string
}

// Add appends a line. A nil log takes nothing.
func (l *Log) Add(line string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// Lines returns the lines so far.
func (l *Log) Lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// Count returns how many lines equal line.
func (l *Log) Count(line string) int {
	n := 0
	for _, o := range l.Lines() {
		if o == line {
			n++
		}
	}
	return n
}
