package shell

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// variables is the environment of the shells; folder has the files of the directory in the order of bytes, with what they contain.
var (
	variables = map[string]string{"V1": "x y", "V2": "*", "V3": "", "V4": "-n", "V5": "$(rec no)`rec no`'\"\\", "V6": "plain",
		"V7": "  a\tb \n", "HOME": "/no where/h*o'm[e]"}
	folder = []string{"!b", "$x", "'q'", "*y", "-x", "[a]x", "a.go", "b.go", "c d", "n\nl", "q\"\\", "zz", "~"}
	hidden = []string{".é", ".-n"}
)

// content is what a file of the folder has.
func content(name string) string { return name + "\n  two  words \nlast\\" + name }

// texts are pieces of literals that mean something to some shell.
var texts = []string{"a", "b.go", "x y", "", "'", "''", "'''", `"`, `\`, `\\`, `\'`, "$x", "${V1}",
	"$(rec no)", "`rec no`", "$((1+1))", "*", "?", "[a]",
	"{a,b}", "{1..3}", "~", "~/", "~root", "!", "!!", "!r", "!a", "^a", "#", "# x", "=rec", "=",
	"a=b", "V1=x", ";", ";;", "&", "&&", "|", "||", "|&", "(", ")",
	"<", ">", ">>", "<<E", "<<<", "2>&1", "&>", "\n", "\nrec no\n", " ", "\t", "if", "then", "fi",
	"for", "do", "done", "in", "esac", "case", "{", "}", "[[",
	"]]", "time", "function", "coproc", "select", "while", "until", "else", "rec", "é", "日本", "а",
	"ā\u0301", "-n", "-e", "--", "-", "+x", "%s", "%", "%%",
	"@", "@(a)", "+(a)", "*(e:rec:)", "*(N)", "a\\", "\\\n", "E\n", "\\x41", "\\0101", "$'", "$\"",
	"${", "$(", "$((", "))", "`", "\"$(", "no", "0", "1",
	"2", ":", ".", "/", "..", "^", ",", "\u0080\u0081", "\u00a0", "\u2028", "\U0001f600", "\x7f", "\x1b[m", "\r"}

var ownNames = []string{"a", "b", "path", "if", "status", "_x1"}

// maker makes random structures: not texts, but the very values that Read returns.
type maker struct {
	*rand.Rand
	files int // that redirections make
	depth int
	inner int  // outputs around
	piped int  // pipes around
	calm  bool // nothing that takes a process, so that many structures run in little time
	names []string
	timed bool // pipelines too
	read  bool // only what Read takes
}

func pick[T any](m *maker, from ...T) T { return from[m.IntN(len(from))] }

func (m *maker) text() string {
	var b strings.Builder
	for range 1 + m.IntN(3) {
		text := pick(m, texts...)
		for m.read && readable("a"+text) != nil {
			text = pick(m, texts...)
		}
		b.WriteString(text)
	}
	return b.String()
}

// quoted makes a word that every shell takes for one.
func (m *maker) quoted() Word {
	var parts []Part
	for i := range 1 + m.IntN(3) {
		switch n := m.IntN(30); {
		case n == 0 && i == 0:
			return WordOf(Part{Kind: Home}, Part{Text: "/" + m.text()})
		case n == 1 && i == 0:
			return WordOf(Part{Kind: Home})
		case n < 6:
			parts = append(parts, Part{Kind: Variable, Text: pick(m, "V1", "V2", "V3", "V4", "V5", "V6", "V7")})
		case n < 9:
			parts = append(parts, Part{Kind: Variable, Text: pick(m, ownNames...), Own: true})
		default:
			parts = append(parts, Part{Text: m.text()})
		}
	}
	return WordOf(parts...)
}

// words makes any words of an argument list.
func (m *maker) words(n int) (all []Word) {
	for range n {
		switch k := m.IntN(24); {
		case k == 0:
			all = append(all, m.glob())
		case k == 1: // any number of words, with something quoted around them
			parts := []Part{{Kind: Variable, Text: pick(m, "V1", "V3", "V6", "V7"), Bare: true}}
			if m.IntN(2) == 0 {
				parts = append(m.quoted().plainParts(), parts...)
			}
			if m.IntN(2) == 0 {
				parts = append(parts, m.quoted().plainParts()...)
			}
			all = append(all, WordOf(parts...))
		case k == 2 && !m.calm && m.depth < 3:
			body := m.output()
			bare := m.IntN(3) == 0
			if bare { // what is printed has no patterns
				body = Line{{Commands: []Command{call("out", Lit(pick(m, "", "p", " p  q\n", "é\nq")))}}}
			}
			all = append(all, WordOf(append(m.quoted().plainParts(), Part{Kind: Output, Bare: bare, Body: body})...))
		default:
			all = append(all, m.quoted())
		}
	}
	return all
}

