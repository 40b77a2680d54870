package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// dialects returns the languages in which the session's shell may read a line, nil if that is not known.
func (p Policy) dialects() []shell.Dialect {
	switch p.Shell {
	case "bash":
		return []shell.Dialect{shell.Bash}
	case "zsh":
		return []shell.Dialect{shell.Zsh}
	case "sh":
		return []shell.Dialect{shell.Bash, shell.POSIX}
	case "any":
		return []shell.Dialect{shell.Bash, shell.POSIX, shell.Zsh}
	}
	return nil
}

// commandDecision rules on a command line by what parley allows itself and the rules that allow: every part has to be
// allowed, in every language that the shell may speak.
func (p Policy) commandDecision(line string) Decision {
	dialects := p.dialects()
	if dialects == nil {
		return Decision{Ruling: Ask, Reason: "Asked: it is not known which shell runs this line."}
	}
	if why := p.unsure(); why != "" {
		return Decision{Ruling: Ask, Reason: why}
	}
	var d Decision
	for i, dialect := range dialects {
		read, err := shell.Read(dialect, line)
		if err != nil {
			return Decision{Ruling: Ask, Reason: "Always asked: this line cannot be judged, because " + err.Error() + "."}
		}
		one := p.lineDecision(line, read)
		if i == 0 || one.Ruling != Allow && d.Ruling == Allow {
			d = one
		}
	}
	return d
}

// lineJudge judges the steps of a line one after another.
type lineJudge struct {
	p    Policy
	line string
	// bases are the directories in which the next step may run, nil if that is not known.
	bases []string
	// quiet is whether git is known to start nothing by itself, looked up once.
	quiet, looked bool
}

// verdict is what the rules say of a step.
type verdict struct {
	allowed bool
	rule    *Rule
	why     string
	always  bool // no rule lets it pass
}

func refuse(why string) verdict { return verdict{why: why} }
func never(why string) verdict  { return verdict{why: why, always: true} }

func (p Policy) lineDecision(text string, line shell.Line) Decision {
	j := lineJudge{p: p, line: strings.Trim(text, " \t\n")}
	if p.Base != "" {
		j.bases = []string{p.Base}
	}
	for _, s := range line.Steps {
		if s.Again && s.Kind == shell.Call && s.Words[0].Text == "cd" { // how often is unknown
			j.bases = nil
		}
	}
	d := Decision{Ruling: Allow}
	spans := make([]span, 0, len(line.Steps))
	for _, s := range line.Steps {
		v := j.step(s)
		spans = append(spans, span{s.Start, s.End, v})
		switch {
		case !v.allowed && (d.Ruling == Allow || v.always && d.Reason == ""):
			d.Ruling, d.Rule, d.Reason = Ask, nil, ""
			if v.always {
				d.Reason = "Always asked: " + v.why + "."
			}
		case d.Ruling == Allow && v.rule != nil && (d.Rule == nil || d.Rule.Origin == FromParley):
			d.Rule = v.rule
		}
	}
	if d.Ruling != Allow {
		if r := j.wholeLine(line); r != nil && d.Reason == "" {
			d.Ruling, d.Rule = Allow, r
			for i := range spans {
				spans[i].verdict = verdict{allowed: true, rule: r}
			}
		}
	}
	if len(line.Steps) == 0 {
		d.Ruling = Ask
	}
	d.Parts = partsOf(spans)
	return d
}

// wholeLine returns the rule that has this very line as its text, if every step of it is known.
func (j *lineJudge) wholeLine(line shell.Line) *Rule {
	var rule *Rule
	if j.p.Mode == session.ModePlan || j.p.Locked != "" || len(line.Steps) < 2 {
		return nil
	}
	for i := range j.p.Rules {
		if r := &j.p.Rules[i]; r.Subject == OnCommand && r.Ruling == Allow && r.Pattern == j.line {
			rule = r
			break
		}
	}
	if rule == nil {
		return nil
	}
	with := lineJudge{p: j.p, bases: j.bases}
	with.p.Rules = slices.Clone(j.p.Rules)
	for _, s := range line.Steps {
		if s.Kind != shell.Call {
			continue
		}
		words := make([]string, len(s.Words))
		for i, w := range s.Words {
			if !w.Known || w.Home || s.Fed {
				return nil
			}
			words[i] = shell.Quote(w.Text)
		}
		with.p.Rules = append(with.p.Rules, Rule{Ruling: Allow, Subject: OnCommand, Pattern: strings.Join(words, " ")})
	}
	if j.p.Base != "" {
		with.bases = []string{j.p.Base}
	}
	for _, s := range line.Steps {
		if !with.step(s).allowed {
			return nil
		}
	}
	return rule
}

