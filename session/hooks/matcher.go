package hooks

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"

	"parley/internal/lazyregexp"
)

// maxPattern bounds a matcher, in bytes; patience bounds the search with one that is not linear.
const (
	maxPattern = 1000
	patience   = 100 * time.Millisecond
)

// names matches matchers that are names and not regular expressions.
var names = lazyregexp.New(`^[\w\s|,-]*$`)

// matches reports whether a matcher covers a subject as Claude Code compares them: "" and "*" cover all, names separated by "|" or
// "," those alone, and everything else is a regular expression that is found anywhere. Copilot's cover the whole subject.
func matches(matcher, subject string, whole bool) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if !whole && names.MatchString(matcher) {
		return slices.ContainsFunc(strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }),
			func(name string) bool { return strings.TrimSpace(name) == subject })
	}
	found, err := search(matcher, subject, whole)
	return found || err == errSlow // rather once too often: it may guard something
}

// errSlow is the error of a search that takes too long.
var errSlow = regexp2Error("the search takes too long")

type regexp2Error string

func (e regexp2Error) Error() string { return string(e) }

// search looks for a regular expression. One that only JavaScript has is searched for with a time limit.
func search(pattern, subject string, whole bool) (bool, error) {
	if len(pattern) > maxPattern {
		return false, regexp2Error("it is too long")
	}
	if whole {
		pattern = "^(?:" + pattern + ")$"
	}
	if re, err := regexp.Compile(pattern); err == nil {
		return re.MatchString(subject), nil
	}
	re, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	if err != nil {
		return false, err
	}
	re.MatchTimeout = patience
	found, err := re.MatchString(subject)
	if err != nil {
		return false, errSlow
	}
	return found, nil
}

// wrongMatcher returns what is wrong with a matcher, empty for nothing.
func wrongMatcher(matcher string, whole bool) string {
	if matcher == "*" {
		return ""
	}
	if _, err := search(matcher, "", whole); err != nil && err != errSlow {
		return "its matcher " + strings.ToValidUTF8(cut(matcher, 80), "") + " is not a regular expression"
	}
	return ""
}

// covers reports whether a hook runs at an event.
func (h Hook) covers(e Event) bool {
	if h.Why != "" || h.Event != e.Name {
		return false
	}
	subject, counts := e.subject()
	if h.Copilot && e.Tool != "" {
		subject = copilotName(subject)
	}
	return (!counts || matches(h.Matcher, subject, h.Copilot)) && h.applies(e)
}

// applies reports whether a call may be one that a hook's rule names. A rule that cannot be read, and a command line that is not plain,
// count as such: the hook may guard something.
func (h Hook) applies(e Event) bool {
	if h.If == "" || e.Tool == "" {
		return true
	}
	tool, rest, limited := strings.Cut(h.If, "(")
	pattern, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if tool = strings.TrimSpace(tool); tool != e.Tool {
		return !names.MatchString(tool)
	}
	if !limited || !closed || pattern == "" || pattern == "*" {
		return true
	}
	var in struct {
		Command string `json:"command"`
		File    string `json:"file_path"`
		Path    string `json:"path"`
		URL     string `json:"url"`
	}
	if json.Unmarshal(e.Input, &in) != nil {
		return true
	}
	if in.Command != "" {
		return commandApplies(pattern, in.Command)
	}
	for _, place := range []string{in.File, in.Path} {
		if place == "" {
			continue
		}
		whole := glob(path.Clean("/" + strings.TrimPrefix(pattern, "~"))[1:])
		found, err := search(`(?s)(^|/)`+whole+`$`, place, false)
		return err != nil || found
	}
	return true
}

// commandApplies reports whether a part of a command line may be one that a pattern of a rule covers.
func commandApplies(pattern, line string) bool {
	if strings.ContainsAny(line, "`$(){}<>\\'\"") {
		return true
	}
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = prefix + "*"
	}
	for _, part := range append(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(";&|\n", r) }), line) {
		found, err := search("(?s)"+glob(pattern), strings.TrimSpace(part), true)
		if err != nil || found {
			return true
		}
	}
	return false
}

// glob returns a pattern with stars as a regular expression.
func glob(pattern string) string {
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return strings.ReplaceAll(strings.Join(parts, ".*"), ".*.*", ".*")
}

// cut returns the beginning of a text, in bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
