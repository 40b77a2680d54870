package proc

import (
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// neverPassed is the variable that only parley reads. No setting passes it.
const neverPassed = "COPILOT_GITHUB_TOKEN"

// tokenNames are the variables that always count as GitHub tokens.
var tokenNames = []string{neverPassed, "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}

// AgentEnviron returns the "NAME=value" entries that a child of an agent may have: those without a GitHub token or a secret
// of parley, by name or value. pass names exceptions, but never COPILOT_GITHUB_TOKEN. It does not change its argument.
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

// shortestToken is the length in bytes from which an equal value counts as a copy of a token.
const shortestToken = 8

// Lookup returns the value of a variable of an environment, the last one if there are several, empty if there is none. On Windows, which
// sets no HOME, that is the user's profile where nothing else is set.
func Lookup(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if k, v, _ := strings.Cut(kv, "="); sameVariable(k, name) {
			return v
		}
	}
	if name == "HOME" && runtime.GOOS == "windows" {
		return Lookup(environ, "USERPROFILE")
	}
	return ""
}

// sameVariable compares names like the system.
func sameVariable(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// secretName reports whether a variable of GitHub, Actions, Copilot or parley is named like a secret.
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

// githubToken matches GitHub's tokens. It is compiled at its first use.
var githubToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(gh[opusr]|github_pat)_[0-9A-Za-z_]{20,}`)
})

// holdsToken reports whether a value contains a GitHub token, such as an address with a login.
func holdsToken(value string) bool {
	return strings.Contains(value, "g") && strings.Contains(value, "_") && githubToken().MatchString(value)
}
