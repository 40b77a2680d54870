package extensions

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// RunSkills lists the skills and commands of a session's directory. lister is nil where the agent reads its own.
func RunSkills(look *style.Look, lister session.SkillLister) panel.Effect {
	if lister == nil {
		return panel.Notice{Text: "This agent finds its skills itself; type / to see what you can use"}
	}
	l := &skillList{look: look, lister: lister, loading: true}
	return panel.Push{Panel: list.Open(look, l, ""), Start: l.find(), Of: "skills"}
}

// skillList lists skills and commands.
type skillList struct {
	look    *style.Look
	lister  session.SkillLister
	all     []session.Skill
	loading bool
	editing string // the file that is open in the user's editor
}

// origins says of the places of skills whose they are.
var origins = map[session.CustomOrigin]string{session.CustomUser: "yours", session.CustomRepository: "this project's", session.CustomPlugin: "of plugins"}

// Options returns the texts of the list.
func (l *skillList) Options() list.Options {
	o := list.Options{Title: "Skills and commands", One: "skill", Heads: []string{"", "state", "tokens", ""}, Gives: []int{1, 2},
		Keys: "enter use · ctrl+x edit the file · esc back", Peeks: true, Drops: true, Stays: true, Prose: 3,
		None: "No skills or commands yet"}
	if l.loading {
		o.Wait = "Reading skills…"
	} else if len(l.all) == 0 {
		o.Text = "Put one into .claude/skills/NAME/SKILL.md or .claude/commands/NAME.md, here or in your home directory."
	}
	return o
}

// Rows returns a row for each skill.
func (l *skillList) Rows() (rows []list.Row) {
	for i, s := range l.all {
		name, state, say := s.Name, "on", s.About
		switch {
		case s.Why != "":
			state, say = "off", s.Why
		case !s.Typed:
			state = "model only"
		case !s.Offered:
			state = "you only"
		}
		if s.Typed {
			name = "/" + name
		}
		about := []string{style.VisibleLine(s.About)}
		if s.Hint != "" {
			about = append(about, "Takes: "+style.VisibleLine(s.Hint))
		}
		for _, note := range append([]string{s.Why}, s.Notes...) {
			if note != "" {
				about = append(about, style.VisibleLine(strings.ToUpper(note[:1])+note[1:])+".")
			}
		}
		tokens := ""
		if s.Why == "" {
			tokens = human.Tokens(int64(s.Tokens))
		}
		rows = append(rows, list.Row{ID: fmt.Sprint(i), Group: origins[s.Origin], Cells: []string{style.VisibleLine(name), state, tokens, style.VisibleLine(say)},
			About: append(about, "File: "+style.VisibleLine(style.ShortPath(s.Path, l.look.Home)))})
	}
	return rows
}

// skillsMsg carries the skills.
type skillsMsg struct{ all []session.Skill }

// find returns the command that reads the skills.
func (l *skillList) find() panel.Cmd {
	lister := l.lister
	return func(ctx context.Context) tea.Msg { return skillsMsg{lister.Skills(ctx)} }
}

// Update takes the skills.
func (l *skillList) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case skillsMsg:
		l.all, l.loading = msg.all, false
		p.Set(l)
		return nil, nil
	case panel.Edited:
		if msg.Err != nil {
			return panel.Notice{Text: "Couldn't edit " + style.ShortPath(l.editing, l.look.Home) + ": " + msg.Err.Error(), Warn: true}, nil
		}
		return panel.Notice{Text: "Skills are read again with the next prompt"}, l.find()
	}
	return panel.Pass{}, nil
}

// Choose writes the name of a skill into the field, for its arguments.
func (l *skillList) Choose(id string) panel.Effect {
	s, ok := l.skill(id)
	switch {
	case !ok:
		return nil
	case s.Why != "":
		return panel.Notice{Text: style.VisibleLine(s.Name + " is off: " + s.Why), Warn: true}
	case !s.Typed:
		return panel.Notice{Text: style.VisibleLine("Only the model uses " + s.Name + "; ask for what it does")}
	}
	return panel.All{panel.Pop{}, panel.Write{Text: "/" + s.Name + " "}}
}

// Do opens the file of a skill.
func (l *skillList) Do(a list.Action) panel.Effect {
	if dropped, is := a.(list.Dropped); is {
		if s, ok := l.skill(dropped.Row.ID); ok {
			l.editing = s.Path
			return panel.EditFile{Path: s.Path}
		}
	}
	return nil
}

// skill returns the skill of a row.
func (l *skillList) skill(id string) (session.Skill, bool) {
	for i, s := range l.all {
		if fmt.Sprint(i) == id {
			return s, true
		}
	}
	return session.Skill{}, false
}
