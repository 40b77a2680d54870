package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/live"
)

// library is a manager for looking at stored sessions and copying them. It needs no login, starts nothing and sends
// nothing.
func (a *app) library() *live.Manager {
	var agents []session.Agent
	if archive := a.claudeArchive(); archive != nil {
		agents = append(agents, shelf{archive})
	}
	return live.NewManager(live.Deps{Agents: agents, Journals: a.newStore()})
}

// claudeArchive is what Claude Code keeps of its sessions, nil in the demo, which shows nothing of the user's own.
func (a *app) claudeArchive() *archive.Archive {
	dir := cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR"))
	if home := a.getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".claude")
	}
	if dir == "" || a.demoToken != "" {
		return nil
	}
	return archive.New(dir)
}

// shelf is an agent whose sessions can be read and copied, and not gone on with.
type shelf struct{ *archive.Archive }

// Name returns "claude".
func (shelf) Name() string { return "claude" }

// Open always fails: whoever looks at stored sessions holds no conversation.
func (shelf) Open(context.Context, session.OpenOptions) (session.Conversation, error) {
	return nil, &session.Error{Op: "open conversation", Kind: session.KindUnsupported, Err: errors.New("sessions are only read here")}
}

func (a *app) sessionsFork() *cobra.Command {
	var at string
	cmd := &cobra.Command{
		Use: "fork ID", Short: "Copy a session up to a turn and print the new id", Args: oneID,
		Example: "  parley sessions fork 1b2c\n  parley sessions fork 1b2c --at 3\n  parley -r $(parley sessions fork 1b2c)",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := a.findSession(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			lib := a.library()
			defer lib.Close(cmd.Context())
			turn, err := turnAt(cmd.Context(), lib, id, at)
			if err != nil {
				return err
			}
			s, err := lib.Fork(cmd.Context(), id, turn)
			if err != nil {
				return err
			}
			return a.out.line("%s", s.ID())
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "the last turn of the copy: its number, from 1, or its id (default: the last answered one)")
	return cmd
}

// turnAt finds the turn that a user means by --at.
func turnAt(ctx context.Context, lib *live.Manager, id session.ID, at string) (session.TurnID, error) {
	if at == "" {
		return "", nil
	}
	_, events, err := lib.Read(ctx, id)
	if err != nil {
		return "", err
	}
	turn, err := session.Fold(events).TurnAt(at)
	if err != nil {
		return "", usagef("--at %s: %w", at, err)
	}
	return turn, nil
}

func (a *app) sessionsRemove() *cobra.Command {
	var transcript, yes bool
	cmd := &cobra.Command{
		Use: "rm ID", Short: "Delete a session permanently", Args: oneID,
		Long: "Delete a session permanently. With a whole id it is deleted at once; with the start of one, parley asks first. Sessions\n" +
			"that Claude Code also keeps need --with-transcript, and are then gone from Claude Code too.",
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.listSessions(cmd.Context())
			if err != nil {
				return err
			}
			id, err := live.Match(list, args[0])
			if err != nil {
				return err
			}
			if string(id) != args[0] && !yes {
				at := slices.IndexFunc(list, func(m session.Meta) bool { return m.ID == id })
				if err := a.confirmRemoval(list[at]); err != nil {
					return err
				}
			}
			return a.removeSession(cmd.Context(), id, transcript)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&transcript, "with-transcript", false, "also delete Claude Code's copy of the session")
	return cmd
}

// confirmRemoval asks whether a session that was named by the beginning of its id is the one that is meant.
func (a *app) confirmRemoval(m session.Meta) error {
	what := fmt.Sprintf("session %s (%s, in %s)", m.ID, m.Headline(), m.Dir)
	if !isTerminal(a.in) || a.err.terminal() == nil {
		return usagef("that is the beginning of the id of %s.\nNothing was deleted. Give the whole id, or --yes", what)
	}
	a.err.message("Delete " + what + "?")
	io.WriteString(a.err, "y deletes it, everything else leaves it: ")
	line, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	a.err.message("Nothing was deleted.")
	return exitError{ExitFailed}
}

// removeSession deletes what parley keeps of a session, and what Claude Code keeps of it if the user said so.
func (a *app) removeSession(ctx context.Context, id session.ID, transcript bool) error {
	archive := a.claudeArchive()
	var paths []string
	if archive != nil {
		paths, _ = archive.Paths(ctx, id) // of most sessions it knows nothing
	}
	if len(paths) > 0 && !transcript {
		return usagef("Claude Code keeps session %s too, in\n  %s\nNothing was deleted. To delete that as well, say parley sessions rm --with-transcript %s",
			id, strings.Join(paths, "\n  "), id)
	}
	// The journal goes first: of a session that is in use it is refused, and then everything stays.
	if err := a.newStore().Remove(ctx, id); err != nil && (len(paths) == 0 || session.KindOf(err) != session.KindNotFound) {
		return err
	}
	if len(paths) == 0 {
		return nil
	}
	return archive.Remove(ctx, id)
}
