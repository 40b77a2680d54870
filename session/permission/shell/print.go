package shell

import (
	"slices"
	"strconv"
	"strings"
)

// Print returns the text of a line that bash, dash, zsh and ash read as this very structure. Every literal stands in quotes,
// so that no shell finds anything else in it: no name is an alias or a reserved word, nothing is expanded, split or escaped.
func Print(l Line) string {
	var b strings.Builder
	printLine(&b, l)
	return b.String()
}

// own begins the names of the variables that a line sets: they mean nothing to a shell and to a program.
const own = "parley_"

func printLine(b *strings.Builder, l Line) {
	for i, p := range l {
		if i > 0 {
			b.WriteString([]string{"\n", " && ", " || "}[p.Join])
		}
		if p.Timed {
			b.WriteString("time ")
		}
		if p.Not {
			b.WriteString("! ")
		}
		for j, c := range p.Commands {
			if j > 0 {
				b.WriteString(" | ")
			}
			printElement(b, c, j > 0, j < len(p.Commands)-1)
		}
	}
}

// printElement prints a command of a pipeline. from and to mean that it reads from a pipe, and writes to one.
func printElement(b *strings.Builder, c Command, from, to bool) {
	if c.Fed { // a here-document may end where another shell goes on
		b.WriteString("'printf' '%s' ")
		printLiteral(b, c.Text)
		b.WriteString(" | ")
		from = true
	}
	if from && !to && c.changesShell() { // zsh runs the last command of a pipeline in the shell itself
		b.WriteString("( ")
		printRedirected(b, c, false, false)
		b.WriteString("\n)")
		return
	}
	printRedirected(b, c, from, to)
}

// printRedirected prints a command with its redirections. Where one descriptor is opened twice, zsh reads from both or writes to
// both, also where one of the two is a pipe: the later redirections are printed in a block of their own.
func printRedirected(b *strings.Builder, c Command, from, to bool) {
	levels := c.levels(from, to)
	open, end := "{ ", "\n}"
	if loneGroup(c) {
		open, end = "( ", "\n)"
	}
	b.WriteString(strings.Repeat(open, len(levels)-1))
	printCommand(b, c)
	for i := len(levels) - 1; i >= 0; i-- {
		for _, r := range levels[i] {
			printRedirect(b, r)
		}
		if i > 0 {
			b.WriteString(end)
		}
	}
}

// loneGroup reports whether a command is a group, or a block of nothing else. Of a block with redirections dash and ash forget
// those of a group that is all of it: such a block is printed as a group, which means the same.
func loneGroup(c Command) bool {
	if c.Kind != Block {
		return c.Kind == Group
	}
	p := c.Body[0]
	return len(c.Body) == 1 && len(p.Commands) == 1 && !p.Not && !p.Timed && !p.Commands[0].Fed && loneGroup(p.Commands[0])
}

