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
	"parley/session"
	"parley/session/library"
	"parley/session/live"
	"parley/session/runtimes"
)

// removeCommand is `parley sessions rm`.
func (l Library) removeCommand() *cobra.Command {
	var transcript, yes bool
	cmd := &cobra.Command{
		Use: "rm ID", Short: "Delete a session permanently", Args: command.OneID,
		Long: "Delete a session permanently. With a whole id it is deleted at once; with the start of one, parley asks first. Sessions " +
			"that Claude Code or the Copilot CLI also keeps need --with-transcript, and are then gone from there too.",
	}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list, err := l.list(cmd.Context())
		if err != nil {
			return err
		}
		id, err := live.Match(list, args[0])
		if err != nil {
			return err
		}
		if string(id) != args[0] && !yes {
			at := slices.IndexFunc(list, func(m session.Meta) bool { return m.ID == id })
			if err := l.confirm(list[at]); err != nil {
				return err
			}
		}
		if err := l.remove(cmd.Context(), id, transcript); err != nil || !*asJSON {
			return err
		}
		return l.Out.JSON(named{ID: id})
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&transcript, "with-transcript", false, "also delete the agent's own copy of the session")
	return cmd
}

// named is the object that commands print as JSON about a session that they made or deleted.
type named struct {
	ID session.ID `json:"id"`
}

// confirm asks whether to delete a session that was named by the beginning of its id.
func (l Library) confirm(m session.Meta) error {
	what := fmt.Sprintf("session %s (%s, in %s)", m.ID, m.Headline(), m.Dir)
	if !output.IsTerminal(l.In) || l.Err.Terminal() == nil {
		return command.UsageError{Err: fmt.Errorf("nothing was deleted: this is the start of the id of %s", what), Next: "Give the whole id, or --yes."}
	}
	l.Err.Sentence("Delete %s?", what)
	io.WriteString(l.Err, "y deletes it, anything else keeps it: ")
	line, err := bufio.NewReader(l.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	l.Err.Sentence("Nothing was deleted.")
	return command.ExitError{Code: command.ExitFailed}
}

// remove deletes a session, with the agent's own copy only if transcript is set.
func (l Library) remove(ctx context.Context, id session.ID, transcript bool) error {
	err := l.Manager().Remove(ctx, id, transcript)
	if kept, ok := errors.AsType[*library.KeptError](err); ok {
		return command.UsageError{Err: fmt.Errorf("nothing was deleted: %s keeps session %s too, in\n  %s", runtimes.Title(kept.Agent), id, strings.Join(kept.Paths, "\n  ")),
			Next: fmt.Sprintf("To delete both: `parley sessions rm --with-transcript %s`", id)}
	}
	return err
}
