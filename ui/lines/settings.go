package lines

import (
	"fmt"
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// settings are the commands for the model, the effort and the mode.
type settings struct{ talk *talk }

// check prints what is wrong with the model or the effort of the session, once it is known.
func (s *settings) check() {
	t := s.talk
	v, agent := t.session.Settings(), t.agent()
	check, ok := t.opts.Catalog.(session.SettingsChecker)
	if !ok || v.Model == "" && v.Effort == "" {
		return
	}
	t.background(func() func() {
		problem := check.SettingsProblem(t.ctx, agent, v)
		return func() {
			if problem != "" && t.session.Settings() == v {
				t.print("warning", style.OneLine(problem))
			}
		}
	})
}

// set changes the settings of the session and prints done.
func (s *settings) set(v session.Settings, done string) {
	if err := s.talk.session.Configure(v); err != nil {
		s.talk.problem(err)
		return
	}
	s.talk.a.known = v
	s.talk.print("note", done)
}

// effort sets the effort, or prints it with the levels that there are.
func (s *settings) effort(args string) {
	v := s.talk.session.Settings()
	if args == "" {
		s.printEffort(v)
		return
	}
	t := s.talk
	v.Effort = args
	if t.opts.Catalog == nil {
		s.set(v, "effort "+args)
		return
	}
	t.background(func() func() {
		models, _ := t.opts.Catalog.Models(t.ctx) // without them nothing is known to be wrong
		return func() {
			for _, m := range models {
				if m.ID != v.Model && (v.Model != "" || !m.Default) {
					continue
				}
				effort, problem := core.NamedEffort(&m, args)
				if problem != "" {
					t.print("warning", problem)
					return
				}
				v.Effort = effort
			}
			s.set(v, "effort "+v.Effort)
		}
	})
}

func (s *settings) printEffort(v session.Settings) {
	t := s.talk
	text := "effort: the model's default"
	if v.Effort != "" {
		text = "effort: " + v.Effort
	}
	if t.opts.Catalog == nil {
		t.print("note", text+". Change it with /effort LEVEL")
		return
	}
	t.background(func() func() {
		models, _ := t.opts.Catalog.Models(t.ctx) // without them the levels are left out
		return func() {
			for _, m := range models {
				if m.ID == v.Model || v.Model == "" && m.Default {
					if len(m.Efforts) == 0 {
						t.print("note", style.ShortModel(m.ID)+" has no effort levels")
						return
					}
					text += ". Levels: " + strings.Join(m.Efforts, ", ")
				}
			}
			t.print("note", text)
		}
	})
}

// mode sets the permission mode, or prints it with those that there are.
func (s *settings) mode(args string) {
	t := s.talk
	v := t.session.Settings()
	args, sure := strings.CutSuffix(args, " yes")
	if m, known := core.NamedMode(args); known {
		if why := t.opts.Manager.ModeProblem(t.session.Meta().Agent, m); why != "" {
			t.print("note", why)
			return
		}
		if m == session.ModeBypass && v.Mode != m && !sure {
			t.print("note", core.BypassMeans+" Turn it on with /mode bypassPermissions yes")
			return
		}
		v.Mode = m
		s.set(v, core.ModeName(m)+" mode")
		return
	}
	t.print("note", "mode: "+core.ModeName(v.Mode)+". Modes: default, acceptEdits, plan, bypassPermissions")
}

// model sets the model by its name or number, or lists the models.
func (s *settings) model(args string) {
	t := s.talk
	if t.opts.Catalog == nil {
		t.print("note", "can't list the models")
		return
	}
	t.background(func() func() {
		models, err := t.opts.Catalog.Models(t.ctx)
		return func() {
			if err != nil {
				t.problem(err)
				return
			}
			s.gotModels(models, args)
		}
	})
}

func (s *settings) gotModels(models []session.Model, args string) {
	v, n := s.talk.session.Settings(), 0
	chosen := core.NamedModel(models, args)
	for i, m := range models {
		if m.Unusable != "" {
			continue
		}
		n++
		if args == "" {
			text := m.ID
			if m.ID == v.Model || v.Model == "" && m.Default {
				text += ", in use"
			}
			s.talk.print(fmt.Sprintf("model %d", n), text)
		} else if strconv.Itoa(n) == args {
			chosen = &models[i]
		}
	}
	switch {
	case args == "":
		s.talk.print("note", "Choose one with /model NAME or /model NUMBER")
	case chosen == nil:
		s.talk.print("note", `No model matches "`+args+`". List them with /model`)
	case chosen.Unusable != "":
		s.talk.print("warning", style.OneLine(chosen.ID+": "+chosen.Unusable))
	default:
		s.set(core.WithModel(v, chosen.ID, models), "model "+style.ShortModel(chosen.ID))
	}
}
