package manual

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/output"
)

// exitStatuses describes the exit codes.
var exitStatuses = []output.Pair{
	{Name: "0", Text: "the turn ended by itself"},
	{Name: "1", Text: "it failed"},
	{Name: "2", Text: "flags, configuration or environment make no sense"},
	{Name: "3", Text: "not signed in"},
	{Name: "4", Text: "something was refused and no file was changed, or the turn could not go on because the model declined or a hook blocked the prompt"},
	{Name: "5", Text: "quota or rate limit, after retries"},
	{Name: "129, 130, 143", Text: "SIGHUP, SIGINT, SIGTERM"},
}

// WritePage writes the manual page in roff. It has no date, because the page must be the same on every day for the same
// version.
func WritePage(w io.Writer, root *cobra.Command) error {
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
	r.pairs([]output.Pair{{Name: "$XDG_CONFIG_HOME/parley/config.yaml", Text: "the configuration; `parley config path` names it, `parley config schema` describes it"},
		{Name: "$XDG_CONFIG_HOME/parley/permissions.yaml", Text: "permission rules for every project; those of one are below $XDG_DATA_HOME/parley/projects"},
		{Name: "/etc/parley/policy.yaml", Text: "the administrator's policy"},
		{Name: "$XDG_DATA_HOME/parley", Text: "sessions and drafts"}, {Name: "$XDG_STATE_HOME/parley", Text: "logs and locks"}, {Name: "$XDG_CACHE_HOME/parley", Text: "runtimes"}})
	r.line(".SH ENVIRONMENT")
	r.pairs([]output.Pair{{Name: "COPILOT_GITHUB_TOKEN, GH_TOKEN, GITHUB_TOKEN", Text: "the GitHub token, the first one that is set; else the login of `gh`"},
		{Name: "PARLEY_*", Text: "every key of the configuration, such as PARLEY_MODEL"}, {Name: "NO_COLOR", Text: "no colors"}})
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
	if runs(cmd) {
		r.alone(cmd)
	}
	for _, sub := range cmd.Commands() {
		r.command(sub)
	}
}

// alone describes what a command does by itself.
func (r *roff) alone(cmd *cobra.Command) {
	r.line(".SS " + escapeRoff(strings.TrimSpace(usageLines(cmd)[0])))
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
func (r *roff) pairs(all []output.Pair) {
	for _, p := range all {
		r.line(".TP")
		r.text("`" + strings.TrimSpace(p.Name) + "`")
		r.text(p.Text)
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
