package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// commands are all calls that a line may make, also those that programs are asked to make, for the rules that deny and ask.
type commands struct {
	text  string
	line  shell.Line // nil for one that is not in the language
	calls [][]shell.Word
	files []touched
	// codes are texts that programs take for scripts.
	codes []string
	// texts are all texts of the line, and interprets means that one of its programs runs what it reads.
	texts      []string
	interprets bool
	// unsure reports whether the line may make other calls too.
	unsure bool
	// lost reports whether relative names may be anywhere.
	lost  bool
	bases []string
	// functions are what the shell takes for a program of that name.
	functions []string
}

// touched is a file that a line reads or changes, where that is known.
type touched struct {
	word           shell.Word
	reads, changes bool
	deep           bool // with all that is below
	bases          []string
	lost           bool
	spots          []*spot // once they were looked up
}

// maxCalls bounds the calls that are looked at, and maxScripts how deep scripts may lie in one another.
const (
	maxCalls   = 2000
	maxScripts = 4
)

// commandsOf reads a line. One that is not in the language may make any call.
func (p Policy) commandsOf(line string) *commands {
	c := &commands{text: line, functions: p.functions, unsure: p.doubt != "", bases: slices.Clone(p.Dirs)}
	if p.Base != "" {
		c.bases = []string{p.Base}
	}
	dialect, ok := dialectOf(p.Shell)
	read, err := shell.Read(dialect, line)
	if c.unsure = c.unsure || !ok || err != nil; err == nil {
		c.line = read
		c.steps(read, 0)
	}
	return c
}

// steps notes what a line does.
func (c *commands) steps(line shell.Line, depth int) {
	line.Each(func(at *shell.Command, piped bool) {
		c.unsure = c.unsure || len(c.functions) > 0 && (at.Fed || at.Kind == shell.Input) // the print calls printf and read
		for _, r := range at.Redirects {
			if r.Op != ">&" {
				c.touch(r.File, r.Op == "<", r.Op != "<", false)
			}
		}
		for _, s := range at.Set {
			c.unsure = c.unsure || !s.Value.Known || at.Kind == shell.Call && program.Variable(s.Name) != "" && !program.Harmless(s.Name, s.Value.Text)
			c.texts = append(c.texts, s.Value.Text)
		}
		if at.Kind == shell.Call {
			c.call(at.Words, at.Fed || piped, depth)
			for _, w := range at.Words {
				c.texts = append(c.texts, w.Text)
			}
			c.texts = append(c.texts, at.Text)
		}
	})
	if c.interprets { // one command may leave a script for another
		c.codes = append(c.codes, c.texts...)
	}
}

func (c *commands) touch(w shell.Word, reads, changes, deep bool) {
	if w.Known && w.Text == "/dev/null" {
		return
	}
	c.files = append(c.files, touched{word: w, reads: reads, changes: changes, deep: deep, bases: c.bases, lost: c.lost})
}

// call notes a call, and those that the program may make.
func (c *commands) call(words []shell.Word, fed bool, depth int) {
	if len(c.calls) >= maxCalls || depth > maxScripts {
		c.unsure = true
		return
	}
	name := words[0]
	if !name.Known || slices.Contains(c.functions, name.Text) {
		c.unsure = true
	}
	c.calls = append(c.calls, words)
	u := program.Judge(words)
	c.callFiles(u, words)
	if u.Cd {
		c.cd(u)
	}
	if u.Git && slices.ContainsFunc(words[1:], func(w shell.Word) bool {
		return strings.HasPrefix(w.Text, "-c") || strings.HasPrefix(w.Text, "--config-env")
	}) {
		c.unsure = true // an alias may stand for any command of git
	}
	c.unsure = c.unsure || program.Sets(name.Text, u)
	starts, after := program.Starts(name.Text)
	if !starts && u.Asked == "" {
		return
	}
	if u.Git && len(words) > 1 && words[1].Text == "config" { // it may name a program
		c.interprets = true
	}
	if program.Interprets(name.Text) || u.Launcher && u.Inner == nil {
		c.interprets = true
		c.unsure = c.unsure || fed || program.Interprets(name.Text) && slices.ContainsFunc(words, func(w shell.Word) bool { return !w.Known })
	}
	if u.Launcher && (fed || !slices.ContainsFunc(words[1:], func(w shell.Word) bool { return w.Known && w.Text != "" && w.Text[0] != '-' })) {
		c.unsure = true
	}
	for i, w := range words[1:] {
		here := starts && (after == nil || i > 0 && slices.Contains(after, words[i].Text)) ||
			!starts && i > 0 && strings.HasPrefix(words[i].Text, "-")
		_, value, valued := strings.Cut(w.Text, "=")
		switch {
		case !w.Known:
			c.unsure = c.unsure || starts && (here || u.Asked != "")
		case here:
			switch {
			case !starts || w.Text == "" || w.Text[0] == '-':
			case after != nil:
				c.call(words[i+1:], fed, depth+1)
			default:
				c.calls = append(c.calls, words[i+1:])
				inner := program.Judge(words[i+1:])
				c.callFiles(inner, words[i+1:])
				c.lost = c.lost || inner.Cd
			}
			c.unsure = c.unsure || strings.HasPrefix(w.Text, "/dev/") || strings.HasPrefix(w.Text, "/proc/")
			if len(w.Text) > 2 && w.Text[0] == '-' { // a value behind its letter
				c.script(w.Text[2:], false, depth)
			}
			c.script(w.Text, starts, depth)
		case valued && u.Asked != "":
			c.script(value, starts, depth)
		}
	}
}

