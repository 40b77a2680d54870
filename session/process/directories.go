package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"parley/session"
)

// Directories are what an agent knows of the directories that its conversations work in: the user's trust in their settings, the
// custom agents and the slash commands there. The fields Repository and Finder are set before use. It is safe for concurrent use.
type Directories struct {
	// Repository finds the settings of directories and stores the user's decisions about them; nil: there are none.
	Repository session.RepositoryTruster
	// Finder finds custom agents; nil: there are none.
	Finder session.CustomFinder
	// Slash are the slash commands that the runtime reported.
	Slash Commands
}

// Untrusted lists the settings of dir that need the user's trust.
func (d *Directories) Untrusted(ctx context.Context, dir string) ([]session.RepositoryItem, error) {
	if d.Repository == nil {
		return nil, nil
	}
	return d.Repository.Untrusted(ctx, dir)
}

// Trust stores the user's decision about the settings of dir. A conversation in dir uses it from its next prompt on. The commands of
// dir are unknown until then.
func (d *Directories) Trust(ctx context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	if d.Repository == nil {
		return &session.Error{Op: "trust " + dir, Kind: session.KindUnsupported, Err: errors.New("trust cannot be stored")}
	}
	err := d.Repository.Trust(ctx, dir, items, yes)
	if err == nil {
		d.Slash.Forget(dir)
	}
	return err
}

// Customs returns the custom agents and prompts of a directory.
func (d *Directories) Customs(ctx context.Context, dir string) session.Customs {
	if d.Finder == nil {
		return session.Customs{}
	}
	return d.Finder.Customs(ctx, dir)
}

// Commands returns the slash commands of a directory by name, nil before the runtime has reported them. The slice must not be
// changed.
func (d *Directories) Commands(dir string) []session.SlashCommand { return d.Slash.Of(dir) }

// AwaitCommands waits until the commands of a directory are known, or could not be learned.
func (d *Directories) AwaitCommands(ctx context.Context, dir string) error {
	return d.Slash.Await(ctx, dir)
}

// Invalid returns the error of an operation that cannot take what it was given.
func Invalid(op string, err error) error {
	return &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
}

// CheckOpen returns why no conversation can be opened in a directory: it is none, or ctx has ended. op is the operation in errors.
func CheckOpen(ctx context.Context, op, dir string) error {
	if err := ctx.Err(); err != nil {
		return &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
	}
	if !filepath.IsAbs(dir) {
		return Invalid(op, fmt.Errorf("the directory %q is not absolute", dir))
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: goneError(dir)}
	case err != nil:
		return Invalid(op, err)
	case !info.IsDir():
		return Invalid(op, fmt.Errorf("%s is not a directory", dir))
	}
	return nil
}

// goneError is the error that the directory of a session does not exist.
type goneError string

// Error returns the reason.
func (e goneError) Error() string { return "the directory " + string(e) + " does not exist" }

// Words returns the texts of the problem; see [session.ProblemOf].
func (e goneError) Words() (what, next string) {
	return "The directory of this session is gone: " + string(e) + ".", "Make it again or move it back, and send the prompt again."
}

// WithMode returns settings with the default mode where they have none. The error is that of a mode that there is not.
func WithMode(s session.Settings) (session.Settings, error) {
	if s.Mode == "" {
		s.Mode = session.ModeDefault
	}
	if !slices.Contains(session.Modes, s.Mode) {
		return s, Invalid("configure", fmt.Errorf("there is no permission mode %q", s.Mode))
	}
	return s, nil
}
