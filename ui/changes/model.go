package changes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/session/edits"
	"parley/session/edits/image"
	"parley/ui/changes/listing"
	"parley/ui/keymap"
	"parley/ui/style"
)

// Action is what the root carries out within the call that returned it. nil is nothing.
type Action interface{ action() }

type (
	// Closed reports that the user closed the panel.
	Closed struct{}
	// Edit opens a file in the user's editor. The root calls Refresh when it has ended.
	Edit struct{ Path string }
	// Copy puts a text on the clipboard. What names it.
	Copy struct{ What, Text string }
	// Say reports something for a few seconds.
	Say struct {
		Text string
		Warn bool
	}
)

func (Closed) action() {}
func (Edit) action()   {}
func (Copy) action()   {}
func (Say) action()    {}

// Options are what a panel works with.
type Options struct {
	Look *style.Look
	Keys *keymap.Map
	// Context ends what runs in the background.
	Context context.Context
	Log     listing.Log
	Names   listing.Names
	// At is the call whose first file is selected at the beginning, "" for the newest turn.
	At session.CallID
}

// Model is the open panel. The event loop owns it.
type Model struct {
	o     Options
	list  list
	diffs diffs
	pane  pane
	ask   *question // nil unless something would be lost

	all              []edits.Change
	open             int // files with open changes
	byFile           bool
	split            bool // side by side, where there is room
	reads            bool // keys go to the difference
	keys             bool // all keys are listed
	loading, again   bool
	loaded           bool
	comparing        bool
	trouble          string // why the log cannot be read
	busy             string // what a step is doing
	at               session.CallID
	width            int
	place            place
	shownKey         string // of the row that the pane shows
	shownSplit, full bool
}

// New returns a panel on the changes of a log, which Refresh reads.
func New(o Options) *Model {
	m := &Model{o: o, at: o.At, split: o.Look.Split, diffs: diffs{known: map[listing.Span]*diff{}}}
	m.list.left = map[string]string{}
	m.pane = pane{look: o.Look, diffs: &m.diffs}
	return m
}

// Unaccepted returns the number of files with open changes; known is false before the log was read.
func (m *Model) Unaccepted() (files int, known bool) { return m.open, m.loaded }

// Restyle makes all layouts stale because the look has changed.
func (m *Model) Restyle() {
	m.pane.restyle()
	if m.ask != nil {
		m.ask.pane.restyle()
	}
}

// Update handles a key, or the result of a command.
func (m *Model) Update(msg tea.Msg) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case loadedMsg:
		return m.gotLog(msg)
	case comparedMsg:
		m.comparing = false
		for i, s := range msg.spans {
			m.diffs.put(s, msg.diffs[i])
		}
		m.diffs.trim(m.shows)
		m.pane.fill()
		if m.ask != nil {
			m.ask.pane.fill()
		}
	case plannedMsg:
		return m.planned(msg)
	case acceptedMsg:
		m.busy = ""
		if msg.err != nil {
			return Say{"Couldn't accept " + msg.called + ": " + reason(msg.err), true}, m.Refresh()
		}
		return Say{listing.AcceptedNote(msg.files, msg.called), false}, m.Refresh()
	}
	return nil, nil
}

// shows reports whether a difference is on the screen.
func (m *Model) shows(s listing.Span) bool {
	return m.pane.shows(s) || m.ask != nil && m.ask.pane.shows(s)
}

// gotLog shows what the log holds.
func (m *Model) gotLog(msg loadedMsg) (Action, tea.Cmd) {
	m.loading = false
	var cmd tea.Cmd
	if m.again {
		m.again = false
		cmd = m.Refresh()
	}
	if msg.err != nil {
		m.trouble = reason(msg.err)
		return nil, cmd
	}
	m.trouble, m.all, m.loaded = "", msg.all, true
	m.open = listing.Unaccepted(m.all)
	m.group()
	at := m.at
	m.at = ""
	if at == "" {
		return nil, cmd
	}
	for _, c := range slices.Backward(m.all) {
		if c.Call == at {
			m.list.find(func(r listing.Row) bool { return r.Path != "" && r.Turn == c.Turn && r.Path == m.firstPath(at) })
			return nil, cmd
		}
	}
	return Say{"That call changed no file that is recorded.", false}, cmd
}

