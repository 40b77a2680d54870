package program

import (
	"path"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session/permission/shell"
)

func refuse(why string) Use { return Use{Known: true, Asked: why} }

// judgeCd: what follows runs in the directory. CDPATH has no say in what is printed.
func judgeCd(_ string, args []shell.Word) Use {
	if len(args) > 0 && args[0].Known && args[0].Text == "--" {
		args = args[1:]
	}
	u := Use{Known: true, Builtin: true, Cd: true, Asked: "where it leads is not known"}
	if len(args) != 1 || !args[0].Known || args[0].Text == "" || strings.IndexByte("-+", args[0].Text[0]) >= 0 {
		return u
	}
	u.Safe, u.Asked, u.Reads = true, "", args
	if to := args[0]; !to.Home && !path.IsAbs(to.Text) && to.Text != "." && to.Text != ".." && !strings.HasPrefix(to.Text, "./") && !strings.HasPrefix(to.Text, "../") {
		u.Words = []shell.Word{shell.Lit("cd"), to.After("./")}
	}
	return u
}

// judgeTest takes tests of two and of three words, and no others: what -o and -a join, shells read differently, and -v looks
// at variables by name, which can run commands.
func judgeTest(name string, args []shell.Word) Use {
	u := Use{Known: true, Builtin: true}
	if name == "[" {
		if len(args) == 0 || args[len(args)-1].Text != "]" || !args[len(args)-1].Known {
			u.Asked = "its bracket is not closed"
			return u
		}
		args = args[:len(args)-1]
	}
	if len(args) > 2 && args[0].Known && args[0].Text == "!" {
		args = args[1:]
	}
	is := func(w shell.Word, list []string) bool { return w.Known && slices.Contains(list, w.Text) }
	number := func(w shell.Word) bool {
		return w.Known && isForm("float", w.Text) || len(w.Parts) == 1 && w.Parts[0].Kind == shell.Variable && !shell.IsName(w.Parts[0].Text)
	}
	switch {
	case len(args) == 2 && is(args[0], testFiles):
		u.Safe = !args[1].Has(shell.Output)
	case len(args) == 2 && is(args[0], testTexts):
		u.Safe = true
	case len(args) == 3 && is(args[1], testEqual):
		u.Safe = true
	case len(args) == 3 && is(args[1], testTimes):
		u.Safe = args[0].Known && args[2].Known
	case len(args) == 3 && is(args[1], testNumbers):
		u.Safe = number(args[0]) && number(args[2])
	}
	if slices.ContainsFunc(args, func(w shell.Word) bool { return w.Splits() || w.Home }) {
		u.Safe = false
	}
	if !u.Safe {
		u.Asked = "it is a test that is not judged"
	}
	return u
}

// judgeFind: find runs commands (-exec, -ok), deletes (-delete) and writes files (-fprint, -fls). A program that only reads may
// be run for files alone, because it would follow links.
func judgeFind(name string, args []shell.Word) Use {
	u := Use{Known: true, Deep: true, Words: []shell.Word{shell.Lit(name)}}
	for len(args) > 0 && args[0].Sure() && !slices.Contains([]string{"(", "!", ","}, args[0].Text) {
		u.Reads, u.Words, args = append(u.Reads, args[0]), append(u.Words, args[0]), args[1:]
	}
	t := &call{Table: &Table{}, name: name}
	onlyFiles, joined, runs := false, false, false
	for len(args) > 0 {
		test := args[0]
		kind, listed := findQuiet[test.Text]
		end := slices.IndexFunc(args, func(w shell.Word) bool { return w.Known && (w.Text == ";" || w.Text == "+") })
		switch {
		case test.Known && test.Text == "-exec" && end > 1:
			inner := lookUp(args[1].Text)
			if !args[1].Known || !isTable(args[1].Text) {
				return refuse("find runs " + args[1].Text)
			}
			used := inner(args[1].Text, args[2:end])
			if !used.Safe {
				return refuse("find runs " + args[1].Text + ": " + used.Asked)
			}
			for _, w := range used.Reads {
				if w.Text != "{}" {
					u.Reads = append(u.Reads, w)
				}
			}
			u.Words = append(append(append(u.Words, test), used.Words...), args[end])
			runs, args = true, args[end+1:]
			continue
		case !test.Known || !listed:
			return refuse("the argument " + test.Text + " of find may run or change something")
		case kind == "":
			u.Words, args = append(u.Words, test), args[1:]
			joined = joined || slices.Contains([]string{"-o", "-or", ",", "!", "-not", "("}, test.Text)
			continue
		case len(args) < 2:
			return refuse("the option " + test.Text + " of find lacks its value")
		}
		value, why := t.value(kind, args[1])
		if why = one(value, why); why != "" {
			return refuse(why)
		}
		onlyFiles = onlyFiles || test.Text == "-type" && value.Text == "f"
		u.Words, args = append(u.Words, test, value), args[2:]
	}
	if runs && (joined || !onlyFiles) {
		return refuse("find runs a program for more than files")
	}
	u.Safe, u.Reads = true, append(u.Reads, t.reads...)
	return u
}