// step judges one step, and notes where the next ones run.
func (j *lineJudge) step(s shell.Step) verdict {
	switch s.Kind {
	case shell.Call:
		return j.call(s.Words, s.Fed, 0, true)
	case shell.Write:
		return j.write(s.Words[0])
	case shell.Input:
		return j.read(s.Words[0])
	case shell.Assign:
		if why := program.Variable(s.Name); why != "" {
			return never(why)
		}
		return verdict{allowed: true, why: "sets a variable"}
	}
	return never(s.Why)
}

// write judges a redirection into a file.
func (j *lineJudge) write(w shell.Word) verdict {
	if w.Known && !w.Home && w.Text == "/dev/null" {
		return verdict{allowed: true, why: "discards output"}
	}
	if j.p.Mode == session.ModePlan {
		return refuse("writes a file")
	}
	paths, ok := j.paths(w)
	if !ok {
		return never("it is not sure which file it writes")
	}
	var rule *Rule
	for _, path := range paths {
		d := j.p.editDecision(path)
		if d.Ruling != Allow {
			if d.Reason != "" {
				return never("it writes a file: " + lowerFirst(strings.TrimSuffix(strings.TrimPrefix(d.Reason, "Always asked: "), ".")))
			}
			return refuse("writes a file")
		}
		rule = d.Rule
	}
	return verdict{allowed: true, rule: rule, why: whyAllowed(rule, "edits are accepted")}
}

// read judges a file that is read.
func (j *lineJudge) read(w shell.Word) verdict {
	if w.Known && !w.Home && w.Text == "/dev/null" {
		return verdict{allowed: true, why: "reads nothing"}
	}
	paths, ok := j.paths(w)
	if !ok {
		return refuse("it is not sure which file it reads")
	}
	var rule *Rule
	for _, path := range paths {
		d := j.p.readDecision(path)
		if d.Ruling != Allow {
			if d.Reason != "" {
				return never(lowerFirst(strings.TrimSuffix(strings.TrimPrefix(d.Reason, "Always asked: "), ".")))
			}
			return refuse("reads outside this session's directories")
		}
		rule = d.Rule
	}
	return verdict{allowed: true, rule: rule}
}

// paths returns every file that a word may name, false if that is not known.
func (j *lineJudge) paths(w shell.Word) ([]string, bool) {
	switch {
	case !w.Known || strings.ContainsRune(w.Text, 0):
		return nil, false
	case w.Home:
		if j.p.Home == "" {
			return nil, false
		}
		return []string{j.p.Home + strings.TrimPrefix(w.Text, "~")}, true
	case slices.Contains(strings.FieldsFunc(w.Text, isSeparator), ".."):
		return nil, false
	case filepath.IsAbs(w.Text):
		return []string{w.Text}, true
	case len(j.bases) == 0:
		return nil, false
	}
	paths := make([]string, len(j.bases))
	for i, base := range j.bases {
		paths[i] = filepath.Join(base, w.Text)
	}
	return paths, true
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// mostBases bounds the directories that a line with many "cd" may be in.
const mostBases = 8

// move notes that the shell may be in another directory from now on.
func (j *lineJudge) move(w shell.Word) {
	paths, ok := j.paths(w)
	if !ok || len(j.bases) == 0 || len(j.bases)+len(paths) > mostBases {
		j.bases = nil
		return
	}
	for _, path := range paths {
		if !slices.Contains(j.bases, path) {
			j.bases = append(slices.Clip(j.bases), path)
		}
	}
}