// firstPath returns the first file that a call changed.
func (m *Model) firstPath(call session.CallID) string {
	for _, c := range m.all {
		if c.Call == call {
			return c.Path
		}
	}
	return ""
}

// group makes the rows of the list.
func (m *Model) group() {
	if m.byFile {
		m.list.set(listing.ByFile(m.all, m.o.Names))
	} else {
		m.list.set(listing.ByTurn(m.all, m.o.Names))
	}
	m.shownKey = "" // its states may have changed
}

// planned reports what became of a step, or asks before something is lost.
func (m *Model) planned(msg plannedMsg) (Action, tea.Cmd) {
	m.busy = ""
	k := msg.plan.Kind
	for _, f := range msg.plan.Files {
		delete(m.list.left, f.Path)
	}
	switch {
	case msg.err != nil:
		return Say{"Couldn't " + listing.Verb(cmpKind(k)) + " " + msg.called + ": " + reason(msg.err), true}, m.Refresh()
	case len(msg.plan.Files) == 0:
		return Say{listing.Nothing(k, msg.called), false}, nil
	case msg.applied:
		for p, why := range msg.out.Left {
			m.list.left[p] = why
		}
		text, warn := m.o.Names.Done(k, msg.out, msg.called, back(k))
		return Say{text, warn}, m.Refresh()
	}
	sorted := listing.Sort(msg.plan)
	for _, f := range sorted.Refused {
		m.list.left[f.Path] = f.Refused
	}
	if len(sorted.Losing)+len(sorted.Free) == 0 && len(sorted.Refused) == 1 {
		f := sorted.Refused[0]
		return Say{m.o.Names.Short(f.Path) + " stays as it is: " + listing.Clause(f.Refused), true}, nil
	}
	m.reads = false
	m.ask = newQuestion(m, msg.plan, msg.called)
	return nil, nil
}

// cmpKind returns the kind of a step, undo for a plan that failed.
func cmpKind(k edits.StepKind) edits.StepKind {
	if k == "" {
		return edits.StepUndo
	}
	return k
}

// back returns what to say of how a step is taken back.
func back(k edits.StepKind) func(files int) string {
	if k == edits.StepRedo {
		return func(int) string { return "" }
	}
	return func(files int) string {
		if files == 1 {
			return " r brings it back."
		}
		return " r brings them back."
	}
}

// act runs a key for the selected row.
func (m *Model) act(key string) (Action, tea.Cmd, bool) {
	r := m.list.selected()
	if r == nil {
		return nil, nil, false
	}
	called := m.o.Names.Called(*r)
	switch key {
	case "a", "x", "u", "r":
		if m.busy != "" {
			return Say{"Still " + strings.TrimSuffix(m.busy, "…") + ".", false}, nil, true
		}
	}
	s := r.Scope()
	switch key {
	case "a":
		return nil, m.accept(called, s), true
	case "x":
		s.OnlyOpen = true
		return nil, m.step(edits.StepUndo, called, s), true
	case "u":
		return nil, m.step(edits.StepUndo, called, s), true
	case "r":
		return nil, m.step(edits.StepRedo, called, s), true
	case "e":
		return m.edit(r), nil, true
	case "y":
		paths := r.Paths()
		what := "path"
		if len(paths) > 1 {
			what = human.Number(len(paths)) + " paths"
		}
		return Copy{what, strings.Join(paths, "\n")}, nil, true
	}
	return nil, nil, false
}

// edit returns the action that opens the file of a row, if there is one file and it is there.
func (m *Model) edit(r *listing.Row) Action {
	if r.Path == "" {
		return Say{"Choose a file of this turn first.", false}
	}
	state := r.Changes[len(r.Changes)-1].After
	if r.Status() == edits.Undone {
		state = r.Changes[0].Before
	}
	if state.Kind == image.None {
		return Say{m.o.Names.Short(r.Path) + " isn't there: it was removed.", false}
	}
	return Edit{r.Path}
}

// switchSplit draws differences side by side or unified.
func (m *Model) switchSplit() Action {
	if m.width < splitFrom {
		return Say{fmt.Sprintf("Side by side needs %d columns; this window has %d.", splitFrom, m.width), false}
	}
	m.split = !m.split
	m.reads = m.reads || m.split && m.list.selected() != nil // lines side by side need the whole window
	return nil
}
