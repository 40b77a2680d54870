package mapper

import (
	"cmp"
	"time"

	"parley/session"
	"parley/session/process/record"
)

// modelContext holds the model in use and how full its context window is.
type modelContext struct {
	rec     *record.Recorder
	model   string // in the user's spelling
	next    string // the model from the next turn on, empty if it stays the same
	used    int64  // tokens of the newest request
	size    int64  // tokens of the window, 0 if unknown
	names   func(runtime string) string
	sizes   func(model string) int64 // listed sizes
	learned map[string]int64         // sizes that the runtime reported, by model
}

func newModelContext(rec *record.Recorder) *modelContext {
	return &modelContext{rec: rec, learned: map[string]int64{},
		names: func(model string) string { return model }, sizes: func(string) int64 { return 0 }}
}

// setModel reports a model that the runtime named, if it is another one.
func (c *modelContext) setModel(model string, at time.Time) {
	if model = realModel(model); model == "" {
		return
	}
	if model = c.names(model); model == c.model {
		return
	}
	c.rec.Emit(session.ModelChanged{Head: c.rec.At(at), Model: model})
	c.use(model, at)
}

// useNext makes the model of a switch the one in use.
func (c *modelContext) useNext(at time.Time) {
	if c.next != "" {
		c.use(c.next, at)
	}
}

// use changes the model and reports its window, if the size is known and another one.
func (c *modelContext) use(model string, at time.Time) {
	c.model, c.next = c.names(model), ""
	size := cmp.Or(c.learned[c.model], c.sizes(c.model))
	if size == 0 || size == c.size {
		return
	}
	c.size = size
	c.report(at)
}

// fill records the usage of a new request.
func (c *modelContext) fill(u usage, at time.Time) {
	c.used = u.Input + u.CacheRead + u.CacheWrite
	c.report(at)
}

// measure reads the window's size from a result. A smaller listed size wins, because the service refuses longer requests.
func (c *modelContext) measure(usages map[string]modelUsage, at time.Time) {
	for model, u := range usages {
		if c.names(model) == c.model || model == c.model || len(usages) == 1 {
			c.size = u.ContextWindow
			if listed := c.sizes(c.model); listed > 0 {
				c.size = min(listed, u.ContextWindow)
			}
			c.learned[c.model] = c.size
		}
	}
	c.report(at)
}

// report reports the window once usage and size are known.
func (c *modelContext) report(at time.Time) {
	if c.used > 0 && c.size > 0 {
		c.rec.Emit(session.ContextReported{Head: c.rec.At(at), Used: c.used, Window: c.size})
	}
}

// SetModelNames sets the function that spells a model of the runtime as the user does. It is called while mapping.
func (m *Mapper) SetModelNames(names func(runtime string) string) { m.context.names = names }

// SetWindows sets the function that returns the context window of a model in tokens, 0 if unknown. It is called while
// mapping, with the user's spelling.
func (m *Mapper) SetWindows(sizes func(model string) int64) { m.context.sizes = sizes }

// Switch records the model that the runtime was told to use. The window gets its size at once between turns, otherwise
// with the first use of the model or the end of the turn.
func (m *Mapper) Switch(model string, at time.Time) []session.Event {
	m.context.next = model
	if m.rec.Turn == "" {
		m.context.useNext(at)
	}
	return m.rec.Take()
}
