package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// SuggestRules returns what could be granted so that this call and others like it pass from now on, the most fitting first and
// then narrower ones. Each is a rule, or several that are granted together. It is empty if there is none that is safe to offer. more
// are further files of a call that touches several: what is offered covers all of them.
func (p Policy) SuggestRules(kind toolview.Kind, ask session.PermissionAsk, more ...string) []session.Rule {
	asks := []session.PermissionAsk{ask}
	for _, path := range more {
		ask.Path = path
		asks = append(asks, ask)
	}
	var offers []session.Rule
	for _, one := range asks {
		for _, set := range p.candidates(kind, one) {
			offer := Offer(set...)
			known := slices.ContainsFunc(offers, func(has session.Rule) bool { return has.Text == offer.Text })
			bad := slices.ContainsFunc(set, func(r Rule) bool { return r.check() != nil || r.Void() != "" })
			if !known && !bad && p.coversAll(set, kind, asks) {
				offers = append(offers, offer)
			}
		}
	}
	return offers
}

// coversAll reports whether no file of a call would be asked about once the rules are ones of the session.
func (p Policy) coversAll(set []Rule, kind toolview.Kind, asks []session.PermissionAsk) bool {
	return !slices.ContainsFunc(asks, func(ask session.PermissionAsk) bool { return !p.Covers(set, kind, ask) })
}

func (p Policy) candidates(kind toolview.Kind, ask session.PermissionAsk) [][]Rule {
	switch kind {
	case toolview.Command:
		return p.commandCandidates(ask.Command)
	case toolview.Edit:
		return single(p.fileCandidates(OnEdit, ask.Path))
	case toolview.Read, toolview.Search:
		return single(p.fileCandidates(OnRead, ask.Path))
	case toolview.Fetch:
		if address, ok := addressOf(ask.Input); ok {
			if host, ok := hostOf(address); ok {
				return single([]Rule{offered(OnFetch, host)})
			}
			return nil
		}
	}
	if ask.Tool == typing { // what is typed next is something else
		return nil
	}
	if server, tool, ok := serverOf(ask.Tool); ok {
		return single([]Rule{offered(OnServer, server+"/"+tool), offered(OnServer, server)})
	}
	return single([]Rule{offered(OnTool, ask.Tool)})
}

// single returns each rule as an offer of its own.
func single(rules []Rule) (offers [][]Rule) {
	for _, r := range rules {
		offers = append(offers, []Rule{r})
	}
	return offers
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
