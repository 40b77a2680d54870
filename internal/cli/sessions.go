package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/session"
	"parley/session/live"
	"parley/ui/md"
	"parley/ui/style"
)

func (a *app) sessionsCommand() *cobra.Command {
	cmd := group("sessions", "List, show, export, copy and remove past sessions")
	cmd.AddCommand(a.sessionsList(), a.sessionsShow(), a.sessionsExport(), a.sessionsFork(), a.sessionsRemove())
	return cmd
}

func (a *app) sessionsList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List past sessions, newest first", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := a.listSessions(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				if list == nil {
					list = []session.Meta{}
				}
				return writeJSON(a.out, list)
			}
			var rows [][]string
			for _, m := range list {
				rows = append(rows, []string{string(m.ID), m.Agent, style.Age(time.Since(m.Updated)), m.Dir, m.Headline()})
			}
			return a.out.table(maxCell, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) sessionsShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Print a session's conversation", Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			meta, events, err := a.readSession(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printSessionJSON(a.out, meta, events)
			}
			return a.printConversation(meta, session.Fold(events))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the session's data and events as JSON")
	return cmd
}

func (a *app) sessionsExport() *cobra.Command {
	return &cobra.Command{
		Use: "export ID", Short: "Print a session's conversation as markdown source", Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			meta, events, err := a.readSession(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.exportConversation(meta, session.Fold(events))
		},
	}
}

func oneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s takes one session id; see parley sessions list", cmd.CommandPath())
	}
	return nil
}

func (a *app) readSession(ctx context.Context, prefix string) (session.Meta, []session.Event, error) {
	id, err := a.findSession(ctx, prefix)
	if err != nil {
		return session.Meta{}, nil, err
	}
	return a.library().Read(ctx, id)
}

// listSessions describes all sessions, those that agents keep themselves included, and says what could not be listed.
func (a *app) listSessions(ctx context.Context) ([]session.Meta, error) {
	list, missing, err := listAll(ctx, a.library())
	for _, text := range missing {
		a.err.message(text)
	}
	return list, err
}

// listAll describes all sessions and says what could not be listed. The error is for when there is nothing else to show.
func listAll(ctx context.Context, m *live.Manager) (list []session.Meta, missing []string, err error) {
	l := m.Listing(ctx)
	if len(l.Sessions) == 0 {
		return nil, nil, errors.Join(l.Problems...)
	}
	for _, err := range l.Problems {
		missing = append(missing, "not all sessions are listed: "+session.ProblemOf(err, time.Now()).What)
	}
	return l.Sessions, missing, nil
}

// findSession takes an id or the beginning of one that fits a single session.
func (a *app) findSession(ctx context.Context, prefix string) (session.ID, error) {
	list, err := a.listSessions(ctx)
	if err != nil {
		return "", err
	}
	return live.Match(list, prefix)
}

// printSessionJSON prints one object: the session's data and its events, encoded as in stream-json. It is written event by
// event, because sessions may be very long.
func printSessionJSON(w *output, meta session.Meta, events []session.Event) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", "  ")
	if err := enc.Encode(meta); err != nil {
		return err
	}
	put := func(text string) error {
		_, err := w.Write(md.VisibleJSON([]byte(text)))
		return err
	}
	err := put(fmt.Sprintf("{\n  \"v\": %d,\n  \"meta\": %s,\n  \"events\": [", SchemaVersion, strings.TrimSpace(b.String())))
	for i, e := range events {
		if err != nil {
			return err
		}
		line, encodeErr := session.EncodeEvent(e)
		if encodeErr != nil {
			return encodeErr
		}
		b.Reset()
		b.WriteString(map[bool]string{true: "\n    ", false: ",\n    "}[i == 0])
		if err = json.Indent(&b, line, "    ", "  "); err == nil {
			err = put(b.String())
		}
	}
	if err != nil {
		return err
	}
	if len(events) > 0 {
		return put("\n  ]\n}\n")
	}
	return put("]\n}\n")
}
