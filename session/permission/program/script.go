package program

import (
	"path"
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// interpreters are the programs that run the script that their first operand names, by their names without a version.
var interpreters = strings.Fields("sh bash dash zsh ksh python pypy node nodejs ruby perl php lua Rscript")

// shellOptions and pythonOptions stand before the script and have no value. codeOptions have what is run as their value.
var (
	shellOptions  = strings.Fields("-e -u -x -v -ex -eu -eux --")
	pythonOptions = strings.Fields("-u -B -I --")
	codeOptions   = strings.Fields("-c -e -E -p -r -m -lc -ec -euc -ne -pe -ane -lne -nE --eval --print")
)

// Script returns the file that a call runs, as the call names it: that of "sh check.sh", "python3 x.py" and "./run". It is false for
// a call that runs none, or one that is searched for.
func Script(words []shell.Word) (file shell.Word, ok bool) {
	name := words[0]
	if !name.Known || name.Home {
		return shell.Word{}, false
	}
	if strings.Contains(name.Text, "/") && !isInterpreter(name.Text) {
		return name, !isDeviceName(name.Text)
	}
	rest, module := operands(words)
	if !isInterpreter(name.Text) || module || len(rest) == 0 || !isFileName(rest[0]) {
		return shell.Word{}, false
	}
	searched := strings.HasPrefix(name.Text, "ksh") && !strings.Contains(rest[0].Text, "/")
	return rest[0], !searched
}

// ReadsInput reports whether a call runs what it reads, or may: a shell without a script, "sh -s", "python3 -", "bash /dev/stdin".
func ReadsInput(words []shell.Word) bool {
	u := Judge(words)
	if u.Inner != nil {
		return ReadsInput(u.Inner)
	}
	for i, w := range words[1:] {
		device := isDeviceName(w.Text) && !slices.Contains(strings.Fields("/dev/null /dev/tty"), w.Text)
		if device || w.Text == "-" || w.Text == "-i" || w.Text == "-s" && isInterpreter(words[0].Text) {
			return true
		}
		if i > 0 || !isInterpreter(words[0].Text) {
			if w.Known && isInterpreter(w.Text) && u.Launcher { // it runs a script that no one compares
				return true
			}
		}
	}
	if !u.Launcher {
		return false
	}
	if !isInterpreter(words[0].Text) {
		return len(words) == 1
	}
	rest, module := operands(words)
	if len(rest) > 0 && (module || isFileName(rest[0])) {
		return false
	}
	at := slices.IndexFunc(words, func(w shell.Word) bool { return w.Known && slices.Contains(codeOptions, w.Text) })
	return at < 0 || at == len(words)-1
}

// operands returns the words behind the options that have no value, and whether the first of them is a module.
func operands(words []shell.Word) (rest []shell.Word, module bool) {
	name := path.Base(words[0].Text)
	options, python := []string(nil), strings.HasPrefix(name, "py")
	switch {
	case strings.HasSuffix(name, "sh"):
		options = shellOptions
	case python:
		options = pythonOptions
	}
	rest = words[1:]
	for len(rest) > 0 && rest[0].Known && slices.Contains(options, rest[0].Text) {
		rest = rest[1:]
	}
	if python && len(rest) > 1 && rest[0].Known && rest[0].Text == "-m" {
		return rest[1:], isFileName(rest[1])
	}
	return rest, false
}

func isInterpreter(name string) bool {
	name = path.Base(name)
	return slices.Contains(interpreters, name) || slices.Contains(interpreters, strings.TrimRight(name, "0123456789."))
}

func isFileName(w shell.Word) bool {
	return w.Known && !w.Home && w.Text != "" && w.Text[0] != '-' && w.Text[0] != '+' && !isDeviceName(w.Text)
}

// isDeviceName reports whether a file may be the input by another name.
func isDeviceName(text string) bool {
	return strings.Contains(text+"/", "/dev/") || strings.Contains(text+"/", "/proc/")
}

// ofProject are the programs that run what the project says: a word of theirs stands for its commands of the moment.
var ofProject = strings.Fields("make gmake bmake just task npx pnpx bunx npm pnpm yarn bun rake tox nox mage grunt gulp gradle mvn composer")

// RunsProject reports whether a call runs what the project says, so that a rule for it means something in that project alone.
func RunsProject(words []shell.Word) bool { return slices.Contains(ofProject, words[0].Text) }
