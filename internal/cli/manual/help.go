package manual

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/internal/cli/output"
)

// section is a part of a help text: a title, and pairs or lines below it.
type section struct {
	title string
	pairs []output.Pair
	wide  int // the least width of the names
	lines []string
}

// PrintHelp prints the help of a command, laid out for the terminal.
func PrintHelp(w *output.Stream, cmd *cobra.Command) {
	c := w.Canvas()
	lines := paragraphs(about(cmd), c.Prose())
	for _, s := range helpSections(cmd) {
		if len(s.pairs)+len(s.lines) == 0 {
			continue
		}
		lines = append(lines, "", output.Bold.Render(s.title))
		for _, line := range s.lines {
			lines = append(lines, output.Measure.Fold(line, c.Prose())...)
		}
		lines = append(lines, output.Pairs(s.pairs, s.wide, c.Prose(), output.Plain, output.Faint)...)
	}
	if foot := helpFoot(cmd); foot != "" {
		lines = append(lines, "")
		for _, row := range output.Measure.Fold(foot, c.Prose()) {
			lines = append(lines, output.Faint.Render(row))
		}
	}
	c.Print(lines)
}

// about returns what a command does.
func about(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// helpSections returns the parts of a command's help, what people need most first.
func helpSections(cmd *cobra.Command) []section {
	sections := []section{{title: "Usage", lines: usageLines(cmd)}, {title: "Examples", pairs: examples(cmd.Example)}}
	var commands []section
	for _, g := range cmd.Groups() {
		commands = append(commands, section{title: g.Title, pairs: commandPairs(cmd, g.ID)})
	}
	commands = append(commands, section{title: "Commands", pairs: commandPairs(cmd, "")})
	return slices.Concat(sections, aligned(commands), aligned(flagSections(cmd)))
}

// flagSections returns the flags of a command. Those of the root are in groups.
func flagSections(cmd *cobra.Command) (sections []section) {
	if !cmd.HasParent() {
		for _, g := range rootFlagGroups {
			s := section{title: g.title}
			for _, name := range g.flags {
				s.pairs = append(s.pairs, flagPair(cmd.Flag(name)))
			}
			sections = append(sections, s)
		}
		return sections
	}
	flags := section{title: "Flags"}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			flags.pairs = append(flags.pairs, flagPair(f))
		}
	})
	return []section{flags}
}

// aligned gives the names of all sections the same width.
func aligned(sections []section) []section {
	wide := 0
	for _, s := range sections {
		for _, p := range s.pairs {
			wide = max(wide, output.Measure.Width(p.Name))
		}
	}
	for i := range sections {
		sections[i].wide = wide
	}
	return sections
}

// rootFlagGroups orders the flags of the root in its help.
var rootFlagGroups = []struct {
	title string
	flags []string
}{
	{"Flags of the chat", []string{"continue", "resume", "demo", "max-credits"}},
	{"Flags of -p", []string{"print", "output-format", "input-format", "json-schema", "allow", "deny",
		"max-turns", "max-tokens", "max-time"}},
	{"Flags for the model and the agent", []string{"model", "effort", "agent", "agent-file", "fallback-model", "permission-mode", "add-dir", "worktree", "scratch", "detach"}},
	{"Flags for the screen and the setup", []string{"screen", "plain", "config", "log-file", "verbose", "help", "version"}},
}

// usageLines returns how a command is called.
func usageLines(cmd *cobra.Command) []string {
	if !cmd.HasParent() {
		return []string{"  parley [FLAGS] [WORDS]", "  parley COMMAND"}
	}
	line := "  " + cmd.CommandPath()
	var lines []string
	if cmd.HasAvailableSubCommands() {
		if lines = []string{line + " COMMAND"}; !runs(cmd) {
			return lines
		}
	}
	if _, args, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + args
	}
	if cmd.HasAvailableLocalFlags() {
		line += " [FLAGS]"
	}
	return append([]string{line}, lines...)
}

// runs reports whether a command does something by itself, and not only those below it: [command.Group] takes no arguments of its own.
func runs(cmd *cobra.Command) bool {
	return !cmd.HasAvailableSubCommands() || cmd.Args != nil
}

// commandPairs returns the commands of a group, in the order in which they were added.
func commandPairs(cmd *cobra.Command, group string) (pairs []output.Pair) {
	for _, sub := range cmd.Commands() {
		if sub.GroupID == group && (sub.IsAvailableCommand() || sub.Name() == "help") {
			pairs = append(pairs, output.Pair{Name: sub.Name(), Text: sub.Short})
		}
	}
	return pairs
}

// examples splits the lines of examples into commands and what they do, which two blanks separate.
func examples(text string) (all []output.Pair) {
	for line := range strings.Lines(text) {
		name, what, _ := strings.Cut(strings.TrimSpace(line), "  ")
		all = append(all, output.Pair{Name: name, Text: strings.TrimSpace(what)})
	}
	return all
}

// flagPair returns a flag with its value, and what it is for.
func flagPair(f *pflag.Flag) output.Pair {
	name := "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	value, usage := Usage(f)
	if f.Value.Type() != "bool" {
		name += " " + value
	}
	if d := f.DefValue; d != "" && !slices.Contains([]string{"false", "[]", "0", "0s"}, d) {
		usage += " (default " + d + ")"
	}
	return output.Pair{Name: name, Text: usage}
}

// Usage returns the name of a flag's value and what the flag is for. A usage that begins with the name in backquotes has it there
// only.
func Usage(f *pflag.Flag) (value, usage string) {
	value, usage = pflag.UnquoteUsage(f)
	if value == f.Value.Type() {
		value = "VALUE"
	}
	if rest, ok := strings.CutPrefix(f.Usage, "`"+value+"` "); ok {
		usage = rest
	}
	if first := usage[:min(1, len(usage))]; first != "" {
		usage = strings.ToUpper(first) + usage[1:]
	}
	return value, usage
}

// helpFoot returns where there is more help.
func helpFoot(cmd *cobra.Command) string {
	switch {
	case !cmd.HasParent():
		return "`parley COMMAND --help` describes a command, `parley man` prints the manual page. The flags for the model, the agent, the " +
			"screen and the setup go with every command."
	case cmd.HasAvailableSubCommands():
		return "`" + cmd.CommandPath() + " COMMAND --help` describes a command."
	}
	return ""
}

// paragraphs folds a text. Indented lines stay as they are.
func paragraphs(text string, width int) (lines []string) {
	var open []string
	flush := func() {
		if len(open) > 0 {
			lines = append(lines, output.Measure.Fold(strings.Join(open, " "), width)...)
		}
		open = nil
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if line != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			open = append(open, line)
			continue
		}
		flush()
		lines = append(lines, strings.ReplaceAll(line, "\t", "  "))
	}
	flush()
	return lines
}
