package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// commandRuled reports whether a rule allows a command line. One rule, which fails closed: the line is words of plain
// characters between single spaces or tabs, its first words are those of the rule, and they name a program of a short
// list, whose other words are ones that the list knows. Nothing is parsed, so no shell can see anything else in it.
func (p Policy) commandRuled(ask session.PermissionAsk) bool {
	words, ok := plainWords(ask.Command)
	if !ok {
		return false
	}
	return slices.ContainsFunc(p.Rules, func(r Rule) bool {
		name, many := strings.CutSuffix(r.Pattern, " *")
		known := programOf(strings.Split(name, " "))
		return r.Subject == OnCommand && many && known != nil && strings.Join(known.words, " ") == name && p.covers(known, words)
	})
}

// covers reports whether words are a call of the program with arguments that are known to start and write nothing else.
func (p Policy) covers(known *program, words []string) bool {
	n := len(known.words)
	if len(words) < n || !slices.Equal(words[:n], known.words) {
		return false
	}
	for _, w := range words[n:] {
		if strings.HasPrefix(w, "-") && !known.takes(w) {
			return false
		}
		if !strings.HasPrefix(w, "-") && (known.alone || !p.names(known, w)) {
			return false
		}
	}
	return p.trusts(known.words[0]) && (known.words[0] != "git" || p.Git != nil && p.Git())
}

// names reports whether a word, if it is a path, leads to something in the session's directories. For go it is enough
// that it does not lead out by its text: what go compiles is the project's either way.
func (p Policy) names(known *program, word string) bool {
	if slices.Contains(strings.FieldsFunc(word, isSeparator), "..") {
		return false
	}
	if known.words[0] == "go" {
		return !filepath.IsAbs(word)
	}
	if !filepath.IsAbs(word) {
		if p.Base == "" {
			return false
		}
		word = filepath.Join(p.Base, word)
	}
	return p.within(word)
}

// trusts reports whether the program that a shell would take for a name is one that the session's agent cannot have made.
func (p Policy) trusts(name string) bool {
	if p.Programs == nil {
		return false
	}
	paths := p.Programs(name)
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(path string) bool {
		_, resolves := p.real(path)
		return !resolves || p.inside(path, p.Dirs)
	})
}

// plainWords returns the words of a line that has nothing in it but plain words and single blanks between them.
func plainWords(line string) ([]string, bool) {
	words := strings.FieldsFunc(line, isBlank)
	length := max(len(words)-1, 0)
	for _, w := range words {
		length += len(w)
		if strings.HasPrefix(w, "=") || strings.ContainsFunc(w, func(r rune) bool { return !isPlain(r) }) {
			return nil, false
		}
	}
	return words, len(words) > 0 && length == len(line)
}

// isBlank reports whether a shell takes the character for a blank. Go takes many more.
func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// isPlain reports whether a character means itself to every shell, wherever it stands in a word but for an = at its begin.
func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:,@+=", r)
}

// SuggestRules returns rules that would let this call and others like it pass for the rest of the session, the most
// fitting first. It is empty if there is none that is safe to offer.
func (p Policy) SuggestRules(kind toolview.Kind, ask session.PermissionAsk) []session.Rule {
	var rules []session.Rule
	for _, r := range p.candidates(kind, ask) {
		with := p
		with.Rules = append(slices.Clip(slices.Clone(p.Rules)), r)
		if with.Decide(kind, ask).Ruling == Allow {
			rules = append(rules, r.Offer())
		}
	}
	return rules
}

func (p Policy) candidates(kind toolview.Kind, ask session.PermissionAsk) []Rule {
	switch kind {
	case toolview.Command:
		return commandCandidates(ask)
	case toolview.Edit:
		return p.directoryCandidates(OnEdit, ask)
	case toolview.Read, toolview.Search:
		return p.directoryCandidates(OnRead, ask)
	default:
		return []Rule{{Ruling: Allow, Subject: OnTool, Pattern: ask.Tool}}
	}
}

func commandCandidates(ask session.PermissionAsk) []Rule {
	words, ok := plainWords(ask.Command)
	if !ok {
		return nil
	}
	known := programOf(words)
	if known == nil {
		return nil
	}
	return []Rule{{Ruling: Allow, Subject: OnCommand, Pattern: strings.Join(known.words, " ") + " *"}}
}
