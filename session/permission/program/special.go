package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// judgeEcho: echo prints all that it is given.
func judgeEcho(string, []shell.Word) Use { return Use{Known: true, Safe: true, Builtin: true} }

// judgePrintf: printf prints, but -v sets a variable, and zsh calculates what it prints as a number.
func judgePrintf(_ string, args []shell.Word) Use {
	u := Use{Known: true, Builtin: true, Safe: true}
	if len(args) == 0 {
		return u
	}
	format := args[0]
	if !format.Known || strings.HasPrefix(format.Text, "-") {
		u.Asked = "its format is not known to be safe"
		return u
	}
	if !strings.Contains(strings.NewReplacer("%s", "", "%%", "", "%b", "").Replace(format.Text), "%") {
		return u
	}
	for _, w := range args {
		if !w.Known || strings.ContainsAny(w.Text, "`[$") {
			u.Asked = "its arguments are not known to be safe"
		}
	}
	return u
}

// judgeTest: tests look at files and compare texts. -v looks at variables by name, which can run commands.
func judgeTest(name string, args []shell.Word) Use {
	u := Use{Known: true, Builtin: true, Safe: true}
	unary := "-f -d -e -r -w -x -s -z -n -L -h -p -S"
	if len(args) > 1 && args[0].Known && slices.Contains(strings.Fields(unary), args[0].Text) && args[1].Begins {
		return u
	}
	for _, w := range args {
		if !w.Known || w.Text == "-v" || w.Text == "-R" || w.Text == "-o" || w.Text == "-a" || strings.ContainsAny(w.Text, "`$(") {
			u.Asked = "its arguments are not known to be safe"
		}
	}
	return u
}

// judgeDate: a word without "+" sets the clock.
func judgeDate(name string, args []shell.Word) Use {
	r := reader{flags: "uRIj", valued: "d", long: "--utc --iso-8601 --iso-8601= --date= --rfc-3339= --rfc-email", files: texts}
	u := r.judge(name, args)
	if _, rest, _ := r.parse(args); slices.ContainsFunc(rest, func(w shell.Word) bool { return !strings.HasPrefix(w.Text, "+") }) {
		u.Asked = "it may set the clock"
	}
	return u
}

// judgeFlow: these concern the shell itself.
func judgeFlow(_ string, args []shell.Word) Use {
	u := Use{Known: true, Builtin: true, Safe: true}
	if slices.ContainsFunc(args, func(w shell.Word) bool { return !w.Known || strings.Trim(w.Text, "0123456789") != "" }) {
		u.Asked = "its arguments are not known to be safe"
	}
	return u
}

func judgeCd(_ string, args []shell.Word) Use {
	u := Use{Known: true, Builtin: true, Cd: true, Safe: true}
	if len(args) > 0 && args[0].Known && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) != 1 || !args[0].Known || args[0].Text == "" || strings.IndexByte("-+", args[0].Text[0]) >= 0 {
		u.Asked = "where it leads is not known"
		return u
	}
	u.Reads = args
	return u
}

// wrapper is a program that runs a command given in its arguments, and does nothing else.
type wrapper struct {
	flags, valued, long string
	numbers             bool
	builtin             bool
	skip                int // words before the command, such as a time
}

func (p wrapper) judge(name string, args []shell.Word) Use {
	u := Use{Known: true, Launcher: true, Builtin: p.builtin}
	for len(args) > 0 && args[0].Known && strings.HasPrefix(args[0].Text, "-") && args[0].Text != "-" {
		w := args[0].Text
		n := 1
		long, _, valued := strings.Cut(w, "=")
		switch {
		case p.numbers && len(w) > 1 && strings.Trim(w[1:], "0123456789") == "":
		case len(w) == 2 && strings.Contains(p.valued, w[1:]):
			n = 2
		case len(w) > 2 && w[1] != '-' && strings.Contains(p.valued, w[1:2]):
		case len(w) > 1 && w[1] != '-' && strings.Trim(w[1:], p.flags) == "":
		case !valued && slices.Contains(strings.Fields(p.long), long):
		default:
			return u
		}
		if len(args) <= n || n == 2 && !args[1].Known {
			return u
		}
		args = args[n:]
	}
	if len(args) <= p.skip || slices.ContainsFunc(args[:p.skip+1], func(w shell.Word) bool { return !w.Known || w.Text == "" || w.Text[0] == '-' }) {
		return u
	}
	u.Inner = args[p.skip:]
	return u
}

// judgeCommand: "command -v" names a program, "command x" runs it.
func judgeCommand(name string, args []shell.Word) Use {
	if len(args) > 1 && args[0].Known && (args[0].Text == "-v" || args[0].Text == "-V") {
		return Use{Known: true, Builtin: true, Safe: true}
	}
	u := wrapper{builtin: true}.judge(name, args)
	u.Builtin = true
	return u
}

// judgeEnv: env sets variables and runs a command. Variables that may change what runs are not covered.
func judgeEnv(name string, args []shell.Word) Use {
	u := Use{Known: true, Launcher: true}
	for len(args) > 0 && args[0].Known {
		variable, _, ok := strings.Cut(args[0].Text, "=")
		if !ok {
			break
		}
		if why := Variable(variable); why != "" {
			u.Asked = why
			return u
		}
		args = args[1:]
	}
	if len(args) > 0 && args[0].Known && args[0].Text != "" && args[0].Text[0] != '-' {
		u.Inner = args
	}
	return u
}

// nested is a program that runs the one that is named after its first words, such as npx eslint. A rule has to name it.
type nested struct{ words int }

func (p nested) judge(name string, args []shell.Word) Use {
	u := Use{Known: true, Needs: p.words + 1}
	at := p.words - 1
	if len(args) <= at {
		u.Launcher = true
		return u
	}
	inner := args[at]
	switch {
	case !inner.Known || inner.Text == "" || inner.Text[0] == '-' || strings.ContainsAny(inner.Text, " /:@"):
		u.Launcher = true
	default:
		in := Judge(args[at:])
		if in.Launcher || in.Asked != "" || in.Inner != nil {
			u.Asked = inner.Text + ": " + in.Asked
			if in.Inner != nil || in.Launcher {
				u.Launcher = true
			}
		}
		u.Reads, u.Writes = in.Reads, in.Writes
	}
	return u
}
