package sessions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/session/export"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/md/cells"
	"parley/ui/style"
)

// Command makes `parley sessions`. library returns the stored sessions of this run.
func Command(l Library) *cobra.Command {
	cmd := command.Group("sessions", "List, find, show, export, copy, sort, rename and remove sessions, and take back their changes")
	cmd.AddCommand(l.listCommand(), l.searchCommand(), l.showCommand(), l.exportCommand(), l.diffCommand(), l.undoCommand(), l.forkCommand(), l.renameCommand(), l.tagCommand(), l.pinCommand(), l.archiveCommand(), l.removeCommand(), l.restoreCommand(), l.reindexCommand())
	return cmd
}

func (l Library) listCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list [FILTER...]", Short: "List past sessions, newest first",
		Long: "List past sessions, newest first, without those that are archived. Words keep those with all of them in their title, first prompt or directory.\n\n" + filterHelp,
		Example: `  parley sessions list
  parley sessions list dir:. agent:claude
  parley sessions list before:4w --json`}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		asked, err := l.query(args)
		if err != nil {
			return err
		}
		metas, err := l.asked(cmd.Context(), asked)
		if err != nil {
			return err
		}
		all := len(metas)
		metas = slices.DeleteFunc(metas, func(m session.Meta) bool { return !asked.Passes(&m) || !titled(m, asked.Terms) })
		if *asJSON {
			if metas == nil {
				metas = []session.Meta{}
			}
			return l.Out.JSON(metas)
		}
		if len(metas) == 0 && l.Out.Terminal() != nil {
			if all > 0 {
				return l.Out.Sentence("No session fits. `parley sessions list is:archived` shows those that are archived.")
			}
			return l.Out.Sentence("No sessions yet. `parley` starts one.")
		}
		return l.Out.List(sessionList(metas, l.Home, time.Now()))
	}
	return cmd
}

// titled reports whether what describes a session has all words.
func titled(m session.Meta, terms []string) bool {
	known := strings.ToLower(m.Title + "\n" + m.First + "\n" + m.Dir)
	return !slices.ContainsFunc(terms, func(t string) bool { return !strings.Contains(known, t) })
}

// sessionList describes sessions in columns: for people on a terminal, elsewhere with whole ids and exact times.
func sessionList(metas []session.Meta, home string, now time.Time) output.List {
	l := output.List{Most: output.MaxCell, Plain: [][]string{}, Columns: []output.Column{{Head: "ID"}, {Head: "AGE", Style: output.Quiet},
		{Head: "TITLE", Wraps: true}, {Head: "AGENT", Style: output.Quiet}, {Head: "DIRECTORY", Wraps: true, Style: output.Quiet}}}
	ids, at := ShortIDs(metas), map[session.ID]int{}
	for i, m := range metas {
		at[m.ID] = i
	}
	for i, m := range metas {
		title := m.Headline()
		if p, listed := at[m.Parent]; listed {
			title, _ = human.Forked(title)
			title += " (fork of " + ids[p] + ")"
		}
		l.Rows = append(l.Rows, []string{ids[i], human.Ago(now.Sub(m.Updated)), title + tagsOf(m), core.AgentAndState(m), placeOf(m, home)})
		l.Plain = append(l.Plain, []string{live.Ref(m), m.Agent, m.Updated.UTC().Format(time.RFC3339), m.Dir, m.Headline()})
	}
	return l
}

// tagsOf returns what stands behind a title for the tags of a session.
func tagsOf(m session.Meta) (all string) {
	for _, tag := range m.Tags {
		all += " #" + tag
	}
	return all
}

// placeOf returns where a session works: its directory, else its repository.
func placeOf(m session.Meta, home string) string {
	if m.Dir == "" && m.Remote != nil {
		return core.RemoteName(*m.Remote)
	}
	return style.Place(m.Dir, home)
}

// minID is the number of characters that a short id has at least.
const minID = 8

// ShortIDs returns the beginning of each session's [live.Ref], long enough to name it among the others.
func ShortIDs(metas []session.Meta) []string {
	sorted := make([]string, len(metas))
	for i, m := range metas {
		sorted[i] = live.Ref(m)
	}
	slices.Sort(sorted)
	short := make([]string, len(metas))
	for i, m := range metas {
		id := live.Ref(m)
		at, _ := slices.BinarySearch(sorted, id)
		n := minID
		for _, other := range []int{at - 1, at + 1} {
			if other >= 0 && other < len(sorted) {
				n = max(n, common(id, sorted[other])+1)
			}
		}
		short[i] = id[:min(n, len(id))]
	}
	return short
}

// common returns the number of bytes that two texts begin with alike.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Candidates returns the next steps for an id that fits no session, or several, of which it names a few.
func Candidates(fits []session.Meta) []string {
	if len(fits) == 0 {
		return []string{"`parley sessions list` shows all sessions."}
	}
	const most = 6
	var steps []string
	ids := ShortIDs(fits)
	for i, m := range fits[:min(most, len(fits))] {
		title := cells.Truncate(cells.OneLine(m.Headline()), 60, "…", cells.WcWidth)
		age, in := human.Ago(time.Since(m.Updated)), ""
		if !m.Deleted.IsZero() {
			age = "deleted " + human.Ago(time.Since(m.Deleted))
		}
		if m.Dir != "" {
			in = ", in " + style.VisibleLine(m.Dir)
		}
		steps = append(steps, fmt.Sprintf("%s  %s, %s, %s%s", ids[i], age, title, core.AgentAndState(m), in))
	}
	if more := len(fits) - most; more > 0 {
		steps = append(steps, fmt.Sprintf("and %d more", more))
	}
	return append(steps, "Give more of the id.")
}

// showCommand makes the command that prints a session's conversation, or the session as JSON.
func (l Library) showCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "show ID", Short: "Print a session's conversation", Args: command.OneID}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		meta, events, err := l.read(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		if *asJSON {
			return l.printPieces(export.JSON(meta, events), cells.VisibleJSON)
		}
		return l.Page(meta, session.Fold(events))
	}
	return cmd
}
