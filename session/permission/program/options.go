package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// files says what the arguments of a program are that are not options.
type files int

const (
	noFiles  files = iota // there are none
	texts                 // texts, also as the shell changes them
	readsAll              // files and directories that are read
	readsTo1              // at most one file: a second one would be written
	pattern               // a pattern, unless an option has it, then files that are read
)

// reader is a program that only reads, as long as each option is one of these. Options have the form of getopt: letters
// may stand together, and the last one may have a value; long options have one if they are listed with "=".
type reader struct {
	names   string
	files   files
	flags   string
	valued  string
	long    string
	numbers bool // -20 is an option
	deep    bool // it reads what is below directories
	builtin bool
	// takes is an option that has the pattern, by its letter; only is one by which there is no pattern at all.
	takes string
	only  string
}

// option is one option of a call.
type option struct {
	name  string // such as "n" or "--color"
	value shell.Word
	has   bool // it has a value
}

// parse splits arguments into options and others. The reason says what is not known, "" if all is.
func (r *reader) parse(args []shell.Word) (options []option, rest []shell.Word, reason string) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.Known && w.Text == "--":
			return options, append(rest, args[i+1:]...), ""
		case w.Sure() || w.Known && (w.Text == "-" || w.Text[0] == '+'):
			rest = append(rest, w)
		case !w.Known:
			return nil, nil, "an argument may turn into an option"
		case strings.HasPrefix(w.Text, "--"):
			name, value, valued := strings.Cut(w.Text, "=")
			long := strings.Fields(r.long)
			switch {
			case valued && slices.Contains(long, name+"="):
				options = append(options, option{name, shell.Word{Text: value, Known: true, Begins: true}, true})
			case !valued && slices.Contains(long, name):
				options = append(options, option{name: name})
			case !valued && slices.Contains(long, name+"=") && i+1 < len(args):
				i++
				options = append(options, option{name, args[i], true})
			default:
				return nil, nil, "the option " + name + " is not known to be safe"
			}
		default:
			n, reason := r.letters(w.Text[1:], args[i+1:], &options)
			if reason != "" {
				return nil, nil, reason
			}
			i += n
		}
	}
	return options, rest, ""
}

// letters reads options of one letter that stand together, and returns how many more words they take.
func (r *reader) letters(letters string, next []shell.Word, options *[]option) (more int, reason string) {
	if r.numbers && strings.Trim(letters, "0123456789") == "" {
		return 0, ""
	}
	for i := range len(letters) {
		c := letters[i : i+1]
		switch {
		case strings.Contains(r.flags, c):
			*options = append(*options, option{name: c})
		case !strings.Contains(r.valued, c):
			return 0, "the option -" + c + " is not known to be safe"
		case i+1 < len(letters):
			*options = append(*options, option{c, shell.Word{Text: letters[i+1:], Known: true, Begins: true}, true})
			return 0, ""
		case len(next) == 0:
			return 0, "the option -" + c + " lacks its value"
		default:
			*options = append(*options, option{c, next[0], true})
			return 1, ""
		}
	}
	return 0, ""
}

// judge judges a call of the program.
func (r *reader) judge(_ string, args []shell.Word) Use {
	u := Use{Known: true, Builtin: r.builtin}
	options, rest, reason := r.parse(args)
	if reason != "" {
		u.Asked = reason
		return u
	}
	for _, o := range options {
		// A value that may become several words may become options and files.
		if o.has && !o.value.Known && !o.value.Begins {
			u.Asked = "an argument may turn into an option"
			return u
		}
	}
	has := func(names string) bool {
		return slices.ContainsFunc(options, func(o option) bool { return slices.Contains(strings.Fields(names), o.name) })
	}
	switch r.files {
	case noFiles:
		if len(rest) > 0 {
			u.Asked = "its arguments are not known to be safe"
			return u
		}
	case readsTo1:
		if len(rest) > 1 || len(rest) == 1 && !rest[0].Known {
			u.Asked = "it writes its second file"
			return u
		}
		u.Reads = rest
	case readsAll:
		u.Reads = rest
	case pattern:
		if !has(r.takes) && !has(r.only) && len(rest) > 0 {
			if !rest[0].Known && !rest[0].Begins {
				u.Asked = "an argument may turn into several"
				return u
			}
			rest = rest[1:]
		}
		u.Reads = rest
	}
	u.Deep = r.deep
	u.Reads = slices.DeleteFunc(slices.Clone(u.Reads), func(w shell.Word) bool { return w.Known && w.Text == "-" })
	u.Safe = true
	return u
}
