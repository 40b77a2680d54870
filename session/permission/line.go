package permission

import (
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// dialectOf returns the language in which a line is read for a session's shell, false if no such shell is known. What runs is
// the print, which every shell reads alike.
func dialectOf(name string) (shell.Dialect, bool) {
	switch name {
	case "bash", "zsh", "any":
		return shell.Bash, true
	case "sh":
		return shell.POSIX, true
	}
	return shell.Bash, false
}

// commandDecision rules on a command line by what parley allows itself and the rules that allow: every part has to be allowed.
func (p Policy) commandDecision(text string) Decision {
	dialect, ok := dialectOf(p.Shell)
	if !ok {
		return Decision{Ruling: Ask, Reason: "Asked: it is not known which shell runs this line."}
	}
	if why := p.unsure(); why != "" {
		return Decision{Ruling: Ask, Reason: why}
	}
	line, err := shell.Read(dialect, text)
	if err != nil {
		return Decision{Ruling: Ask, Reason: "Always asked: this line cannot be judged, because " + err.Error() + "."}
	}
	j := p.judgeLine(line)
	d := j.decision()
	if d.Ruling != Allow {
		rule, whole := p.scriptLine(text, line)
		if rule == nil && d.Reason == "" {
			rule, whole = p.wholeLine(text, line)
		}
		if rule != nil {
			j, d = whole, Decision{Ruling: Allow, Rule: rule}
			for i := range j.steps {
				j.steps[i].verdict = verdict{allowed: true, rule: rule}
			}
		}
	}
	if d.Ruling == Allow {
		if d.Run = runOf(text, j.out); len(d.Run) > maxRun {
			d = Decision{Ruling: Ask, Reason: "Always asked: what would run is too long."}
		}
	}
	d.Parts = partsOf(j.steps)
	return d
}

// maxRun is the longest text that runs in place of a line, in bytes. With its quotes doubled it has to fit into one argument.
const maxRun = 30 << 10

// lineJudge judges the commands of a line one after another, and writes them anew.
type lineJudge struct {
	p Policy
	// bases are the directories in which the next command may run, nil if that is not known; failed are those in which what
	// follows runs if a cd did not succeed.
	bases, failed []string
	values        map[string][]shell.Word // of the variables of loops
	maybe         int                     // more than 0 where it is not sure that a command runs
	whole         bool                    // a rule has the text of the whole line
	pins          []pin                   // the scripts that this rule allows
	scripts       []pin                   // those that the line runs; without a digest where that is not known
	out           shell.Line
	steps         []step
}

// step is a call or a redirection of a line as it was judged.
type step struct {
	start, end int
	words      []shell.Word // of a call
	writes     *shell.Word  // of a redirection into a file
	verdict    verdict
}

// verdict is the decision of the rules about a step.
type verdict struct {
	allowed bool
	rule    *Rule
	why     string
	always  bool // no rule lets it pass
}

func refuse(why string) verdict { return verdict{why: why} }
func never(why string) verdict  { return verdict{why: why, always: true} }

// judgeLine judges a line. Its verdicts and what to run are in the judge.
func (p Policy) judgeLine(line shell.Line) *lineJudge {
	j := &lineJudge{p: p, values: map[string][]shell.Word{}}
	if p.Base != "" {
		j.bases = []string{p.Base}
	}
	j.out = j.list(line)
	return j
}

// decision returns what the verdicts come to.
func (j *lineJudge) decision() Decision {
	d := Decision{Ruling: Allow}
	for _, s := range j.steps {
		switch v := s.verdict; {
		case !v.allowed && (d.Ruling == Allow || v.always && d.Reason == ""):
			d.Ruling, d.Rule, d.Reason = Ask, nil, ""
			if v.always {
				d.Reason = "Always asked: " + v.why + "."
			}
		case d.Ruling == Allow && v.rule != nil && (d.Rule == nil || d.Rule.Origin == FromParley):
			d.Rule = v.rule
		}
	}
	return d
}

// wholeLine returns the rule that has this very line as its text, if every part of it is known.
func (p Policy) wholeLine(text string, line shell.Line) (*Rule, *lineJudge) {
	text = strings.Trim(text, " \t\n")
	at := slices.IndexFunc(p.Rules, func(r Rule) bool { return r.Subject == OnCommand && r.Ruling == Allow && r.Pattern == text })
	if at < 0 || p.Mode == session.ModePlan || p.Locked != "" {
		return nil, nil
	}
	if j := p.judgeWhole(line, nil); j != nil {
		return &p.Rules[at], j
	}
	return nil, nil
}

// scriptLine is [Policy.wholeLine] for a rule that holds while scripts are unchanged.
func (p Policy) scriptLine(text string, line shell.Line) (*Rule, *lineJudge) {
	if p.Mode == session.ModePlan || p.Locked != "" {
		return nil, nil
	}
	rule, pins := p.scriptRule(strings.Trim(text, " \t\n"))
	if rule == nil {
		return nil, nil
	}
	if j := p.judgeWhole(line, pins); j != nil && j.runsPinned(pins) {
		return rule, j
	}
	return nil, nil
}

// judgeWhole judges a line, each call of which a rule has, nil if it is asked about all the same.
func (p Policy) judgeWhole(line shell.Line, pins []pin) *lineJudge {
	with, known := p, true
	with.Rules = slices.Clone(p.Rules)
	line.Each(func(c *shell.Command, _ bool) {
		if c.Kind != shell.Call {
			return
		}
		words := make([]string, len(c.Words))
		for i, w := range c.Words {
			known = known && w.Known && !w.Home && !c.Fed
			words[i] = shell.Quote(w.Text)
		}
		with.Rules = append(with.Rules, Rule{Ruling: Allow, Subject: OnCommand, Pattern: strings.Join(words, " ")})
	})
	j := &lineJudge{p: with, values: map[string][]shell.Word{}, whole: true, pins: pins}
	if p.Base != "" {
		j.bases = []string{p.Base}
	}
	if j.out = j.list(line); !known || j.decision().Ruling != Allow {
		return nil
	}
	return j
}

// list judges pipelines, which may leave j in another directory.
func (j *lineJudge) list(l shell.Line) (out shell.Line) {
	for _, p := range l {
		maybe := p.Join != shell.Then && len(out) > 0
		if maybe {
			j.maybe++
		}
		if p.Join != shell.And { // what runs after a cd that failed runs where it began
			j.bases, j.failed = union(j.bases, j.failed), nil
		}
		piped := len(p.Commands) > 1
		commands := make([]shell.Command, len(p.Commands))
		for i, c := range p.Commands {
			commands[i] = j.command(c, piped, i > 0, p.Not)
		}
		p.Commands = commands
		if out = append(out, p); maybe {
			j.maybe--
		}
	}
	j.bases, j.failed = union(j.bases, j.failed), nil
	return out
}

// maxBases bounds the directories that a line with many "cd" may be in.
const maxBases = 8

func union(a, b []string) []string {
	if a == nil || len(a)+len(b) > maxBases {
		return nil
	}
	for _, dir := range b {
		if !slices.Contains(a, dir) {
			a = append(slices.Clip(a), dir)
		}
	}
	return a
}

// apart judges what runs in a shell of its own.
func (j *lineJudge) apart(l shell.Line) shell.Line {
	bases, failed := j.bases, j.failed
	defer func() { j.bases, j.failed = bases, failed }()
	j.failed = nil
	j.maybe++
	defer func() { j.maybe-- }()
	return j.list(l)
}

// stays judges what may run or not, or more than once. If it goes elsewhere, it is not known where.
func (j *lineJudge) stays(l shell.Line) shell.Line {
	bases, failed := j.bases, j.failed
	moves := false
	l.Each(func(c *shell.Command, _ bool) {
		moves = moves || c.Kind == shell.Call && (!c.Words[0].Known || c.Words[0].Text == "cd")
	})
	if moves {
		j.bases = nil
	}
	j.maybe++
	out := j.list(l)
	j.maybe--
	if j.bases, j.failed = bases, failed; moves {
		j.bases = nil
	}
	return out
}

// command judges one command of a pipeline.
func (j *lineJudge) command(c shell.Command, piped, fed, not bool) shell.Command {
	redirects := slices.Clone(c.Redirects)
	for i, r := range redirects {
		if r.Op == ">&" {
			continue
		}
		redirects[i].File = j.word(r.File)
		s := step{start: r.Start, end: r.End}
		if r.Op == "<" {
			s.verdict = j.read(r.File)
		} else {
			s.verdict, s.writes = j.write(r.File), &redirects[i].File
		}
		j.steps = append(j.steps, s)
	}
	c.Redirects = redirects
	for name, printed := range map[string]bool{"printf": c.Fed, "read": c.Kind == shell.Input} { // the print calls them
		if v, is := j.named(shell.Lit(name), 0); printed && is {
			j.steps = append(j.steps, step{start: c.Start, end: c.End, verdict: v})
		}
	}
	switch c.Kind {
	case shell.Call:
		return j.called(c, piped, fed, not)
	case shell.Group:
		c.Body = j.apart(c.Body)
	case shell.Block:
		if piped {
			c.Body = j.apart(c.Body)
		} else {
			c.Body = j.list(c.Body)
		}
	case shell.If:
		c.Cond, c.Body, c.Else = j.stays(c.Cond), j.stays(c.Body), j.stays(c.Else)
	case shell.While:
		j.again(c.Cond, c.Body)
		c.Cond, c.Body = j.stays(c.Cond), j.stays(c.Body)
	case shell.Input:
		j.forget(c.Names...)
	case shell.Assign:
		j.assign(&c, piped)
	case shell.For:
		words := make([]shell.Word, len(c.Words))
		for i, w := range c.Words {
			if words[i] = j.word(w); w.Has(shell.Glob) || w.Home {
				j.steps = append(j.steps, step{start: c.Start, end: c.Start, verdict: j.read(w)})
			}
		}
		c.Words = words
		j.again(c.Body)
		j.set(c.Name, words)
		c.Body = j.stays(c.Body)
		j.forget(c.Name) // after the loop, or without one, it is empty
	}
	return c
}

// set notes the values of a variable. One that got others before has any.
func (j *lineJudge) set(name string, words []shell.Word) {
	if _, again := j.values[name]; again {
		words = nil
	}
	j.values[name] = words
}

// forget notes that a variable may have any value.
func (j *lineJudge) forget(names ...string) {
	for _, name := range names {
		j.values[name] = nil
	}
}

// again forgets the variables with values that a loop sets: a round may find the value of the one before.
func (j *lineJudge) again(lines ...shell.Line) {
	for _, l := range lines {
		l.Each(func(c *shell.Command, _ bool) {
			names := c.Names
			switch c.Kind {
			case shell.For:
				names = []string{c.Name}
			case shell.Assign:
				for _, s := range c.Set {
					names = append(names, s.Name)
				}
			}
			for _, name := range names {
				if _, known := j.values[name]; known {
					j.forget(name)
				}
			}
		})
	}
}

// assign judges variables that the line sets for itself: they are printed under names of their own.
func (j *lineJudge) assign(c *shell.Command, piped bool) {
	j.steps = append(j.steps, step{start: c.Start, end: c.End, verdict: verdict{allowed: true, why: "sets a variable"}})
	c.Set = slices.Clone(c.Set)
	for i, s := range c.Set {
		c.Set[i].Value = j.word(s.Value)
		if j.set(s.Name, []shell.Word{s.Value}); piped || j.maybe > 0 || s.Value.Has(shell.Output, shell.Glob) || s.Value.Home {
			j.forget(s.Name)
		}
	}
}

// called judges a call with the variables that it is given.
func (j *lineJudge) called(c shell.Command, piped, fed, not bool) shell.Command {
	at := len(j.steps)
	j.steps = append(j.steps, step{start: c.Start, end: c.End})
	words := make([]shell.Word, len(c.Words))
	for i, w := range c.Words {
		words[i] = j.word(w)
	}
	v := verdict{}
	for _, s := range c.Set {
		if !s.Value.Known || s.Value.Home || !program.Harmless(s.Name, s.Value.Text) {
			v = never("the variable " + s.Name + " may change what runs")
		}
	}
	cd := words[0].Known && words[0].Text == "cd"
	if v.why == "" {
		var set []shell.Setting
		j.steps[at].words = words
		v, c.Words, set = j.call(words, feed{c.Fed, fed}, 0, true)
		c.Set = append(slices.Clone(c.Set), set...)
		if cd && (piped || not) && v.allowed {
			v = refuse("where it leads is not known")
		}
	}
	if cd && !v.allowed {
		j.bases = nil
	}
	j.steps[at].verdict = v
	return c
}

// word judges the commands whose output stands in a word.
func (j *lineJudge) word(w shell.Word) shell.Word {
	if !w.Has(shell.Output) {
		return w
	}
	parts := slices.Clone(w.Parts)
	for i, p := range parts {
		if p.Kind == shell.Output {
			parts[i].Body = j.apart(p.Body)
		}
	}
	return shell.WordOf(parts...)
}
