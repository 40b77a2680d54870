package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

const rootLong = `parley is a terminal chat with coding agents, on your GitHub Copilot plan. It streams answers
and reasoning, asks before a tool acts, and resumes any past session.

Without a command it starts a chat in this directory; words are the first prompt.`

const rootExample = `  parley                          chat in this directory
  parley why does this test fail  chat, with a first prompt
  parley -p list the exported API answer and exit
  git diff | parley -p review     piped input is appended to the words
  parley -c                       continue the newest session of this directory
  parley -r upload                pick a session to resume, matching the words
  parley --demo                   try it: a simulated model, no login, no download`

// needsNothing reports whether a command prints only what is built into the program: it works whatever the configuration.
func needsNothing(cmd *cobra.Command) bool {
	words := strings.Fields(cmd.CommandPath())
	switch strings.Join(words[1:min(len(words), 3)], " ") {
	case "version", "man", "config schema":
		return true
	}
	return len(words) > 1 && (words[1] == "completion" || words[1] == "help" || strings.HasPrefix(words[1], "__complete"))
}

// rootCommand makes the command tree. Flags of the root are persistent: they apply to every command.
func rootCommand(a *app) *cobra.Command {
	var f rootFlags
	root := &cobra.Command{
		Use:           "parley [words]",
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
			return a.load(cmd.Flags(), f.demo || cmd.Name() == "sim")
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			return talk(cmd.Context(), a, f, words)
		},
	}
	root.SetVersionTemplate("parley {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.CompletionOptions.HiddenDefaultCmd = false

	all := root.PersistentFlags()
	all.String("agent", "", "the agent: auto, builtin, claude or copilot")
	all.StringP("model", "m", "", "the model; see parley models")
	all.String("effort", "", "the reasoning effort, one that the model offers")
	all.String("permission-mode", "", "default, acceptEdits, plan or bypassPermissions")
	all.StringArray("add-dir", nil, "another directory that tools may use (repeatable)")
	all.String("config", "", "the configuration file")
	all.String("screen", "", "alt, inline or plain")
	all.String("log-file", "", "where to log")
	all.Bool("verbose", false, "log everything except secrets")
	all.BoolVar(&f.demo, "demo", false, "a simulated model and real tools in a scratch directory")

	own := root.Flags()
	own.BoolVarP(&f.print, "print", "p", false, "answer and exit")
	own.BoolVarP(&f.cont, "continue", "c", false, "continue the newest session of this directory")
	own.BoolVarP(&f.resume, "resume", "r", false, "resume a session by id, or pick one matching the words")
	own.BoolVar(&f.plain, "plain", false, "same as --screen plain: text lines only, for screen readers")
	own.StringVar(&f.output, "output-format", "text", "with -p: text, json or stream-json")

	root.AddCommand(proxyCommand(a), simCommand(a), modelsCommand(a), authCommand(a), doctorCommand(a),
		sessionsCommand(a), configCommand(a), manCommand(a), versionCommand(a), runtimesCommand(a))
	return root
}
