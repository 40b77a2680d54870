package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// mostNested bounds how many programs may start one another in a call.
const mostNested = 6

// call judges the call of a program. depth counts the programs that start one another before it, and inShell means that the
// shell itself starts it.
func (j *lineJudge) call(words []shell.Word, fed bool, depth int, inShell bool) verdict {
	name := words[0]
	if !name.Known || name.Home || name.Text == "" {
		return never("the name of a program is computed")
	}
	if depth > mostNested {
		return never("too many programs start one another")
	}
	if slices.Contains(j.p.functions, name.Text) {
		return never(name.Text + " is a function that an earlier command defined")
	}
	u := program.Judge(words)
	if depth > 0 && !inShell { // another program starts it, which knows no builtins
		if u.Cd {
			return refuse("where it leads is not known")
		}
		u.Builtin = false
	}
	if !u.Builtin {
		if why := j.p.untrusted(name.Text); why != "" {
			return verdict{why: why, always: !strings.HasPrefix(why, "it is not known")}
		}
	}
	if u.Cd {
		return j.cd(u)
	}
	if v := j.files(u); !v.allowed {
		return v
	}
	if u.Git && !j.isGitQuiet() {
		return refuse("git may run what this repository's settings say")
	}
	if j.p.Locked != "" {
		return refuse("")
	}
	if u.Safe && !fed || u.Safe && !u.Launcher {
		return verdict{allowed: true, rule: builtIn(OnCommand, safeText(words)), why: "only reads"}
	}
	if u.Inner != nil && u.Asked != "" {
		if v := j.call(u.Inner, fed, depth+1, u.Builtin); v.allowed && (u.Builtin || v.rule != nil) {
			return v
		}
	}
	if j.p.Mode == session.ModePlan {
		return refuse("may change something")
	}
	if r := j.p.exactRule(words); r != nil && !fed {
		return verdict{allowed: true, rule: r, why: whyAllowed(r, "")}
	}
	r := j.p.prefixRule(words, 1)
	switch {
	case r == nil:
		return refuse("no rule allows " + name.Text)
	case fed:
		return refuse("a text of this line is its input")
	case u.Asked != "":
		return refuse(u.Asked)
	}
	if r = j.p.prefixRule(words, u.Needs); r == nil {
		return refuse("a rule has to name what " + name.Text + " does here")
	}
	if at, why := j.outside(u, words); at > 0 {
		if r = j.p.prefixRule(words, at+1); r == nil {
			return refuse(why)
		}
	}
	return verdict{allowed: true, rule: r, why: whyAllowed(r, "")}
}

// safeText returns the pattern of the built-in rule that stands for a safe call.
func safeText(words []shell.Word) string {
	text := words[0].Text
	if (text == "git" || text == "go") && len(words) > 1 && words[1].Known {
		text += " " + words[1].Text
	}
	return text + " *"
}

// whyAllowed describes the rule that allows a part.
func whyAllowed(r *Rule, otherwise string) string {
	switch {
	case r == nil:
		return otherwise
	case r.Origin == FromParley:
		return "only reads"
	}
	return "allowed by " + r.String()
}

// cd judges a change of the directory: it has to lead to one of the session's.
func (j *lineJudge) cd(u program.Use) verdict {
	if u.Asked != "" {
		j.bases = nil
		return refuse(u.Asked)
	}
	to := u.Reads[0]
	if j.p.elsewhere && !to.Home && !strings.HasPrefix(to.Text, "/") && !strings.HasPrefix(to.Text, "./") && to.Text != "." {
		j.bases = nil
		return refuse("CDPATH may lead it elsewhere")
	}
	paths, ok := j.paths(to)
	if !ok || slices.ContainsFunc(paths, func(path string) bool { return !j.p.within(path) }) {
		j.bases = nil
		return refuse("it leaves this session's directories")
	}
	j.move(to)
	return verdict{allowed: true, rule: builtIn(OnCommand, "cd *"), why: "stays in this session's directories"}
}

