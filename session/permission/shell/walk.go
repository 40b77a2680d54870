package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker collects the steps of a line.
type walker struct {
	dialect Dialect
	line    string
	steps   []Step
	err     error
}

// scope is where a node stands.
type scope struct {
	again bool
	depth int
}

func (s scope) loop() scope { return scope{again: true, depth: s.depth + 1} }
func (s scope) down() scope { return scope{again: s.again, depth: s.depth + 1} }

func (w *walker) add(s Step, at scope) {
	if len(w.steps) >= mostSteps || at.depth > deepest {
		w.err = errors.New("it is too long")
		return
	}
	s.Again = at.again
	w.steps = append(w.steps, s)
}

// odd adds a step that cannot be judged. why completes "asked: ".
func (w *walker) odd(n syntax.Node, at scope, why string) {
	w.add(Step{Kind: Odd, Start: offset(n.Pos()), End: offset(n.End()), Why: why}, at)
}

func offset(p syntax.Pos) int { return int(p.Offset()) }

func (w *walker) stmts(list []*syntax.Stmt, at scope) {
	for _, s := range list {
		w.stmt(s, at)
	}
}

func (w *walker) stmt(s *syntax.Stmt, at scope) {
	if w.err != nil {
		return
	}
	if s.Coprocess || s.Disown {
		w.odd(s, at, "it runs a coprocess")
	}
	fed := false
	for _, r := range s.Redirs {
		fed = w.redirect(r, at) || fed
	}
	if call, ok := s.Cmd.(*syntax.CallExpr); w.dialect == Zsh && len(s.Redirs) > 0 && (s.Cmd == nil || ok && len(call.Args) == 0) {
		w.odd(s, at, "zsh runs a program for a redirection alone")
	}
	if s.Cmd != nil {
		w.command(s.Cmd, fed, at.down())
	}
}

func (w *walker) command(c syntax.Command, fed bool, at scope) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		w.call(c, fed, at)
		return
	case *syntax.BinaryCmd:
		w.stmt(c.X, at)
		w.stmt(c.Y, at)
	case *syntax.Subshell:
		w.stmts(c.Stmts, at)
	case *syntax.Block:
		w.stmts(c.Stmts, at)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.stmts(c.Cond, at)
			w.stmts(c.Then, at)
		}
	case *syntax.WhileClause:
		w.stmts(c.Cond, at.loop())
		w.stmts(c.Do, at.loop())
	case *syntax.ForClause:
		w.forClause(c, at)
	case *syntax.CaseClause:
		w.word(c.Word, at)
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				w.word(p, at)
			}
			w.stmts(item.Stmts, at)
		}
		if c.Braces {
			w.odd(c, at, "it is an odd case")
		}
	case *syntax.DeclClause:
		w.declare(c, at)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.stmt(c.Stmt, at)
		}
	case *syntax.TestClause:
		w.test(c.X, at)
	case *syntax.FuncDecl:
		w.odd(c, at, "it defines a function")
		if c.Body != nil {
			w.stmt(c.Body, at.loop())
		}
	case *syntax.CoprocClause:
		w.odd(c, at, "it runs a coprocess")
		w.stmt(c.Stmt, at)
	default: // arithmetic, and what later parsers know
		w.odd(c, at, "it calculates, which can run commands")
	}
	if fed {
		// The input of a compound command goes to any part of it.
		for i := range w.steps {
			if s := &w.steps[i]; s.Start >= offset(c.Pos()) && s.End <= offset(c.End()) {
				s.Fed = true
			}
		}
	}
}

func (w *walker) forClause(c *syntax.ForClause, at scope) {
	loop, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select || c.Braces {
		w.odd(c, at, "it is a loop of a kind that is not judged")
	} else {
		for _, item := range loop.Items {
			w.word(item, at)
		}
		w.add(Step{Kind: Assign, Start: offset(loop.Name.Pos()), End: offset(loop.Name.End()), Name: loop.Name.Value}, at)
	}
	w.stmts(c.Do, at.loop())
}

// call adds the call of a program, or the assignments where there is none.
func (w *walker) call(c *syntax.CallExpr, fed bool, at scope) {
	for _, a := range c.Assigns {
		w.assign(a, at)
	}
	if len(c.Args) == 0 {
		return
	}
	s := Step{Kind: Call, Start: offset(c.Args[0].Pos()), End: offset(c.Args[len(c.Args)-1].End()), Fed: fed}
	for _, arg := range c.Args {
		s.Words = append(s.Words, w.word(arg, at))
	}
	w.add(s, at)
}

