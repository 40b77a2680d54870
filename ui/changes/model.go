package changes

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/ui/changes/listing"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// Options configure a panel.
type Options struct {
	Look *style.Look
	Keys *keymap.Map
	// Log is the record of changes, nil for none.
	Log   listing.Log
	Names listing.Names
	// At is the call whose first file is selected at the beginning, "" for the newest turn.
	At session.CallID
}

// model is the open panel. The event loop owns it.
type model struct {
	o     Options
	list  list
	diffs diffs
	pane  pane
	ask   *question // nil unless something would be lost

	all              []changes.Change
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

// Run opens the panel on the changes of a log.
func Run(o Options) panel.Effect {
	if o.Log == nil {
		return panel.Notice{Text: "Changes to files are not recorded here."}
	}
	m := newModel(o)
	return panel.Push{Panel: m, Start: m.refresh(), Of: "changes"}
}

// newModel returns a panel on the changes of a log, which refresh reads.
func newModel(o Options) *model {
	m := &model{o: o, at: o.At, split: o.Look.Split, diffs: diffs{known: map[listing.Span]*diff{}}}
	m.list.left = map[string]string{}
	m.pane = pane{look: o.Look, diffs: &m.diffs}
	return m
}

// restyle makes all layouts stale because the look has changed.
func (m *model) restyle() {
	m.pane.restyle()
	if m.ask != nil {
		m.ask.pane.restyle()
	}
}

// Update handles a key, the pointer, or the result of a command.
func (m *model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg.X, msg.Y, map[bool]int{true: -1, false: 1}[msg.Button == tea.MouseWheelUp])
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.click(msg.X, msg.Y)
		}
	case panel.Drawn:
		return panel.Pass{}, m.work()
	case panel.Happened:
		for _, e := range msg {
			if _, is := e.(session.FilesChanged); is {
				return nil, m.refresh()
			}
		}
		return panel.Pass{}, nil
	case panel.Restyled:
		m.restyle()
	case panel.Edited:
		if msg.Err != nil {
			return panel.Notice{Text: "The editor failed: " + msg.Err.Error(), Warn: true}, m.refresh()
		}
		return nil, m.refresh()
	default:
		return m.result(msg)
	}
	return nil, nil
}

// result handles the result of a command.
func (m *model) result(msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case loadedMsg:
		effect, cmd := m.gotLog(msg)
		if m.loaded {
			effect = panel.All{panel.Unaccepted{Files: m.open}, effect}
		}
		return effect, cmd
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
		return nil, nil
	case plannedMsg:
		return m.planned(msg)
	case acceptedMsg:
		m.busy = ""
		if msg.err != nil {
			return panel.Notice{Text: "Couldn't keep " + msg.called + ": " + reason(msg.err), Warn: true}, m.refresh()
		}
		return panel.Notice{Text: listing.AcceptedNote(msg.files, msg.called)}, m.refresh()
	}
	return panel.Pass{}, nil
}

// Close loses nothing.
func (m *model) Close() panel.Effect { return nil }

// shows reports whether a difference is on the screen.
func (m *model) shows(s listing.Span) bool {
	return m.pane.shows(s) || m.ask != nil && m.ask.pane.shows(s)
}

