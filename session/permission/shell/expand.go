package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word reads a word that has to be one before patterns are matched.
func (r *reader) word(n *syntax.Word) Word {
	all := r.words(n)
	if len(all) != 1 {
		refuse("it has braces where one word has to stand", "the words themselves")
	}
	return all[0]
}

// words reads a word, and returns several where it has braces with a list.
func (r *reader) words(n *syntax.Word) []Word {
	if lit := n.Lit(); lit == "[" || lit != "" && isPlain(lit) { // [ is the program of that name
		return []Word{Lit(lit)}
	}
	all := [][]Part{nil}
	for i, part := range n.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			var next [][]Part
			for _, text := range braces(lit.Value) {
				if r.posix && text != lit.Value || text == "" {
					refuse("it has braces that not every shell reads alike", "the words themselves")
				}
				bare := r.bare(text, i == 0)
				for _, parts := range all {
					next = append(next, append(slices.Clip(parts), bare...))
				}
			}
			if all = next; len(all) > 64 {
				refuse("its braces make too many words", "the words themselves")
			}
			continue
		}
		more := r.part(nil, part, false)
		for k := range all {
			all[k] = append(slices.Clip(all[k]), more...)
		}
	}
	out := make([]Word, len(all))
	for i, parts := range all {
		out[i] = WordOf(parts...)
		for k, p := range out[i].Parts {
			if k > 0 && p.Kind == Glob && p.Text == "*" && out[i].Parts[k-1].Text == "*" && out[i].Parts[k-1].Kind == Glob {
				refuse("it has **, which some shells match with nested directories", "find")
			}
		}
		if w := out[i]; w.Home && len(w.Parts) > 1 && (w.Parts[1].Kind != Literal || !strings.HasPrefix(w.Parts[1].Text, "/")) {
			refuse("it has ~ before something odd", "the path itself")
		}
	}
	return out
}

// braces returns the texts that a shell makes of a text outside of quotes with one list in braces, the text itself if it has none.
func braces(s string) []string {
	open := strings.IndexByte(s, '{')
	end := strings.IndexByte(s, '}')
	if open < 0 || end < open || open > 0 && strings.IndexByte(`@$\`, s[open-1]) >= 0 || !strings.Contains(s[open:end], ",") ||
		strings.ContainsAny(s[open+1:end], `{\*?[~`) || strings.ContainsAny(s[end+1:], "{}") || strings.Contains(s[:open], `\`) {
		return []string{s}
	}
	var all []string
	for item := range strings.SplitSeq(s[open+1:end], ",") {
		all = append(all, s[:open]+item+s[end+1:])
	}
	return all
}

// part adds a part of a word that is no bare text.
func (r *reader) part(parts []Part, n syntax.WordPart, quoted bool) []Part {
	switch n := n.(type) {
	case *syntax.Lit:
		return append(parts, Part{Text: unescape(n.Value)})
	case *syntax.SglQuoted:
		if r.text(n) != "'"+n.Value+"'" {
			refuse("it has $'…'", "'…', or printf")
		}
		return append(parts, Part{Text: n.Value})
	case *syntax.DblQuoted:
		if n.Dollar {
			refuse(`it has $"…"`, `"…"`)
		}
		if quoted {
			refuse("it has quotes within quotes", "one kind of quotes")
		}
		parts = append(parts, Part{})
		for _, inner := range n.Parts {
			parts = r.part(parts, inner, true)
		}
		return parts
	case *syntax.ParamExp:
		return append(parts, r.variable(n, quoted))
	case *syntax.CmdSubst:
		if text := r.text(n); !strings.HasPrefix(text, "$(") && (!strings.HasPrefix(text, "`") || strings.Contains(text, `\`)) {
			refuse("it has a substitution of an odd kind", "$(…)")
		}
		if text, ok := r.hereOutput(n); ok && quoted {
			return append(parts, Part{Text: text})
		}
		return append(parts, Part{Kind: Output, Bare: !quoted, Body: r.list(n.Stmts)})
	case *syntax.ArithmExp:
		refuse("it calculates, which can run commands", "the number itself")
	case *syntax.ProcSubst:
		refuse("it has <(…)", "a pipe")
	}
	refuse("it has a word of a kind that is not judged", "")
	return nil
}

// inherited are the variables that have one word for sure.
var inherited = strings.Fields("HOME PWD OLDPWD USER TMPDIR")

// variable reads an expansion, by its text: no form of a later parser slips in.
func (r *reader) variable(n *syntax.ParamExp, quoted bool) Part {
	text := r.text(n)
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "$"), "{"), "}")
	if text != "$"+name && text != "${"+name+"}" || !IsName(name) && name != "?" && name != "$" {
		if len(text) > 40 || strings.Contains(text, "\n") {
			text = "an expansion with more than a name"
		}
		refuse("it has "+text, "$NAME")
	}
	splits, set := r.sets[name]
	if !set {
		splits = IsName(name) && !slices.Contains(inherited, name)
	}
	return Part{Kind: Variable, Text: name, Bare: !quoted && splits, Own: set}
}

