package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission/disk"
	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// maxNested bounds how many programs may start one another in a call.
const maxNested = 6

// feed says what the input of a call is.
type feed struct {
	text bool // a text of the line
	pipe bool // the output of another command
}

// call judges the call of a program, and returns its words and its variables as they are printed. depth counts the programs that
// start one another before it, and inShell means that the shell itself starts it.
func (j *lineJudge) call(words []shell.Word, fed feed, depth int, inShell bool) (verdict, []shell.Word, []shell.Setting) {
	name := words[0]
	u := program.Use{}
	v, done := j.named(name, depth)
	if !done {
		u = program.Judge(words)
		if depth > 0 && u.Cd { // only a cd that stands alone is followed
			return refuse("where it leads is not known"), words, nil
		}
		u.Builtin = u.Builtin && (depth == 0 || inShell) // another program starts it, which knows no builtins
		script, runs := j.scriptOf(words)
		if runs {
			j.scripts = append(j.scripts, script)
		}
		if own := runs && strings.Contains(name.Text, "/") && slices.Contains(j.pins, script); !own {
			v, done = j.trusted(u, name.Text)
		}
	}
	switch {
	case done:
		return v, words, nil
	case u.Cd:
		v := j.cd(u)
		return v, u.Print(words), nil
	}
	if v := j.filesOf(u); !v.allowed {
		return v, words, nil
	}
	if j.p.Locked != "" {
		return refuse(""), words, nil
	}
	if u.Safe {
		printed, why := j.quiet(u, words)
		if why != "" {
			return refuse(why), words, nil
		}
		return verdict{allowed: true, rule: builtIn(OnCommand, safeText(words)), why: "only reads"}, printed, u.Set
	}
	if u.Inner != nil {
		v, inner, set := j.call(u.Inner, fed, depth+1, u.Builtin)
		if v.allowed && (u.Builtin || v.rule != nil) {
			return v, append(slices.Clip(words[:len(words)-len(u.Inner)]), inner...), set
		}
	}
	return j.ruled(u, words, fed), words, nil
}

// named refuses calls of what is no program of a known name.
func (j *lineJudge) named(name shell.Word, depth int) (v verdict, done bool) {
	switch {
	case !name.Known || name.Home || name.Text == "":
		return never("the name of a program is computed"), true
	case depth > maxNested:
		return never("too many programs start one another"), true
	case slices.Contains(j.p.functions, name.Text):
		return never(name.Text + " is a function that an earlier command defined"), true
	}
	return verdict{}, false
}

// trusted refuses calls of programs that the agent could have made.
func (j *lineJudge) trusted(u program.Use, name string) (v verdict, done bool) {
	if u.Builtin {
		return verdict{}, false
	}
	if why := j.p.untrusted(name); why != "" {
		return verdict{why: why, always: !strings.HasPrefix(why, "it is not known")}, true
	}
	return verdict{}, false
}

// quiet returns the words of a call that only reads as they are printed, or why it does more.
func (j *lineJudge) quiet(u program.Use, words []shell.Word) ([]shell.Word, string) {
	if !u.Git {
		return u.Print(words), ""
	}
	names, ok := j.gitFilters(u)
	if !ok {
		return nil, "git may run what this repository's settings say"
	}
	var settings []shell.Word
	for _, name := range names {
		for _, s := range program.GitFilter(name) {
			settings = append(settings, shell.Lit("-c"), shell.Lit(s))
		}
	}
	return slices.Concat(u.Words[:u.Filters], settings, u.Words[u.Filters:]), ""
}

