package switches

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/jsonedit"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/extensions/inventory"
)

// Places are where the owners keep their switches. An empty place has none.
type Places struct {
	// Claude and Copilot are the user's directories of the two programs, Config is parley's.
	Claude, Copilot, Config string
	// ClaudeFile is Claude Code's file of the user, with its servers and projects.
	ClaudeFile string
}

// form is how a file says that something is off.
type form int

const (
	flag   form = iota // a member with its name is true or false
	listed             // a list of what is off has its name
	word               // a member with its name is "off"
	member             // the object with its name has a member that is true
)

// place is where a switch is: a member of a file, found by keys.
type place struct {
	file string
	keys []string
	name string
	form form
}

// maxFile bounds a file, in bytes. Claude Code's contains the history of all projects.
const maxFile = 64 << 20

const op = "switch the extension"

// Set switches an item on or off and returns the file that says so from now on. dir is the session's directory. An item that cannot be
// switched in that scope is an error of kind [session.KindUnsupported] that says what can be done.
func (p Places) Set(ctx context.Context, dir string, i inventory.Item, scope inventory.Scope, on bool) (file string, err error) {
	at, why := p.find(dir, i, scope)
	if why != "" {
		return "", &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New(i.Name + ": " + why)}
	}
	if _, err := at.real(dir); err != nil {
		return "", &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
	}
	text, err := safefs.ReadFile(ctx, at.file, maxFile, safefs.FollowLinks)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte("{}\n"), os.MkdirAll(filepath.Dir(at.file), 0o755)
	}
	if err != nil {
		return "", &session.Error{Op: op, Kind: session.KindDisk, Err: fmt.Errorf("%s: %w", at.file, err)}
	}
	changed, err := at.set(text, on)
	if err != nil {
		return "", &session.Error{Op: op, Kind: session.KindCorrupt, Err: fmt.Errorf("%s: %w; open it and mend it first", at.file, err)}
	}
	real, err := at.real(dir)
	if err == nil {
		err = safefs.Replace(real, changed)
	}
	if err != nil {
		return "", &session.Error{Op: op, Kind: session.KindDisk, Err: fmt.Errorf("%s: %w", at.file, err)}
	}
	return at.file, nil
}

// The words about what cannot be switched.
const (
	managed  = "your administrator decides about it"
	byEdit   = "it has no switch; edit or remove its file"
	perUser  = "its owner switches it for all directories: choose the scope user"
	perPlace = "its owner switches it per directory: choose the scope project"
)

// find returns where an item is switched in a scope, or why it cannot be.
func (p Places) find(dir string, i inventory.Item, scope inventory.Scope) (at place, why string) {
	project := scope == inventory.Project
	settings := func(of string) string { return filepath.Join(of, "settings.json") }
	claude := below(i.From, p.Claude) || i.Scope == inventory.Project && strings.Contains(filepath.ToSlash(i.From), "/.claude/")
	copilot := below(i.From, p.Copilot)
	switch {
	case i.Fixed():
		return at, managed
	case i.Kind == inventory.Plugin && i.Switch == "":
		return at, byEdit
	case i.Kind == inventory.Plugin && i.Scope == inventory.Project && !project:
		return at, perPlace
	case i.Kind == inventory.Plugin && i.Scope == inventory.Project:
		return place{i.Switch, []string{"enabledPlugins"}, i.Key, flag}, ""
	case i.Kind == inventory.Plugin:
		at, why = place{i.Switch, []string{"enabledPlugins"}, i.Key, flag}, perUser
	case i.Kind == inventory.Server && project:
		return place{p.ClaudeFile, []string{"projects", dir, "disabledMcpServers"}, i.Name, listed}, ""
	case i.Kind == inventory.Server && i.From == filepath.Join(p.Config, "mcp.json"):
		return place{i.From, []string{"mcpServers", i.Name}, "disabled", member}, ""
	case i.Kind == inventory.Server && copilot:
		return place{settings(p.Copilot), []string{"disabledMcpServers"}, i.Name, listed}, ""
	case i.Kind == inventory.Server:
		return at, perPlace
	case (i.Kind == inventory.Skill || i.Kind == inventory.Command) && claude:
		at = place{settings(p.Claude), []string{"skillOverrides"}, i.Name, word}
		if project {
			at.file = filepath.Join(dir, ".claude", "settings.local.json")
		}
		return at, ""
	case (i.Kind == inventory.Skill || i.Kind == inventory.Command) && copilot:
		at, why = place{settings(p.Copilot), []string{"disabledSkills"}, i.Name, listed}, perUser
	default:
		return at, byEdit
	}
	if !project {
		why = ""
	}
	return at, why
}

// real returns the file without links. Those in the session's directory lead nowhere else: the directory may be anyone's.
func (at place) real(dir string) (string, error) {
	real := func(path string) string {
		rest := ""
		for at := path; at != filepath.Dir(at); rest, at = filepath.Join(filepath.Base(at), rest), filepath.Dir(at) {
			if to, err := filepath.EvalSymlinks(at); err == nil {
				return filepath.Join(to, rest)
			} else if _, err := os.Lstat(at); err == nil {
				return "" // a link to nothing
			}
		}
		return path
	}
	file := real(at.file)
	if rel, err := filepath.Rel(dir, at.file); below(at.file, dir) && (err != nil || file != filepath.Join(real(dir), rel)) {
		return "", fmt.Errorf("%s is a link or lies behind one", at.file)
	}
	return file, nil
}

// below reports whether a file lies in a directory.
func below(file, dir string) bool {
	return dir != "" && strings.HasPrefix(file, dir+string(filepath.Separator))
}

// set returns a text with the switch set.
func (at place) set(text []byte, on bool) ([]byte, error) {
	switch keys := append(at.keys[:len(at.keys):len(at.keys)], at.name); at.form {
	case flag:
		return assign(text, keys, map[bool]string{true: "true", false: "false"}[on])
	case word:
		return assign(text, keys, map[bool]string{true: "", false: `"off"`}[on])
	case member:
		return assign(text, keys, map[bool]string{true: "", false: "true"}[on])
	}
	return enlist(text, at.keys, jsonedit.Quote(at.name), !on)
}
