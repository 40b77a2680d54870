package transcript

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/md"
)

// Action is what the root must do after a message, within the same call. nil means that the message was handled.
type Action interface{ action() }

type (
	// Passed returns a message that is not for the conversation.
	Passed struct{}
	// Copy asks for a text on the user's clipboard. What names it; an empty Text means that there was nothing to copy.
	Copy struct{ What, Text string }
	// PickCode asks which of several code blocks is to be copied.
	PickCode struct{ Blocks []md.CodeBlock }
	// Say shows a line for a few seconds.
	Say struct{ Text string }
	// Mouse takes the mouse from the terminal, or gives it back.
	Mouse struct{ On bool }
	// Run asks for what a key of the key table does outside the conversation.
	Run struct{ Bound keymap.Bound }
)

func (Passed) action()   {}
func (Copy) action()     {}
func (PickCode) action() {}
func (Say) action()      {}
func (Mouse) action()    {}
func (Run) action()      {}

// Message is a message that a command of the conversation brings back. The root hands it to [Model.Update].
type Message interface{ transcript() }

type (
	// findMsg continues a search that is too long for one frame.
	findMsg struct{}
	// pullMsg scrolls on while the pointer is held above or below the conversation.
	pullMsg struct{}
)

func (findMsg) transcript() {}
func (pullMsg) transcript() {}

var passed Action = Passed{}

// say returns the action that shows a line.
func say(text string) (Action, tea.Cmd) { return Say{text}, nil }
