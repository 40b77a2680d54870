package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// manCommand is `parley man`.
func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page, in roff", Args: noArgs,
		Example: `  parley man | man -l -  read it`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeManPage(a.out, cmd.Root())
		},
	}
}

// exitStatuses describes the exit codes.
var exitStatuses = []pair{
	{"0", "the turn ended by itself, refusals included"},
	{"1", "it failed"},
	{"2", "flags, configuration or environment make no sense"},
	{"3", "not signed in"},
	{"4", "the turn could not go on because an ask was refused, or a hook blocked the prompt"},
	{"5", "quota or rate limit, after retries"},
	{"129, 130, 143", "SIGHUP, SIGINT, SIGTERM"},
}

// writeManPage writes the manual page in roff. It has no date, because the page must be the same on every day for the same
// version.
func writeManPage(w io.Writer, root *cobra.Command) error {
	var r roff
	r.line(`.TH "PARLEY" "1" "" "parley" "parley manual"`, ".nh", ".SH NAME", `parley \- `+escapeRoff(root.Short), ".SH SYNOPSIS")
	for i, line := range usageLines(root) {
		if i > 0 {
			r.line(".br")
		}
		r.text("`" + strings.TrimSpace(line) + "`")
	}
	r.line(".SH DESCRIPTION")
	r.paragraphs(about(root))
	r.line(".SH EXAMPLES")
	r.pairs(examples(root.Example))
	r.line(".SH OPTIONS")
	for _, s := range flagSections(root) {
		r.line(".SS " + escapeRoff(s.title))
		r.pairs(s.pairs)
	}
	r.line(".SH COMMANDS")
	for _, cmd := range root.Commands() {
		r.command(cmd)
	}
	r.line(".SH EXIT STATUS")
	r.pairs(exitStatuses)
	r.line(".SH FILES")
	r.pairs([]pair{{"$XDG_CONFIG_HOME/parley/config.yaml", "the configuration; `parley config path` names it, `parley config schema` describes it"},
		{"$XDG_CONFIG_HOME/parley/permissions.yaml", "permission rules for every project; those of one are below $XDG_DATA_HOME/parley/projects"},
		{"/etc/parley/policy.yaml", "the administrator's policy"},
		{"$XDG_DATA_HOME/parley", "sessions and drafts"}, {"$XDG_STATE_HOME/parley", "logs and locks"}, {"$XDG_CACHE_HOME/parley", "runtimes"}})
	r.line(".SH ENVIRONMENT")
	r.pairs([]pair{{"COPILOT_GITHUB_TOKEN, GH_TOKEN, GITHUB_TOKEN", "the GitHub token, the first one that is set; else the login of `gh`"},
		{"PARLEY_*", "every key of the configuration, such as PARLEY_MODEL"}, {"NO_COLOR", "no colors"}})
	r.line(".SH SEE ALSO", `\fBgh\fP(1)`)
	_, err := io.WriteString(w, r.page.String())
	return err
}

// roff writes a manual page.
type roff struct{ page strings.Builder }

// command describes a command and those below it.
func (r *roff) command(cmd *cobra.Command) {
	if cmd.Name() == "help" || !cmd.IsAvailableCommand() {
		return
	}
	if cmd.HasAvailableSubCommands() && cmd.Name() != "completion" {
		for _, sub := range cmd.Commands() {
			r.command(sub)
		}
		return
	}
	usage := usageLines(cmd)[0]
	if cmd.Name() == "completion" {
		usage = cmd.CommandPath() + " bash|fish|powershell|zsh"
	}
	r.line(".SS " + escapeRoff(strings.TrimSpace(usage)))
	r.paragraphs(about(cmd))
	for _, s := range flagSections(cmd) {
		r.pairs(s.pairs)
	}
	r.pairs(examples(cmd.Example))
}

// paragraphs writes a text. Indented lines stay as they are.
func (r *roff) paragraphs(text string) {
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			r.line(".PP")
		}
		if strings.HasPrefix(part, " ") || strings.HasPrefix(part, "\t") {
			r.line(".EX", escapeRoff(strings.ReplaceAll(part, "\t", "    ")), ".EE")
			continue
		}
		r.text(part)
	}
}

// pairs writes names with what they stand for.
func (r *roff) pairs(all []pair) {
	for _, p := range all {
		r.line(".TP")
		r.text("`" + strings.TrimSpace(p.name) + "`")
		r.text(p.text)
	}
}

// text writes a text, with what is between backquotes in bold.
func (r *roff) text(text string) {
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			part = `\fB` + escapeRoff(part) + `\fP`
		} else {
			part = escapeRoff(part)
		}
		r.page.WriteString(part)
	}
	r.page.WriteString("\n")
}

// line writes lines of roff.
func (r *roff) line(lines ...string) {
	for _, l := range lines {
		r.page.WriteString(l + "\n")
	}
}

// escapeRoff returns text that roff prints as it is.
func escapeRoff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
