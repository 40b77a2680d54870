package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	printed "parley/internal/cli/changes"
	"parley/internal/cli/command"
	"parley/internal/human"
	"parley/session"
	"parley/session/changes"
	"parley/session/live"
)

// changedFiles are the changed files of a session that a command is about.
type changedFiles struct {
	printed.Session
	kept  bool // whether new changes are recorded
	scope changes.Scope
}

// fileScope are the flags and arguments that select changes: [ID] [PATH...] --turn N.
type fileScope struct{ turn string }

func (s *fileScope) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.turn, "turn", "", "only the changes of `TURN`: its number, from 1, or its id")
}

// changed finds the session that the arguments name, by default the newest one of this directory, and its changes.
func (l Library) changed(cmd *cobra.Command, args []string, s fileScope) (changedFiles, error) {
	ctx := cmd.Context()
	here, err := l.Dir()
	if err != nil {
		return changedFiles{}, err
	}
	id, paths, err := l.sessionAndPaths(ctx, here, args, cmd.ArgsLenAtDash() == 0)
	if err != nil {
		return changedFiles{}, err
	}
	meta, events, err := l.Manager().Read(ctx, id)
	if err != nil {
		return changedFiles{}, err
	}
	records := l.Records()
	f := changedFiles{kept: records.Kept, Session: printed.Session{ID: id, Title: meta.Headline(), Log: records.Log(id), Store: records.Store, Here: here, Root: meta.Dir,
		Home: l.Home, Out: l.Out}}
	if real, err := filepath.EvalSymlinks(meta.Dir); err == nil {
		f.Root = real
	}
	f.Turns = turnsOf(events)
	if s.turn != "" {
		if f.scope.Turn, err = findTurn(f.Turns, s.turn); err != nil {
			return changedFiles{}, command.Usagef("--turn %s: %w", s.turn, err)
		}
	}
	if f.All, err = f.Log.Changes(ctx); err != nil {
		return changedFiles{}, err
	}
	return f, f.selectPaths(paths)
}

// sessionAndPaths splits arguments into the session, which the first one may name by the beginning of its id, and paths.
func (l Library) sessionAndPaths(ctx context.Context, here string, args []string, onlyPaths bool) (session.ID, []string, error) {
	list, err := l.list(ctx)
	if err != nil {
		return "", nil, err
	}
	if len(args) > 0 && !onlyPaths {
		named, err := live.Match(list, args[0])
		_, statErr := os.Lstat(filepath.Join(here, args[0]))
		isFile := statErr == nil || strings.ContainsRune(args[0], filepath.Separator)
		switch e, _ := errors.AsType[*live.MatchError](err); {
		case err == nil && string(named.ID) != args[0] && isFile:
			return "", nil, command.UsageError{Err: fmt.Errorf("%q is a file here, and the beginning of a session's id too", args[0]),
				Next: "Give more of the id, or ./" + args[0] + " for the file."}
		case err == nil:
			return named.ID, args[1:], nil
		case !isFile || e != nil && len(e.Fits) > 0:
			return "", nil, err
		}
	}
	id, ok := live.Newest(list, here)
	if !ok {
		return "", nil, command.UsageError{Err: &session.Error{Op: "find the session", Kind: session.KindNotFound, Err: errors.New("this directory has no session yet")},
			Next: "`parley sessions list` shows the sessions of all directories; give the id of one."}
	}
	return id, args, nil
}

// selectPaths limits the scope to paths. Each must name a changed file or a directory of some.
func (f *changedFiles) selectPaths(paths []string) error {
	for _, p := range paths {
		abs := p
		if !filepath.IsAbs(p) {
			abs = filepath.Join(f.Here, p)
		}
		if len(changes.Scope{Paths: []string{abs}}.Select(f.All)) == 0 {
			return command.UsageError{Err: fmt.Errorf("session %s changed no file at %q", f.ID, p), Next: f.changedPaths()}
		}
		f.scope.Paths = append(f.scope.Paths, abs)
	}
	return nil
}

// changedPaths names a few of the changed files, as a next step.
func (f *changedFiles) changedPaths() string {
	const most = 6
	var names []string
	for _, c := range f.All {
		if name := f.Name(c.Path); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch n := len(names); {
	case n == 0:
		return "It changed no files."
	case n > most:
		names = append(names[:most], fmt.Sprintf("and %s", human.Count(n-most, "more file", "more files")))
	}
	return "It changed " + strings.Join(names, ", ") + "."
}

// changedTurns names the turns that changed files, as a next step.
func (f *changedFiles) changedTurns() string {
	var numbers []string
	for i, turn := range f.Turns {
		if slices.ContainsFunc(f.All, func(c changes.Change) bool { return c.Turn == turn }) {
			numbers = append(numbers, fmt.Sprint(i+1))
		}
	}
	if len(numbers) == 0 {
		return "No turn changed files."
	}
	return "These turns did: " + strings.Join(numbers, ", ") + "."
}

// nothing says why there is nothing to show.
func (f *changedFiles) nothing() string {
	if f.scope.Turn != "" {
		return fmt.Sprintf("Turn %d changed no files.", f.Number(f.scope.Turn))
	}
	if !f.kept {
		return "No changes are recorded: changes.keep is off."
	}
	return "The session changed no files."
}
