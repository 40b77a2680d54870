package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/human"
	"parley/session"
	"parley/ui/md/cells"
)

// sessionsCommand is `parley sessions`.
func sessionsCommand(a *app) *cobra.Command {
	l := library{app: a}
	cmd := group("sessions", "List, show, export, copy and remove past sessions")
	cmd.AddCommand(l.listCommand(), l.showCommand(), l.exportCommand(), l.forkCommand(), l.removeCommand())
	return cmd
}

func (l library) listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List past sessions, newest first", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			metas, err := l.list(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				if metas == nil {
					metas = []session.Meta{}
				}
				return l.app.out.json(metas)
			}
			sessionList := list{most: maxCell, head: []string{"ID", "AGENT", "AGE", "DIRECTORY", "TITLE"}}
			for _, m := range metas {
				sessionList.rows = append(sessionList.rows, []string{string(m.ID), m.Agent, human.Age(time.Since(m.Updated)), m.Dir, m.Headline()})
			}
			return pagesOf(l.app).list(sessionList)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (l library) showCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Print a session's conversation", Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			meta, events, err := l.read(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printSessionJSON(l.app.out, meta, events)
			}
			return pagesOf(l.app).conversation(meta, session.Fold(events))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the session's data and events as JSON")
	return cmd
}

func (l library) exportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "export ID", Short: "Print a session's conversation as markdown source", Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			meta, events, err := l.read(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return pagesOf(l.app).source(meta, session.Fold(events))
		},
	}
}

// printSessionJSON prints one object: the session's data and its events, encoded as in stream-json. It writes event by event,
// because sessions may be very long.
func printSessionJSON(w *output, meta session.Meta, events []session.Event) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", "  ")
	if err := enc.Encode(meta); err != nil {
		return err
	}
	put := func(text string) error {
		_, err := w.Write(cells.VisibleJSON([]byte(text)))
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
