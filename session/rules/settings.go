package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"parley/session/permission"
)

// Settings is a file of Claude Code's settings.
type Settings struct {
	// Path is the file; Root is the directory where its patterns of files that begin with a slash begin.
	Path, Root string
	// Holds reports whether the user agreed to the file; nil: it is the user's own.
	Holds func() bool
}

// maxSettings is the most files of settings that hold at once: the user's, the project's, and the user's for the project.
const maxSettings = 3

// settings returns the settings of Claude Code that hold in a directory.
func (s *Store) settings(dir string) (all [maxSettings]*look) {
	if s.o.Claude == nil {
		return all
	}
	for i, f := range s.o.Claude(dir) {
		l := s.lookAt(f.Path, func() File { return readSettings(f) })
		says := len(l.file.Rules)+len(l.file.Unsaid) > 0 || l.file.Problem != nil
		if i < maxSettings && says && (f.Holds == nil || f.Holds()) { // which may read much, and is asked with each call
			all[i] = l
		}
	}
	return all
}

// readSettings reads the rules of a settings file. A file that cannot be read has none, as for Claude Code itself. While one that
// denies or asks is no rule of parley, none allows: it may be an exception from them.
func readSettings(of Settings) File {
	f := File{Origin: permission.FromClaude, Path: of.Path}
	data, err := content(of.Path)
	if errors.Is(err, fs.ErrNotExist) {
		f.Missing = true
		return f
	}
	var file struct {
		Permissions struct{ Allow, Ask, Deny []string } `json:"permissions"`
	}
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		f.Problem = problemOf(of.Path, err)
		return f
	}
	exceptions := ""
	for _, list := range []struct {
		ruling permission.Ruling
		texts  []string
	}{{permission.Deny, file.Permissions.Deny}, {permission.Ask, file.Permissions.Ask}, {permission.Allow, file.Permissions.Allow}} {
		for _, text := range list.texts {
			said, err := of.rules(text, list.ruling)
			switch {
			case err != nil && list.ruling != permission.Allow:
				exceptions = fmt.Sprintf("%s %s", list.ruling, text)
				fallthrough
			case err != nil:
				f.Unsaid = append(f.Unsaid, fmt.Sprintf("%s %s: %v", list.ruling, text, err))
				continue
			case list.ruling == permission.Allow && exceptions != "":
				f.Unsaid = append(f.Unsaid, fmt.Sprintf("allow %s: %s may be an exception from it", text, exceptions))
				continue
			}
			for _, r := range said {
				r.Number = len(f.Rules) + 1
				f.Rules = append(f.Rules, r)
			}
		}
	}
	return f
}

// rules returns a rule of Claude Code, such as Bash(go test:*), as rules of parley. The error says why it is none.
func (of Settings) rules(text string, ruling permission.Ruling) (all []permission.Rule, err error) {
	name, pattern, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(text), ")"), "(")
	said, err := of.say(name, pattern, ruling)
	for _, line := range said {
		r, err := permission.ParseRule(line)
		if err != nil {
			return nil, err
		}
		r.Ruling, r.Origin = ruling, permission.FromClaude
		if void := r.Void(); void != "" {
			return nil, errors.New(strings.TrimSuffix(void, "."))
		}
		all = append(all, r)
	}
	return all, err
}

var errTooMuch = errors.New("parley has no rule for all that a tool can do")

// say returns a rule of Claude Code in parley's words.
func (of Settings) say(name, pattern string, ruling permission.Ruling) ([]string, error) {
	switch name {
	case "Bash":
		return sayCommand(pattern)
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		return of.sayFile("edit", pattern, ruling)
	case "Read", "Grep", "Glob", "LS":
		return of.sayFile("read", pattern, ruling)
	case "WebFetch":
		domain, ok := strings.CutPrefix(pattern, "domain:")
		if !ok {
			return nil, errTooMuch
		}
		return []string{"fetch " + domain}, nil
	}
	if server, ok := strings.CutPrefix(name, "mcp__"); ok && pattern == "" {
		server, one, _ := strings.Cut(server, "__")
		if one == "" || one == "*" {
			return []string{"mcp " + server}, nil
		}
		return []string{"mcp " + server + "/" + one}, nil
	}
	if pattern != "" || name == "" {
		return nil, fmt.Errorf("parley does not know what %s is about", name)
	}
	return []string{"tool " + name}, nil
}

// sayCommand returns a rule about commands: words, and then perhaps any others.
func sayCommand(pattern string) ([]string, error) {
	words, rest := strings.CutSuffix(pattern, ":*")
	if !rest {
		words, rest = strings.CutSuffix(pattern, " *")
	}
	switch {
	case strings.TrimSpace(words) == "" || words == "*":
		return nil, errTooMuch
	case strings.Contains(words, "*"):
		return nil, errors.New("a rule of parley has a star only at the end, after whole words")
	case rest:
		return []string{"command " + words + " *"}, nil
	}
	return []string{"command " + words}, nil
}

// sayFile returns rules about files. Patterns are those of gitignore, in which a name alone is meant in every directory, and one of a
// directory covers what is in it: heeded so where they deny or ask, and to the letter where they allow.
func (of Settings) sayFile(subject, pattern string, ruling permission.Ruling) ([]string, error) {
	broad := ruling != permission.Allow
	switch {
	case pattern == "" || pattern == "*" || pattern == "**":
		return nil, errTooMuch
	case strings.HasPrefix(pattern, "!"):
		return nil, errors.New("a rule of parley has no exceptions")
	case strings.HasPrefix(pattern, "//"):
		pattern = pattern[1:]
	case strings.HasPrefix(pattern, "/"):
		pattern = path.Join(filepath.ToSlash(of.Root), pattern)
	case !strings.HasPrefix(pattern, "~/"):
		pattern = strings.TrimPrefix(pattern, "./")
		if broad && !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
			pattern = "**/" + pattern
		}
	}
	if inside, ok := strings.CutSuffix(pattern, "/"); ok {
		return []string{subject + " " + inside + "/**"}, nil
	}
	said := []string{subject + " " + pattern}
	if broad && !strings.HasSuffix(pattern, "*") {
		said = append(said, subject+" "+pattern+"/**")
	}
	return said, nil
}

// Said returns an allow rule of Claude Code, such as Bash(go test:*), as rules of parley for this session. Patterns of files that begin with
// a slash begin at root. The error says why it is none.
func Said(text, root string) ([]permission.Rule, error) {
	all, err := Settings{Root: root}.rules(text, permission.Allow)
	for i := range all {
		all[i].Origin = permission.FromSession
	}
	return all, err
}