// files judges the files that a call reads and writes.
func (j *lineJudge) files(u program.Use) verdict {
	for _, w := range u.Reads {
		if v := j.read(w); !v.allowed {
			return v
		}
	}
	if u.Deep && len(u.Reads) == 0 && !u.Changes && len(j.bases) == 0 && u.Safe {
		return refuse("it is not sure where it runs")
	}
	for _, base := range j.bases {
		if u.Deep && len(u.Reads) == 0 && u.Safe && !j.p.within(base) {
			return refuse("it runs outside this session's directories")
		}
	}
	for _, w := range u.Writes {
		paths, ok := j.paths(w)
		if !ok {
			return refuse("it is not sure which file it changes")
		}
		for _, path := range paths {
			if why := j.p.neverEdited(path); why != "" {
				return never("it changes a file: " + lowerFirst(strings.TrimSuffix(strings.TrimPrefix(why, "Always asked: "), ".")))
			}
			if u.Deep && slices.ContainsFunc(j.p.Dirs, func(dir string) bool { return j.p.inside(dir, []string{path}) }) {
				return never("it changes a whole directory of this session")
			}
		}
	}
	return verdict{allowed: true}
}

// isGitQuiet reports whether git starts nothing by itself where the line runs.
func (j *lineJudge) isGitQuiet() bool {
	if !j.looked {
		j.looked = true
		j.quiet = j.p.Git != nil && j.p.Git()
	}
	return j.quiet && len(j.bases) == 1 && j.bases[0] == j.p.Base
}

// untrusted returns why a program is one that the session's agent could have made, or that is not found, "" if it is not.
func (p Policy) untrusted(name string) string {
	if p.Programs == nil {
		return "it is not known which program " + name + " is"
	}
	var paths []string
	switch {
	case filepath.IsAbs(name):
		paths = []string{name}
	case strings.ContainsFunc(name, isSeparator):
		return name + " is a program that the agent could have made"
	default:
		paths = p.Programs(name)
	}
	if len(paths) == 0 {
		return "it is not known which program " + name + " is"
	}
	for _, path := range paths {
		if _, resolves := p.real(path); !resolves || p.inside(path, p.Dirs) {
			return name + " is a program that the agent could have made"
		}
	}
	return ""
}

// exactRule returns the rule that allows exactly these words.
func (p Policy) exactRule(words []shell.Word) *Rule {
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Subject == OnCommand && r.Ruling == Allow && !strings.HasSuffix(r.Pattern, " *") && r.begins(words) == len(words) {
			return r
		}
	}
	return nil
}

// prefixRule returns the first rule with at least n words and any arguments that allows a call.
func (p Policy) prefixRule(words []shell.Word, n int) *Rule {
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Subject == OnCommand && r.Ruling == Allow && strings.HasSuffix(r.Pattern, " *") && r.begins(words) >= n {
			return r
		}
	}
	return nil
}

// begins returns how many words a rule has, 0 if a call does not begin with them.
func (r *Rule) begins(words []shell.Word) int {
	if !strings.HasPrefix(r.Pattern, words[0].Text) {
		return 0
	}
	pattern := strings.TrimSuffix(r.Pattern, " *")
	if isPlainText(pattern) { // without taking it apart
		n := 0
		for text := range strings.FieldsSeq(pattern) {
			if n >= len(words) || !isWord(words[n], text) {
				return 0
			}
			n++
		}
		return n
	}
	if text, ok := r.words(); ok && begins(words, text) {
		return len(text)
	}
	return 0
}

func isWord(w shell.Word, text string) bool { return w.Known && !w.Home && w.Text == text }

// begins reports whether the first words of a call are exactly these.
func begins(words []shell.Word, text []string) bool {
	if len(text) == 0 || len(words) < len(text) {
		return false
	}
	for i, t := range text {
		if !isWord(words[i], t) {
			return false
		}
	}
	return true
}

// words returns the words of a rule for commands, without the " *" at its end. It reports false for a rule that is a line of
// several commands.
func (r *Rule) words() ([]string, bool) {
	pattern := strings.TrimSuffix(r.Pattern, " *")
	if isPlainText(pattern) {
		return strings.Fields(pattern), pattern != ""
	}
	line, err := shell.Read(shell.Bash, pattern)
	if err != nil {
		return nil, false
	}
	return line.Plain()
}

// isPlainText reports whether a text is words that mean themselves to every shell.
func isPlainText(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != ' ' && !isPlainSign(c) {
			return false
		}
	}
	return !strings.HasPrefix(text, "~")
}

// isPlainSign reports whether a character means itself to every shell in the middle of a word.
func isPlainSign(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_./:,@+=", c) >= 0
}
