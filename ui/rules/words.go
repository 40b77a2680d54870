package rules

import (
	"strings"

	"parley/session/permission"
)

// means says in words what a rule covers, in paragraphs, or why one that allows covers nothing.
func means(r permission.Rule) []string {
	what, but := covers(r)
	switch r.Ruling {
	case permission.Deny:
		return []string{"Refuses " + what + ", in every mode, whatever else allows it."}
	case permission.Ask:
		return []string{"Asks about " + what + ", whatever else allows it. bypassPermissions mode does not ask."}
	}
	if why := r.Void(); why != "" {
		return []string{why}
	}
	out := []string{"Allows " + what + " without asking."}
	if but != "" {
		out = append(out, but)
	}
	if note := r.Note(); note != "" {
		out = append(out, "It holds "+note+".")
	}
	return out
}

// covers says what a rule covers, and where it allows, what it does not cover.
func covers(r permission.Rule) (what, but string) {
	switch r.Subject {
	case permission.OnCommand:
		if words, any := strings.CutSuffix(r.Pattern, " *"); any {
			return "the command " + words + ", alone or with any arguments",
				"Arguments that start another program, write a file or name one outside the session's directories are asked about all the same, and so is a line with a command that no rule allows."
		}
		return "exactly the command " + r.Pattern, "Other arguments are asked about."
	case permission.OnEdit:
		return "changes to " + place(r.Pattern), "Files that other programs run by themselves, such as those in .git, are asked about all the same."
	case permission.OnRead:
		return "reading " + place(r.Pattern), ""
	case permission.OnFetch:
		if domain, sub := strings.CutPrefix(r.Pattern, "*."); sub {
			return "fetching pages of " + domain + " and its subdomains", ""
		}
		return "fetching pages of " + r.Pattern, ""
	case permission.OnScript:
		return r.Label(), "It ends as soon as the agent changes a file. Files that it loads are not checked."
	case permission.OnServer:
		if server, tool, one := strings.Cut(r.Pattern, "/"); one {
			return "the tool " + tool + " of the MCP server " + server, ""
		}
		return "every tool of the MCP server " + r.Pattern, ""
	}
	return "every call of the tool " + r.Pattern, ""
}

// place says which files a pattern names.
func place(pattern string) string {
	dir, all := strings.CutSuffix(pattern, "/**")
	switch {
	case all && dir == "":
		return "every file"
	case pattern == "**":
		pattern = "every file"
	case all:
		pattern = "everything below " + dir
	case strings.ContainsAny(pattern, "*?["):
		pattern = "files that match " + pattern
	}
	if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~") {
		return pattern
	}
	return pattern + " in the session's directory"
}

// noted returns what was done with a rule, and that it covers nothing if so.
func noted(done string, r permission.Rule) string {
	if why := r.Void(); why != "" {
		return done + ". " + why
	}
	return done
}