// gitFilters returns the names of the filters that the repositories have in which git may run, false if they are not known.
func (j *lineJudge) gitFilters(u program.Use) (names []string, ok bool) {
	at := j.bases
	if len(u.At) == 2 {
		at, ok = j.paths(u.At[1])
		if !ok {
			return nil, false
		}
	}
	if len(at) == 0 {
		return nil, false
	}
	for _, dir := range at {
		found, ok := j.p.filtersOf(dir)
		if !ok {
			return nil, false
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// ruled judges a call by the rules that allow.
func (j *lineJudge) ruled(u program.Use, words []shell.Word, fed feed) verdict {
	name := words[0].Text
	if u.Git && !j.isGitQuiet() {
		return refuse("git may run what this repository's settings say")
	}
	if j.p.Mode == session.ModePlan {
		return refuse("may change something")
	}
	if u.Launcher && fed.pipe && !j.whole {
		return refuse(name + " may run what it reads")
	}
	if why := j.remote(u); why != "" {
		return refuse(why)
	}
	if r := j.p.exactRule(words); r != nil && !fed.text {
		return verdict{allowed: true, rule: r, why: whyAllowed(r, "")}
	}
	r := j.p.prefixRule(words, 1)
	switch {
	case r == nil && u.Asked != "" && u.Inner == nil && !runsScript(words):
		return refuse(u.Asked)
	case r == nil:
		return refuse("no rule allows " + name)
	case fed.text:
		return refuse("a text of this line is its input")
	case u.Asked != "":
		return refuse(u.Asked)
	case u.Beyond != "":
		return refuse(u.Beyond)
	}
	if r = j.p.prefixRule(words, u.Needs); r == nil {
		return refuse("a rule has to name what " + name + " does here")
	}
	if at, why := j.outside(u, words); at > 0 {
		if r = j.p.prefixRule(words, at+1); r == nil {
			return refuse(why)
		}
	}
	return verdict{allowed: true, rule: r, why: whyAllowed(r, "")}
}

// remote returns why git may connect to something else than a remote of the repository, "" if it does not.
func (j *lineJudge) remote(u program.Use) string {
	if u.Remote == "" {
		return ""
	}
	var names []string
	if j.p.Remotes != nil && len(j.bases) == 1 {
		names = j.p.Remotes(j.bases[0])
	}
	if !slices.Contains(names, u.Remote) {
		return u.Remote + " is no remote of this repository"
	}
	if j.p.Disk.Exists == nil || j.p.Disk.Exists(filepath.Join(j.bases[0], u.Remote)) {
		return u.Remote + " is a file, too, which git may take for the remote"
	}
	return ""
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
		return refuse(u.Asked)
	}
	paths, ok := j.paths(u.Reads[0])
	for i, path := range paths { // a shell goes back by the names that it went
		named := path
		if i < len(j.bases) && !u.Reads[0].Home && !filepath.IsAbs(u.Reads[0].Text) {
			named = filepath.Join(j.bases[i], u.Reads[0].Text)
		}
		there, sure := j.p.Disk.Real(path)
		again, same := j.p.Disk.Real(named)
		ok = ok && (path == named || sure && same && there == again)
	}
	if !ok || slices.ContainsFunc(paths, func(path string) bool { return !j.p.within(path) }) {
		return refuse("it leaves this session's directories")
	}
	if len(j.failed)+len(j.bases) > maxBases {
		return refuse("it goes to too many directories")
	}
	j.failed = union(append([]string{}, j.failed...), j.bases)
	j.bases = paths
	return verdict{allowed: true, rule: builtIn(OnCommand, "cd *"), why: "stays in this session's directories"}
}

// filesOf judges the files that a call reads and writes.
func (j *lineJudge) filesOf(u program.Use) verdict {
	bases := j.bases
	if len(u.At) == 2 {
		j.bases, _ = j.paths(u.At[1])
	}
	for _, w := range u.Reads {
		if v := j.read(w); !v.allowed {
			j.bases = bases
			return v
		}
	}
	j.bases = bases
	if u.Deep && len(u.Reads) == 0 && u.Safe {
		if len(j.bases) == 0 {
			return refuse("it is not sure where it runs")
		}
		if slices.ContainsFunc(j.bases, func(base string) bool { return !j.p.within(base) }) {
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
				return never("it changes a file: " + lowerFirst(trimReason(why)))
			}
			if u.Deep && slices.ContainsFunc(j.p.Dirs, func(dir string) bool { return j.p.Disk.Inside(dir, []string{path}) }) {
				return never("it changes a whole directory of this session")
			}
		}
	}
	return verdict{allowed: true}
}

// isGitQuiet reports whether git starts nothing by itself where the line runs.
func (j *lineJudge) isGitQuiet() bool {
	return len(j.bases) == 1 && j.bases[0] == j.p.Base && j.p.Git != nil && j.p.Git()
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
	case strings.ContainsFunc(name, disk.IsSeparator):
		return name + " is a program that the agent could have made"
	default:
		paths = p.Programs(name)
	}
	if len(paths) == 0 {
		return "it is not known which program " + name + " is"
	}
	for _, path := range paths {
		if _, resolves := p.Disk.Real(path); !resolves || p.Disk.Inside(path, p.Dirs) {
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
