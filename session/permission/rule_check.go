package permission

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/session"
	"parley/session/permission/program"
	"parley/session/permission/shell"
	"parley/session/toolview"
)

// noSubject returns the error for a text that begins with no subject, with the rule that may be meant.
func noSubject(text, word string) error {
	if tool, content, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(text), ")"), "("); ok && tool == "Bash" {
		if content, ok = strings.CutSuffix(content, ":*"); ok {
			content += " *"
		}
		return fmt.Errorf("a rule for a command is written as: command %s", content)
	}
	return fmt.Errorf("a rule begins with command, edit, read, fetch, mcp or tool, not %q", word)
}

// check returns what is wrong with the pattern of a rule.
func (r Rule) check() error {
	if r.Pattern == "" {
		return fmt.Errorf("say which %s: nothing follows the word %q", r.Subject, r.Subject)
	}
	if err := checkText(r.Pattern); err != nil {
		return err
	}
	switch r.Subject {
	case OnCommand:
		return checkCommand(r.Pattern)
	case OnEdit, OnRead:
		return checkGlob(r.Pattern)
	case OnFetch:
		return checkDomain(r.Pattern)
	case OnScript:
		return r.checkScript()
	case OnServer:
		server, tool, one := strings.Cut(r.Pattern, "/")
		if server == "" || one && tool == "" || strings.ContainsAny(r.Pattern, " \t*") || strings.Contains(tool, "/") {
			return errors.New("a rule for an MCP server is its name, or its name and a tool, such as github/list_issues")
		}
	case OnTool:
		if strings.ContainsAny(r.Pattern, " \t*()") {
			return errors.New("a rule for a tool is its name alone, such as WebSearch")
		}
	}
	return nil
}

func checkText(pattern string) error {
	for i, c := range pattern {
		if _, size := utf8.DecodeRuneInString(pattern[i:]); c == utf8.RuneError && size <= 1 {
			return errors.New("a rule is text: it has bytes that are not UTF-8")
		}
		switch {
		case unicode.IsControl(c):
			return fmt.Errorf("a rule is one line without control characters: remove <U+%04X>", c)
		case shell.IsInvisible(c):
			return fmt.Errorf("a rule has no characters that cannot be seen: remove <U+%04X>", c)
		}
	}
	return nil
}

// checkCommand returns what is wrong with the pattern of a rule for commands.
func checkCommand(pattern string) error {
	words, many := strings.CutSuffix(pattern, " *")
	switch {
	case pattern == "*":
		return errors.New("name a program, as in command go test *; for every command there is: tool Bash")
	case strings.HasSuffix(pattern, ":*"):
		return fmt.Errorf("any arguments are written as a blank and a star: command %s *", strings.TrimSuffix(pattern, ":*"))
	}
	if _, ok := (&Rule{Pattern: pattern}).words(); ok {
		return nil
	}
	line, err := shell.Read(shell.Bash, words)
	if err != nil {
		return fmt.Errorf("a rule cannot allow that, because %w", err)
	}
	if many {
		return errors.New("only words can stand before the star, without variables, redirections and other commands")
	}
	if len(line) == 1 && len(line[0].Commands) == 1 && line[0].Commands[0].Kind == shell.Call && len(line[0].Commands[0].Redirects) == 0 && !line[0].Commands[0].Fed {
		return errors.New("the words of a rule stand for themselves: put variables and stars in quotes, and ' *' at the end for any arguments")
	}
	return nil
}

// Void returns why a rule that allows lets nothing pass, as a sentence for the user; "" if it may let something pass. A rule
// that denies or asks is never void.
func (r Rule) Void() string {
	switch {
	case r.Ruling != Allow:
		return ""
	case r.Subject == OnTool:
		switch toolview.Describe(r.Pattern, nil, "").Kind {
		case toolview.Command:
			return "It allows nothing: commands are allowed one by one, as in command go test *."
		case toolview.Edit, toolview.Read, toolview.Search:
			return "It allows nothing: files are allowed by their paths, as in edit src/** or read ~/notes/**."
		}
		return ""
	case r.Subject != OnCommand || !strings.HasSuffix(r.Pattern, " *"):
		return ""
	}
	text, ok := r.words()
	if !ok || len(text) == 0 {
		return "It allows nothing: parley cannot read it."
	}
	words := make([]shell.Word, len(text))
	for i, t := range text {
		words[i] = shell.Lit(t)
	}
	switch u := program.Judge(words); {
	case u.Launcher:
		return "It allows nothing: " + text[0] + " runs what its arguments say. Write a rule for what it runs, or the whole command without a star."
	case len(text) > 1 && u.Asked != "":
		return "It allows nothing: " + u.Asked + ". Write the whole command without a star."
	case u.Beyond != "":
		return "It allows nothing: " + u.Beyond + ". Write the whole command without a star."
	case u.Needs > len(text) && len(text) > 1:
		return "It allows nothing: name what " + strings.Join(text, " ") + " runs."
	}
	return ""
}

