package ui

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/clipboard"
	"parley/ui/files"
	"parley/ui/input"
	"parley/ui/keymap"
)

// Options is what the screen needs. Nothing in it is changed.
type Options struct {
	// Manager and Session are the sessions of this process and the one to show first, a draft or a resumed one. Both may
	// be nil if SignIn is set.
	Manager chat.Manager
	Session *live.Session
	// Catalog lists models and account; it is asked in the background only, and may be nil. It may be a
	// [session.QuotaReporter] and a [session.SettingsChecker] as well.
	Catalog session.Catalog
	// Agent is the agent's name, Version parley's own.
	Agent, Version string
	// Dir is the session's directory, absolute, and Branch its version-control branch, "" for none.
	Dir, Branch string
	// Drafts keeps what was written and not sent; nil keeps nothing.
	Drafts chat.Drafts
	// OpenURL opens a web page in the user's browser; nil means that it cannot be done. It is called in the background.
	OpenURL func(ctx context.Context, address string) error
	// EnterSteers lets enter send into the running turn, where the agent takes prompts there, and ctrl+s queue, instead of the
	// other way round.
	EnterSteers bool
	// Offer is a runtime that is not installed and can be: InstallRuntime does it, telling how far it is, and ends early if
	// the context does. Both may be nil.
	Offer          *RuntimeOffer
	InstallRuntime func(ctx context.Context, name string, progress func(InstallProgress)) error
	// Keys are the user's own keys, checked with [CheckKeys].
	Keys []keymap.UserBinding
	// Prompts tells the prompts of all sessions, roughly the newest first, until yield returns false; nil knows only those
	// of the session that is shown. It is called in the background.
	Prompts func(ctx context.Context, yield func([]PastPrompt) bool) error
	// Files opens a directory to look for files in, in tests; nil is the disk.
	Files func(dir string) fs.FS
	// PasteImage returns the image on the clipboard, or why there is none; nil if that cannot be asked. It is called in the
	// background. ImageDir is where such images are kept until they are sent.
	PasteImage func(ctx context.Context) ([]byte, error)
	ImageDir   string
	// Shell runs a command line of the user's in a directory, hands on what it writes as it comes, and returns its exit
	// status, or why it could not be run; -1 is the status of one that was ended. When the context ends it ends everything
	// it has started. nil: there is no shell.
	Shell chat.RunShell
	// Vim gives the field in which prompts are written the keys of vim.
	Vim bool
	// Clipboard is where what is copied goes; nil means that of this machine, with the environment in Env.
	Clipboard *clipboard.Clipboard
	// NoMouse leaves the mouse to the terminal until the user takes it by key. KeepSelection copies what is selected with the
	// mouse only when ctrl+c is pressed, and not at once.
	NoMouse, KeepSelection bool
	// Demo says plainly that the model is simulated.
	Demo bool
	// First is sent as the first prompt, once the screen is there.
	First string
	// Resume opens the picker of sessions, filtered by these words; nil opens the chat.
	Resume *string
	// Opening is a session that is loaded while its end is shown; Session is then an empty draft that stands in for it, with
	// the same agent and directory. Nil if Session is what is to be shown, and always on a screen that keeps the terminal's
	// own rows.
	Opening *Opening
	// SignIn shows the first-run screen instead of a chat.
	SignIn *SignIn

	// Input and Output are the terminal; nil means standard input and output.
	Input  io.Reader
	Output io.Writer
	// Errors is where a crash is told; nil means standard error.
	Errors io.Writer
	// Width and Height fix the size where Output is no terminal that could be asked.
	Width, Height int
	// Env is the environment as in os.Environ; nil means the process's own.
	Env []string
	// Profile is how many colours the terminal has; Unknown takes it from Env, where NO_COLOR counts.
	Profile colorprofile.Profile
	// Theme is the name of a style (md.ThemeNames) or a file in glamour's style format, for the agent's words; empty or
	// "auto" follows the terminal's background.
	Theme string
	// Notice is said once at the start, in the line for what just happened; empty for none.
	Notice string
	// Light is the background assumed until the terminal says which one it has.
	Light bool
	// Appearance suits the screen to its terminal and its user.
	Appearance Appearance
	// NoScreen leaves the alternate screen alone and Quiet asks the terminal nothing; both are for tests.
	NoScreen, Quiet bool
	// Typed takes the lines of a plain chat for a keyboard's although Input is no terminal, in tests.
	Typed bool
	// EditorCommand is the user's editor with its arguments; empty means VISUAL, else EDITOR, else vi. Editor, in tests,
	// replaces running it.
	EditorCommand string
	Editor        func(path string, in io.Reader, out, errs io.Writer) error
	// Signals replaces the process's signals, in tests; nil listens to SIGINT, SIGTERM and SIGHUP.
	Signals <-chan os.Signal
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// CrashDir is where a crash leaves its file; empty means the directory for temporary files.
	CrashDir string
	// Inspect, in tests, is called with the model before the loop begins.
	Inspect func(*Model)
}

