package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// interpreters are the programs that run the script that their first operand names, by their names without a version.
var interpreters = strings.Fields("sh bash dash zsh ksh python pypy node nodejs ruby perl php lua Rscript")

// shellOptions and pythonOptions stand before the script and have no value.
var shellOptions, pythonOptions = strings.Fields("-e -u -x -v -ex -eu -eux --"), strings.Fields("-u -B -I --")

// IsScript reports whether a call runs a script that its words name, such as "sh check.sh" and "python3 -m pytest", and not what it
// reads: what it does is then what the script says each time.
func IsScript(words []shell.Word) bool {
	name := words[0].Text
	if !slices.Contains(interpreters, name) && !slices.Contains(interpreters, strings.TrimRight(name, "0123456789.")) {
		return false
	}
	rest, options, python := words[1:], []string(nil), strings.HasPrefix(name, "py")
	switch {
	case strings.HasSuffix(name, "sh"):
		options = shellOptions
	case python:
		options = pythonOptions
	}
	for len(rest) > 0 && rest[0].Known && slices.Contains(options, rest[0].Text) {
		rest = rest[1:]
	}
	if python && len(rest) > 1 && rest[0].Known && rest[0].Text == "-m" {
		rest = rest[1:]
	}
	if len(rest) == 0 || !rest[0].Known || rest[0].Home {
		return false
	}
	script := rest[0].Text
	device := strings.Contains(script+"/", "/dev/") || strings.Contains(script+"/", "/proc/") // its input by another name
	return script != "" && script[0] != '-' && script[0] != '+' && !device
}
