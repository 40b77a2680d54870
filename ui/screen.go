package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/editor"
	"parley/ui/keyboard"
	"parley/ui/md"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/question"
	"parley/ui/style"
)

// screen is the window: its size, and what the last frame was.
type screen struct {
	opts    *Options
	work    life
	painter *paint.Painter
	look    *style.Look
	resized func(w, h int) // delivers a size to the loop

	width, height int
	dirty         bool     // a frame is due
	rows          []string // of the last frame, used again
	// bodyTop is the row of the last frame in which the conversation begins, statusTop that of the status line.
	bodyTop, statusTop           int
	backgroundFrom, backgroundTo int  // the cells of the footer that count what runs in the background
	countFrom, countTo           int  // the cells of the header that count what is not accepted, none if they are equal
	kitty                        bool // the terminal distinguishes shift+enter from enter
	highlightDue                 bool // a highlightDueMsg is to come
	counts                       Counts
}

// Counts are what the screen did, for tests of its budget.
type Counts struct {
	Updates int // messages handled
	Frames  int // frames built
	Layouts int // items laid out
}

// touch requests a frame.
func (s *screen) touch() { s.dirty = true }

// cover returns how many rows there are for what covers the chat. Inline it is half of the window: each row scrolls one of
// the terminal's away for good.
func (s *screen) cover() int {
	if !s.opts.Appearance.Inline {
		return s.height
	}
	return min(s.height, max(style.MinHeight, (s.height+1)/2)) - 1 // for the rule above it
}

// highlightedMsg carries the colors of code.
type highlightedMsg struct{ result md.HighlightResult }

// highlightDueMsg is due when lines of a growing block are to get their colors.
type highlightDueMsg struct{}

// highlight returns a command that lexes code the last frame showed plain, one job at a time, and a timer for what is due
// later.
func (s *screen) highlight() (cmd tea.Cmd) {
	h := s.look.Highlighter
	if job, ok := h.Next(); ok {
		cmd = func() tea.Msg { return highlightedMsg{job.Run()} }
	}
	if wait, ok := h.Due(); ok && !s.highlightDue {
		s.highlightDue = true
		cmd = tea.Batch(cmd, s.work.after(wait, highlightDueMsg{}))
	}
	return cmd
}

// editedMsg carries the text from the user's editor: a prompt, or with plan the plan that is asked about.
type editedMsg struct {
	text string
	err  error
	plan *question.Question
}

// editText opens a text in the user's editor; plan is the question it belongs to, nil for the field.
func (s *screen) editText(text string, plan *question.Question) tea.Cmd {
	return s.edit(text, func(text string, err error) tea.Msg { return editedMsg{text, err, plan} })
}

// edit opens a text in the user's editor. done returns the message that follows.
func (s *screen) edit(text string, done func(text string, err error) tea.Msg) tea.Cmd {
	e := &editor.Edit{Text: text, Program: s.opts.Editor, Out: s.opts.Output, Release: s.painter.Release}
	return tea.Exec(e, func(err error) tea.Msg {
		s.painter.Retake()
		return fileEditedMsg{done(e.Text, err)}
	})
}

// editFile opens a file in the user's editor. done returns the message that follows.
func (s *screen) editFile(path string, done func(error) tea.Msg) tea.Cmd {
	e := &editor.File{Path: path, Program: s.opts.Editor, Out: s.opts.Output, Release: s.painter.Release}
	return tea.Exec(e, func(err error) tea.Msg {
		s.painter.Retake()
		return fileEditedMsg{done(err)}
	})
}

// fileEditedMsg reports that the user's editor has ended, and carries the message that follows.
type fileEditedMsg struct{ then tea.Msg }

// suspend returns the terminal to the shell until the user resumes the program.
func (s *screen) suspend(n *notice.Model) tea.Cmd {
	if !keyboard.CanSuspend() { // nobody would continue it
		n.Warn("Nothing to suspend to here")
		return nil
	}
	s.painter.Release()
	return tea.Suspend
}
