package permission

import (
	"slices"
	"strings"

	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// line offers rules for the parts of a line that are asked about, which are granted together, then a rule for such a
// part alone, and the very line.
func (o *offering) line(text string) (offers [][]Rule) {
	dialect, _ := dialectOf(o.policy.Shell)
	line, err := shell.Read(dialect, text)
	if err != nil {
		return nil
	}
	j := o.policy.judgeLine(line)
	text = strings.Trim(text, " \t\n")
	if len(j.scripts) > 0 {
		return single(j.scriptCandidate(text))
	}
	var rules []Rule
	calls, writes, refused, whole := 0, 0, false, true
	for _, s := range j.steps {
		v := s.verdict
		refused = refused || !v.allowed
		whole = whole && (v.allowed || s.words == nil || exactCandidate(s.words) != nil && !j.namesGuarded(s.words))
		switch {
		case v.always, s.words != nil && !v.allowed && j.namesGuarded(s.words):
			return nil
		case s.words != nil && (!v.allowed || len(j.steps) == 1):
			if calls++; calls == 1 {
				rules = callCandidates(s.words)
			}
		case s.writes != nil && !v.allowed:
			writes++
			if paths, ok := j.paths(*s.writes); ok && len(paths) == 1 {
				rules = append(rules, o.file(OnEdit, paths[0])...)
			}
		}
	}
	if calls+writes > 1 {
		if set := o.together(line); len(set) > 1 {
			offers = append(offers, set)
		}
	}
	if calls > 0 && writes > 0 {
		rules = nil
	}
	if refused && whole && len(j.steps) > 1 && !strings.Contains(text, "\n") {
		rules = append(rules, offered(OnCommand, text))
	}
	return append(offers, single(rules)...)
}

// maxTogether bounds the rules that are granted together: more are not read before they are given.
const maxTogether = 6

// together returns the rules that let a line pass with each other: one for each part that is asked about, unless one before covers
// it too. It is nil if a part cannot be covered, or if there are too many.
func (o *offering) together(line shell.Line) (set []Rule) {
	p := o.policy
	for {
		j := p.judgeLine(line)
		at := -1
		for i, s := range j.steps { // in the order of the line: a redirection is judged before its call
			if !s.verdict.allowed && (at < 0 || s.start < j.steps[at].start) {
				at = i
			}
		}
		if at < 0 {
			return set
		}
		candidates := o.part(j, j.steps[at])
		i := slices.IndexFunc(candidates, func(r Rule) bool {
			if r.check() != nil || r.Void() != "" {
				return false
			}
			again := p.with(r).judgeLine(line).steps
			return at < len(again) && again[at].verdict.allowed
		})
		if i < 0 || len(set) == maxTogether {
			return nil
		}
		set, p = append(set, candidates[i]), p.with(candidates[i])
	}
}

// part returns the rules that may let a part of a line pass, the most fitting first. What changes something outside of
// this machine has its very words alone, and a file that is written its very name.
func (o *offering) part(j *lineJudge, s step) []Rule {
	switch {
	case s.verdict.always:
	case s.words != nil && isOutward(s.words):
		return slices.DeleteFunc(callCandidates(s.words), func(r Rule) bool { return strings.HasSuffix(r.Pattern, " *") })
	case s.words != nil:
		return callCandidates(s.words)
	case s.writes != nil:
		if paths, ok := j.paths(*s.writes); ok && len(paths) == 1 {
			files := o.file(OnEdit, paths[0])
			return files[max(0, len(files)-1):]
		}
	}
	return nil
}

// isOutward reports whether a call, or one that it makes in its place, changes something outside of this machine.
func isOutward(words []shell.Word) bool {
	u := program.Judge(words)
	return u.Outward || u.Inner != nil && isOutward(u.Inner)
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

// exactCandidate offers the very call. What it does may not stand in its words: such a rule is offered for the session alone. What
// runs its input is not offered.
func exactCandidate(words []shell.Word) []Rule {
	if strings.HasPrefix(words[0].Text, "-") || program.ReadsInput(words) {
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

// namesGuarded reports whether the words of a call that may write what they say name a file that is never edited without asking.
func (j *lineJudge) namesGuarded(words []shell.Word) bool {
	if !isHidden(words) {
		return false
	}
	for _, w := range words[1:] {
		for name := range strings.FieldsFuncSeq(w.Text, func(c rune) bool { return strings.ContainsRune(" \t'\"`=:,;()<>|&", c) }) {
			if paths, ok := j.paths(shell.Lit(name)); ok && slices.ContainsFunc(paths, func(path string) bool { return j.p.Guarded(path) != "" }) {
				return true
			}
		}
	}
	return false
}

// isHidden reports whether a call may start or write what its words do not say.
func isHidden(words []shell.Word) bool {
	u := program.Judge(words)
	if u.Inner != nil {
		return isHidden(u.Inner)
	}
	return u.Asked != "" || u.Launcher
}