// hereOutput returns the text of $(cat <<'E' …), in which models write messages of several lines.
func (r *reader) hereOutput(n *syntax.CmdSubst) (string, bool) {
	if len(n.Stmts) != 1 {
		return "", false
	}
	s := n.Stmts[0]
	if len(s.Redirs) != 1 || s.Redirs[0].Hdoc == nil || s.Redirs[0].N != nil || s.Cmd == nil || r.text(s.Cmd) != "cat" || s.Negated || s.Background {
		return "", false
	}
	return strings.TrimRight(r.hereText(s.Redirs[0]), "\n"), true
}

// unescape removes the backslashes of double quotes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

// bare reads text outside of quotes. begins reports whether the word begins with it.
func (r *reader) bare(s string, begins bool) (parts []Part) {
	literal := func(text string) {
		if last := len(parts) - 1; last >= 0 && parts[last].Kind == Literal {
			parts[last].Text += text
			return
		}
		parts = append(parts, Part{Text: text})
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x80 || c == '\\' && i+1 < len(s) && s[i+1] >= 0x80:
			refuse("it has letters outside of quotes that are not ASCII", "quotes around them")
		case c == '\\' && i+1 < len(s):
			if i++; s[i] != '\n' {
				literal(s[i : i+1])
			}
		case c == '*' || c == '?':
			parts = append(parts, Part{Kind: Glob, Text: s[i : i+1]})
		case c == '[':
			set, ok := bracket(s[i:])
			if !ok {
				refuse("it has brackets outside of quotes", "quotes around them")
			}
			parts = append(parts, Part{Kind: Glob, Text: "[" + strings.Replace(set, "^", "!", 1) + "]"})
			i += len(set) + 1
		case c == '~' && begins && i == 0:
			if len(s) > 1 && s[1] != '/' {
				refuse("it has the home of a user", "the path itself")
			}
			parts = append(parts, Part{Kind: Home})
		case c == '~' && i > 0 && (s[i-1] == '=' || s[i-1] == ':'):
			refuse("it has ~ within a word", "the path itself")
		case c == '{' && !strings.HasPrefix(s[i:], "{}") &&
			(i == 0 || s[i-1] != '@' || strings.Contains(s[i:], ",") || strings.Contains(s[i:], "..")):
			refuse("it has braces that are not judged", "the words themselves")
		case c == '=' && begins && i == 0 && len(s) > 1:
			refuse("it begins with =", "quotes around it")
		default:
			end := i + 1
			for end < len(s) && isPlain(s[end:end+1]) {
				end++
			}
			literal(s[i:end])
			i = end - 1
		}
	}
	if len(parts) == 0 {
		literal("")
	}
	return parts
}

// isPlain reports whether a text outside of quotes means itself to every shell.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && strings.IndexByte("-_./:,@+%", c) < 0 && (c != '=' || i == 0) {
			return false
		}
	}
	return true
}

// bracket returns what stands within a plain bracket at the begin of a text.
func bracket(s string) (string, bool) {
	end := strings.IndexByte(s, ']')
	if end < 2 {
		return "", false
	}
	set := s[1:end]
	plain := strings.TrimLeft(set[:1], "!^") + set[1:]
	return set, plain != "" && strings.Trim(plain, letters+digits+"-_.") == ""
}

// IsName reports whether a text is the name of a variable.
func IsName(s string) bool {
	return s != "" && strings.Trim(s, letters+digits+"_") == "" && (s[0] > '9')
}
