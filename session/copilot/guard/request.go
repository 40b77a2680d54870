package guard

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/linediff"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/toolview"
)

// request is a permission request of any kind.
type request struct {
	Kind      string          `json:"kind"`
	ID        string          `json:"toolCallId"`
	Intention string          `json:"intention"`
	Command   string          `json:"fullCommandText"`
	Shell     string          `json:"shellType"`
	File      string          `json:"fileName"`
	Diff      string          `json:"diff"`
	Content   *string         `json:"newFileContents"`
	FileEdits json.RawMessage `json:"fileEdits"`
	Path      string          `json:"path"`
	URL       string          `json:"url"`
	Server    string          `json:"serverName"`
	Tool      string          `json:"toolName"`
	Args      json.RawMessage `json:"args"`
	ToolArgs  json.RawMessage `json:"toolArgs"`
	Message   string          `json:"hookMessage"`
	Warning   string          `json:"warning"`
	Fact      string          `json:"fact"`
	// Managed reports whether a policy of the user's organisation wants the user asked; Bypass, whether the command leaves the
	// runtime's sandbox.
	Managed      bool   `json:"managedApprovalRequired"`
	Bypass       bool   `json:"requestSandboxBypass"`
	BypassReason string `json:"requestSandboxBypassReason"`
}

// The reasons for which the user is asked although rules allow it.
const (
	managedReason = "Your organization's policy wants you to decide this."
	bypassReason  = "The command wants to run outside of the runtime's sandbox."
	unknownReason = "Always asked: parley does not understand what the runtime would do."
)

// ReadRequest reads a permission request. started is the tool call that it is about as it began, zero if unknown. It reports
// false for a request that cannot be read.
func ReadRequest(data json.RawMessage, started Call, servers, client []string) (Call, bool) {
	var q request
	if json.Unmarshal(data, &q) != nil || q.Kind == "" {
		return Call{}, false
	}
	c := Call{ID: session.CallID(q.ID), Tool: started.Tool, Input: started.Input, Agent: started.Agent, Purpose: q.Intention}
	switch q.Kind {
	case "shell":
		c.Kind, c.Command = toolview.Command, q.Command
		c.Tool = cmp.Or(c.Tool, q.Shell, "bash")
		c.Always = q.Warning
	case "write":
		c.Kind, c.Paths, c.Purpose = toolview.Edit, slices.Clone(started.Paths), "" // a patch may be of several files
		if !slices.Contains(c.Paths, q.File) {
			c.Paths = append(c.Paths, q.File)
		}
		c.Tool = cmp.Or(c.Tool, "edit")
		c.Edits = q.edits()
	case "read":
		c.Kind, c.Paths, c.Purpose = toolview.Read, []string{q.Path}, ""
		if started.Kind == toolview.Search {
			c.Kind = toolview.Search
		}
		c.Tool = cmp.Or(c.Tool, "view")
	case "url":
		c.Kind, c.Tool = toolview.Fetch, cmp.Or(c.Tool, "web_fetch")
		c.Input, _ = json.Marshal(map[string]string{"url": q.URL}) // what is really fetched counts; it cannot fail
	case "mcp":
		c.Kind, c.Tool, c.Input = toolview.MCP, "mcp__"+q.Server+"__"+strings.TrimPrefix(q.Tool, q.Server+"-"), slices.Clone(q.Args)
	case "custom-tool":
		c.Kind, c.Tool, c.Input = toolview.Other, q.Tool, slices.Clone(q.Args)
		if own := Describe(q.Tool, c.Input, nil, client); slices.Contains(client, q.Tool) {
			c.Kind, c.Paths = own.Kind, own.Paths
		}
	case "hook":
		id, agent := c.ID, c.Agent
		c = Describe(q.Tool, slices.Clone(q.ToolArgs), servers, client)
		c.ID, c.Agent, c.Own = id, agent, false
	case "memory":
		c.Kind, c.Tool, c.Purpose = toolview.Other, cmp.Or(c.Tool, "store_memory"), q.Fact
	default:
		c.Kind, c.Tool, c.Input, c.Always = toolview.Other, cmp.Or(c.Tool, q.Tool, q.Kind), slices.Clone(data), unknownReason
	}
	if c.Kind == toolview.Command && started.Kind == toolview.Command && started.Command != c.Command {
		c.Written = started.Command
	}
	switch {
	case q.Managed:
		c.Always = managedReason
	case q.Bypass:
		c.Always = strings.TrimSpace(bypassReason + " " + q.BypassReason)
	}
	if len(c.Input) == 0 {
		c.Input = slices.Clone(data)
	}
	return c, true
}

// side is a file before or after a change.
type side struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

// text returns the content of a side: none where the file is not there, nil where the runtime does not say it.
func (s *side) text() *string {
	if s == nil {
		return new(string)
	}
	return s.Content
}

// change is a change of a file that is being made.
type change struct{ session.FileEdit }

// between makes the change that of two contents. The runtime's own diff counts an empty line behind the last one.
func (c *change) between(before, after string) {
	p := linediff.Between(before, after)
	c.Patch, c.Added, c.Removed = p.Text, p.Added, p.Removed
}

// maxShown bounds the file of which a change is shown, in bytes.
const maxShown = 1 << 20

// current returns what a file contains now, false if that cannot be read as text.
func current(path string, created bool) (string, bool) {
	if created {
		return "", true
	}
	if !filepath.IsAbs(path) {
		return "", false
	}
	data, err := safefs.ReadFile(context.Background(), path, maxShown, safefs.FollowLinks)
	return string(data), err == nil && utf8.Valid(data)
}

// edits returns the exact changes of a request to write.
func (q request) edits() []session.FileEdit {
	var pairs []struct{ Before, After *side }
	_ = json.Unmarshal(q.FileEdits, &pairs) // older runtimes have none
	diffs := split(q.Diff)
	var out []session.FileEdit
	for _, p := range pairs {
		var e change
		switch {
		case p.After == nil && p.Before == nil:
			continue
		case p.After == nil:
			e.Path, e.Deleted = p.Before.Path, true
		default:
			e.Path, e.Created = p.After.Path, p.Before == nil || p.Before.Content == nil
		}
		if before, after := p.Before.text(), p.After.text(); before != nil && after != nil {
			e.between(*before, *after)
		} else {
			e.Patch, e.Added, e.Removed = diffs.of(e.Path)
		}
		out = append(out, e.FileEdit)
	}
	if len(out) == 0 && q.File != "" {
		e := change{session.FileEdit{Path: q.File, Created: strings.Contains(q.Diff, "\n--- a/dev/null\n") || strings.Contains(q.Diff, "\n--- /dev/null\n")}}
		if before, ok := current(e.Path, e.Created); ok && q.Content != nil {
			e.between(before, *q.Content)
		} else {
			e.Patch, e.Added, e.Removed = diffs.of(q.File)
		}
		out = append(out, e.FileEdit)
	}
	return out
}
