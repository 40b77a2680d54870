package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Longest is the longest line that is read, in bytes; maxCommands and deepest bound what a line may have.
const (
	Longest     = 16 << 10
	maxCommands = 256
	deepest     = 12
)

// parsers has idle parsers, which keep their buffers. A parser serves one reader at a time.
var parsers = map[syntax.LangVariant]*sync.Pool{
	syntax.LangBash:  {New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }},
	syntax.LangPOSIX: {New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangPOSIX)) }},
}

// reader turns the parser's tree into a line. It takes the kinds of nodes that it knows, and refuses all others: what a later
// parser adds is refused by itself.
type reader struct {
	line     string
	depth    int
	commands int
	posix    bool
	// sets are the variables that the line sets; of true ones a shell may make any number of words.
	sets map[string]bool
	// since has where each of them is first set, uses where each variable is first and last used, in bytes of the line.
	since map[string]int
	uses  map[string][2]int
}

// refused is the reason why a line is not in the language. The reader throws it, and Read returns it.
type refused string

// refuse ends the reading. instead is a form that passes, "" for none.
func refuse(what, instead string) {
	if instead != "" {
		what += " (instead: " + instead + ")"
	}
	panic(refused(what))
}

// Read returns the structure of a line. The error says in a few words, without a period, why the line is not in the language,
// and a form that is.
func Read(d Dialect, line string) (read Line, err error) {
	if err := readable(line); err != nil {
		return nil, err
	}
	variant := syntax.LangBash
	if d == POSIX {
		variant = syntax.LangPOSIX
	}
	defer func() {
		if r := recover(); r != nil {
			why, ok := r.(refused)
			if !ok { // a bug of the parser, which leaves it in any state
				why = "the parser gave up"
			}
			read, err = nil, errors.New(string(why))
		}
	}()
	parser := parsers[variant].Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(line), "")
	parsers[variant].Put(parser)
	if err != nil {
		return nil, errors.New("it is not complete, or no shell of this kind understands it")
	}
	r := &reader{line: line, posix: d == POSIX, sets: map[string]bool{}, since: map[string]int{}, uses: map[string][2]int{}}
	syntax.Walk(file, r.note)
	r.inOrder()
	return r.list(file.Stmts), nil
}

// readable refuses lines with characters that shells, locales and the parser may take for different things. Outside of
// ASCII only what stands for itself on the screen may pass, and [reader.bare] lets it pass in quotes only.
func readable(line string) error {
	switch {
	case len(line) > Longest:
		return errors.New("it is too long")
	case strings.TrimLeft(line, " \t\n") == "":
		return errors.New("it is empty")
	}
	for i, r := range line {
		switch {
		case r == ' ', r == '\t', r == '\n':
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(line[i:]); size <= 1 {
				return errors.New("it has bytes that are not text")
			}
		case r < ' ', r == 0x7f, !unicode.IsPrint(r), r > unicode.MaxASCII && showsNothing(r):
			return fmt.Errorf("it has the character <U+%04X>", r)
		}
	}
	return nil
}

// IsInvisible reports whether a character outside of ASCII shows nothing, drives the terminal or changes how the text around
// it is shown. Blanks are not among them.
func IsInvisible(r rune) bool {
	return r > unicode.MaxASCII && (unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp) || showsNothing(r))
}

// showsNothing reports whether a character shows nothing, though it counts as a letter or a sign.
func showsNothing(r rune) bool {
	return slices.Contains([]rune{0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0}, r) || unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// text returns the source of a node. Nodes that may gain fields are known by it.
func (r *reader) text(n syntax.Node) string {
	return r.line[offset(n.Pos()):min(len(r.line), offset(n.End()))]
}

func offset(p syntax.Pos) int { return int(p.Offset()) }

func (r *reader) list(stmts []*syntax.Stmt) (l Line) {
	if r.depth++; r.depth > deepest {
		refuse("it is nested too deeply", "several commands")
	}
	for _, s := range stmts {
		l = r.joined(l, s, Then)
	}
	r.depth--
	if len(l) == 0 {
		refuse("a part of it is empty", "")
	}
	return l
}

// joined adds a statement and what is joined to it. Shells join from left to right.
func (r *reader) joined(l Line, s *syntax.Stmt, join Join) Line {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.AndStmt || b.Op == syntax.OrStmt) && !s.Negated && !s.Background && len(s.Redirs) == 0 {
		op := And
		if b.Op == syntax.OrStmt {
			op = Or
		}
		if y, ok := b.Y.Cmd.(*syntax.BinaryCmd); ok && y.Op != syntax.Pipe && y.Op != syntax.PipeAll {
			refuse("it is joined in an odd order", "brackets around the part")
		}
		return r.joined(r.joined(l, b.X, join), b.Y, op)
	}
	p := Pipeline{Join: join, Not: s.Negated}
	if t, ok := s.Cmd.(*syntax.TimeClause); ok && !s.Negated && len(s.Redirs) == 0 && t.Stmt != nil && !t.PosixFormat && !t.Stmt.Negated {
		if s.Background {
			refuse("it runs in the background", "the tool's own way to run in the background")
		}
		p.Timed, s = true, t.Stmt
	}
	r.pipe(&p, s, true)
	// Of a shell without time as a word of its own, the program of that name gets these words.
	if c := p.Commands[0]; p.Timed && (c.Kind != Call || len(c.Set) > 0 || len(c.levels(false, len(p.Commands) > 1)) > 1) {
		refuse("it times more than a call", "time COMMAND")
	}
	for _, c := range p.Commands {
		if c.Kind == Assign && (c.Fed || len(c.Redirects) > 0) {
			refuse("it sets a variable with a redirection", "NAME=VALUE alone")
		}
	}
	return append(l, p)
}

