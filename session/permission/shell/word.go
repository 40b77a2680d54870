package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word reads a word. Steps that its substitutions take are added.
func (w *walker) word(word *syntax.Word, at scope) Word {
	out := Word{Known: true, Begins: true}
	if word == nil || w.err != nil {
		return Word{}
	}
	w.parts(word.Parts, false, &out, at)
	return out
}

// parts reads the parts of a word. Once a part is not known, the text ends before it.
func (w *walker) parts(parts []syntax.WordPart, quoted bool, out *Word, at scope) {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			switch {
			case quoted:
				out.add(unescape(p.Value, "$`\"\\"))
			default:
				w.unquoted(p.Value, i == 0, len(parts) == 1, out)
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				out.Known, out.Begins = false, out.Begins && i > 0
				continue
			}
			out.add(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				w.odd(p, at, "it has a text to be translated")
			}
			w.parts(p.Parts, true, out, at.down())
		case *syntax.ParamExp:
			out.Known = false
			out.splits(!quoted || p.Param == nil || p.Param.Value == "@" || p.Param.Value == "*")
			w.param(p, at)
		case *syntax.CmdSubst:
			out.Known = false
			out.splits(!quoted)
			if p.TempFile || p.ReplyVar || p.Backquotes && strings.Contains(w.line[offset(p.Pos()):offset(p.End())], `\`) {
				w.odd(p, at, "it has a substitution with backslashes")
			}
			w.stmts(p.Stmts, at.down())
		case *syntax.ProcSubst:
			out.Known = false
			w.stmts(p.Stmts, at.down())
		case *syntax.ArithmExp:
			out.Known = false
			out.splits(!quoted)
			w.odd(p, at, "it calculates, which can run commands")
		default: // globs of a shell with more of them
			out.Known, out.Begins = false, false
			w.odd(part, at, "it has a word of a kind that is not judged")
		}
	}
}

// splits notes that the part that follows may become several words.
func (w *Word) splits(does bool) { w.Begins = w.Begins && !does }

func (w *Word) add(text string) {
	if w.Known {
		w.Text += text
	}
}

// unquoted reads text outside of quotes. A sign that shells replace by something else makes the word unknown; one that they
// may not agree on ends the reading.
func (w *walker) unquoted(text string, first, alone bool, out *Word) {
	if first && (alone && text == "~" || strings.HasPrefix(text, "~/")) {
		out.Home = true
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && text[i+1] != '\n' && text[i+1] < 0x80:
			i++
			out.add(text[i : i+1])
		case c == '\\', c >= 0x80, w.dialect == Zsh && !w.alikeInZsh(text, i, first && i == 0):
			w.err = errors.New("shells may not agree on what it means")
			return
		case strings.IndexByte("*?[$`", c) >= 0:
			if c == '[' && text == "[" && first {
				out.add(text) // the command of that name
				return
			}
			out.Known = false
		case c == '{' && !closes(text[i+1:]):
			out.Known = false
		case c == '~' && !out.Home && (first && i == 0 || i > 0 && (text[i-1] == '=' || text[i-1] == ':')):
			out.Known = false
		default:
			out.add(text[i : i+1])
		}
	}
}

// closes reports whether a brace closes after a name or nothing, so that it stands for itself.
func closes(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '}':
			return true
		case c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z':
			return false
		}
	}
	return false
}

// alikeInZsh reports whether zsh takes the sign outside of quotes as Bash does, with any options.
func (w *walker) alikeInZsh(text string, i int, begins bool) bool {
	c := text[i]
	return isPlain(rune(c)) && (c != '=' || !begins) && (c != '%' || !begins) || begins && c == '~' && (text == "~" || text[1] == '/') || text == "[" || text == "]" ||
		text == "{}"
}

// unescape removes the backslashes before the given signs.
func unescape(text, before string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(before, text[i+1]) >= 0 {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// param reads the expansion of a variable. Only the plain ones, and those with a default or a cut, do nothing else.
func (w *walker) param(p *syntax.ParamExp, at scope) {
	strange := p.Flags != nil || p.Excl || p.Width || p.IsSet || p.NestedParam != nil || p.Index != nil || len(p.Modifiers) > 0 || p.Slice != nil ||
		p.Names != 0 || p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 || p.Repl != nil || p.Param == nil
	if p.Exp != nil {
		switch p.Exp.Op {
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.RemSmallPrefix,
			syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		default:
			strange = true
		}
		if p.Exp.Word != nil {
			w.word(p.Exp.Word, at.down())
		}
	}
	if strange {
		w.odd(p, at, "it expands a variable in a way that can do more")
	}
}
