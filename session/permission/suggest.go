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
	o := offering{policy: p, kind: kind, asks: []session.PermissionAsk{ask}}
	for _, path := range more {
		ask.Path = path
		o.asks = append(o.asks, ask)
	}
	if kind == toolview.Command && p.careFor(ask.Command).Danger {
		return nil
	}
	for _, one := range o.asks {
		for _, set := range o.candidates(one) {
			o.add(set, one)
		}
	}
	return o.rules
}

// offering collects what is offered for a call.
type offering struct {
	policy Policy
	kind   toolview.Kind
	asks   []session.PermissionAsk // one for each file of the call
	rules  []session.Rule
}

// add takes rules that are granted together, if they can be given and no file of the call would be asked about with them.
func (o *offering) add(set []Rule, ask session.PermissionAsk) {
	offer := Offer(set...)
	if len(set) == 1 && set[0].Subject == OnCommand && set[0].Pattern == strings.Join(strings.Fields(ask.Command), " ") {
		offer.Names = []string{thisLine}
	}
	known := slices.ContainsFunc(o.rules, func(has session.Rule) bool { return has.Text == offer.Text })
	bad := slices.ContainsFunc(set, func(r Rule) bool { return r.check() != nil || r.Void() != "" })
	asked := slices.ContainsFunc(o.asks, func(ask session.PermissionAsk) bool { return !o.policy.Covers(set, o.kind, ask) })
	if !known && !bad && !asked {
		o.rules = append(o.rules, offer)
	}
}

func (o *offering) candidates(ask session.PermissionAsk) [][]Rule {
	switch o.kind {
	case toolview.Command:
		return o.line(ask.Command)
	case toolview.Edit:
		return single(o.file(OnEdit, ask.Path))
	case toolview.Read, toolview.Search:
		return single(o.file(OnRead, ask.Path))
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

// file offers the directory of a file, all of the session's directory, and the file. Outside of these directories
// it names where the file really is, so that its label hides nothing.
func (o *offering) file(on Subject, path string) []Rule {
	real, ok := o.policy.Disk.Real(path)
	if !ok {
		return nil
	}
	var rules []Rule
	for i, dir := range o.policy.Dirs {
		root, ok := o.policy.Disk.Real(dir)
		if !ok {
			continue
		}
		rel, ok := o.policy.Disk.Below(real, root)
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
