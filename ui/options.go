package ui

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/clipboard"
	"parley/ui/editor"
	"parley/ui/keymap"
	"parley/ui/lines"
	"parley/ui/statusline"
)

// Options is what the screen needs. Nothing in it is changed.
type Options struct {
	chat.Options
	// Branch is the version-control branch of the directory, "" for none.
	Branch string
	// StatusLine finds and runs the user's status line command; nil for none.
	StatusLine statusline.Source
	// Browser opens web pages; nil means that it cannot be done.
	Browser Browser
	// Explained remembers, in the background, that a question explained its keys; nil: they were explained before.
	Explained func()
	// EnterSteers lets enter send into the running turn, where the agent takes prompts there, and ctrl+s queue, instead of the
	// other way round.
	EnterSteers bool
	// Offer is a runtime that is not installed and can be; nil for none.
	Offer *chat.RuntimeOffer
	// Keys are the user's own keys, checked with [keymap.Check].
	Keys []keymap.UserBinding
	// ImageDir is where images from the clipboard are kept until they are sent.
	ImageDir string
	// Vim gives the field in which prompts are written the keys of vim.
	Vim bool
	// Clipboard is the user's clipboard; nil means that of this machine, with the environment in Env.
	Clipboard Clipboard
	// NoMouse leaves the mouse to the terminal until the user takes it by key. KeepSelection copies what is selected with the
	// mouse only when ctrl+c is pressed, and not at once.
	NoMouse, KeepSelection bool
	// Opening is a session that is loaded while its end is shown; Session is then an empty draft that stands in for it, with
	// the same agent and directory. Nil if Session is what is to be shown, and always on a screen that keeps the terminal's
	// own rows.
	Opening *chat.Opening
	// Lexing bounds the processor time in which one piece of code gets its colors; 0 means the highlighter's own bound.
	Lexing time.Duration
	// Errors is where a crash is reported; nil means standard error.
	Errors io.Writer
	// Width and Height fix the size where Output is not a terminal.
	Width, Height int
	// Profile is how many colours the terminal has; Unknown takes it from Env, where NO_COLOR counts.
	Profile colorprofile.Profile
	// Theme is the name of a style (md.ThemeNames) or a file in glamour's style format, for the agent's words; empty or
	// "auto" follows the terminal's background.
	Theme string
	// Light is the background assumed until the terminal reports its own.
	Light bool
	// Appearance suits the screen to its terminal and its user.
	Appearance Appearance
	// NoScreen leaves the alternate screen alone and Quiet asks the terminal nothing; both are for tests.
	NoScreen, Quiet bool
	// Typed treats the lines of a plain chat as typed although Input is not a terminal, in tests.
	Typed bool
	// Editor edits prompts and plans; nil means VISUAL, else EDITOR, else vi.
	Editor editor.Program
	// CrashDir is where a crash leaves its file; empty means the directory for temporary files.
	CrashDir string
	// Inspect, in tests, is called with the model before the loop begins.
	Inspect func(*Model)
}

// Browser opens web pages for the user. Open may block and is called in the background.
type Browser interface {
	Open(ctx context.Context, address string) error
}

// browser returns what opens a page, nil if nothing does.
func (o *Options) browser() func(ctx context.Context, address string) error {
	if o.Browser == nil {
		return nil
	}
	return o.Browser.Open
}

// Clipboard is the user's clipboard. Its methods may block and are called in the background.
type Clipboard interface {
	// Copy puts a text on the clipboard. The caller writes the sequence of the result to the terminal.
	Copy(ctx context.Context, text string) clipboard.Result
	// ReadImage returns the image on the clipboard, or an error that names an alternative.
	ReadImage(ctx context.Context) ([]byte, error)
}

// mouse reports whether the mouse is ours at the start. Where the terminal scrolls by itself it is the terminal's.
func (o *Options) mouse() bool { return !o.NoMouse && !o.Appearance.Inline }

func (o *Options) errors() io.Writer {
	if o.Errors != nil {
		return o.Errors
	}
	return os.Stderr
}

// pastPrompts returns the source of the prompts of all sessions, nil without a manager.
func (o *Options) pastPrompts() func(ctx context.Context, yield func([]session.PastPrompt) bool) error {
	mgr, dir := o.Manager, o.Dir
	if mgr == nil {
		return nil
	}
	return func(ctx context.Context, yield func([]session.PastPrompt) bool) error {
		return mgr.Prompts(ctx, dir, yield)
	}
}

// fill returns the options with defaults for what was left out.
func (o Options) fill() Options {
	o.Options = o.Filled()
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
func Run(ctx context.Context, o Options) (chat.Result, error) {
	o = o.fill()
	if o.Appearance.Plain {
		return lines.Run(ctx, lines.Options{Options: o.Options, ASCII: o.onlyASCII(), Typed: o.Typed})
	}
	return run(ctx, o)
}
