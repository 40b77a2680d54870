package lists

import (
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/picker"
	"parley/ui/style"
)

// List is what a picker shows, and what follows from a choice.
type List interface {
	// Options returns the texts of the picker, and what can be done in it besides choosing.
	Options() picker.Options
	// Rows returns what can be chosen.
	Rows() []picker.Row
	// Choose returns what the choice of a row stands for, nil for nothing. id is that of a row.
	Choose(id string) Action
}

// Action is what the root carries out within the call that returned it.
type Action interface{ action() }

// The actions.
type (
	// SetModel, SetEffort and SetMode change what the next request uses. A mode that bypasses permissions is confirmed first,
	// unless Confirmed.
	SetModel  struct{ ID string }
	SetEffort struct{ Effort string }
	SetMode   struct {
		Mode      session.Mode
		Confirmed bool
	}
	// Resume opens another session, ForkAfter a copy of this one up to and including a turn, StartWith a new one with an
	// agent.
	Resume    struct{ ID session.ID }
	ForkAfter struct{ Turn session.TurnID }
	StartWith struct{ Agent string }
	// Reclaim takes a queued prompt back into the field.
	Reclaim struct{ ID session.PromptID }
	// OpenChild shows a child agent, ShowItem an item of the conversation, RepeatNotice a past notice.
	OpenChild    struct{ ID session.ChildID }
	ShowItem     struct{ Item int }
	RepeatNotice struct{ Index int }
	// Copy puts a text on the clipboard. What names it.
	Copy struct{ What, Text string }
	// Install installs the offered runtime.
	Install struct{}
	// RunCommand runs a slash command, Do what a key does.
	RunCommand struct{ Name string }
	Do         struct{ Bound keymap.Bound }
)

func (SetModel) action()     {}
func (SetEffort) action()    {}
func (SetMode) action()      {}
func (Resume) action()       {}
func (ForkAfter) action()    {}
func (StartWith) action()    {}
func (Reclaim) action()      {}
func (OpenChild) action()    {}
func (ShowItem) action()     {}
func (RepeatNotice) action() {}
func (Copy) action()         {}
func (Install) action()      {}
func (RunCommand) action()   {}
func (Do) action()           {}

// chooseKeys are the keys of a list in which there is nothing to do but to choose.
const chooseKeys = "enter chooses · esc goes back"

// visible returns a text from outside as one row.
func visible(s string) string { return style.Visible(style.OneLine(s)) }

// indexID returns the id of the row at an index, which no typed word matches.
func indexID(i int) string { return "\x00" + strconv.Itoa(i) }

// indexOf returns the index in an id, false unless it is below n.
func indexOf(id string, n int) (int, bool) {
	i, err := strconv.Atoi(strings.TrimPrefix(id, "\x00"))
	return i, err == nil && i >= 0 && i < n
}
