package welcome

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/style"
)

// Options configure a greeting. All functions but Listed return at once.
type Options struct {
	// Context ends what it reads.
	Context context.Context
	Look    *style.Look
	// Greets reports whether nothing was said in the session that is shown, so that frames show the greeting. Greeted returns that
	// session, with its directory and branch.
	Greets  func() bool
	Greeted func() (id session.ID, dir, branch string)
	// Listed returns the stored sessions. It may block and is called in the background.
	Listed func(ctx context.Context) []session.Meta
	// Left returns how many sessions were open here when parley was killed or its window closed, and are offered.
	Left func() int
	// Touch requests a frame.
	Touch func()
}

// Greeting is shown while a conversation is empty. The event loop owns it.
type Greeting struct {
	o    Options
	look *style.Look

	of    session.ID // the session it was made for
	model *Model     // nil before it was shown first
	hits  []int      // of the list that was shown last
	top   int        // the row of the screen in which it begins
}

// NewGreeting returns a greeting that was not shown.
func NewGreeting(o Options) *Greeting { return &Greeting{o: o, look: o.Look} }

// Greeted carries what a greeting shows of a directory and of the stored sessions. The root passes it to Update.
type Greeted struct {
	of        session.ID
	directory *Directory // nil: not yet known
	sessions  []session.Meta
}

// Load makes the greeting of a session that was not greeted, and returns the command that reads what it shows.
func (g *Greeting) Load() tea.Cmd {
	if !g.o.Greets() {
		return nil
	}
	id, dir, branch := g.o.Greeted()
	if g.of == id {
		return nil
	}
	g.of, g.model = id, New(style.Place(dir, g.look.Home), branch)
	look := func() tea.Msg {
		d, err := Look(g.o.Context, dir)
		if err != nil {
			return nil // there is nothing to try
		}
		return Greeted{of: id, directory: &d}
	}
	list := func() tea.Msg {
		found := slices.DeleteFunc(g.o.Listed(g.o.Context), func(m session.Meta) bool { return m.Dir != dir || m.Title+m.First == "" || m.ID == id })
		return Greeted{of: id, sessions: found}
	}
	return tea.Batch(look, list)
}

// Update takes what was read.
func (g *Greeting) Update(msg Greeted) {
	if msg.of != g.of {
		return
	}
	if msg.directory != nil {
		g.model.setDirectory(*msg.directory)
	} else {
		g.model.setSessions(msg.sessions)
	}
	if g.model.Changes() && g.o.Greets() {
		g.o.Touch()
	}
}

// Shown reports whether frames show the first page: nothing was said in the session.
func (g *Greeting) Shown() bool {
	if g.model == nil || !g.o.Greets() {
		return false
	}
	id, _, _ := g.o.Greeted()
	return g.of == id
}

// Head returns the rows above the field.
func (g *Greeting) Head(width, height int) []string { return g.model.Head(g.look, width, height) }

// List returns the rows below the field, at most height, and remembers that the first stands in a row of the screen, for clicks.
func (g *Greeting) List(width, height, top int) []string {
	var rows []string
	g.model.left = g.o.Left()
	rows, g.hits = g.model.List(g.look, width, height)
	g.top = top
	return rows
}

// Hide forgets the rows of the list: something else stands there.
func (g *Greeting) Hide() { g.hits = nil }

// Key handles a key while the field is empty, and reports whether it was the page's.
func (g *Greeting) Key(name string) (c Choice, taken, used bool) {
	if !g.Shown() || g.hits == nil {
		return Choice{}, false, false
	}
	c, taken, used = g.model.Key(name)
	if g.model.Changes() {
		g.o.Touch()
	}
	return c, taken, used
}

// Clicked returns the choice in a row of the screen.
func (g *Greeting) Clicked(y int) (Choice, bool) {
	if !g.Shown() {
		return Choice{}, false
	}
	return g.model.At(g.hits, y-g.top)
}