// treeOf makes the tree of a directory. Nothing is read yet.
func (o *Options) treeOf(dir string) *files.Tree {
	home := o.env("HOME")
	config := cmp.Or(o.env("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	return files.NewTree(files.TreeOptions{Dir: dir, Home: home, Ignore: filepath.Join(config, "git", "ignore"), Open: o.Files, Now: o.Now})
}

// PastPrompt is a prompt that was sent before, in any session.
type PastPrompt = input.PastPrompt

// SignIn is what the first-run screen says and offers.
type SignIn struct {
	// Looked names the places where no login was found, such as "GH_TOKEN".
	Looked []string
	// Problem says what is wrong with a login that was found; empty if none was.
	Problem *session.Problem
	// GH says that the gh program is there to sign in with.
	GH bool
	// Code says that signing in with a code, without gh, is possible.
	Code bool
	// Ways say what to install or to set, each in a sentence; they are shown where neither of the two is possible.
	Ways []string
}

// Choice is what the user picked on the first-run screen.
type Choice string

// The choices of the first-run screen.
const (
	ChooseSignIn Choice = "sign-in" // run gh auth login --web, and start again
	ChooseCode   Choice = "code"    // show a code to enter on GitHub, and start again
	ChooseDemo   Choice = "demo"
	ChooseQuit   Choice = "quit"
)

// Reason says why the screen was left.
type Reason string

// The reasons for leaving.
const (
	LeftQuit     Reason = "quit"     // the user left
	LeftSignal   Reason = "signal"   // Result.Signal says which
	LeftClosed   Reason = "closed"   // the terminal went away
	LeftCrashed  Reason = "crashed"  // a fault of parley; Result.CrashFile has the details
	LeftCanceled Reason = "canceled" // the context ended
)

// Result says how the screen was left. By then the terminal is as it was found, and where the session has been begun,
// its last rows and the command that resumes it stand on the normal screen.
type Result struct {
	Reason Reason
	// Signal is the signal that ended the program, nil otherwise.
	Signal os.Signal
	// Session is the session shown last; Begun says that it exists and can be resumed.
	Session session.ID
	Begun   bool
	// Choice is what was picked on the first-run screen.
	Choice Choice
	// CrashFile is where a crash left what is known about it; empty if it could not be written.
	CrashFile string
}

// env looks a variable up in the injected environment.
func (o *Options) env(key string) string {
	for i := len(o.Env) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(o.Env[i], "="); ok && k == key {
			return v
		}
	}
	return ""
}

// mouse reports whether the mouse is ours at the start. Where the terminal scrolls by itself it is the terminal's.
func (o *Options) mouse() bool { return !o.NoMouse && !o.Appearance.Inline }

func (o *Options) errors() io.Writer {
	if o.Errors != nil {
		return o.Errors
	}
	return os.Stderr
}

// fill puts in what was left out.
func (o Options) fill() Options {
	if o.Input == nil {
		o.Input = os.Stdin
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Profile == colorprofile.Unknown {
		o.Profile = colorprofile.Env(o.Env)
	}
	if o.Clipboard == nil {
		sys := clipboard.ThisMachine()
		sys.Getenv = o.env
		o.Clipboard = clipboard.New(sys)
	}
	if o.CrashDir == "" {
		o.CrashDir = os.TempDir()
	}
	return o
}

// Run shows the screen until the user leaves it, the context ends, a signal comes or the terminal goes away. The error
// is not nil only if the terminal could not be used at all. Sessions are left open: closing them is up to the caller.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Appearance.Plain {
		return runPlain(ctx, o.fill())
	}
	return run(ctx, o.fill())
}