// pipe adds the commands of a pipeline.
func (r *reader) pipe(p *Pipeline, s *syntax.Stmt, first bool) {
	if s.Background || s.Coprocess || s.Disown {
		refuse("it runs in the background", "the tool's own way to run in the background")
	}
	if s.Negated && !first {
		refuse("it has a ! within a pipe", "")
	}
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok {
		c := r.command(s)
		if c.Fed {
			r.fed(c, len(p.Commands) > 0)
		}
		p.Commands = append(p.Commands, c)
		return
	}
	if b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(s.Redirs) > 0 {
		refuse("it has "+b.Op.String()+" within a pipe", "brackets around the part")
	}
	r.pipe(p, b.X, false)
	if last := &p.Commands[len(p.Commands)-1]; b.Op == syntax.PipeAll {
		last.Redirects = append(last.Redirects, Redirect{Start: last.End, End: last.End, From: 2, Op: ">&", To: 1})
	}
	r.pipe(p, b.Y, false)
}

// command reads one command with its redirections.
func (r *reader) command(s *syntax.Stmt) (c Command) {
	if r.commands++; r.commands > maxCommands {
		refuse("it has too many commands", "several lines")
	}
	if s.Cmd == nil {
		refuse("it has a redirection alone", ": > FILE")
	}
	c.Start, c.End = offset(s.Cmd.Pos()), min(len(r.line), offset(s.Cmd.End()))
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(&c, cmd)
	case *syntax.Subshell:
		c.Kind, c.Body = Group, r.list(cmd.Stmts)
	case *syntax.Block:
		c.Kind, c.Body = Block, r.list(cmd.Stmts)
	case *syntax.ForClause:
		r.loop(&c, cmd)
	case *syntax.WhileClause:
		c.Kind, c.Not, c.Cond, c.Body = While, cmd.Until, r.list(cmd.Cond), r.list(cmd.Do)
	case *syntax.IfClause:
		r.condition(&c, cmd)
	case *syntax.TestClause:
		c.Words = r.test(cmd)
	case *syntax.FuncDecl:
		refuse("it defines a function", "the commands themselves")
	case *syntax.ArithmCmd, *syntax.LetClause:
		refuse("it calculates, which can run commands", "the numbers themselves")
	case *syntax.DeclClause:
		refuse("it sets or exports variables", "NAME=VALUE before the command")
	case *syntax.CaseClause:
		refuse("it has a case", "if")
	default:
		refuse("it has a form that is not judged", "")
	}
	for _, redirect := range s.Redirs {
		if redirect.Op == syntax.Hdoc || redirect.Op == syntax.DashHdoc || redirect.Op == syntax.WordHdoc {
			if c.Fed || redirect.N != nil {
				refuse("its here-document stands in an odd place", "one here-document")
			}
			c.Fed, c.Text = true, r.hereText(redirect)
			continue
		}
		c.Redirects = append(c.Redirects, r.redirect(redirect)...)
	}
	return c
}

// call reads the settings and the words of a call.
func (r *reader) call(c *Command, cmd *syntax.CallExpr) {
	if len(cmd.Args) == 0 {
		c.Kind = Assign
	}
	for _, a := range cmd.Assigns {
		if a.Append || a.Naked || a.Index != nil || a.Array != nil || a.Name == nil || !IsName(a.Name.Value) {
			refuse("it sets a variable in an odd way", "NAME=VALUE before the command")
		}
		value := Lit("")
		if a.Value != nil {
			value = r.word(a.Value)
		}
		c.Set = append(c.Set, Setting{a.Name.Value, value})
		if len(cmd.Args) > 0 {
			r.setting(c.Set)
		}
	}
	for _, arg := range cmd.Args {
		c.Words = append(c.Words, r.words(arg)...)
	}
	if len(c.Words) == 0 || !c.Words[0].Known {
		return
	}
	switch name := c.Words[0].Text; {
	case name == "read":
		r.read(c)
	case strings.HasPrefix(name, "-"): // of zsh, or an option of time, also in quotes
		refuse("its program has a name that begins with -", "the program's path")
	case name == "[[", strings.HasPrefix(name, "%"): // of ash, zsh and bash, also in quotes
		refuse("it runs "+name+", which is a builtin of some shells", "the program's path")
	}
}

// read reads a call of read, which sets variables.
func (r *reader) read(c *Command) {
	c.Kind = Input
	for i, w := range c.Words[1:] {
		_, noted := r.sets[w.Text]
		if !w.Known || i == 0 && w.Text != "-r" || i > 0 && (!IsName(w.Text) || !noted) {
			refuse("it reads in an odd way", "read -r NAME")
		}
	}
	if len(c.Words) < 3 || len(c.Set) > 1 || len(c.Set) == 1 && (c.Set[0].Name != "IFS" || !c.Set[0].Value.Known || c.Set[0].Value.Text != "") {
		refuse("it reads in an odd way", "IFS= read -r NAME")
	}
	for _, w := range c.Words[2:] {
		c.Names = append(c.Names, w.Text)
	}
	c.Words = nil
}