// plainParts returns the parts of a word unless it begins with the home directory.
func (w Word) plainParts() []Part {
	if w.Home {
		return nil
	}
	return w.Parts
}

func (m *maker) output() Line {
	m.depth++
	m.inner++
	defer func() { m.depth--; m.inner-- }()
	return m.line(1 + m.IntN(2))
}

func call(name string, words ...Word) Command {
	return Command{Words: append([]Word{Lit(name)}, words...)}
}

// glob makes a pattern of a name, so that it matches at least that: zsh ends at a pattern that matches nothing.
func (m *maker) glob() Word {
	for {
		var parts []Part
		for _, c := range pick(m, folder...) {
			switch n := m.IntN(6); {
			case n == 0 && (len(parts) == 0 || parts[len(parts)-1].Text != "*"):
				parts = append(parts, Part{Kind: Glob, Text: "*"})
			case n == 1:
				parts = append(parts, Part{Kind: Glob, Text: "?"})
			case n == 2 && c >= 'a' && c <= 'z':
				parts = append(parts, Part{Kind: Glob, Text: pick(m, "["+string(c)+"]", "[a-z]", "[!A-Z]")})
			default:
				parts = append(parts, Part{Text: string(c)})
			}
		}
		if w := WordOf(parts...); w.Has(Glob) {
			return w
		}
	}
}

func (m *maker) lines(n int) (all []Line) {
	for range n {
		all = append(all, m.line(1+m.IntN(3)))
	}
	return all
}

func (m *maker) line(n int) (l Line) {
	for i := range n {
		p := Pipeline{Not: m.IntN(12) == 0}
		if i > 0 {
			p.Join = Join(m.IntN(3))
		}
		if m.calm || m.IntN(10) > 0 || m.depth > 3 {
			p.Commands = []Command{m.command()}
			p.Timed = m.timed && !p.Not && m.IntN(4) == 0
			p.Timed = p.Timed && p.Commands[0].Kind == Call && len(p.Commands[0].Set) == 0 && len(p.Commands[0].Redirects) == 0
		} else {
			p.Commands = m.pipe()
		}
		l = append(l, p)
	}
	return l
}

// pipe makes commands that read all of what the ones before them print, so that their calls come in one order.
func (m *maker) pipe() []Command {
	m.depth++
	m.piped++
	defer func() { m.depth--; m.piped-- }()
	if m.IntN(3) == 0 { // the loop's calls come while what is before it may still run
		source := call("out", WordOf(Part{Text: m.text() + "\n" + m.text() + pick(m, "", "\n", "\n\n x \n")}))
		if m.IntN(2) == 0 {
			return []Command{source, m.reading(m.IntN(2) == 0, false)}
		}
		return []Command{source, m.reading(true, false), m.reader()}
	}
	all := []Command{m.command()}
	for range 1 + m.IntN(2) {
		all = append(all, m.reader())
	}
	if len(all[0].Redirects) == 0 && all[0].Kind != Assign && m.IntN(4) == 0 {
		all[0].Redirects = append(all[0].Redirects, Redirect{From: 2, Op: ">&", To: 1})
	}
	return all
}

// reader makes a command that first of all reads its input to the end.
func (m *maker) reader() Command {
	all := call("all", m.quoted())
	switch m.IntN(6) {
	case 0:
		return Command{Kind: Group, Body: append(Line{{Commands: []Command{all}}}, m.line(1)...), Redirects: m.redirects()}
	case 1:
		return Command{Kind: Block, Body: append(Line{{Commands: []Command{all}}}, m.line(1)...), Redirects: m.redirects()}
	case 2:
		return Command{Kind: If, Cond: Line{{Commands: []Command{all}}}, Body: m.line(1), Redirects: m.redirects()}
	case 3: // the pipe and the file are both there, and the file is read
		all.Redirects = []Redirect{{Op: "<", File: Lit(pick(m, hidden...))}}
		return Command{Kind: Block, Body: Line{{Commands: []Command{call("all")}}, {Commands: []Command{all}}}}
	}
	all.Redirects = m.redirects()
	return all
}

// reading makes a loop over the lines of the input. Only recorders run in it, none of which reads it. first reports whether one runs
// before the first line is there.
func (m *maker) reading(simple, first bool) Command {
	read := m.input()
	read.Redirects = nil
	c := Command{Kind: While, Cond: Line{{Commands: []Command{read}}}}
	if m.IntN(4) == 0 {
		c.Not, c.Cond[0].Not = true, true
	}
	if first {
		c.Cond = append(Line{{Commands: []Command{call("rec", m.quoted())}}}, c.Cond...)
	}
	body := call(pick(m, "rec", "out"), WordOf(Part{Kind: Variable, Text: read.Names[0], Own: true}), m.quoted())
	c.Body = Line{{Commands: []Command{body}}}
	if !simple {
		c.Body = append(c.Body, Pipeline{Commands: []Command{m.assign()}})
	}
	return c
}