// gotLog shows what the log holds.
func (m *model) gotLog(msg loadedMsg) (panel.Effect, panel.Cmd) {
	m.loading = false
	var cmd panel.Cmd
	if m.again {
		m.again = false
		cmd = m.refresh()
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
	return panel.Notice{Text: "That call changed no file that is recorded."}, cmd
}

// firstPath returns the first file that a call changed.
func (m *model) firstPath(call session.CallID) string {
	for _, c := range m.all {
		if c.Call == call {
			return c.Path
		}
	}
	return ""
}

// group makes the rows of the list.
func (m *model) group() {
	if m.byFile {
		m.list.set(listing.ByFile(m.all, m.o.Names))
	} else {
		m.list.set(listing.ByTurn(m.all, m.o.Names))
	}
	m.shownKey = "" // its states may have changed
}

// planned reports what became of a step, or asks before something is lost.
func (m *model) planned(msg plannedMsg) (panel.Effect, panel.Cmd) {
	m.busy = ""
	k := msg.plan.Kind
	for _, f := range msg.plan.Files {
		delete(m.list.left, f.Path)
	}
	switch {
	case msg.err != nil:
		return panel.Notice{Text: "Couldn't " + listing.Verb(cmpKind(k)) + " " + msg.called + ": " + reason(msg.err), Warn: true}, m.refresh()
	case len(msg.plan.Files) == 0:
		return panel.Notice{Text: listing.Nothing(k, msg.called)}, nil
	case msg.applied:
		for p, why := range msg.out.Left {
			m.list.left[p] = why
		}
		text, warn := m.o.Names.Done(k, msg.out, msg.called, back(k))
		return panel.Notice{Text: text, Warn: warn}, m.refresh()
	}
	sorted := listing.Sort(msg.plan)
	for _, f := range sorted.Refused {
		m.list.left[f.Path] = f.Refused
	}
	if len(sorted.Losing)+len(sorted.Free) == 0 && len(sorted.Refused) == 1 {
		f := sorted.Refused[0]
		return panel.Notice{Text: m.o.Names.Short(f.Path) + " stays as it is: " + listing.Clause(f.Refused), Warn: true}, nil
	}
	m.reads = false
	m.ask = newQuestion(m, msg.plan, msg.called)
	return nil, nil
}

// cmpKind returns the kind of a step, undo for a plan that failed.
func cmpKind(k changes.StepKind) changes.StepKind {
	if k == "" {
		return changes.StepUndo
	}
	return k
}

// back returns what to say of how a step is taken back.
func back(k changes.StepKind) func(files int) string {
	if k == changes.StepRedo {
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
func (m *model) act(key string) (panel.Effect, panel.Cmd, bool) {
	r := m.list.selected()
	if r == nil {
		return nil, nil, false
	}
	called := m.o.Names.Called(*r)
	switch key {
	case "a", "x", "u", "r":
		if m.busy != "" {
			return panel.Notice{Text: "Still " + strings.TrimSuffix(m.busy, "…") + "."}, nil, true
		}
	}
	s := r.Scope()
	switch key {
	case "a":
		return nil, m.accept(called, s), true
	case "x":
		s.OnlyOpen = true
		return nil, m.step(changes.StepUndo, called, s), true
	case "u":
		return nil, m.step(changes.StepUndo, called, s), true
	case "r":
		return nil, m.step(changes.StepRedo, called, s), true
	case "e":
		return m.edit(r), nil, true
	case "y":
		paths := r.Paths()
		what := "path"
		if len(paths) > 1 {
			what = human.Number(len(paths)) + " paths"
		}
		return panel.Copy{What: what, Text: strings.Join(paths, "\n")}, nil, true
	}
	return nil, nil, false
}

// edit returns the action that opens the file of a row, if there is one file and it is there.
func (m *model) edit(r *listing.Row) panel.Effect {
	if r.Path == "" {
		return panel.Notice{Text: "Choose a file of this turn first."}
	}
	state := r.Changes[len(r.Changes)-1].After
	if r.Status() == changes.Undone {
		state = r.Changes[0].Before
	}
	if state.Kind == snapshot.None {
		return panel.Notice{Text: m.o.Names.Short(r.Path) + " isn't there: it was removed."}
	}
	return panel.EditFile{Path: r.Path}
}

// switchSplit draws differences side by side or unified.
func (m *model) switchSplit() panel.Effect {
	if m.width < splitFrom {
		return panel.Notice{Text: fmt.Sprintf("Side by side needs %d columns; this window has %d.", splitFrom, m.width)}
	}
	m.split = !m.split
	m.reads = m.reads || m.split && m.list.selected() != nil // lines side by side need the whole window
	return nil
}
