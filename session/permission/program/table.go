package program

import (
	"slices"
	"strings"
	"sync"

	"parley/internal/lazyregexp"
	"parley/session/permission/shell"
)

// find returns what a table knows of an option: the kind of its value, and whether it has one: 0 for none, ':' for one in this
// or the next word, '=' for one behind =, '[' for one that may be left out.
func (t *Table) find(option string) (kind string, form byte, ok bool) {
	known, done := specs.Load(t.Options)
	if !done {
		all := map[string]spec{}
		for text := range strings.FieldsSeq(t.Options) {
			if at := strings.IndexAny(text, ":=["); at > 0 {
				all[text[:at]] = spec{strings.Trim(text[at+1:], "=]"), text[at]}
			} else {
				all[text] = spec{}
			}
		}
		known, _ = specs.LoadOrStore(t.Options, all)
	}
	s, ok := known.(map[string]spec)[option]
	return s.kind, s.form, ok
}

// spec is an option of a table, and specs has those of the tables that were used, by their text.
type spec struct {
	kind string
	form byte
}

var specs sync.Map

// call is one call as a table judges it.
type call struct {
	*Table
	name              string
	reads             []shell.Word
	options, operands []shell.Word
	replaced          bool // an option stands for the first operand
	single            bool // letters do not stand together
}

var numberOption = lazyregexp.New(`^-[0-9]+$`)

// judge judges a call by its table, and writes it anew: options, then "--" where an operand could be taken for one, then operands.
func (t *Table) judge(name string, args []shell.Word) Use {
	c := &call{Table: t, name: name}
	u := Use{Known: true, Builtin: t.Builtin, Deep: t.Deep}
	if u.Asked = c.split(args); u.Asked == "" {
		u.Words, u.Asked = c.print()
	}
	if u.Asked != "" {
		return Use{Known: true, Builtin: t.Builtin, Asked: u.Asked}
	}
	u.Words = append([]shell.Word{shell.Lit(name)}, u.Words...)
	u.Safe, u.Reads = true, c.reads
	return u
}

// split sorts the arguments of a call, and returns why it is not known to be safe, "" if it is.
func (c *call) split(args []shell.Word) string {
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.Known && w.Text == "--" && !c.NoEnd:
			c.operands = append(c.operands, args[i+1:]...)
			return ""
		case c.Options == "" && c.NoEnd, w.Known && (w.Text == "" || w.Text == "-"), w.Text != "" && w.Text[0] != '-', w.Text == "" && w.Begins, w.Home:
			c.operands = append(c.operands, w)
		case w.Text == "" && !w.Begins:
			if c.NoEnd {
				return "an argument may turn into an option"
			}
			c.operands = append(c.operands, w)
		case c.Number && w.Known && numberOption.MatchString(w.Text):
			c.options = append(c.options, w)
		default:
			n, words, why := c.option(args[i:])
			if why != "" {
				return why
			}
			c.options, i = append(c.options, words...), i+n-1
		}
	}
	return ""
}

// option reads one option at the begin of args, or several letters, and returns how many words it takes.
func (c *call) option(args []shell.Word) (n int, words []shell.Word, why string) {
	w := args[0]
	unknown := func(option string) (int, []shell.Word, string) {
		return 0, nil, "the option " + option + " is not known to be safe"
	}
	if !w.Begins {
		return unknown(w.Text)
	}
	if strings.HasPrefix(w.Text, "--") {
		option, _, behind := strings.Cut(w.Text, "=")
		kind, form, ok := c.find(option)
		switch {
		case !ok:
			return unknown(option)
		case behind && form != 0:
			value, why := c.value(kind, w.Cut(len(option)+1))
			c.stands(option)
			return 1, []shell.Word{value.After(option + "=")}, why
		case !behind && w.Known && (form == 0 || form == '['):
			c.stands(option)
			return 1, args[:1], ""
		case !behind && w.Known && len(args) > 1:
			value, why := c.value(kind, args[1])
			c.stands(option)
			return 2, []shell.Word{w, value}, one(value, why)
		}
		return unknown(option)
	}
	if _, form, ok := c.find(w.Text); ok && form == 0 && w.Known { // a long one behind a single dash
		c.stands(w.Text)
		return 1, args[:1], ""
	}
	for i := 1; i < len(w.Text); i++ {
		option := "-" + w.Text[i:i+1]
		kind, form, ok := c.find(option)
		empty := w.Known && i+1 == len(w.Text)
		switch {
		case !ok, form == '=', form == ':' && empty && len(args) == 1:
			return unknown(option)
		case c.single && !empty && (form == 0 || i > 1):
			return unknown(w.Text)
		case form == 0, form == '[' && empty:
			c.stands(option)
		case empty:
			value, why := c.value(kind, args[1])
			c.stands(option)
			return 2, []shell.Word{w, value}, one(value, why)
		default:
			value, why := c.value(kind, w.Cut(i+1))
			c.stands(option)
			return 1, []shell.Word{value.After(w.Text[:i+1])}, why
		}
	}
	if !w.Known {
		return unknown(w.Text)
	}
	return 1, args[:1], ""
}

