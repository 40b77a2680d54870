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
	// Copy copies a text to the clipboard. What names it; an empty Text means that there was nothing to copy.
	Copy struct{ What, Text string }
	// PickCode asks which of several code blocks to copy.
	PickCode struct{ Blocks []md.CodeBlock }
	// Say shows a line for a few seconds.
	Say struct{ Text string }
	// Mouse turns mouse reports on or off.
	Mouse struct{ On bool }
	// Run runs a key of the key table outside the conversation.
	Run struct{ Bound keymap.Bound }
)

func (Passed) action()   {}
func (Copy) action()     {}
func (PickCode) action() {}
func (Say) action()      {}
func (Mouse) action()    {}
func (Run) action()      {}

// Message is the result of a command of the conversation. The root passes it to [Model.Update].
type Message interface{ transcript() }

type (
	// findMsg continues a search that is too long for one frame.
	findMsg struct{}
	// pullMsg continues to scroll while the pointer is held above or below the conversation.
	pullMsg struct{}
)

func (findMsg) transcript() {}
func (pullMsg) transcript() {}

var passed Action = Passed{}

// say returns the action that shows a line.
func say(text string) (Action, tea.Cmd) { return Say{text}, nil }
