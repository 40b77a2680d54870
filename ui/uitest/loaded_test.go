package uitest

import (
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
)

// TestLoadedIsToldOfLongSessions tells whoever gives memory back once a long session is shown, and of no other.
func TestLoadedIsToldOfLongSessions(t *testing.T) {
	const id = "0194a000-0000-7000-8000-000000000711"
	for turns, want := range map[int]int{3: 0, 300: 1} {
		told := 0
		w := sessiontest.NewWorld()
		w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: Dir}, longPast(id, turns)...)
		c := Config{Width: 80, Height: 24, World: w, Options: func(o *ui.Options) { o.Loaded = func() { told++ } }}
		c.Session = func(m *session.Manager) *session.Session {
			s, err := m.Resume(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		Run(t, c, func(p *Program) { p.Settle() })
		if told != want {
			t.Errorf("%d turns: told %d times, want %d", turns, told, want)
		}
	}
	d, told := &door{}, 0
	c := d.opening(80, 24)
	open := c.Options
	c.Options = func(o *ui.Options) {
		open(o)
		o.Loaded = func() { told++ }
	}
	Run(t, c, func(p *Program) {
		if told != 0 {
			t.Error("told while it loads")
		}
		close(d.open)
		p.Settle()
		if told != 1 {
			t.Errorf("told %d times", told)
		}
	})
}
