package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/internal/cli/auth"
	"parley/internal/cli/command"
	"parley/internal/cli/completion"
	extensioncmd "parley/internal/cli/extensions"
	hosting "parley/internal/cli/host"
	"parley/internal/cli/manual"
	modelcmd "parley/internal/cli/models"
	runtimecmd "parley/internal/cli/runtimes"
	"parley/internal/cli/sessions"
	simcmd "parley/internal/cli/sim"
	"parley/internal/cli/usage"
)

const rootLong = `A terminal chat with coding agents, on your GitHub Copilot plan. It streams answers and reasoning,
asks before a tool acts, and resumes any past session. Without a command it starts a chat in this directory.`

const rootExample = `  parley  chat in this directory
  parley "why does this test fail?"  chat, with a first prompt
  parley -c  continue the newest session of this directory
  parley -r upload  pick a session to resume, matching the words
  parley -p "list the exported API"  answer and exit
  git diff | parley -p review  piped input is appended to the words
  parley --demo  try it: a simulated model, no login, no download`

// needsNothing reports whether a command prints only what is built into the program: it works whatever the configuration.
func needsNothing(cmd *cobra.Command) bool {
	words := strings.Fields(cmd.CommandPath())
	switch strings.Join(words[1:min(len(words), 3)], " ") {
	case "version", "man", "config schema":
		return true
	}
	return len(words) > 1 && (words[1] == "completion" || words[1] == "help" || strings.HasPrefix(words[1], "__complete"))
}

// init keeps commands in the order in which they are added: what people need most comes first.
func init() { cobra.EnableCommandSorting = false }

// rootCommand makes the command tree. Flags of the root are persistent: they apply to every command.
func rootCommand(a *app) *cobra.Command {
	var f rootFlags
	root := &cobra.Command{
		Use:           "parley [FLAGS] [WORDS]",
		Short:         "A terminal chat with coding agents on your GitHub Copilot plan",
		Long:          rootLong,
		Example:       rootExample,
		Version:       programVersion(),
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if needsNothing(cmd) {
				return nil
			}
			err := a.load(cmd.Flags(), f.demo || cmd.Name() == "sim" || cmd.Name() == "eval")
			if e, ok := errors.AsType[*config.Error](err); ok && cmd.Name() == "doctor" {
				return a.loadWithout(e, cmd.Flags())
			}
			return err
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			if !f.answer && !f.cont && !f.resume {
				if err := misspelt(cmd, words); err != nil {
					return err
				}
			}
			f.print.note(cmd.Flags())
			return talk(cmd.Context(), a, f, words)
		},
	}
	root.SetOut(a.out) // before completion is made, which takes its output now
	root.SetErr(a.err)
	root.SetVersionTemplate("parley {{.Version}}\n")
	root.SetFlagErrorFunc(command.UnknownFlag)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { manual.PrintHelp(a.out, cmd) })
	root.CompletionOptions.HiddenDefaultCmd = false

	addFlags(root, &f)
	hosts := hostOptions(a, &f)
	addCommands(root, "daily", "Commands", sessions.Command(libraryOf(a, hosts.Rename)), modelcmd.Command(modelOptions(a)), usage.Command(usage.Options{Out: a.out, Report: a.spent, Store: a.store, Home: func() string { return a.getenv("HOME") }}), auth.Command(a.out, a.signIn), doctorCommand(a))
	addCommands(root, "detached", "Commands for sessions without a terminal", hosting.Commands(hosts)...)
	addCommands(root, "setup", "Commands for the setup", configCommand(a), extensioncmd.Command(extensionOptions(a)), runtimecmd.Command(runtimecmd.Options{Out: a.out, Err: a.err, Runtimes: a.runtimes, Term: a.getenv("TERM")}))
	addCommands(root, "servers", "Commands that serve other programs", proxyCommand(a), simcmd.Command(a.out, a.err))
	addCommands(root, "more", "Other commands", evalCommand(a), manCommand(a), versionCommand(a))
	root.SetHelpCommandGroupID("more")
	root.SetCompletionCommandGroupID("more")
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Short, cmd.Run, cmd.RunE = "Print the help of a command", nil, help
		}
	}
	completion.Add(root, offered(a))
	return root
}

// addFlags adds the flags of all commands, and those of the chat.
func addFlags(root *cobra.Command, f *rootFlags) {
	all := root.PersistentFlags()
	all.String("agent", "", "`NAME` agent of new sessions: auto, builtin, claude, copilot or cloud")
	all.StringP("model", "m", "", "`MODEL` model to use; `parley models` lists them")
	all.StringSlice("fallback-model", nil, "`MODEL` that answers while the chosen one is overloaded or gone (up to three)")
	all.String("effort", "", "`LEVEL` reasoning effort, one that the model offers")
	all.String("permission-mode", "", "`MODE` permission mode: default, acceptEdits, plan or bypassPermissions")
	all.StringArray("add-dir", nil, "also let tools use `DIR` (repeatable)")
	all.String("config", "", "`FILE` configuration file")
	all.String("screen", "", "`KIND` how to draw: alt (the whole screen), inline or plain (text lines)")
	all.String("log-file", "", "`FILE` file to log to")
	all.Bool("verbose", false, "log everything except secrets")
	all.BoolVar(&f.demo, "demo", false, "a simulated model and real tools in a scratch directory")

	own := root.Flags()
	own.BoolP("help", "h", false, "print this help")
	own.BoolP("version", "v", false, "print the version")
	own.String("agent-file", "", "use the custom agent in `FILE`, or one of /agents by its name")
	own.BoolVarP(&f.answer, "print", "p", false, "answer and exit")
	own.BoolVarP(&f.cont, "continue", "c", false, "continue the newest session of this directory")
	own.BoolVarP(&f.resume, "resume", "r", false, "resume a session by id, or pick one matching the words")
	own.StringVar(&f.tree, "worktree", "", "start on a new branch in its own folder, `NAME` with --worktree=NAME")
	own.Lookup("worktree").NoOptDefVal = newTree
	own.BoolVar(&f.scratch, "scratch", false, "start in a new, empty folder of parley's, for what has no project")
	own.BoolVar(&f.plain, "plain", false, "same as --screen plain: text lines only, for screen readers")
	own.BoolVar(&f.detach, "detach", false, "start a session that needs no terminal, and exit; parley attach shows it")
	f.print.add(own)
}

// addCommands adds a group of commands, in the order of the help.
func addCommands(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = id
	}
	root.AddCommand(commands...)
}

// help is `parley help`: it prints the help of the command that the words name.
func help(cmd *cobra.Command, words []string) error {
	found, rest, err := cmd.Root().Find(words)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return command.UnknownCommand(found, rest[0])
	}
	return found.Help()
}
