package core

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/handover"
	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/live"
	"parley/session/rules"
	"parley/session/spending"
	"parley/session/worktree"
	"parley/ui/changes/listing"
	"parley/ui/files"
)

// Options configure a chat, on the screen and in lines. Nothing in them is changed.
type Options struct {
	// Manager and Session are the sessions of this process and the one to show first, a draft or a resumed one. Both may
	// be nil if SignIn is set.
	Manager Manager
	Session *live.Session
	// Catalog lists models and account; it is asked in the background only, and may be nil. It may be a
	// [session.QuotaReporter] and a [session.SettingsChecker] as well.
	Catalog session.Catalog
	// Agent is the agent's name, Version parley's own.
	Agent, Version string
	// Dir is the session's directory, absolute.
	Dir string
	// Drafts stores unsent drafts; nil stores none.
	Drafts Drafts
	// Files opens a directory to find files in, in tests; nil means the disk.
	Files func(dir string) fs.FS
	// Local knows and pushes the work of directories before it is handed over; nil: what is only here is not known.
	Local handover.Local
	// Trees makes working trees of git; nil: /worktree is not offered.
	Trees *worktree.Trees
	// Rules are the permission rules on disk; nil: /permissions is not offered.
	Rules *rules.Store
	// Changes returns the record of what agents did to files in a session; nil: /changes is not offered. It touches no disk.
	Changes func(session.ID) listing.Log
	// NewAgent makes the file of a custom agent and returns its path; nil: none can be made.
	NewAgent func(name string) (path string, err error)
	// Extensions finds and changes what extends an agent in a directory; nil: only what the agent shows is known.
	Extensions inventory.Keeper
	// Spent reads what all sessions cost; it blocks. nil: only what this one cost is known.
	Spent func(ctx context.Context) (spending.Report, error)
	// Settings are those of the configuration file; nil: none can be stored.
	Settings Settings
	// Setup knows the user's setup and login; nil: neither is shown.
	Setup Setup
	// Shell runs the user's command lines; nil: there is no shell.
	Shell RunShell
	// Outlives reports that sessions go on without the chat: /detach leaves them, quitting stops what they do.
	Outlives bool
	// Demo reports that the model is simulated.
	Demo bool
	// First is sent as the first prompt. Resume lists the sessions to resume, filtered by these words; nil does not.
	First  string
	Resume *string
	// SignIn asks how to sign in instead of holding a chat.
	SignIn *SignIn
	// Notice is shown once at the start; empty for none.
	Notice string

	// Input and Output are the terminal; nil means standard input and output.
	Input  io.Reader
	Output io.Writer
	// Env is the environment as in os.Environ; nil means the process's own.
	Env []string
	// Signals replaces the process's signals, in tests; nil listens to SIGINT, SIGTERM and SIGHUP.
	Signals <-chan os.Signal
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Filled returns the options with defaults for input, output, environment and clock.
func (o Options) Filled() Options {
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
	return o
}

// Getenv returns a variable of Env, "" if it is not set.
func (o *Options) Getenv(key string) string {
	for i := len(o.Env) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(o.Env[i], "="); ok && k == key {
			return v
		}
	}
	return ""
}

// Tree returns the tree of a directory. It reads nothing yet.
func (o *Options) Tree(dir string) *files.Tree {
	home := o.Getenv("HOME")
	config := cmp.Or(o.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	return files.NewTree(files.TreeOptions{Dir: dir, Home: home, Ignore: filepath.Join(config, "git", "ignore"), Open: o.Files, Now: o.Now})
}

// Quotas returns what is left of the plan, from the best source: the newest answer in any session, else this session,
// else the account. Of a runtime that sends its requests itself only its session knows what they left.
func (o *Options) Quotas(t *session.Transcript, acc session.Account) []session.Quota {
	if r, ok := o.Catalog.(session.QuotaReporter); ok {
		if all := r.Quotas(); len(all) > 0 {
			for i, q := range all {
				for _, own := range t.Quotas {
					if own.Name == q.Name && own.Entitlement == q.Entitlement && own.ResetsAt.Equal(q.ResetsAt) && own.Remaining < q.Remaining {
						all[i].Remaining, all[i].Percent = own.Remaining, own.Percent // it only becomes less until then
					}
				}
			}
			return all
		}
	}
	if QuotaLeft(t.Quotas) != "" {
		return t.Quotas
	}
	return acc.Quotas
}

// SignIn describes the first run.
type SignIn struct {
	// Looked names the places where no login was found, such as "GH_TOKEN".
	Looked []string
	// Problem is what is wrong with a login that was found; nil if none was.
	Problem *session.Problem
	// GH reports that the gh program is there to sign in with, Code that signing in with a code, without gh, is possible.
	GH, Code bool
	// Ways are what to install or to set, each in a sentence; they are shown where neither of the two is possible.
	Ways []string
}

// Choice is the user's choice in the first run.
type Choice string

// The choices of the first run.
const (
	ChooseSignIn Choice = "sign-in" // run gh auth login --web, and start again
	ChooseCode   Choice = "code"    // show a code to enter on GitHub, and start again
	ChooseDemo   Choice = "demo"
	ChooseQuit   Choice = "quit"
)

// Reason is the cause of a chat's end.
type Reason string

// The reasons.
const (
	LeftQuit     Reason = "quit"     // the user left
	LeftDetached Reason = "detached" // the user left, and what goes on is to go on
	LeftSignal   Reason = "signal"   // Result.Signal is which
	LeftClosed   Reason = "closed"   // the terminal went away
	LeftCrashed  Reason = "crashed"  // a fault of parley; Result.CrashFile has the details
	LeftCanceled Reason = "canceled" // the context ended
)

// Result describes the end of a chat. By then the terminal is as it was found.
type Result struct {
	Reason Reason
	// Signal is the signal that ended the program, nil otherwise.
	Signal os.Signal
	// Session is the session shown last; Begun reports that it exists and can be resumed.
	Session session.ID
	Begun   bool
	// Choice is the choice made in the first run.
	Choice Choice
	// CrashFile is where a crash left what is known about it; empty if it could not be written.
	CrashFile string
}
