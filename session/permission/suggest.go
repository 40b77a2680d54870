package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission/program"
	"parley/session/permission/shell"
	"parley/session/toolview"
)

// SuggestRules returns rules of which each would let this call and others like it pass from now on, the most fitting first
// and then narrower ones. It is empty if there is none that is safe to offer. more are further files of a call that touches
// several: a rule that is offered covers all of them.
func (p Policy) SuggestRules(kind toolview.Kind, ask session.PermissionAsk, more ...string) []session.Rule {
	asks := []session.PermissionAsk{ask}
	for _, path := range more {
		ask.Path = path
		asks = append(asks, ask)
	}
	var rules []session.Rule
	for _, one := range asks {
		for _, r := range p.candidates(kind, one) {
			if r.check() == nil && r.Void() == "" && p.coversAll(r, kind, asks) && !slices.ContainsFunc(rules, func(s session.Rule) bool { return s.Text == r.String() }) {
				rules = append(rules, r.Offer())
			}
		}
	}
	return rules
}

// coversAll reports whether no file of a call would be asked about once the rule is one of the session's.
func (p Policy) coversAll(r Rule, kind toolview.Kind, asks []session.PermissionAsk) bool {
	return !slices.ContainsFunc(asks, func(ask session.PermissionAsk) bool { return !p.Covers(r, kind, ask) })
}

func (p Policy) candidates(kind toolview.Kind, ask session.PermissionAsk) []Rule {
	switch kind {
	case toolview.Command:
		return p.commandCandidates(ask.Command)
	case toolview.Edit:
		return p.fileCandidates(OnEdit, ask.Path)
	case toolview.Read, toolview.Search:
		return p.fileCandidates(OnRead, ask.Path)
	case toolview.Fetch:
		if address, ok := addressOf(ask.Input); ok {
			if host, ok := hostOf(address); ok {
				return []Rule{offered(OnFetch, host)}
			}
			return nil
		}
	}
	if server, tool, ok := serverOf(ask.Tool); ok {
		return []Rule{offered(OnServer, server+"/"+tool), offered(OnServer, server)}
	}
	return []Rule{offered(OnTool, ask.Tool)}
}

func offered(on Subject, pattern string) Rule {
	return Rule{Ruling: Allow, Subject: on, Pattern: pattern}
}

// fileCandidates offers the directory of a file, all of the session's directory, and the file. Outside of these directories
// it names where the file really is, so that its label hides nothing.
func (p Policy) fileCandidates(on Subject, path string) []Rule {
	real, ok := p.real(path)
	if !ok {
		return nil
	}
	var rules []Rule
	for i, dir := range p.Dirs {
		root, ok := p.real(dir)
		if !ok {
			continue
		}
		rel, ok := p.below(real, root)
		if !ok {
			continue
		}
		prefix := ""
		if i > 0 {
			prefix = filepath.ToSlash(dir) + "/"
		}
		rel = filepath.ToSlash(rel)
		if at := strings.LastIndexByte(rel, '/'); at > 0 {
			rules = append(rules, offered(on, prefix+rel[:at]+"/**"))
		}
		return append(rules, offered(on, prefix+"**"), offered(on, prefix+rel))
	}
	if on == OnEdit || filepath.Dir(filepath.Dir(real)) == filepath.Dir(real) {
		return nil
	}
	return []Rule{offered(on, filepath.ToSlash(filepath.Dir(real))+"/**"), offered(on, filepath.ToSlash(real))}
}

// commandCandidates offers a rule for the part of a line that is asked about, and the very line.
func (p Policy) commandCandidates(text string) []Rule {
	dialect, _ := p.dialect()
	line, err := shell.Read(dialect, text)
	if err != nil {
		return nil
	}
	j := p.judgeLine(line)
	var rules []Rule
	calls, writes, refused, whole := 0, 0, false, true
	for _, s := range j.steps {
		v := s.verdict
		refused = refused || !v.allowed
		whole = whole && (v.allowed || s.words == nil || exactCandidate(s.words) != nil)
		switch {
		case v.always:
			return nil
		case s.words != nil && (!v.allowed || len(j.steps) == 1):
			if calls++; calls == 1 {
				rules = callCandidates(s.words)
			}
		case s.writes != nil && !v.allowed:
			writes++
			if paths, ok := j.paths(*s.writes); ok && len(paths) == 1 {
				rules = append(rules, p.fileCandidates(OnEdit, paths[0])...)
			}
		}
	}
	if calls > 0 && writes > 0 {
		rules = nil
	}
	text = strings.Trim(text, " \t\n")
	if refused && whole && len(j.steps) > 1 && !strings.Contains(text, "\n") {
		rules = append(rules, offered(OnCommand, text))
	}
	return rules
}

// callCandidates offers a rule for all calls of a program that do the same, where that says something, and for this call.
func callCandidates(words []shell.Word) []Rule {
	u := program.Judge(words)
	if u.Inner != nil && u.Asked != "" {
		inner := callCandidates(u.Inner)
		return append(inner, exactCandidate(words)...)
	}
	var rules []Rule
	if u.Outward { // the wider rule comes second: one press must not allow more than was read
		rules = exactCandidate(words)
	}
	if n := program.Like(words, u); n > 0 && u.Beyond == "" {
		text := make([]string, n)
		for i, w := range words[:n] {
			text[i] = shell.Quote(w.Text)
		}
		rules = append(rules, offered(OnCommand, strings.Join(text, " ")+" *"))
	}
	if u.Outward {
		return rules
	}
	return append(rules, exactCandidate(words)...)
}

// exactCandidate offers the very call, unless it may start or write what its words do not say: that is asked each time. A
// call that changes the files it names is offered, and the user may widen the rule.
func exactCandidate(words []shell.Word) []Rule {
	u := program.Judge(words)
	if u.Inner == nil && (u.Asked != "" || u.Launcher) || u.Git && u.Asked != "" || strings.HasPrefix(words[0].Text, "-") {
		return nil
	}
	text := make([]string, len(words))
	for i, w := range words {
		if !w.Known || w.Home {
			return nil
		}
		text[i] = shell.Quote(w.Text)
	}
	return []Rule{offered(OnCommand, strings.Join(text, " "))}
}
