package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/style"
)

// catalogMsg brings what this login can use.
type catalogMsg struct {
	models  []session.Model
	account session.Account
	err     error

	looked  session.Settings // what was looked at
	problem string           // and what is wrong with it
}

// loadCatalog asks for models and account, in the background.
func (m *Model) loadCatalog() tea.Cmd {
	c := m.opts.Catalog
	if c == nil {
		return nil
	}
	agent, v := m.agent(), m.settings()
	return func() tea.Msg {
		models, err := c.Models(m.work.ctx)
		problem := ""
		if check, ok := c.(session.SettingsChecker); ok && err == nil {
			problem = check.SettingsProblem(m.work.ctx, agent, v)
		}
		account, err2 := c.Account(m.work.ctx)
		if err == nil {
			err = err2
		}
		return catalogMsg{models, account, err, v, problem}
	}
}

// gotCatalog takes in what the login can use.
func (m *Model) gotCatalog(msg catalogMsg) {
	if len(msg.models) > 0 {
		m.models = msg.models
	}
	if msg.problem != "" && msg.looked == m.settings() {
		m.notices.Warn(msg.problem)
	}
	if msg.account.Login != "" || len(msg.account.Quotas) > 0 {
		m.account = msg.account
	}
	if session.KindOf(msg.err) == session.KindAuth && !m.badLogin { // known before the first prompt is written
		m.badLogin = true
		m.notices.Problem(msg.err)
	}
	if !shows[lists.Models](m.list) && !shows[lists.Efforts](m.list) {
		return
	}
	if msg.err != nil && len(m.models) == 0 {
		m.list.Fail(style.Visible(style.OneLine(session.ProblemOf(msg.err, m.look.Now()).What)))
		return
	}
	m.refresh(m.modelList())
	m.refresh(m.effortList())
}

// modelList returns the list of models.
func (m *Model) modelList() lists.Models {
	l := lists.Models{All: m.models, Now: m.settings().Model}
	l.Wait, l.Trouble = m.noModels()
	return l
}

// effortList returns the list of the current model's reasoning efforts.
func (m *Model) effortList() lists.Efforts {
	s := m.settings()
	l := lists.Efforts{Model: m.model(s.Model), ID: s.Model, Now: s.Effort}
	l.Wait, l.Trouble = m.noModels()
	return l
}

// noModels returns what is shown instead of the models while there are none: what is waited for, or what is wrong.
func (m *Model) noModels() (wait, trouble string) {
	switch {
	case len(m.models) > 0:
		return "", ""
	case m.opts.Catalog == nil:
		return "", "This login's models cannot be listed."
	}
	return "asking which models this login can use…", ""
}

// openModels opens a list of models or efforts, and loads the models if there are none yet.
func (m *Model) openModels(l lists.List, filter string) tea.Cmd {
	m.open(l, filter)
	if len(m.models) > 0 {
		return nil
	}
	return m.loadCatalog()
}

// chooseModel makes the next request use a model, with an effort it knows.
func (m *Model) chooseModel(id string) tea.Cmd {
	s := m.settings()
	s.Model = id
	if mod := m.model(id); mod != nil && !slices.Contains(mod.Efforts, s.Effort) {
		s.Effort = ""
	}
	m.configure(s, style.ShortModel(id)+" from the next request on")
	return nil
}

// model finds a model by its id, nil if it is not known.
func (m *Model) model(id string) *session.Model { return chat.FindModel(m.models, id) }

func (m *Model) chooseEffort(e string) tea.Cmd {
	s := m.settings()
	s.Effort = e
	name := e
	if name == "" {
		name = "the model's own"
	}
	m.configure(s, "effort "+name+" from the next request on")
	return nil
}

// openModes opens the list of permission modes.
func (m *Model) openModes() tea.Cmd {
	m.open(lists.Modes{Now: m.mode(), Problem: m.unsupported}, "")
	return nil
}

// chooseMode changes the permission mode to one that the user named. Bypassing takes a confirmation.
func (m *Model) chooseMode(mode session.Mode, confirmed bool) {
	if mode != session.ModeBypass || m.mode() == session.ModeBypass || confirmed {
		m.setMode(mode)
		return
	}
	m.open(lists.Bypass{Now: m.mode()}, "")
}

// setMode makes a permission mode hold.
func (m *Model) setMode(mode session.Mode) {
	s := m.settings()
	s.Mode = mode
	m.configure(s, chat.ModeName(mode)+" mode")
}

// walkedModes are the modes that a key walks through.
var walkedModes = []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan}

// nextMode walks to the next permission mode that the agent knows, but never to one in which nothing is asked.
func (m *Model) nextMode() {
	at := slices.Index(walkedModes, m.mode())
	skipped := ""
	for i := 1; i <= len(walkedModes); i++ {
		next := walkedModes[(at+i)%len(walkedModes)]
		if next == m.mode() {
			continue
		}
		if why := m.unsupported(next); why != "" {
			skipped += " · no " + chat.ModeName(next) + " mode: " + why
			continue
		}
		s := m.settings()
		s.Mode = next
		if err := m.session.Configure(s); session.KindOf(err) == session.KindUnsupported {
			skipped += " · no " + chat.ModeName(next) + " mode"
			continue
		}
		if skipped == "" {
			m.confirm(chat.ModeName(next) + " mode")
			return
		}
		m.notices.Info(chat.ModeName(next) + " mode" + skipped)
		return
	}
	if skipped != "" {
		m.notices.Info("there is no other mode" + skipped)
	}
}

// unsupported says why the session's agent cannot work in a mode, "" if it can.
func (m *Model) unsupported(mode session.Mode) string {
	return style.Visible(style.OneLine(m.opts.Manager.ModeProblem(m.agent(), mode)))
}

// quotas returns what is left of the plan, from the newest source.
func (m *Model) quotas() []session.Quota { return m.opts.Quotas(m.conv.Transcript(), m.account) }
