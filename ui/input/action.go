package input

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
)

// Action is what the root does after a message, within the same call. Nil asks for nothing.
type Action interface{ action() }

type (
	// Began means that the first character of a prompt was written.
	Began struct{}

	// Pressed is a key that is bound to something outside the field. The root calls [Model.Type] with the key if there is
	// nothing to do.
	Pressed struct {
		Bound keymap.Bound
		Key   tea.KeyPressMsg
	}

	// TakeBack asks for the prompt that was queued last. The root calls [Model.Reclaim] with it, or [Model.Type] with the
	// key if the prompt is gone.
	TakeBack struct{ Key tea.KeyPressMsg }

	// Submitted carries a prompt. The field is empty already. Steer reports whether it should go into the running turn.
	Submitted struct {
		Prompt Prompt
		Steer  bool
	}

	// SubmittedNothing means that the field was submitted while it was empty.
	SubmittedNothing struct{}

	// Command is a slash command. It stays in the field until the root clears it, since it may not be known yet.
	Command struct{ Name, Args, Text string }

	// Shell is a line for the user's shell. It stays in the field until the root clears it, since the shell may be busy.
	Shell struct{ Line string }

	// Leave asks to leave the program.
	Leave struct{}

	// Read is a key of vim's normal mode for the conversation.
	Read struct{ What Reading }

	// Say shows a line for a few seconds.
	Say struct {
		Text string
		Warn bool
	}

	// ImageAdded means that an image was put into the field.
	ImageAdded struct{}
)

func (Began) action()            {}
func (Pressed) action()          {}
func (TakeBack) action()         {}
func (Submitted) action()        {}
func (SubmittedNothing) action() {}
func (Command) action()          {}
func (Shell) action()            {}
func (Leave) action()            {}
func (Read) action()             {}
func (Say) action()              {}
func (ImageAdded) action()       {}

// Prompt is a written prompt, ready to be sent.
type Prompt struct {
	Text string
	// Attachments are the outputs of shell commands that go with it.
	Attachments []session.Attachment
	// Images are the files of the images in it, in their order.
	Images []string
	// Draft is the text as compose stores it, without the attachments.
	Draft string
}

// Reading is an action of vim's normal mode in the conversation.
type Reading uint8

// What the keys of vim's normal mode do in the conversation.
const (
	ReadFind Reading = iota
	ReadNextMatch
	ReadPreviousMatch
	ReadHelp
	ReadPalette
	ReadHalfPageUp
	ReadHalfPageDown
	ReadEnd
)

// Msg is the result of a command of this package. The root returns it to [Model.Update].
type Msg interface{ inputMsg() }

func (foundMsg) inputMsg()    {}
func (walkedMsg) inputMsg()   {}
func (pastMsg) inputMsg()     {}
func (imageMsg) inputMsg()    {}
func (commandsMsg) inputMsg() {}
