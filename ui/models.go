package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/picker"
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
	if !m.picks(pickModel) && !m.picks(pickEffort) {
		return
	}
	if msg.err != nil && len(m.models) == 0 {
		m.picker.Fail(style.Visible(style.OneLine(session.ProblemOf(msg.err, m.now()).What)))
		return
	}
	if m.picks(pickModel) {
		m.picker.SetRows(m.modelRows())
	} else {
		m.picker.SetRows(m.effortRows())
	}
}

// openModels opens the model picker.
func (m *Model) openModels(filter string) tea.Cmd {
	p := m.openPicker(pickModel, picker.Options{Title: "Model", Heads: []string{"", "context window", "efforts", "credits for 1M tokens"},
		Keys: "enter chooses · esc goes back", None: "no models"})
	p.SetFilter(filter)
	return m.fillOrLoad(m.modelRows())
}

// fillOrLoad fills the open picker if the models are known and asks for them otherwise.
func (m *Model) fillOrLoad(rows []picker.Row) tea.Cmd {
	if len(m.models) > 0 {
		m.picker.SetRows(rows)
		return nil
	}
	if m.opts.Catalog == nil {
		m.picker.Trouble = "This login's models cannot be listed."
		return nil
	}
	m.picker.Wait = "asking which models this login can use…"
	return m.loadCatalog()
}

func (m *Model) modelRows() []picker.Row {
	var rows []picker.Row
	now := m.settings().Model
	for _, mod := range m.models {
		name := mod.Name
		if name == "" {
			name = mod.ID
		}
		if mod.Preview {
			name += " (preview)"
		}
		rows = append(rows, picker.Row{
			ID:    mod.ID,
			Group: style.Visible(style.OneLine(mod.Vendor)),
			Cells: []string{style.Visible(style.OneLine(name)), window(mod.ContextWindow), style.Visible(strings.Join(mod.Efforts, " ")), price(mod.Price)},
			Off:   style.Visible(style.OneLine(mod.Unusable)),
			Mark:  mod.ID == now || now == "" && mod.Default,
		})
	}
	return groupRows(rows)
}

// groupRows puts rows of one group together, in the order in which the groups first appear.
func groupRows(rows []picker.Row) []picker.Row {
	var out []picker.Row
	done := map[string]bool{}
	for _, r := range rows {
		if done[r.Group] {
			continue
		}
		done[r.Group] = true
		for _, s := range rows {
			if s.Group == r.Group {
				out = append(out, s)
			}
		}
	}
	return out
}

func window(tokens int64) string {
	if tokens == 0 {
		return ""
	}
	return style.Thousands(tokens)
}

// price says what a model costs, in credits for a million tokens.
func price(p *session.Price) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%g in, %g out", p.Input, p.Output)
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

// context is how full the window is. Where nobody has said yet how large it is, as in a session that another program
// held, the model's own counts.
func (m *Model) context() session.ContextState {
	c := m.conv.Transcript().Context
	if mod := m.model(m.conv.Transcript().Settings.Model); c.Window == 0 && mod != nil {
		c.Window = mod.ContextWindow
	}
	return c
}

// model finds a model by its id, also as a runtime spells it: with dashes for dots, and perhaps with a date.
func (m *Model) model(id string) *session.Model {
	at := slices.IndexFunc(m.models, func(mod session.Model) bool { return mod.ID == id || id == "" && mod.Default })
	if at < 0 {
		at = slices.IndexFunc(m.models, func(mod session.Model) bool { return undated(dashed(mod.ID)) == undated(dashed(id)) })
	}
	if at < 0 {
		return nil
	}
	return &m.models[at]
}

func dashed(id string) string { return strings.ReplaceAll(id, ".", "-") }

// undated leaves out a date such as -20250101 at the end.
func undated(id string) string {
	if cut := len(id) - len("-20250101"); cut > 0 && strings.HasPrefix(id[cut:], "-20") {
		return id[:cut]
	}
	return id
}

// openEfforts opens the picker of the current model's reasoning efforts.
func (m *Model) openEfforts() tea.Cmd {
	m.openPicker(pickEffort, picker.Options{Title: "Reasoning effort", Right: style.Visible(style.ShortModel(m.settings().Model)),
		Keys: "enter chooses · esc goes back", None: "this model takes no effort"})
	return m.fillOrLoad(m.effortRows())
}

func (m *Model) effortRows() []picker.Row {
	mod := m.model(m.settings().Model)
	if mod == nil || len(mod.Efforts) == 0 {
		return nil
	}
	now := m.settings().Effort
	rows := []picker.Row{{ID: "", Cells: []string{"the model's own"}, Mark: now == ""}}
	for _, e := range mod.Efforts {
		rows = append(rows, picker.Row{ID: e, Cells: []string{style.Visible(style.OneLine(e))}, Mark: e == now})
	}
	return rows
}

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

// openModes opens the picker of permission modes.
func (m *Model) openModes() tea.Cmd {
	p := m.openPicker(pickMode, picker.Options{Title: "Permission mode", Keys: "enter chooses · esc goes back"})
	var rows []picker.Row
	for _, mode := range session.Modes {
		rows = append(rows, picker.Row{ID: string(mode), Cells: []string{chat.ModeName(mode), modeAbout[mode]},
			Off: m.unsupported(mode), Mark: mode == m.mode()})
	}
	p.SetRows(rows)
	return nil
}

// chooseMode makes a permission mode hold that the user named. Bypassing takes a confirmation.
func (m *Model) chooseMode(mode session.Mode) {
	if mode != session.ModeBypass || m.mode() == session.ModeBypass {
		m.setMode(mode)
		return
	}
	p := m.openPicker(pickBypass, picker.Options{Title: "Bypass permissions?", Text: chat.BypassMeans, Keys: "enter chooses · esc goes back"})
	p.SetRows([]picker.Row{{ID: "no", Cells: []string{"no, keep " + chat.ModeName(m.mode()) + " mode"}}, {ID: "yes", Cells: []string{"yes, bypass permissions"}}})
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
