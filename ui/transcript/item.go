package transcript

import (
	"parley/session"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
	"parley/ui/transcript/prompt"
	"parley/ui/transcript/tool"
)

// item is one entry of the list. The feed alone makes and changes items. An item type embeds itemState, which implements
// most methods for items without that behaviour.
type item interface {
	state() *itemState
	// layout returns the item's rows. They depend only on the item and the look. No rows means hidden.
	layout(l *style.Look) []string
	// trace maps the rows that layout returned last to their source.
	trace(rows []string, l *style.Look) scroll.Trace
	// text returns the item's whole text for the search: what is always on the screen, and what may be folded away.
	text(l *style.Look) (shown, folded string)
	// foldable reports whether the item hides something, or shows what it could hide.
	foldable() bool
	// empty reports whether the item takes no rows.
	empty() bool
	// finished reports whether nothing will change the item any more. What is corrected later stays in the scrollback of an
	// inline screen as it was.
	finished() bool
	// openAsk returns the unanswered ask that the item shows, nil if there is none.
	openAsk() *session.Ask
	// close reports whether the item is a single row that stands directly below another one.
	close() bool
	// counting reports whether a row of the item counts seconds.
	counting() bool
	// answer returns the markdown of an answer of the agent; ok is false for all other items.
	answer() (text string, ok bool)
	// begins reports whether the item is a prompt.
	begins() bool
	// gathers reports whether one row may stand for the item and its neighbors, and group returns that row, nil if there
	// is none.
	gathers() bool
	group() *groupItem
	// added connects the item, which is the newest of its turn, with other items of the feed.
	added(f *feed, turn int)
	// forget drops what is cached for rows.
	forget()
}

// itemState is the state that every item has.
type itemState struct {
	version uint64 // grows with every change; layouts are cached by it
	// recolored grows when code of it gets its colors.
	recolored  uint16
	gap        bool // a blank row comes before it
	hidden     bool // it has nothing to show
	tucked     bool // the row of its folded group stands for it
	role       role // for the calls around it
	marked     bool // the fold key acts on it
	written    bool // it is in the scrollback of an inline screen
	spelledOut bool // what it asks about is there too, in full
	// turned reports that the user has opened or folded the item by hand, and open to which of the two.
	turned, open bool
}

func (s *itemState) state() *itemState { return s }

// shown reports whether the item takes rows.
func (s *itemState) shown() bool { return !s.hidden && !s.tucked }

// isOpen reports whether the item shows all of it. Items are folded until the user opens them.
func (s *itemState) isOpen() bool { return s.turned && s.open }

// fold returns how much of the item is drawn.
func (s *itemState) fold() tool.Fold { return tool.Fold{Open: s.isOpen(), Marked: s.marked} }

func (s *itemState) trace(rows []string, _ *style.Look) scroll.Trace { return align.Rows(rows, 4) }
func (s *itemState) foldable() bool                                  { return false }
func (s *itemState) empty() bool                                     { return false }
func (s *itemState) finished() bool                                  { return true }
func (s *itemState) openAsk() *session.Ask                           { return nil }
func (s *itemState) close() bool                                     { return false }
func (s *itemState) counting() bool                                  { return false }
func (s *itemState) answer() (text string, ok bool)                  { return "", false }
func (s *itemState) begins() bool                                    { return false }
func (s *itemState) gathers() bool                                   { return false }
func (s *itemState) group() *groupItem                               { return nil }
func (s *itemState) added(*feed, int)                                {}
func (s *itemState) forget()                                         {}

// newItem returns the item that shows an entry.
func newItem(e session.Entry) item {
	switch e := e.(type) {
	case *session.Part:
		return &partItem{part: e}
	case *session.Tool:
		return &toolItem{row: tool.Call{Tool: e}}
	case *session.Child:
		return &childItem{child: e}
	case *session.Ask:
		return &askItem{ask: e}
	case *session.Mark:
		if e.Prompt != nil {
			return &userItem{prompt: prompt.Prompt{Prompt: e.Prompt}}
		}
		if isWorkEnd(e.Event) {
			return &workItem{mark: e}
		}
		return &noticeItem{mark: e}
	}
	return &noticeItem{mark: &session.Mark{}}
}