// script notes the calls of an argument that may be a command line.
func (c *commands) script(text string, starts bool, depth int) {
	if name, value, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(name, " \n;") {
		c.script(value, starts, depth)
	}
	if text == "" || text[0] == '-' {
		return
	}
	c.codes = append(c.codes, text)
	if !strings.ContainsAny(text, " \t\n;&|<>$`\\'\"") {
		if starts {
			c.calls = append(c.calls, []shell.Word{shell.Lit(text)})
		}
		return
	}
	read, err := shell.Read(shell.Bash, text)
	if err != nil {
		c.unsure = c.unsure || starts
		return
	}
	c.steps(read, depth+1)
}

// callFiles notes the files of a call.
func (c *commands) callFiles(u program.Use, words []shell.Word) {
	for _, w := range u.Reads {
		c.touch(w, true, false, u.Deep)
	}
	if u.Safe {
		if u.Deep && (u.Git || len(u.Reads) == 0) {
			c.touch(shell.Lit("."), true, false, true)
		}
		return
	}
	deep := u.Deep || u.Changes
	for _, w := range words[1:] {
		for _, text := range fileNames(w) {
			c.touch(text, true, true, deep)
		}
	}
}

// fileNames returns what may be the name of a file in an argument.
func fileNames(w shell.Word) []shell.Word {
	var list []shell.Word
	if !w.Known || !strings.HasPrefix(w.Text, "-") {
		list = append(list, w)
	}
	add := func(text string) {
		if text != "" {
			list = append(list, shell.Word{Text: text, Known: w.Known, Begins: w.Begins, Home: text == "~" || strings.HasPrefix(text, "~/")})
		}
	}
	for _, sign := range []string{"=", ":", "@"} {
		if _, after, ok := strings.Cut(w.Text, sign); ok {
			add(after)
		}
	}
	if len(w.Text) > 2 && w.Text[0] == '-' && w.Text[1] != '-' {
		add(w.Text[2:])
	}
	return list
}

func (c *commands) cd(u program.Use) {
	if u.Asked != "" || len(u.Reads) != 1 || u.Reads[0].Home {
		c.lost = true
		return
	}
	var more []string
	for _, base := range c.bases {
		to := u.Reads[0].Text
		if !filepath.IsAbs(to) {
			to = filepath.Join(base, to)
		}
		if !slices.Contains(c.bases, to) {
			more = append(more, to)
		}
	}
	if len(c.bases)+len(more) > maxBases {
		c.lost = true
		return
	}
	c.bases = append(slices.Clip(c.bases), more...)
}

// commandFiles compares a rule for files with the files of a line.
func (p bans) commandFiles(r *Rule, seen *commands) likeness {
	all := p.lines[r.Subject]
	if all == nil {
		all = p.filesOf(r.Subject, seen)
		p.lines[r.Subject] = all
	}
	if like, ok := p.unlikeAll(r.Pattern, all); ok {
		return like
	}
	like := unlike
	if seen.unsure {
		like = maybe
	}
	for _, f := range all.files {
		if like = max(like, p.touchedLike(r.Pattern, f)); like == alike {
			break
		}
	}
	return like
}

func (p bans) touchedLike(pattern string, f *touched) likeness {
	if f.spots == nil {
		p.locate(f)
	}
	like := unlike
	if f.lost {
		like = maybe
	}
	for _, s := range f.spots {
		found := p.spotLike(pattern, s, f.deep)
		if !f.word.Known {
			found = min(found, maybe)
		}
		like = max(like, found)
	}
	return like
}

// locate looks up where a file may be. Of a word that is not known it is the directory that its beginning names.
func (p bans) locate(f *touched) {
	text := filepath.FromSlash(f.word.Text)
	if f.word.Home && p.policy.Home != "" {
		text = p.policy.Home + strings.TrimPrefix(text, "~")
	}
	if !f.word.Known {
		dir := ""
		if f.word.Begins {
			dir, _ = literal(filepath.ToSlash(text) + "*")
		}
		if dir == "" && !filepath.IsAbs(text) {
			dir = "."
		}
		if text, f.deep = filepath.FromSlash(dir), true; text == "" {
			text = string(filepath.Separator)
		}
	}
	if filepath.IsAbs(text) {
		f.lost = false
		f.spots = []*spot{p.spotOf(text)}
		return
	}
	for _, base := range f.bases {
		f.spots = append(f.spots, p.spotOf(base+string(filepath.Separator)+text))
	}
	if f.spots == nil {
		f.lost, f.spots = true, []*spot{}
	}
}
