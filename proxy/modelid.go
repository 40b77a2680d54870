package proxy

import (
	"net/url"
	"strings"
)

// modelID is a parsed Claude model id. The Copilot API writes "claude-opus-4.6" where Anthropic's clients write
// "claude-opus-4-6"; these treat an unknown id as a model without known abilities.
type modelID struct {
	name     string // "opus"; for a bare id, the whole id
	major    string // "4"; empty for a bare id
	minor    string // "6"; may be empty
	oneM     bool   // the variant "-1m" of opus
	extended string // "[1m]" or "[2m]": a request of the client, never part of the service's id
}

// parseModelID parses an id in any known spelling: with a date, with name and version in either order, with dots or
// dashes, wrapped as "@provider=p:id". A single word without a version is also an id. It refuses anything else.
func parseModelID(s string) (modelID, bool) {
	s = strings.ToLower(unwrapProvider(s))
	var id modelID
	for _, suffix := range []string{"[1m]", "[2m]"} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, id.extended = rest, suffix
			break
		}
	}
	parts := strings.Split(trimDate(s), "-")
	if len(parts) == 1 {
		id.name = parts[0]
		return id, id.extended == "" && isBare(parts[0])
	}
	if parts[0] != "claude" {
		return modelID{}, false
	}
	rest, ok := id.takeVersion(parts[1:])
	if !ok || len(rest) > 1 {
		return modelID{}, false
	}
	if len(rest) == 1 {
		if rest[0] != "1m" || id.name != "opus" {
			return modelID{}, false
		}
		id.oneM = true
	}
	return id, true
}

// takeVersion parses name and version at the beginning of parts and returns the rest.
func (id *modelID) takeVersion(parts []string) (rest []string, ok bool) {
	if len(parts) < 2 {
		return nil, false
	}
	if isName(parts[0]) {
		id.name = parts[0]
		major, minor, dotted := strings.Cut(parts[1], ".")
		if !isNumber(major) || dotted && !isNumber(minor) {
			return nil, false
		}
		id.major, id.minor, parts = major, minor, parts[2:]
		if !dotted && len(parts) > 0 && isNumber(parts[0]) {
			id.minor, parts = parts[0], parts[1:]
		}
		return parts, true
	}
	if !isNumber(parts[0]) {
		return nil, false
	}
	id.major, parts = parts[0], parts[1:]
	if isNumber(parts[0]) {
		id.minor, parts = parts[0], parts[1:]
	}
	if len(parts) == 0 || !isName(parts[0]) {
		return nil, false
	}
	id.name = parts[0]
	return parts[1:], true
}

// endpoint returns the id as the Copilot API spells it.
func (id modelID) endpoint() string { return id.spell(".") }

// sdk returns the id as Anthropic's clients spell it, with the context suffix of the client.
func (id modelID) sdk() string { return id.spell("-") + id.extended }

func (id modelID) spell(sep string) string {
	if id.major == "" {
		return id.name
	}
	var b strings.Builder
	b.WriteString("claude-")
	b.WriteString(id.name)
	b.WriteByte('-')
	b.WriteString(id.major)
	if id.minor != "" {
		b.WriteString(sep)
		b.WriteString(id.minor)
	}
	if id.oneM {
		b.WriteString("-1m")
	}
	return b.String()
}

// sdkModelID spells an id for Anthropic's clients; it returns other ids unchanged.
func sdkModelID(s string) string {
	if id, ok := parseModelID(s); ok && id.major != "" {
		return id.sdk()
	}
	return s
}

// unwrapProvider returns the id in "@provider=<name>:<url-encoded id>".
func unwrapProvider(s string) string {
	rest, ok := strings.CutPrefix(s, "@provider=")
	if !ok {
		return s
	}
	_, escaped, ok := strings.Cut(rest, ":")
	if !ok {
		return s
	}
	id, err := url.PathUnescape(escaped)
	if err != nil {
		return s
	}
	return id
}

// trimDate removes a trailing "-YYYYMMDD".
func trimDate(s string) string {
	i := len(s) - 9
	if i <= 0 || s[i] != '-' {
		return s
	}
	for _, c := range []byte(s[i+1:]) {
		if c < '0' || c > '9' {
			return s
		}
	}
	return s[:i]
}

// isNumber reports whether s is a part of a version: one to three digits.
func isNumber(s string) bool {
	if len(s) == 0 || len(s) > 3 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func isName(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return s != ""
}

// isBare reports whether s is a single word: a letter, then letters and digits.
func isBare(s string) bool {
	for i := range len(s) {
		letter := s[i] >= 'a' && s[i] <= 'z'
		digit := s[i] >= '0' && s[i] <= '9'
		if !letter && (i == 0 || !digit) {
			return false
		}
	}
	return s != ""
}
