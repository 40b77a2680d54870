package changes

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"parley/internal/cli/output"
	"parley/session"
	"parley/session/changes"
	"parley/session/changes/patch"
	"parley/session/changes/snapshot"
	"parley/ui/style"
)

// Session is a session with what it did to files.
type Session struct {
	ID session.ID
	// Title is the title in lists of sessions.
	Title string
	Log   *changes.Log
	// Store has the contents of the files.
	Store *snapshot.Store
	// All are the changes of the log.
	All []changes.Change
	// Turns are the turns of the session in the order of their numbers, which begin with 1.
	Turns []session.TurnID
	// Root is the session's directory, to which the names in patches are relative; its links are resolved. Here is the
	// directory to which names for people are relative, and Home the home directory.
	Root, Here, Home string
	Out              *output.Stream
}

// Name returns a path as people read it: relative to the working directory where the file is below it.
func (s *Session) Name(path string) string {
	dirs := []string{s.Here}
	if real, err := filepath.EvalSymlinks(s.Here); err == nil {
		dirs = append(dirs, real)
	}
	for _, dir := range dirs {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return style.ShortPath(path, s.Home)
}

// Number returns the number of a turn, 0 if the session does not have it.
func (s *Session) Number(turn session.TurnID) int { return slices.Index(s.Turns, turn) + 1 }

// maker describes who made a change, such as "turn 3 (Edit)".
func (s *Session) maker(c changes.Change) string {
	by := cmp.Or(c.Tool, "a command")
	if n := s.Number(c.Turn); n > 0 {
		return fmt.Sprintf("turn %d (%s)", n, by)
	}
	return by
}

// Standing returns the changes that are not undone.
func Standing(all []changes.Change) []changes.Change {
	return slices.DeleteFunc(slices.Clone(all), func(c changes.Change) bool { return c.Status == changes.Undone })
}

// PrintPatch prints the net change of each file: byte for byte, or visible and in colors on a terminal. Changes that are
// undone are left out.
func (s *Session) PrintPatch(ctx context.Context, all []changes.Change) error {
	differ := patch.Exact(ctx, s.Store)
	for _, file := range patch.Net(Standing(all)) {
		var b bytes.Buffer
		if err := patch.Write(&b, s.Root, file, differ); err != nil {
			return err
		}
		err := error(nil)
		if s.Out.Terminal() == nil {
			_, err = s.Out.Write(b.Bytes())
		} else {
			err = s.Out.Canvas().Print(patchLines(b.String()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