// Label describes in a few words what the rule covers.
func (r Rule) Label() string {
	switch r.Subject {
	case OnCommand:
		return r.Pattern
	case OnEdit:
		return "edits of " + filesLabel(r.Pattern)
	case OnRead:
		return "reads of " + filesLabel(r.Pattern)
	case OnFetch:
		if domain, ok := strings.CutPrefix(r.Pattern, "*."); ok {
			return "pages of " + domain + " and its subdomains"
		}
		return "pages of " + r.Pattern
	case OnServer:
		if server, tool, ok := strings.Cut(r.Pattern, "/"); ok {
			return tool + " of the MCP server " + server
		}
		return "every tool of the MCP server " + r.Pattern
	case OnTool:
		return "every call of " + r.Pattern
	case OnScript:
		_, line, _ := r.pins()
		return line + ", while " + strings.Join(r.scriptNames(), " and ") + " is unchanged"
	}
	return r.String()
}

// Note says what else there is to know before the rule is given, "" for nothing: what is not compared of a script.
func (r Rule) Note() string {
	if r.Subject == OnScript {
		return "files that it loads are not checked"
	}
	text, ok := r.words()
	if r.Subject != OnCommand || r.Ruling != Allow || !ok || strings.HasSuffix(r.Pattern, " *") {
		return ""
	}
	words := make([]shell.Word, len(text))
	for i, t := range text {
		words[i] = shell.Lit(t)
	}
	if len(words) == 0 || !runsScript(words) {
		return ""
	}
	return "also after the script has changed"
}

// filesLabel names the files of a pattern in words.
func filesLabel(pattern string) string {
	if pattern == "**" {
		return "any file of this project"
	}
	return pattern
}

// Name returns what the rule covers in plain words, to stand in a sentence.
func (r Rule) Name() string {
	switch r.Subject {
	case OnCommand:
		return strings.TrimSuffix(r.Pattern, " *")
	case OnEdit, OnRead:
		if dir, ok := strings.CutSuffix(r.Pattern, "/**"); ok {
			return "any file in " + dir + "/"
		} else if r.Pattern == "**" {
			return "any file in this project"
		}
	case OnFetch:
		if domain, ok := strings.CutPrefix(r.Pattern, "*."); ok {
			return domain + " and its subdomains"
		}
	case OnServer:
		server, tool, ok := strings.Cut(r.Pattern, "/")
		if !ok {
			return "every tool of " + server
		}
		return tool + " of " + server
	case OnScript:
		return thisLine
	}
	return r.Pattern
}

// thisLine is the name of a rule for the very line that is asked about.
const thisLine = "exactly this"

// scopes returns how long a rule that is offered may hold: one for words that stand for what the project has them run holds in no
// other project, and one for a program that runs what its arguments say only in the session.
func (r Rule) scopes() []session.Scope {
	all := []session.Scope{session.ScopeSession, session.ScopeProject, session.ScopeGlobal}
	if r.Subject == OnScript {
		return all[:1]
	}
	if r.Subject != OnCommand || strings.HasSuffix(r.Pattern, " *") {
		return all
	}
	line, err := shell.Read(shell.Bash, r.Pattern)
	if err != nil {
		return all[:1]
	}
	line.Each(func(c *shell.Command, _ bool) {
		switch {
		case c.Kind != shell.Call || !c.Words[0].Known:
		case isHidden(c.Words):
			all = all[:1]
		case program.RunsProject(c.Words):
			all = all[:min(len(all), 2)]
		}
	})
	return all
}
