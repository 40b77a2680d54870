package proc

import (
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// neverPassed is the variable that only parley itself reads. No setting lets it through.
const neverPassed = "COPILOT_GITHUB_TOKEN"

// tokenNames are the variables whose values are GitHub tokens whatever they look like.
var tokenNames = []string{neverPassed, "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}

// AgentEnviron returns the part of an environment of "NAME=value" entries that a child of an agent may have: all but the
// variables that hold a GitHub token or a secret of parley, by their name or by their value. pass names variables to leave
// in all the same; COPILOT_GITHUB_TOKEN is left out even then. The argument is not changed.
func AgentEnviron(environ, pass []string) []string {
	var tokens []string
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if slices.Contains(tokenNames, strings.ToUpper(name)) && len(value) >= shortestToken {
			tokens = append(tokens, value)
		}
	}
	out := make([]string, 0, len(environ))
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch {
		case strings.EqualFold(name, neverPassed):
		case slices.ContainsFunc(pass, func(p string) bool { return sameVariable(p, name) }):
			out = append(out, kv)
		case secretName(name), slices.Contains(tokens, value), holdsToken(value):
		default:
			out = append(out, kv)
		}
	}
	return out
}

// shortestToken is how many bytes a value must have for another of the same to be taken for a copy of it.
const shortestToken = 8

// sameVariable compares names as the system does.
func sameVariable(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// secretName reports whether a variable is one of GitHub, its Actions, Copilot or parley and named like a secret.
func secretName(name string) bool {
	upper := strings.ToUpper(name)
	if slices.Contains(tokenNames, upper) {
		return true
	}
	words := strings.FieldsFunc(upper, func(r rune) bool { return r == '_' || r == '-' })
	if len(words) == 0 {
		return false
	}
	theirs := slices.Contains([]string{"GH", "ACTIONS", "PARLEY"}, words[0]) ||
		slices.Contains(words, "GITHUB") || slices.Contains(words, "COPILOT")
	return theirs && slices.ContainsFunc([]string{"TOKEN", "PAT", "SECRET", "BEARER", "PASSWORD"},
		func(w string) bool { return slices.Contains(words, w) })
}

// githubToken is how GitHub's tokens begin and go on; compiled when a value may hold one.
var githubToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(gh[opusr]|github_pat)_[0-9A-Za-z_]{20,}`)
})

// holdsToken reports whether a GitHub token is in a value, such as in an address with a login.
func holdsToken(value string) bool {
	return strings.Contains(value, "g") && strings.Contains(value, "_") && githubToken().MatchString(value)
}