func (m *maker) input() (c Command) {
	c.Kind = Input
	if m.IntN(2) == 0 {
		c.Set = []Setting{{"IFS", Lit("")}}
	}
	for range 1 + m.IntN(2) {
		c.Names = append(c.Names, pick(m, ownNames...))
	}
	c.Redirects = []Redirect{{Op: "<", File: Lit(pick(m, append(hidden, folder...)...))}}
	return c
}

func (m *maker) assign() (c Command) {
	c.Kind = Assign
	for range 1 + m.IntN(2) {
		c.Set = append(c.Set, Setting{pick(m, ownNames...), m.quoted()})
	}
	if len(c.Set) == 1 && m.IntN(6) == 0 {
		c.Set[0].Value = m.glob()
	}
	return c
}

// redirects makes redirections of the descriptors 1 and 2, at times of one of them twice.
func (m *maker) redirects() (all []Redirect) {
	if m.IntN(8) > 0 || m.piped > 0 && m.names != nil { // a program that writes to a file ends the pipe before it records
		return nil
	}
	for range 1 + m.IntN(2) {
		m.files++
		name := strings.NewReplacer("/", "_", ".", "_").Replace(m.text())
		name = ".out/" + name[:min(len(name), 60)] + strconv.Itoa(m.files)
		kind := m.IntN(5)
		if kind == 1 && m.inner > 0 { // shells differ in what is the errors' place while words are expanded
			kind = 4
		}
		switch kind {
		case 0:
			all = append(all, Redirect{From: 2, Op: ">&", To: 1})
		case 1:
			all = append(all, Redirect{From: 1, Op: ">&", To: 2})
		case 2:
			all = append(all, Redirect{From: 2, Op: pick(m, ">", ">>"), File: Lit(name)})
		default:
			all = append(all, Redirect{From: 1, Op: pick(m, ">", ">>"), File: Lit(name)})
		}
	}
	return all
}

func (m *maker) command() (c Command) {
	m.depth++
	defer func() { m.depth-- }()
	n := m.IntN(40)
	if m.depth > 3 {
		n = 10 + m.IntN(30)
	}
	switch {
	case n == 0 && !m.calm:
		return Command{Kind: Group, Body: m.line(1 + m.IntN(2)), Redirects: m.redirects()}
	case n == 1:
		return Command{Kind: Block, Body: m.line(1 + m.IntN(2)), Redirects: m.redirects()}
	case n == 2 || n == 3:
		c = Command{Kind: If, Cond: m.line(1 + m.IntN(2)), Body: m.line(1)}
		if m.IntN(2) == 0 {
			c.Else = m.line(1)
		}
		c.Redirects = m.redirects()
		return c
	case n == 4 || n == 5:
		return Command{Kind: For, Name: pick(m, ownNames...), Words: append(m.words(1), Lit(m.text())), Body: m.line(1), Redirects: m.redirects()}
	case n == 6:
		c = m.reading(m.IntN(2) == 0, m.IntN(4) == 0)
		c.Redirects = append([]Redirect{{Op: "<", File: Lit(pick(m, append(hidden, folder...)...))}}, m.redirects()...)
		return c
	case n == 7 && !m.calm:
		c = m.reading(true, m.IntN(4) == 0)
		c.Fed, c.Text = true, m.text()+"\n"+m.text()
		return c
	case n == 8 && !m.calm:
		c = call("all", m.quoted())
		c.Fed, c.Text = true, m.text()
		return c
	case n == 9: // a condition that never lets the body run
		c = Command{Kind: While, Not: m.IntN(2) == 0, Body: m.line(1)}
		c.Cond = Line{{Commands: []Command{call(map[bool]string{false: "fail", true: "rec"}[c.Not], m.words(1)...)}}}
		return c
	case n == 10:
		return m.input()
	case n == 11 || n == 12:
		return m.assign()
	}
	return m.call()
}

func (m *maker) call() Command {
	name := pick(m, "rec", "rec", "rec", "rec", "fail", "out", "err")
	if name == "err" && m.inner > 0 {
		name = "out"
	}
	if m.names != nil && m.IntN(2) == 0 {
		name = pick(m, m.names...)
	}
	c := call(name, m.words(m.IntN(5))...)
	if m.IntN(12) == 0 {
		c.Set = append(c.Set, Setting{"S1", m.quoted()})
		if m.IntN(2) == 0 {
			c.Set = append(c.Set, Setting{"S2", m.glob()})
		}
	}
	if m.inner == 0 || name != "err" {
		c.Redirects = m.redirects()
	}
	return c
}
