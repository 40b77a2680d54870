package agentfiles

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parley/session"
)

// template is the content of the file of a new agent. %s are its name and its purpose.
const template = `---
name: %s
description: %s
# Which tools it may use; all without this line, none with [].
# read, search, edit, execute, web, agent, todo, server/tool, or names of an agent's own tools.
tools: [read, search]
# model: claude-sonnet-4.6
---

You review code. Look for mistakes, missing tests and unclear names, and change nothing yourself.
Report each finding with its file and line, the most serious first.
`

// Create writes the template of a new agent into the user's folder of agents, for the user to edit, and returns the path of
// its file. A name that cannot be one, or a file that exists, is an error of kind [session.KindInvalid].
func (f *Finder) Create(name string) (string, error) {
	const op = "create a custom agent"
	name = strings.TrimSpace(name)
	switch {
	case f.o.ConfigDir == "":
		return "", &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New("there is no directory for it")}
	case !isName(name) || strings.Contains(name, ":"):
		return "", &session.Error{Op: op, Kind: session.KindInvalid,
			Err: fmt.Errorf("%q cannot be a name: use letters, digits, - and _, such as /agents new reviewer", name)}
	}
	dir := filepath.Join(f.o.ConfigDir, "agents")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	path := filepath.Join(dir, name+".agent.md")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return "", &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("%s exists; /agents %s chooses it", path, name)}
	case err != nil:
		return "", &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	_, err = fmt.Fprintf(file, template, name, "Reviews changes; use it before a commit")
	if err = errors.Join(err, file.Close()); err != nil {
		return "", &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	return path, nil
}
