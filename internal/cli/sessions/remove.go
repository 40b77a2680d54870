package sessions

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/session/library"
	"parley/session/live"
	"parley/session/runtimes"
	"parley/ui/style"
)

// removal is one run of `parley sessions rm`.
type removal struct {
	Library
	transcript, yes, now, empty, json bool
}

// removeCommand is `parley sessions rm`.
func (l Library) removeCommand() *cobra.Command {
	r := removal{Library: l}
	cmd := &cobra.Command{
		Use: "rm [ID]", Short: "Move a session to the bin, or delete it for good",
		Long: "Move a session to the bin, with its changes of files, tags, drafts and scratch folder: `parley sessions restore` brings it back. With a whole id it goes " +
			"at once; with the start of one, parley asks first. Sessions that Claude Code or the Copilot CLI also keeps need --with-transcript, and are " +
			"then gone from there too. The bin is emptied only by --now, --empty-bin and the setting sessions.bin_days.",
		Example: `  parley sessions rm 1b2c  move it to the bin
  parley sessions restore 1b2c  bring it back
  parley sessions rm --now 1b2c  delete it for good, also one in the bin
  parley sessions rm --empty-bin  delete all sessions in the bin for good`,
		Args: func(cmd *cobra.Command, args []string) error {
			if r.empty {
				return command.NoArgs(cmd, args)
			}
			return command.OneID(cmd, args)
		},
	}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r.json = *asJSON
		if r.empty {
			return r.emptyBin(cmd.Context())
		}
		return r.run(cmd.Context(), args[0])
	}
	cmd.Flags().BoolVar(&r.yes, "yes", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&r.transcript, "with-transcript", false, "also delete the agent's own copy of the session")
	cmd.Flags().BoolVar(&r.now, "now", false, "delete it for good, also one that is in the bin")
	cmd.Flags().BoolVar(&r.empty, "empty-bin", false, "delete all sessions in the bin for good")
	return cmd
}

// named is the object that commands print as JSON about a session that they made, deleted or restored.
type named struct {
	ID session.ID `json:"id"`
}

// run deletes the session whose id begins with prefix.
func (r removal) run(ctx context.Context, prefix string) error {
	list, err := r.list(ctx)
	if err != nil {
		return err
	}
	if r.now {
		binned, err := r.Manager().Deleted(ctx)
		if err != nil {
			return err
		}
		list = append(list, binned...)
	}
	m, err := live.Match(list, prefix)
	if err != nil {
		return err
	}
	id, whole := m.ID, prefix == string(m.ID) || prefix == live.Ref(m)
	at := slices.IndexFunc(list, func(one session.Meta) bool { return live.Ref(one) == live.Ref(m) })
	goes := library.Removal{}
	if m.Deleted.IsZero() {
		goes, _ = r.Manager().Removal(ctx, id) // why it cannot be deleted is said below
	}
	if (!whole || r.now && goes.Folder != "") && !r.yes {
		if err := r.confirm(m, whole, goes.Folder); err != nil {
			return err
		}
	}
	switch {
	case !m.Deleted.IsZero():
		_, err = r.Manager().Empty(ctx, func(one session.Meta) bool { return live.Ref(one) == live.Ref(m) })
	case r.now:
		err = r.Manager().Remove(ctx, id, r.transcript)
	default:
		err = r.Manager().Discard(ctx, id, r.transcript)
	}
	if kept, ok := errors.AsType[*library.KeptError](err); ok {
		return command.UsageError{Err: fmt.Errorf("nothing was deleted: %s keeps session %s too, in\n  %s", runtimes.Title(kept.Agent), id, strings.Join(kept.Paths, "\n  ")),
			Next: fmt.Sprintf("To delete both: `parley sessions rm --with-transcript %s`", id)}
	}
	switch {
	case err != nil:
		return err
	case r.json:
		return r.Out.JSON(named{ID: id})
	case r.now:
		return r.Out.Sentence("Deleted “%s” (%s) for good%s.", m.Headline(), m.ID, r.with(goes.Folder))
	case r.Out.Terminal() == nil:
		return nil
	}
	return r.Out.Sentence("Moved to the bin%s. `parley sessions restore %s` brings it back.", r.with(goes.Folder), ShortIDs(list)[at])
}

// with names the scratch folder that goes with a session, nothing for none.
func (r removal) with(folder string) string {
	if folder == "" {
		return ""
	}
	return ", with the files in " + style.ShortPath(folder, r.Home)
}

// emptyBin deletes all sessions in the bin for good.
func (r removal) emptyBin(ctx context.Context) error {
	n, err := r.Manager().Empty(ctx, func(session.Meta) bool { return true })
	switch {
	case err != nil:
		return err
	case r.json:
		return r.Out.JSON(struct {
			Deleted int `json:"deleted"`
		}{n})
	case r.Out.Terminal() == nil:
		return nil
	case n == 0:
		return r.Out.Sentence("The bin is empty.")
	}
	return r.Out.Sentence("Deleted %s for good.", human.Count(n, "session", "sessions"))
}

// confirm asks whether to delete a session that was named by the beginning of its id, or for good with a scratch folder.
func (r removal) confirm(m session.Meta, whole bool, folder string) error {
	what := fmt.Sprintf("session %s (%s, in %s)%s", m.ID, m.Headline(), m.Dir, r.with(folder))
	if !output.IsTerminal(r.In) || r.Err.Terminal() == nil {
		if whole {
			return command.UsageError{Err: fmt.Errorf("nothing was deleted: the files in %s go too", style.ShortPath(folder, r.Home)), Next: "Add --yes, or leave --now: the bin keeps them."}
		}
		return command.UsageError{Err: fmt.Errorf("nothing was deleted: this is the start of the id of %s", what), Next: "Give the whole id, or --yes."}
	}
	if r.now {
		r.Err.Sentence("Delete %s for good?", what)
	} else {
		r.Err.Sentence("Delete %s?", what)
	}
	io.WriteString(r.Err, "y deletes it, anything else keeps it: ")
	line, err := bufio.NewReader(r.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	r.Err.Sentence("Nothing was deleted.")
	return command.ExitError{Code: command.ExitFailed}
}