// isTable reports whether a program is known by a table with operands, so that it takes a file's name for nothing else.
func isTable(name string) bool {
	t := quiet[name]
	return t != nil && strings.HasSuffix(t.Operands, "file") && t.Most == 0
}

// judgeCommand: "command -v" names a program, "command x" runs it.
func judgeCommand(_ string, args []shell.Word) Use {
	u := Use{Known: true, Builtin: true}
	switch {
	case len(args) > 1 && args[0].Known && (args[0].Text == "-v" || args[0].Text == "-V"):
		u.Safe = !slices.ContainsFunc(args[1:], func(w shell.Word) bool { return w.Splits() || w.Home || strings.HasPrefix(w.Text, "-") })
	case len(args) > 0 && args[0].Sure() && args[0].Known:
		u.Launcher, u.Inner = true, args
	}
	if !u.Safe && u.Inner == nil {
		u.Launcher = true
	}
	return u
}

// starter is a program that runs a command given in its arguments, and does nothing else.
type starter struct {
	Table
	skip int // words before the command, such as a time
}

// judge takes the forms of the table alone: another option may start something.
func (s *starter) judge(name string, args []shell.Word) Use {
	u := Use{Known: true, Launcher: true}
	c := &call{Table: &s.Table, name: name}
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") && !(s.Number && numberOption.MatchString(args[0].Text)) {
		n, _, why := c.option(args)
		if why != "" {
			return u
		}
		args = args[n:]
	}
	if s.Number && len(args) > 0 && args[0].Known && numberOption.MatchString(args[0].Text) {
		args = args[1:]
	}
	for i := range s.skip {
		if len(args) <= i || !args[i].Known || !isForm("duration", args[i].Text) {
			return u
		}
	}
	if args = args[s.skip:]; len(args) > 0 && args[0].Known && args[0].Sure() {
		u.Inner = args
	}
	return u
}

// judgeEnv: env sets variables and runs a command. Only harmless variables are covered, and no option.
func judgeEnv(_ string, args []shell.Word) Use {
	u := Use{Known: true, Launcher: true}
	for len(args) > 0 && strings.Contains(args[0].Text, "=") {
		name, value, _ := strings.Cut(args[0].Text, "=")
		if !args[0].Known || !Harmless(name, value) {
			u.Asked = "the variable " + name + " may change what runs"
			return u
		}
		args = args[1:]
	}
	if len(args) > 0 && args[0].Known && args[0].Sure() {
		u.Inner = args
	}
	return u
}

// harmlessValue is a value that is no path and no command.
var harmlessValue = lazyregexp.New(`^[A-Za-z0-9_.,:=+*-]*$`)

// zone is a time zone.
var zone = lazyregexp.New(`^[A-Za-z0-9_+-]*(/[A-Za-z_-]+){0,2}$`)

// Harmless reports whether a variable with a value only changes how a program shows something, or what the project's own
// programs do.
func Harmless(name, value string) bool {
	switch {
	case name == "TZ":
		return zone.MatchString(value)
	case name == "PAGER" || name == "GIT_PAGER":
		return value == "cat" || value == ""
	}
	return slices.Contains(harmlessVariables, name) && harmlessValue.MatchString(value)
}
