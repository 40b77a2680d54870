package completion

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/internal/cli/manual"
	"parley/session"
	"parley/session/runtimes"
	"parley/ui/md/cells"
)

// Sources read what is stored. All are called while a shell waits, and return nothing rather than an error.
type Sources struct {
	// Models returns the models of the last list, with their efforts.
	Models func() []session.Model
	// Sessions returns past sessions, the newest first.
	Sessions func(cmd *cobra.Command) []session.Meta
	// Deleted returns the sessions in the bin, the one that was deleted last first.
	Deleted func(cmd *cobra.Command) []session.Meta
}

// fixed are the values of flags of the root that never change.
var fixed = map[string][]cobra.Completion{
	"agent": {
		cobra.CompletionWithDesc("auto", "the best that is installed"), cobra.CompletionWithDesc("builtin", "parley's own"),
		cobra.CompletionWithDesc("claude", "Claude Code"), cobra.CompletionWithDesc("copilot", "Copilot's own agent"),
		cobra.CompletionWithDesc("cloud", "GitHub's cloud agent"),
	},
	"permission-mode": {
		cobra.CompletionWithDesc("default", "ask before edits and commands"), cobra.CompletionWithDesc("acceptEdits", "ask before commands"),
		cobra.CompletionWithDesc("plan", "change nothing, make a plan"), cobra.CompletionWithDesc("bypassPermissions", "ask nothing"),
	},
	"screen": {
		cobra.CompletionWithDesc("alt", "the whole screen"), cobra.CompletionWithDesc("inline", "below the prompt of the shell"),
		cobra.CompletionWithDesc("plain", "text lines only"),
	},
	"output-format": headless.Formats,
	"input-format":  {headless.Text, headless.Stream},
}

// free are the flags of the root whose values nothing can offer, not even files.
var free = []string{"allow", "deny", "max-turns", "max-tokens", "max-credits", "max-time"}

// Add adds completions to the tree of commands, and describes `parley completion`.
func Add(root *cobra.Command, s Sources) {
	for name, values := range fixed {
		register(root, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	for _, name := range free {
		register(root, name, cobra.NoFileCompletions)
	}
	register(root, "model", s.models)
	register(root, "effort", s.efforts)
	if err := root.MarkPersistentFlagDirname("add-dir"); err != nil {
		panic(err)
	}
	root.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if f := cmd.Flag("resume"); f != nil && f.Changed {
			return ids(s.Sessions)(cmd, args, word)
		}
		return nil, cobra.ShellCompDirectiveDefault // words may name files
	}
	for _, cmd := range leaves(root) {
		switch path := strings.TrimPrefix(cmd.CommandPath(), "parley "); path {
		case "sessions show", "sessions export", "sessions fork", "sessions rm", "sessions diff", "sessions undo":
			cmd.ValidArgsFunction = ids(s.Sessions)
		case "sessions restore":
			cmd.ValidArgsFunction = ids(s.Deleted)
		case "runtimes install", "runtimes rm":
			cmd.ValidArgsFunction = installable
		default:
			if cmd.ValidArgsFunction == nil && cmd != root {
				cmd.ValidArgsFunction = cobra.NoFileCompletions
			}
		}
	}
	describe(root)
}

// register adds the completion of a flag's values. The flag is there: the tests make the whole tree.
func register(root *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := root.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// leaves returns a command and all below it.
func leaves(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		all = append(all, leaves(sub)...)
	}
	return all
}

// PlainTexts takes the marks of values out of the descriptions of all flags, for shells that print them as they are.
func PlainTexts(root *cobra.Command) {
	for _, cmd := range leaves(root) {
		for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) {
				_, usage := manual.Usage(f)
				f.Usage = strings.ReplaceAll(usage, "`", "")
			})
		}
	}
}

// models offers the stored models.
func (s Sources) models(_ *cobra.Command, _ []string, word string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, m := range s.Models() {
		if strings.HasPrefix(m.ID, word) {
			all = append(all, m.ID)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// efforts offers the efforts of the model that is named, or of all.
func (s Sources) efforts(cmd *cobra.Command, _ []string, _ string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
	model := cmd.Flag("model").Value.String()
	for _, m := range s.Models() {
		for _, e := range m.Efforts {
			if (model == "" || session.SameModel(m.ID, model)) && !slices.Contains(all, e) {
				all = append(all, e)
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// maxTitle is the width of a session's title in a description.
const maxTitle = 60

// ids returns what offers the ids of sessions with their titles, for the first argument.
func ids(of func(cmd *cobra.Command) []session.Meta) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		for _, m := range of(cmd) {
			if strings.HasPrefix(string(m.ID), word) {
				title := cells.Truncate(cells.OneLine(m.Headline()), maxTitle, "…", cells.WcWidth)
				all = append(all, cobra.CompletionWithDesc(string(m.ID), title))
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// installable offers runtimes, and behind an @ their tested versions.
func installable(_ *cobra.Command, args []string, word string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, name := range runtimes.Names() {
		if len(args) > 0 {
			break
		}
		if strings.HasPrefix(name, word) {
			all = append(all, cobra.CompletionWithDesc(name, runtimes.Title(name)))
		}
		if !strings.HasPrefix(word, name+"@") {
			continue
		}
		for _, version := range runtimes.Tested(name) {
			all = append(all, name+"@"+version)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// shells are the help texts of the commands that print a script.
var shells = map[string]struct{ long, example string }{
	"bash": {"Print the completion script for bash, which needs the package bash-completion.",
		`  source <(parley completion bash)  in this shell
  parley completion bash > ~/.local/share/bash-completion/completions/parley  in every new one`},
	"zsh": {"Print the completion script for zsh. `autoload -U compinit; compinit` in ~/.zshrc turns completion on.",
		`  source <(parley completion zsh)  in this shell
  parley completion zsh > "${fpath[1]}/_parley"  in every new one`},
	"fish": {"Print the completion script for fish.",
		`  parley completion fish | source  in this shell
  parley completion fish > ~/.config/fish/completions/parley.fish  in every new one`},
	"powershell": {"Print the completion script for PowerShell. Add the command to your profile to have it in every new shell.",
		`  parley completion powershell | Out-String | Invoke-Expression  in this shell`},
}

// describe gives `parley completion` texts of ours.
func describe(root *cobra.Command) {
	for _, cmd := range leaves(root) {
		text, ok := shells[cmd.Name()]
		switch parent := cmd.Parent(); {
		case parent == root && cmd.Name() == "completion":
			cmd.Short, cmd.Long = "Print the completion script of a shell", ""
			cmd.Args, cmd.RunE = nil, command.RunGroup
		case ok && parent != nil && parent.Name() == "completion":
			cmd.Short, cmd.Long, cmd.Example = "Print the completion script for "+cmd.Name(), text.long, text.example
			if f := cmd.Flag("no-descriptions"); f != nil {
				f.Usage = "leave descriptions out"
			}
		}
	}
}