// one returns why a value may become several words.
func one(value shell.Word, why string) string {
	if why == "" && value.Splits() {
		return "an argument may turn into several"
	}
	return why
}

// stands notes an option that has the first operand, or by which there is none.
func (c *call) stands(option string) {
	c.replaced = c.replaced || slices.Contains(strings.Fields(c.Pattern+" "+c.None), option)
}

// print returns the words of a call behind its name, or why they are not known to be safe.
func (c *call) print() (words []shell.Word, why string) {
	kinds := strings.Fields(c.Operands)
	if c.replaced && len(kinds) > 0 {
		kinds = kinds[1:]
	}
	if len(c.operands) > 0 && len(kinds) == 0 || c.Most > 0 && (len(c.operands) > c.Most || slices.ContainsFunc(c.operands, shell.Word.Splits)) {
		return nil, "its arguments are not known to be safe"
	}
	for add := range strings.FieldsSeq(c.Adds) {
		words = append(words, shell.Lit(add))
	}
	words = append(words, c.options...)
	var rest []shell.Word
	end := false
	for i, w := range c.operands {
		kind := kinds[min(i, len(kinds)-1)]
		if i < len(kinds)-1 && (w.Splits() && kind != "glob" || kind == "pattern" && w.Splits()) {
			return nil, "an argument may turn into several"
		}
		w, why := c.value(kind, w)
		if why != "" {
			return nil, why
		}
		rest = append(rest, w)
		end = end || !w.Sure() && !w.Home && !(w.Known && w.Text == "-")
	}
	switch {
	case end && c.NoEnd && (c.Options != "" || !slices.Contains([]string{"text", "num", "format"}, kinds[0])):
		return nil, "an argument may turn into an option"
	case end && !c.NoEnd:
		words = append(words, shell.Lit("--"))
	}
	return append(words, rest...), ""
}

// value judges a word of a kind, and returns it as it is printed.
func (c *call) value(kind string, w shell.Word) (shell.Word, string) {
	switch kind {
	case "glob": // the program matches it
		return w.Literal(), ""
	case "text":
		if w.Has(shell.Glob) || w.Home {
			c.reads = append(c.reads, w)
		}
		return w, ""
	case "file":
		if !w.Known || w.Text != "-" {
			c.reads = append(c.reads, w)
		}
		return w, ""
	case "rev", "path": // of git
		if w.Known && !w.Home && !strings.HasPrefix(w.Text, "-") {
			c.reads = append(c.reads, fileOf(w))
			return w, ""
		}
		return w, "the argument " + w.Text + " is not known to be safe"
	case "plain": // the program may take others for options, settings or lists of files
		c.reads = append(c.reads, w)
		if w.Known && w.Text == "-" {
			c.reads = c.reads[:len(c.reads)-1]
		}
		if w.Known && w.Text == "-" || w.Sure() && w.Text[0] != '@' && !strings.Contains(w.Text, "=") && !w.Has(shell.Variable, shell.Output) {
			return w, ""
		}
		return w, "the argument " + w.Text + " may be taken for something else than a file"
	}
	if w.Known && !w.Home && isForm(kind, w.Text) {
		return w, ""
	}
	return w, "the argument " + w.Text + " is not known to be safe"
}

// isForm reports whether a literal is of a kind.
func isForm(kind, text string) bool {
	if form := forms[kind]; form != nil {
		return form().MatchString(text)
	}
	known := programForms[kind]
	return known != nil && known(text)
}
