package permission

import (
	"slices"
	"strings"

	"parley/session/permission/program"
)

// AfterCommands returns p for a shell in which earlier commands have left something: it is in the directory base, has set or
// removed the variables changed, and has defined functions. A variable that may change what runs, and a directory that is not one
// of the session's, let no rule allow a command line; a function is never taken for the program of its name. It goes before
// [Policy.OnDisk], which gets the environment that commands have now.
func (p Policy) AfterCommands(base string, changed, functions []string) Policy {
	p.Base, p.functions = base, functions
	for _, name := range changed {
		if !slices.Contains(followed, name) && program.Variable(name) != "" {
			p.doubt = "Asked: an earlier command has set or removed " + name + ", which may change what runs."
			break
		}
	}
	return p
}

// followed are the variables whose values a policy knows or which change nothing that runs.
var followed = strings.Fields("PATH CDPATH PWD OLDPWD PS1 PS2 PS4 TERM VIRTUAL_ENV VIRTUAL_ENV_PROMPT _OLD_VIRTUAL_PATH _OLD_VIRTUAL_PS1 _ SHLVL")

// unsure returns why no rule may allow a command line now, "" if one may.
func (p Policy) unsure() string {
	if p.doubt == "" && p.Base != "" && len(p.Dirs) > 0 && !slices.Contains(p.Dirs, p.Base) && !p.within(p.Base) {
		return "Asked: it would run in " + p.Base + ", outside this session's directories."
	}
	return p.doubt
}
