package shell

import (
	"maps"
	"strconv"
	"strings"
)

// world interprets a structure: which calls happen in which order with which words, and what is printed and written.
type world struct {
	splits   bool // the shell splits variables that stand outside of quotes
	calls    *[]string
	own      map[string]string
	files    map[string]*strings.Builder
	in       *string
	out, err *strings.Builder
}

func newWorld(splits bool) *world {
	return &world{splits: splits, calls: new([]string), own: map[string]string{}, files: map[string]*strings.Builder{}, in: new(string),
		out: new(strings.Builder), err: new(strings.Builder)}
}

// sub returns the world of a shell of its own.
func (w world) sub() world {
	w.own = maps.Clone(w.own)
	return w
}

func (w world) line(l Line) (ok bool) {
	ok = true
	for i, p := range l {
		if i > 0 && (p.Join == And && !ok || p.Join == Or && ok) {
			continue
		}
		ok = w.pipeline(p) != p.Not
	}
	return ok
}

func (w world) pipeline(p Pipeline) (ok bool) {
	if len(p.Commands) == 1 {
		return w.command(p.Commands[0])
	}
	in := w.in
	for i, c := range p.Commands {
		sub := w.sub()
		sub.in = in
		if i < len(p.Commands)-1 {
			sub.out = new(strings.Builder)
		}
		ok = sub.command(c)
		text := sub.out.String()
		in = &text
	}
	return ok
}

func (w world) command(c Command) (ok bool) {
	if c.Fed {
		w = w.sub()
		w.in = &c.Text
	}
	for _, r := range c.Redirects {
		var file *strings.Builder
		if r.Op != ">&" {
			name := w.text(r.File)
			if r.Op == "<" {
				text := content(name)
				w.in = &text
				continue
			}
			if r.Op == ">" || w.files[name] == nil {
				w.files[name] = new(strings.Builder)
			}
			file = w.files[name]
		} else if file = w.out; r.To == 2 {
			file = w.err
		}
		if r.From == 1 {
			w.out = file
		} else {
			w.err = file
		}
	}
	switch c.Kind {
	case Group:
		return w.sub().line(c.Body)
	case Block:
		return w.line(c.Body)
	case If:
		if w.line(c.Cond) {
			return w.line(c.Body)
		}
		return len(c.Else) == 0 || w.line(c.Else)
	case For:
		ok = true
		for _, w.own[c.Name] = range w.words(c.Words) {
			ok = w.line(c.Body)
		}
		return ok
	case While:
		ok = true
		for w.line(c.Cond) != c.Not {
			ok = w.line(c.Body)
		}
		return ok
	case Assign:
		for _, s := range c.Set {
			w.own[s.Name] = w.text(s.Value)
		}
		return true
	case Input:
		return w.read(c)
	}
	return w.call(c)
}

// call records a call. The settings of earlier calls are gone.
func (w world) call(c Command) bool {
	words := w.words(c.Words)
	set := map[string]string{}
	for _, s := range c.Set {
		set[s.Name] = w.text(s.Value)
	}
	if words[0] == "all" {
		words = append(words, *w.in)
		*w.in = ""
	}
	*w.calls = append(*w.calls, record(set["S1"], set["S2"], words))
	if len(words) > 1 && (words[0] == "out" || words[0] == "err") {
		map[string]*strings.Builder{"out": w.out, "err": w.err}[words[0]].WriteString(words[1])
	}
	return words[0] != "fail"
}

// read reads a line as read -r does. The names after the first get what blanks part.
func (w world) read(c Command) bool {
	line, rest, ok := strings.Cut(*w.in, "\n")
	*w.in = rest
	for i, name := range c.Names {
		if len(c.Set) > 0 {
			w.own[name], line = line, ""
			continue
		}
		line = strings.Trim(line, " \t")
		w.own[name] = line
		if at := strings.IndexAny(line, " \t"); i < len(c.Names)-1 {
			if at < 0 {
				at = len(line)
			}
			w.own[name], line = line[:at], line[at:]
		}
	}
	return ok
}

// text returns the one word that a file or a value is. Patterns stand for themselves.
func (w world) text(word Word) string {
	parts := make([]Part, len(word.Parts))
	for i, p := range word.Parts {
		if parts[i] = p; p.Kind == Glob {
			parts[i].Kind = Literal
		}
		parts[i].Bare = false
	}
	return strings.Join(w.words([]Word{{Parts: parts}}), "")
}

func (w world) words(words []Word) (all []string) {
	for _, word := range words {
		if word.Has(Glob) {
			for _, name := range folder {
				if matches(word.Parts, name) {
					all = append(all, name)
				}
			}
			continue
		}
		field, open := "", false
		for _, p := range word.Parts {
			value := w.value(p)
			if !p.Bare || p.Kind == Variable && !w.splits {
				field, open = field+value, open || !p.Bare || value != ""
				continue
			}
			for i := range len(value) {
				if strings.IndexByte(" \t\n", value[i]) < 0 {
					field, open = field+value[i:i+1], true
				} else if open {
					all, field, open = append(all, field), "", false
				}
			}
		}
		if open {
			all = append(all, field)
		}
	}
	return all
}

func (w world) value(p Part) string {
	switch p.Kind {
	case Home:
		return variables["HOME"]
	case Variable:
		if p.Own {
			return w.own[p.Text]
		}
		return variables[p.Text]
	case Output:
		sub := w.sub()
		sub.out = new(strings.Builder)
		sub.line(p.Body)
		return strings.TrimRight(sub.out.String(), "\n")
	}
	return p.Text
}

// matches matches a pattern by trying all that a star may stand for.
func matches(parts []Part, name string) bool {
	if len(parts) == 0 {
		return name == ""
	}
	p, rest := parts[0], parts[1:]
	switch {
	case p.Kind == Literal:
		return strings.HasPrefix(name, p.Text) && matches(rest, name[len(p.Text):])
	case p.Text == "*":
		for i := range len(name) + 1 {
			if matches(rest, name[i:]) {
				return true
			}
		}
		return false
	case name == "":
		return false
	}
	c := name[0]
	one := p.Text == "?" || len(p.Text) == 3 && p.Text[1] == c
	one = one || p.Text == "[a-z]" && c >= 'a' && c <= 'z' || p.Text == "[!A-Z]" && (c < 'A' || c > 'Z')
	return one && matches(rest, name[1:])
}

// record is what a recorder writes of one call: the settings, how many words there are, and the words, each with a byte after it
// that no text has.
func record(s1, s2 string, words []string) string {
	const end = "\x01"
	return s1 + end + s2 + end + strconv.Itoa(len(words)) + end + strings.Join(words, end) + end
}
