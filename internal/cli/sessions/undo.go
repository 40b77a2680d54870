package sessions

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	printed "parley/internal/cli/changes"
	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/session/changes"
)

// undoCommand is `parley sessions undo`.
func (l Library) undoCommand() *cobra.Command {
	u := undo{Library: l}
	cmd := &cobra.Command{
		Use: "undo [ID] [PATH...]", Short: "Undo what a session changed in files",
		Long: "Undo what a session changed in files: all of it, or only one turn, or only some files and directories. parley prints what " +
			"happens to each file and asks first. Later changes to these files are lost (you are asked first); --redo " +
			"brings them back too. Without an id it is the newest session of this directory. A session that is open in parley is undone there, " +
			"with /changes.",
		Example: `  parley sessions undo  everything that the newest session of this directory changed
  parley sessions undo 1b2c --turn 3  what the third turn changed
  parley sessions undo 1b2c src/main.go  only this file
  parley sessions undo --redo  bring back what was undone last`,
	}
	u.scope.flag(cmd)
	cmd.Flags().BoolVar(&u.yes, "yes", false, "do not ask, and lose what was changed later in these files")
	cmd.Flags().BoolVar(&u.redo, "redo", false, "bring back what was undone last")
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		u.json = *asJSON
		f, err := l.changed(cmd, args, u.scope)
		if err != nil {
			return err
		}
		u.changedFiles = f
		return u.run(cmd.Context())
	}
	return cmd
}

// undo is one run of the command.
type undo struct {
	Library
	changedFiles changedFiles
	scope        fileScope
	yes          bool
	redo         bool
	json         bool
}

// run plans the step, prints the plan, asks, and does it.
func (u *undo) run(ctx context.Context) error {
	f := &u.changedFiles
	if err := u.free(ctx); err != nil {
		return err
	}
	plan, err := u.plan(ctx)
	if err != nil {
		return err
	}
	p, err := f.Compare(ctx, plan)
	if err != nil {
		return err
	}
	if !u.json {
		if err := p.Print(); err != nil {
			return err
		}
	}
	accepted, err := u.confirm(p)
	if err != nil || accepted == nil {
		if err == nil && u.json {
			err = u.Out.JSON(p.Outcome(changes.Outcome{}))
		}
		return cmp.Or[error](err, command.ExitError{Code: command.ExitFailed})
	}
	if err := u.free(ctx); err != nil { // the question may have stood for long
		return err
	}
	out, err := f.Log.Apply(ctx, plan, accepted)
	if err != nil {
		return err
	}
	return u.report(p, out)
}

// free returns an error if another process has the session.
func (u *undo) free(ctx context.Context) error {
	id := u.changedFiles.ID
	pid, held := u.Store().Holder(ctx, id)
	if !held || pid == os.Getpid() {
		return nil
	}
	by := "another parley"
	if pid > 0 {
		by = fmt.Sprintf("another parley (pid %d)", pid)
	}
	err := &session.Error{Op: "undo", Kind: session.KindLocked, Err: fmt.Errorf("session %s is open in %s", id, by)}
	return command.AdvisedError{Err: err, Next: "Undo there with /changes, or close it first."}
}

// plan plans the step. Its error says what there is instead of what was asked for.
func (u *undo) plan(ctx context.Context) (changes.Plan, error) {
	f := &u.changedFiles
	if u.redo {
		return u.planRedo(ctx)
	}
	plan, err := f.Log.PlanUndo(ctx, f.scope)
	if err != nil || len(plan.Files) > 0 {
		return plan, err
	}
	if f.scope.Turn != "" && len(changes.Scope{Turn: f.scope.Turn}.Select(f.All)) == 0 {
		return plan, command.UsageError{Err: fmt.Errorf("turn %d changed no files", f.Number(f.scope.Turn)), Next: f.changedTurns()}
	}
	what := "the session changed no files"
	if !f.kept && len(f.All) == 0 {
		what = "no changes are recorded, because changes.keep is off"
	}
	if len(f.scope.Select(f.All)) > 0 {
		return plan, command.AdvisedError{Err: nothingLeft("everything is undone already"), Next: "`parley sessions undo --redo` brings it back."}
	}
	return plan, nothingLeft(what)
}

// nothingLeft is the error of a step that has nothing to do.
func nothingLeft(why string) error {
	return &session.Error{Op: "undo", Kind: session.KindNotFound, Err: errors.New(why)}
}

// planRedo plans to bring back the last step or, with a scope, what of it was undone last.
func (u *undo) planRedo(ctx context.Context) (changes.Plan, error) {
	f := &u.changedFiles
	scope := f.scope
	if scope.Turn == "" && len(scope.Paths) == 0 {
		ids, err := f.Log.LastUndone(ctx)
		if err != nil {
			return changes.Plan{}, err
		}
		if scope.Changes = ids; len(ids) == 0 {
			return changes.Plan{}, nothingLeft("nothing of this session was undone")
		}
	}
	plan, err := f.Log.PlanRedo(ctx, scope)
	if err == nil && len(plan.Files) == 0 {
		err = nothingLeft("nothing of this was undone")
	}
	return plan, err
}

// confirm returns which files with losses may be written, nil if nothing may be done.
func (u *undo) confirm(p *printed.Step) (func(path string) bool, error) {
	all, none := func(string) bool { return true }, func(string) bool { return false }
	willing, losing := p.Willing()
	switch {
	case willing == 0 || u.yes:
		return all, nil
	case !output.IsTerminal(u.In) || u.Err.Terminal() == nil:
		if u.json {
			if err := u.Out.JSON(p.Outcome(changes.Outcome{})); err != nil {
				return nil, err
			}
		}
		next := "--yes does it."
		if losing > 0 {
			next = fmt.Sprintf("--yes does it, and loses what was changed later in %s.", human.Count(losing, "file", "files"))
		}
		return nil, command.UsageError{Err: errors.New("nothing was changed: there is no terminal to ask on"), Next: next}
	}
	verb := map[bool]string{true: "Bring back", false: "Undo"}[u.redo]
	ask, keys := fmt.Sprintf("%s the changes of %s?", verb, human.Count(willing, "file", "files")), "y does it, anything else changes nothing: "
	if losing > 0 {
		ask = fmt.Sprintf("%s the changes of %s, and lose what was changed later in %d of them?", verb, human.Count(willing, "file", "files"), losing)
		keys = "y does it, s skips files where something is lost, anything else changes nothing: "
	}
	io.WriteString(u.Err, "\n") // below the table of steps
	u.Err.Sentence("%s", ask)
	io.WriteString(u.Err, keys)
	line, err := bufio.NewReader(u.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return all, nil
	case "s", "skip":
		if losing > 0 {
			return none, nil
		}
	}
	u.Err.Sentence("Nothing was changed.")
	return nil, nil
}

// report prints what became of the plan. Files that were left make the exit code 1.
func (u *undo) report(p *printed.Step, out changes.Outcome) error {
	var err error
	if u.json {
		err = u.Out.JSON(p.Outcome(out))
	} else {
		err = p.PrintOutcome(out, func(text string, next ...string) { u.Err.Message(text, next...) })
	}
	if err == nil && len(out.Left) > 0 {
		err = command.ExitError{Code: command.ExitFailed}
	}
	return err
}
