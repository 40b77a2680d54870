package sessions

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/store/marks"
)

// tagCommand is `parley sessions tag`.
func (l Library) tagCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use: "tag ID TAG...", Short: "Give a session tags, or take some away", Args: cobra.MinimumNArgs(2),
		Long: "Give a session tags, or take some away. Lists find it by tag:NAME. A session of Claude Code gets the first one as its tag there.",
		Example: `  parley sessions tag 1b2c infra upload
  parley sessions tag 1b2c --remove upload
  parley sessions list tag:infra`,
	}
	asJSON := command.JSONFlag(cmd)
	cmd.Flags().BoolVar(&remove, "remove", false, "take these tags away")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		tags, err := marks.Tags(args[1:])
		if err != nil {
			return err
		}
		now, err := l.mark(cmd, args[0], *asJSON, func(m *marks.Marks) {
			if remove {
				m.Tags = slices.DeleteFunc(slices.Clone(m.Tags), func(t string) bool { return slices.Contains(tags, t) })
				return
			}
			m.Tags = append(m.Tags[:len(m.Tags):len(m.Tags)], tags...)
		})
		switch {
		case err != nil || *asJSON || l.Out.Terminal() == nil:
			return err
		case len(now.Tags) == 0:
			return l.Out.Sentence("It has no tags now.")
		}
		return l.Out.Sentence("Tags: %s.", strings.Join(now.Tags, ", "))
	}
	return cmd
}

// pinCommand is `parley sessions pin`.
func (l Library) pinCommand() *cobra.Command {
	return l.switchCommand("pin", "Keep a session at the top of lists of its directory, or no longer", "Pinned.", "No longer pinned.",
		func(m *marks.Marks, on bool) { m.Pinned = on })
}

// archiveCommand is `parley sessions archive`.
func (l Library) archiveCommand() *cobra.Command {
	return l.switchCommand("archive", "Take a session out of lists, where words and is:archived still find it, or bring it back",
		"Archived. `parley sessions list is:archived` shows it.", "Listed again.", func(m *marks.Marks, on bool) { m.Archived = on })
}

// switchCommand makes a command that sets a mark, and takes it away with --undo.
func (l Library) switchCommand(name, short, did, undid string, set func(*marks.Marks, bool)) *cobra.Command {
	var undo bool
	cmd := &cobra.Command{Use: name + " ID", Short: short, Args: command.OneID}
	asJSON := command.JSONFlag(cmd)
	cmd.Flags().BoolVar(&undo, "undo", false, "take that back")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		_, err := l.mark(cmd, args[0], *asJSON, func(m *marks.Marks) { set(m, !undo) })
		switch {
		case err != nil || *asJSON || l.Out.Terminal() == nil:
			return err
		case undo:
			return l.Out.Sentence("%s", undid)
		}
		return l.Out.Sentence("%s", did)
	}
	return cmd
}

// mark changes the marks of the session whose id begins with prefix, and prints them as JSON if that is wanted.
func (l Library) mark(cmd *cobra.Command, prefix string, asJSON bool, change func(*marks.Marks)) (marks.Marks, error) {
	id, err := l.find(cmd.Context(), prefix)
	if err != nil {
		return marks.Marks{}, err
	}
	now, err := l.Manager().Mark(cmd.Context(), id, change)
	if err != nil || !asJSON {
		return now, err
	}
	tags := now.Tags
	if tags == nil {
		tags = []string{}
	}
	return now, l.Out.JSON(struct {
		ID       session.ID `json:"id"`
		Tags     []string   `json:"tags"`
		Pinned   bool       `json:"pinned"`
		Archived bool       `json:"archived"`
	}{id, tags, now.Pinned, now.Archived})
}
