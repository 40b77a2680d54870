package core

import (
	"context"
	"time"

	"parley/ui/style"
)

// Lines is the chat in lines as a feature sees it. One goroutine owns it; its functions return at once.
type Lines struct {
	Options *Options
	Context context.Context
	Look    *style.Look
	Typed   bool // lines come from a keyboard, and so at any time
	// Print prints a text with its speaker, Out a line as it is, Problem an error and what to do about it.
	Print   func(who, text string)
	Out     func(line string)
	Problem func(err error)
	// Background runs work beside the chat, and what it returns in the chat's loop.
	Background func(work func() (then func()))
	// Current returns the session that the chat is in.
	Current func() Current
}

// MaxLines is the most lines of an output that are printed at once.
const MaxLines = 200

// SettleTime is the time that a question must have been in front of the user before anything typed may answer it.
const SettleTime = 700 * time.Millisecond