func (w *walker) assign(a *syntax.Assign, at scope) {
	if a.Index != nil || a.Array != nil || a.Naked || a.Name == nil {
		w.odd(a, at, "it sets an array")
		return
	}
	if a.Value != nil {
		w.word(a.Value, at)
	}
	w.add(Step{Kind: Assign, Start: offset(a.Pos()), End: offset(a.End()), Name: a.Name.Value}, at)
}

// declare reads "export NAME=value" and nothing else.
func (w *walker) declare(c *syntax.DeclClause, at scope) {
	for _, a := range c.Args {
		if c.Variant.Value != "export" || a.Name == nil || a.Naked || a.Array != nil || a.Index != nil {
			w.odd(c, at, "it declares variables")
			return
		}
	}
	if c.Variant.Value != "export" || len(c.Args) == 0 {
		w.odd(c, at, "it declares variables")
		return
	}
	for _, a := range c.Args {
		w.assign(a, at)
	}
}

// test reads the tests of "[[" that look at files and compare texts. Those that calculate can run commands.
func (w *walker) test(x syntax.TestExpr, at scope) {
	switch x := x.(type) {
	case *syntax.ParenTest:
		w.test(x.X, at)
	case *syntax.UnaryTest:
		switch x.Op {
		case syntax.TsVarSet, syntax.TsRefVar, syntax.TsOptSet:
			w.odd(x, at, "it looks at variables by name")
		}
		w.test(x.X, at)
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch, syntax.AndTest, syntax.OrTest, syntax.TsNewer, syntax.TsOlder:
		default:
			w.odd(x, at, "it calculates, which can run commands")
		}
		w.test(x.X, at)
		w.test(x.Y, at)
	case *syntax.Word:
		w.word(x, at)
	default:
		w.odd(x, at, "it is a test of a kind that is not judged")
	}
}

// redirect adds a redirection, and reports whether it feeds text of the line to the command.
func (w *walker) redirect(r *syntax.Redirect, at scope) (fed bool) {
	if r.N != nil && strings.Trim(r.N.Value, "0123456789") != "" {
		w.odd(r, at, "it opens a file under a name")
		return false
	}
	s := Step{Start: offset(r.OpPos), End: offset(r.Word.End())}
	if r.N != nil {
		s.Start = offset(r.N.Pos())
	}
	word := w.word(r.Word, at)
	s.Words = []Word{word}
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrInOut, syntax.RdrAll, syntax.AppAll:
		s.Kind = Write
	case syntax.RdrIn:
		s.Kind = Input
	case syntax.DplIn, syntax.DplOut:
		if number := word.Known && word.Text != "" && strings.Trim(word.Text, "0123456789") == ""; number || word.Known && word.Text == "-" {
			return false
		}
		s.Kind = Write
	case syntax.WordHdoc:
		return true
	case syntax.Hdoc, syntax.DashHdoc:
		w.hereDocument(r, at)
		return true
	default:
		s.Kind, s.Why = Odd, fmt.Sprintf("it has the redirection %s", r.Op)
	}
	w.add(s, at)
	return false
}

// hereDocument reads the substitutions of a here-document whose end all shells find at the same place.
func (w *walker) hereDocument(r *syntax.Redirect, at scope) {
	end := strings.Trim(w.line[offset(r.Word.Pos()):offset(r.Word.End())], `'"`)
	if end == "" || strings.ContainsFunc(end, func(c rune) bool { return !isPlain(c) }) {
		w.odd(r, at, "its here-document ends with an odd word")
		return
	}
	if r.Hdoc == nil {
		return
	}
	text := w.line[offset(r.Hdoc.Pos()):min(len(w.line), offset(r.Hdoc.End()))]
	quoted := strings.ContainsAny(w.line[offset(r.Word.Pos()):offset(r.Word.End())], `'"`)
	if !quoted && (strings.Contains(text, "\\\n") || strings.Contains(text, "`")) {
		w.odd(r, at, "its here-document goes on over the end of a line")
	}
	if !quoted {
		w.parts(r.Hdoc.Parts, true, &Word{}, at)
	}
}
