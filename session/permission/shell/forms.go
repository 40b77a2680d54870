package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// loop reads a for over words.
func (r *reader) loop(c *Command, cmd *syntax.ForClause) {
	loop, ok := cmd.Loop.(*syntax.WordIter)
	if !ok || cmd.Select || cmd.Braces || len(loop.Items) == 0 {
		refuse("its loop counts or selects", "for i in 1 2 3")
	}
	c.Kind, c.Name = For, loop.Name.Value
	for _, item := range loop.Items {
		c.Words = append(c.Words, r.words(item)...)
	}
	c.Body = r.list(cmd.Do)
}

// condition reads an if. What follows elif is an if of its own.
func (r *reader) condition(c *Command, cmd *syntax.IfClause) {
	c.Kind, c.Cond, c.Body = If, r.list(cmd.Cond), r.list(cmd.Then)
	switch e := cmd.Else; {
	case e == nil:
	case e.ThenPos.IsValid():
		inner := Command{Start: offset(e.Pos()), End: min(len(r.line), offset(e.End()))}
		if r.depth++; r.depth > deepest {
			refuse("it is nested too deeply", "several commands")
		}
		r.condition(&inner, e)
		r.depth--
		c.Else = Line{{Commands: []Command{inner}}}
	default:
		c.Else = r.list(e.Then)
	}
}

// unaryTests and binaryTests are the operators that [[ and test share.
var (
	unaryTests  = strings.Fields("-d -e -f -h -L -r -s -w -x -n -z")
	binaryTests = map[string]string{"==": "=", "=": "=", "!=": "!=", "-eq": "-eq", "-ne": "-ne", "-lt": "-lt", "-le": "-le", "-gt": "-gt", "-ge": "-ge"}
)

// test reads a [[ of one test as a call of test.
func (r *reader) test(cmd *syntax.TestClause) []Word {
	words := []Word{Lit("test")}
	x := cmd.X
	if not, ok := x.(*syntax.UnaryTest); ok && not.Op == syntax.TsNot {
		words, x = append(words, Lit("!")), not.X
	}
	side := func(x syntax.TestExpr) Word {
		n, ok := x.(*syntax.Word)
		if !ok {
			refuse("it joins tests within [[ ]]", "[[ ]] && [[ ]]")
		}
		w := r.word(n)
		if w.Has(Glob) {
			refuse("it compares with a pattern", "grep")
		}
		return w.whole() // no shell splits within [[ ]]
	}
	switch x := x.(type) {
	case *syntax.UnaryTest:
		if slices.Contains(unaryTests, x.Op.String()) {
			return append(words, Lit(x.Op.String()), side(x.X))
		}
	case *syntax.BinaryTest:
		if op := binaryTests[x.Op.String()]; op != "" {
			return append(words, side(x.X), Lit(op), side(x.Y))
		}
	}
	refuse("it has a test that is not judged", "[ -f FILE ]")
	return nil
}

// redirect reads a redirection.
func (r *reader) redirect(n *syntax.Redirect) []Redirect {
	to := Redirect{Start: offset(n.Pos()), End: min(len(r.line), offset(n.End())), From: 1, Op: n.Op.String()}
	if n.Op == syntax.RdrIn {
		to.From = 0
	}
	if n.N != nil {
		if to.From = strings.Index("012", n.N.Value); len(n.N.Value) != 1 || to.From < 0 {
			refuse("it opens a descriptor other than 0, 1 and 2", "> FILE or 2> FILE")
		}
	}
	switch n.Op {
	case syntax.RdrIn, syntax.RdrOut, syntax.AppOut:
		to.File = r.file(n.Word)
		return []Redirect{to}
	case syntax.RdrAll, syntax.AppAll:
		to.Op = strings.TrimPrefix(to.Op, "&")
		to.File = r.file(n.Word)
		return []Redirect{to, {Start: to.End, End: to.End, From: 2, Op: ">&", To: 1}}
	case syntax.DplOut:
		to.To = strings.Index("012", n.Word.Lit())
		if len(n.Word.Lit()) == 1 && to.To > 0 {
			return []Redirect{to}
		}
	}
	refuse("it has the redirection "+n.Op.String(), "> FILE or 2>&1")
	return nil
}

// file reads the file of a redirection: one word, of which only some shells make several, or a name that a pattern matches.
func (r *reader) file(n *syntax.Word) Word {
	w := r.word(n)
	if w.Has(Glob) {
		refuse("it redirects to a pattern", "the name of the file")
	}
	return w.whole()
}

// hereText returns the text of a here-document or here-string in which nothing is replaced.
func (r *reader) hereText(n *syntax.Redirect) string {
	if n.Op == syntax.WordHdoc {
		if w := r.word(n.Word); w.Known && !w.Home {
			return w.Text + "\n"
		}
		refuse("its here-string is computed", "the text itself")
	}
	if n.Op == syntax.DashHdoc {
		refuse("its here-document loses tabs", "<<'EOF'")
	}
	if n.Hdoc == nil { // it has no line
		return ""
	}
	quoted := strings.ContainsAny(r.text(n.Word), `'"`)
	text := ""
	for _, part := range n.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || !quoted && strings.ContainsAny(lit.Value, "$`\\") {
			refuse("its here-document is computed", "<<'EOF'")
		}
		text += lit.Value
	}
	return text
}
