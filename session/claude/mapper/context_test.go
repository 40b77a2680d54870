package mapper

import (
	"testing"

	"parley/session/process/record"
)

func TestModelContext(t *testing.T) {
	listed := func(model string) int64 { return map[string]int64{"small": 100, "large": 1000}[model] }
	for name, c := range map[string]struct {
		do   func(c *modelContext)
		want []string
	}{
		"size without a request": {func(c *modelContext) { c.use("small", testTime) }, nil},
		"request without a size": {func(c *modelContext) { c.fill(usage{Input: 5}, testTime) }, nil},
		"both": {func(c *modelContext) {
			c.use("small", testTime)
			c.fill(usage{Input: 5, CacheRead: 2, CacheWrite: 1, Output: 9}, testTime)
		}, []string{`context_reported{"used":8,"window":100}`}},
		"another model": {func(c *modelContext) {
			c.used = 5
			c.setModel("large", testTime)
		}, []string{`model_changed{"model":"large"}`, `context_reported{"used":5,"window":1000}`}},
		"the same model": {func(c *modelContext) {
			c.model = "large"
			c.setModel("large", testTime)
		}, nil},
		"a synthetic message": {func(c *modelContext) { c.setModel(synthetic, testTime) }, nil},
		"a result": {func(c *modelContext) {
			c.model, c.used = "unlisted", 5
			c.measure(map[string]modelUsage{"unlisted": {ContextWindow: 300}}, testTime)
		}, []string{`context_reported{"used":5,"window":300}`}},
		"a result with more than the service takes": {func(c *modelContext) {
			c.model, c.used = "small", 5
			c.measure(map[string]modelUsage{"small": {ContextWindow: 300}}, testTime)
		}, []string{`context_reported{"used":5,"window":100}`}},
		"a result of other models": {func(c *modelContext) {
			c.model = "small"
			c.measure(map[string]modelUsage{"a": {ContextWindow: 300}, "b": {ContextWindow: 400}}, testTime)
		}, nil},
		"learned before listed": {func(c *modelContext) {
			c.model, c.learned["large"], c.used = "small", 700, 5
			c.use("large", testTime)
		}, []string{`context_reported{"used":5,"window":700}`}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModelContext(record.New("s", 1))
			m.sizes = listed
			c.do(m)
			same(t, brief(m.rec.Take()), c.want...)
		})
	}
}

// A switch counts at once between turns, and with the end of a turn within one.
func TestSwitchCountsWithTheNextTurn(t *testing.T) {
	m := New("s", 1)
	m.Switch("between", testTime)
	if m.context.model != "between" {
		t.Errorf("between turns: %q", m.context.model)
	}
	m = begun()
	m.Switch("within", testTime)
	if m.context.model != "" {
		t.Errorf("within a turn: %q", m.context.model)
	}
	m.Cancel(testTime)
	if m.context.model != "within" {
		t.Errorf("after the turn: %q", m.context.model)
	}
}
