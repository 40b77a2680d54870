package ui

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/ui/chat"
	"parley/ui/clipboard"
	"parley/ui/core"
	"parley/ui/editor"
	"parley/ui/keymap"
	"parley/ui/lines"
)

// Options is what the screen needs. Nothing in it is changed.
type Options struct {
	chat.Options
	// Keys are the user's own keys, checked with [keymap.Check].
	Keys []keymap.UserBinding
	// Vim gives the field in which prompts are written the keys of vim.
	Vim bool
	// Lexing bounds the processor time in which one piece of code gets its colors; 0 means the highlighter's own bound.
	Lexing time.Duration
	// Errors gets the report of a crash; nil means standard error.
	Errors io.Writer
	// Width and Height fix the size where Output is not a terminal.
	Width, Height int
	// Profile is the number of colors of the terminal; Unknown takes it from Env, where NO_COLOR counts.
	Profile colorprofile.Profile
	// Theme is the name of a style (md.ThemeNames) or a file in glamour's style format, for the agent's words; empty or
	// "auto" follows the terminal's background.
	Theme string
	// Light is the background assumed until the terminal reports its own.
	Light bool
	// NoScreen leaves the alternate screen alone and Quiet asks the terminal nothing; both are for tests.
	NoScreen, Quiet bool
	// Typed treats the lines of a plain chat as typed although Input is not a terminal, in tests.
	Typed bool
	// Editor edits prompts and plans; nil means VISUAL, else EDITOR, else vi.
	Editor editor.Program
	// Desk has the files that agents want to show the user in Editor; nil for none.
	Desk *editor.Desk
	// CrashDir is the directory in which a crash leaves its file; empty means the directory for temporary files.
	CrashDir string
	// Inspect, in tests, is called with the model before the loop begins.
	Inspect func(*Model)
}

// errors returns where a crash is reported.
func (o *Options) errors() io.Writer {
	if o.Errors != nil {
		return o.Errors
	}
	return os.Stderr
}

// fill returns the options with defaults for what was left out.
func (o Options) fill() Options {
	o.Options.Options = o.Filled()
	if o.Profile == colorprofile.Unknown {
		o.Profile = colorprofile.Env(o.Env)
	}
	if o.Clipboard == nil {
		sys := clipboard.ThisMachine()
		sys.Getenv = o.Getenv
		o.Clipboard = clipboard.New(sys)
	}
	if o.Editor == nil {
		o.Editor = editor.FromEnvironment("", o.Env, o.Getenv)
	}
	if o.CrashDir == "" {
		o.CrashDir = os.TempDir()
	}
	return o
}

// Run shows the screen until the user leaves it, the context ends, a signal comes or the terminal goes away. The error
// is not nil only if the terminal could not be used at all. Sessions are left open: closing them is up to the caller.
func Run(ctx context.Context, o Options) (core.Result, error) {
	o = o.fill()
	if o.Appearance.Plain {
		return lines.Run(ctx, lines.Options{Options: o.Options.Options, ASCII: o.Appearance.OnlyASCII(o.Getenv), Typed: o.Typed})
	}
	return run(ctx, o)
}
