package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// special are variables that shells or many programs use themselves; those that begin with BASH and LC_ are among them. A line
// that sets one means more than a variable of its own.
var special = strings.Fields(`IFS PATH HOME PWD OLDPWD CDPATH TMPDIR USER LOGNAME SHELL ENV LANG LANGUAGE TZ TERM COLUMNS LINES RANDOM
 SRANDOM SECONDS LINENO OPTIND OPTARG REPLY UID EUID GID EGID PPID GROUPS DIRSTACK SHLVL FUNCNAME PIPESTATUS PS4 EPOCHSECONDS
 EPOCHREALTIME _`)

// tied are names that mean something to zsh alone: some of them change what runs, and some cannot be set.
var tied = strings.Fields(`aliases argv builtins cdpath commands fignore fpath functions histchars history mailpath manpath module_path
 modules nameddirs options parameters path pipestatus prompt psvar status userdirs watch zle_highlight`)

// note notes the variables that the line sets and uses.
func (r *reader) note(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CallExpr:
		if len(n.Args) == 0 {
			for _, a := range n.Assigns {
				if a.Name != nil {
					r.set(a.Name.Value, offset(a.End()), splits(a.Value))
				}
			}
		} else if r.unquoted(n.Args[0]) == "read" {
			for _, arg := range n.Args[1:] {
				r.set(r.unquoted(arg), offset(arg.End()), false)
			}
		}
	case *syntax.WordIter:
		r.set(n.Name.Value, offset(n.End()), false)
	case *syntax.ParamExp:
		if n.Param != nil {
			at := offset(n.Pos())
			use, used := r.uses[n.Param.Value]
			if !used {
				use[0] = at
			}
			r.uses[n.Param.Value] = [2]int{min(use[0], at), max(use[1], at)}
		}
	}
	return true
}

// set notes that a variable is set at an offset, and whether a shell may make any number of words of it.
func (r *reader) set(name string, at int, splits bool) {
	if before, ok := r.since[name]; !ok || at < before {
		r.since[name] = at
	}
	r.sets[name] = r.sets[name] || splits
}

// splits reports whether a shell may make more or fewer than one word of a value.
func splits(value *syntax.Word) bool {
	if value == nil {
		return true
	}
	parts := value.Parts
	text := ""
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		switch part := part.(type) {
		case *syntax.Lit:
			text += strings.ReplaceAll(part.Value, "\\\n", "")
		case *syntax.SglQuoted:
			text += part.Value
		case *syntax.DblQuoted:
			parts = slices.Concat(part.Parts, parts)
		default:
			return true
		}
	}
	return text == "" || strings.ContainsAny(text, " \t\n*?[")
}

// unquoted returns a word without its quotes.
func (r *reader) unquoted(w *syntax.Word) string {
	return strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(r.text(w))
}

// inOrder refuses lines that set a variable which is not the line's alone: print would take it for another.
func (r *reader) inOrder() {
	for name, since := range r.since {
		if slices.Contains(special, name) || strings.HasPrefix(name, "BASH") || strings.HasPrefix(name, "LC_") {
			refuse("it sets "+name+", which shells or programs use", "NAME=VALUE before the command")
		}
		if use, ok := r.uses[name]; ok && use[0] < since {
			refuse("it uses "+name+" before it sets it", "another name")
		}
	}
}

// setting refuses the last of the settings of a call if shells differ in what it does.
func (r *reader) setting(set []Setting) {
	last := set[len(set)-1]
	if slices.Contains(tied, last.Name) {
		refuse("it sets "+last.Name+", which zsh uses", "another name")
	}
	for _, s := range set[:len(set)-1] {
		for _, p := range last.Value.Parts {
			if p.Kind == Variable && p.Text == s.Name {
				refuse("it uses "+s.Name+" where it sets it", "the value itself")
			}
		}
	}
}

// fed refuses here-documents of commands that would change the shell: what is printed runs them in a shell of its own.
func (r *reader) fed(c Command, piped bool) {
	if piped {
		refuse("its here-document stands behind a pipe", "the here-document in the first command")
	}
	if slices.ContainsFunc(c.Redirects, func(d Redirect) bool { return d.From == 0 }) {
		refuse("its here-document stands in an odd place", "one here-document")
	}
	if c.Kind == Group {
		return
	}
	Line{{Commands: []Command{c}}}.Each(func(inner *Command, _ bool) {
		names := inner.Names
		if inner.Kind == For {
			names = []string{inner.Name}
		}
		for _, s := range inner.Set {
			if inner.Kind == Assign {
				names = append(names, s.Name)
			}
		}
		for _, name := range names {
			if r.uses[name][1] >= c.End {
				refuse("it sets "+name+" from a here-document", "NAME=VALUE")
			}
		}
		if inner.Kind != Call || !inner.Words[0].Known {
			return
		}
		if name := inner.Words[0].Text; slices.Contains([]string{"cd", "chdir", "pushd", "popd", "exit", "return"}, name) {
			refuse("its here-document is for "+name, name+" alone")
		}
	})
}
