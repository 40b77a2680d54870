package lsp

import (
	"fmt"
	"slices"
	"strings"

	"parley/session/builtin/tool"
)

// Installation is a server that is installed.
type Installation struct {
	// Name is the server's name, Program the path of what is started.
	Name, Program string
	// Untrusted reports that the server is not started, because it runs what a project contains and neither the directory is
	// trusted nor does the configuration name the server.
	Untrusted bool
}

// Installed returns the servers that are installed on PATH, in the order in which they are chosen. unknown are the names in the
// configuration that mean nothing: they are no known servers and have no command or no extensions.
func Installed(w *tool.Workspace, o Options) (found []Installation, unknown []string) {
	if o.Off {
		return nil, nil
	}
	all := withCustom(servers, o.Servers)
	for _, c := range o.Servers {
		has := func(s Server) bool { return s.Name == c.Name }
		if !slices.ContainsFunc(all, has) && !slices.ContainsFunc(servers, has) && !c.Off {
			unknown = append(unknown, c.Name)
		}
	}
	top, anywhere := realPath(w.Dir), func(string) bool { return true }
	for i := range all {
		s := &all[i]
		if program := newFinder(w, o.Trusted).find(s, top, ""); program != "" {
			found = append(found, Installation{s.Name, program, false})
		} else if program := newFinder(w, anywhere).find(s, top, ""); program != "" {
			found = append(found, Installation{s.Name, program, true})
		}
	}
	return found, unknown
}

// Describe returns which servers would be started in a workspace, in words, or what is wrong in the configuration.
func Describe(w *tool.Workspace, o Options) (string, error) {
	if o.Off {
		return "off by builtin.lsp", nil
	}
	found, unknown := Installed(w, o)
	if len(unknown) > 0 {
		return "", fmt.Errorf("builtin.lsp_servers: %s: not a known server; give command and extensions", strings.Join(unknown, ", "))
	}
	var texts []string
	for _, s := range found {
		text := s.Name + " at " + s.Program
		if s.Untrusted {
			text = s.Name + " is installed but executes project code; name it in builtin.lsp_servers to allow it"
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return "no language server on PATH; the builtin agent works without, but reads no errors after its edits", nil
	}
	return strings.Join(texts, ", "), nil
}
