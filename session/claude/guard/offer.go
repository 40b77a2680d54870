package guard

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"parley/session"
)

// Offer is a change to its permissions that the runtime suggests. Only the user who chose it makes it happen.
type Offer struct {
	// Rule is the offer in words. It has a destination and no text, so that parley keeps nothing of it.
	Rule session.Rule
	// Update is the change in the form of the runtime, with its destination.
	Update json.RawMessage
	// Mode is the mode to which it switches, "" if it does not.
	Mode session.Mode
}

// update is a change of the runtime's permissions: rules, a mode or directories.
type update struct {
	Type  string `json:"type"`
	Rules []struct {
		Tool    string `json:"toolName"`
		Content string `json:"ruleContent"`
	} `json:"rules"`
	Behavior    string       `json:"behavior"`
	Mode        session.Mode `json:"mode"`
	Directories []string     `json:"directories"`
	Destination string       `json:"destination"`
}

// destinations are the places where the runtime keeps its permissions, in words.
var destinations = map[string]string{
	"session":         "Claude Code, in this session",
	"localSettings":   ".claude/settings.local.json of this project",
	"projectSettings": ".claude/settings.json of this project",
	"userSettings":    "the user's settings of Claude Code",
}

// offers returns the runtime's suggestions for a call, each on its own. Those that it would write into a repository whose
// settings it does not load are kept in its session instead.
func (g Guard) offers(c Call) []Offer {
	var out []Offer
	for _, raw := range c.suggestions {
		var u update
		var fields map[string]any
		if json.Unmarshal(raw, &u) != nil || json.Unmarshal(raw, &fields) != nil {
			continue
		}
		if u.Destination == "" || !g.Trusted && (u.Destination == "localSettings" || u.Destination == "projectSettings") {
			u.Destination = "session"
		}
		fields["destination"] = u.Destination
		u.Directories = slices.DeleteFunc(u.Directories, func(dir string) bool { return slices.Contains(g.Dirs, dir) })
		label, where := u.label(), destinations[u.Destination]
		if label == "" || where == "" {
			continue
		}
		changed, err := json.Marshal(fields)
		if err != nil {
			continue
		}
		o := Offer{Rule: session.Rule{Label: label, Destination: where}, Update: changed, Mode: u.Mode}
		if !slices.ContainsFunc(out, func(other Offer) bool { return other.Rule.Is(o.Rule) }) {
			out = append(out, o)
		}
	}
	return out
}

// label returns what a change really allows, "" for one that is not offered.
func (u update) label() string {
	switch u.Type {
	case "addRules":
		if u.Behavior != "allow" || u.Mode != "" {
			return ""
		}
		var labels []string
		for _, r := range u.Rules {
			labels = append(labels, ruleLabel(r.Tool, r.Content))
		}
		return strings.Join(slices.Compact(labels), ", ")
	case "setMode":
		if u.Mode == session.ModeAcceptEdits {
			return "the mode acceptEdits: edits in this project pass"
		}
	case "addDirectories":
		if u.Mode == "" && len(u.Directories) > 0 {
			return "work in " + strings.Join(u.Directories, ", ") + " too: reading there passes"
		}
	}
	return ""
}

// ruleLabel returns what a rule of the runtime allows, in words.
func ruleLabel(tool, content string) string {
	if server, name, ok := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__"); ok && strings.HasPrefix(tool, "mcp__") {
		return fmt.Sprintf("every call of %s of the server %s", name, server)
	}
	domain, isDomain := strings.CutPrefix(content, "domain:")
	switch {
	case tool == "Bash" && content == "":
		return "every command"
	case content == "":
		return "every call of " + tool
	case isDomain:
		return "pages of " + domain
	case tool == "Bash" || tool == "PowerShell":
		return commandLabel(content)
	case tool == "Read":
		return "reading " + pathLabel(content)
	case tool == "Edit" || tool == "Write":
		return "edits of " + pathLabel(content)
	}
	return tool + " of " + content
}

// commandLabel returns which commands a rule of the runtime is about. Its prefix covers all that follows.
func commandLabel(content string) string {
	for _, end := range []string{":*", " *"} {
		if prefix, ok := strings.CutSuffix(content, end); ok && !strings.Contains(prefix, "*") {
			return fmt.Sprintf("every command that begins with %q", prefix)
		}
	}
	if strings.Contains(content, "*") {
		return fmt.Sprintf("every command like %q", content)
	}
	return fmt.Sprintf("the command %q", content)
}

// pathLabel returns which files a rule of the runtime is about. It writes absolute paths with two slashes.
func pathLabel(content string) string {
	if strings.HasPrefix(content, "//") {
		content = content[1:]
	}
	if dir, ok := strings.CutSuffix(content, "/**"); ok && !strings.Contains(dir, "*") {
		return "everything below " + path.Clean(dir+"/")
	}
	return content
}