// levels parts redirections so that none has a descriptor twice. The first ones are outermost.
func (c Command) levels(from, to bool) [][]Redirect {
	all, opened := [][]Redirect{nil}, [3]bool{from, to}
	for _, r := range c.Redirects {
		if opened[r.From] {
			all, opened = append(all, nil), [3]bool{}
		}
		opened[r.From] = true
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return all
}

func printRedirect(b *strings.Builder, r Redirect) {
	b.WriteString(" " + strconv.Itoa(r.From) + r.Op)
	if r.Op == ">&" {
		b.WriteString(strconv.Itoa(r.To))
		return
	}
	printWord(b, r.File)
}

// changing are the builtins of bash, zsh, dash and ash that change the shell, or end it.
var changing = strings.Fields(`. alias autoload bg bind break builtin bye cd chdir command continue declare dirs disable disown emulate
 enable eval exec exit export fc fg float functions getopts hash history integer let limit local logout mapfile popd print printf pushd
 r read readarray readonly rehash return set setopt shift shopt source suspend trap typeset ulimit umask unalias unfunction unhash
 unlimit unset unsetopt vared wait zmodload zparseopts zstyle`)

// changesShell reports whether a command may change or end the shell that runs it.
func (c Command) changesShell() bool {
	switch c.Kind {
	case Call:
		return len(c.Words) == 0 || !c.Words[0].Known || slices.Contains(changing, c.Words[0].Text)
	case Group:
		return false
	case For, Assign, Input:
		return true
	}
	return slices.ContainsFunc(slices.Concat(c.Cond, c.Body, c.Else), func(p Pipeline) bool {
		return len(p.Commands) == 1 && !p.Commands[0].Fed && p.Commands[0].changesShell() // those of a pipe cannot
	})
}

func printCommand(b *strings.Builder, c Command) {
	switch c.Kind {
	case Call, Assign:
		printCall(b, c)
	case Group:
		printBody(b, "( ", c.Body, "\n)")
	case Block:
		if len(c.Redirects) > 0 && loneGroup(c) {
			printBody(b, "( ", c.Body, "\n)")
			return
		}
		printBody(b, "{ ", c.Body, "\n}")
	case For:
		b.WriteString("for " + own + c.Name + " in")
		for _, w := range c.Words {
			b.WriteByte(' ')
			printWord(b, w)
		}
		printBody(b, "\ndo ", c.Body, "\ndone")
	case If:
		printBody(b, "if ", c.Cond, "\n")
		printBody(b, "then ", c.Body, "\n")
		if len(c.Else) > 0 {
			printBody(b, "else ", c.Else, "\n")
		}
		b.WriteString("fi")
	case While:
		printBody(b, map[bool]string{false: "while ", true: "until "}[c.Not], c.Cond, "\n")
		printBody(b, "do ", c.Body, "\ndone")
	case Input:
		if len(c.Set) > 0 {
			b.WriteString("IFS= ")
		}
		b.WriteString("'read' '-r' '" + own + strings.Join(c.Names, "' '"+own) + "'")
	}
}

func printBody(b *strings.Builder, before string, l Line, after string) {
	b.WriteString(before)
	printLine(b, l)
	b.WriteString(after)
}

func printCall(b *strings.Builder, c Command) {
	blank := ""
	for _, s := range c.Set {
		b.WriteString(blank)
		if c.Kind == Assign {
			b.WriteString(own)
		}
		b.WriteString(s.Name + "=")
		printWord(b, s.Value)
		blank = " "
	}
	for _, w := range c.Words {
		b.WriteString(blank)
		printWord(b, w)
		blank = " "
	}
}

func printWord(b *strings.Builder, w Word) {
	for i, p := range w.Parts {
		quote := `"`
		if p.Bare {
			quote = ""
		}
		switch {
		case p.Kind == Variable:
			b.WriteString(quote + "${")
			if p.Own {
				b.WriteString(own)
			}
			b.WriteString(p.Text + "}" + quote)
		case p.Kind == Output:
			printBody(b, quote+"$( ", p.Body, "\n)"+quote)
		case p.Kind == Glob:
			b.WriteString(p.Text)
		case p.Kind == Home:
			b.WriteByte('~')
		case i > 0 && w.Parts[i-1].Kind == Home: // the slash that ends ~ has to stand outside of quotes
			b.WriteByte('/')
			if len(p.Text) > 1 {
				printLiteral(b, p.Text[1:])
			}
		default:
			printLiteral(b, p.Text)
		}
	}
}

// printLiteral quotes a text. Single quotes stand in double ones: a zsh with RC_QUOTES reads two that touch as another text.
func printLiteral(b *strings.Builder, text string) {
	if text == "" {
		b.WriteString("''")
	}
	for text != "" {
		n := strings.IndexByte(text, '\'')
		switch {
		case n < 0:
			n = len(text)
			fallthrough
		case n > 0:
			b.WriteString("'" + text[:n] + "'")
		default:
			n = len(text) - len(strings.TrimLeft(text, "'"))
			b.WriteString(`"` + text[:n] + `"`)
		}
		text = text[n:]
	}
}
