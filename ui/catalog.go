package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/style"
)

// catalogMsg carries what this login can use.
type catalogMsg struct {
	models  []session.Model
	account session.Account
	err     error

	checked session.Settings // the settings at the request
	problem string           // with them
}

// loadCatalog loads models and account, in the background.
func (ch *choices) loadCatalog() tea.Cmd {
	c := ch.opts.Catalog
	if c == nil {
		return nil
	}
	agent, v := ch.current.agent(), ch.current.settings()
	return func() tea.Msg {
		models, err := c.Models(ch.work.ctx)
		problem := ""
		if check, ok := c.(session.SettingsChecker); ok && err == nil {
			problem = check.SettingsProblem(ch.work.ctx, agent, v)
		}
		account, err2 := c.Account(ch.work.ctx)
		if err == nil {
			err = err2
		}
		return catalogMsg{models, account, err, v, problem}
	}
}

// gotCatalog stores what the login can use, and reports what is wrong with it.
func (ch *choices) gotCatalog(msg catalogMsg) {
	if len(msg.models) > 0 {
		ch.models = msg.models
	}
	if msg.problem != "" && msg.checked == ch.current.settings() {
		ch.notices.Warn(msg.problem)
	}
	if msg.account.Login != "" || len(msg.account.Quotas) > 0 {
		ch.account = msg.account
	}
	if session.KindOf(msg.err) == session.KindAuth && !ch.badLogin { // before the first prompt is written
		ch.badLogin = true
		ch.notices.Problem(msg.err)
	}
	if !shows[lists.Models](ch.covers.list) && !shows[lists.Efforts](ch.covers.list) {
		return
	}
	if msg.err != nil && len(ch.models) == 0 {
		ch.covers.list.Fail(style.Visible(style.OneLine(session.ProblemOf(msg.err, ch.look.Now()).What)))
		return
	}
	ch.covers.refresh(ch.modelList())
	ch.covers.refresh(ch.effortList())
}

// model finds a model by its id, nil if it is not known.
func (ch *choices) model(id string) *session.Model { return session.FindModel(ch.models, id) }

// quotas returns what is left of the plan, from the newest source.
func (ch *choices) quotas() []session.Quota { return ch.opts.Quotas(ch.conv.Transcript(), ch.account) }

// openUsage opens the list of what the session cost and what is left.
func (ch *choices) openUsage() tea.Cmd {
	ch.covers.open(lists.Usage{Lines: chat.UsageLines(ch.conv.Transcript(), ch.quotas(), ch.look.Now()), Measure: ch.look.Measure, Width: ch.screen.width - 8}, "")
	return nil
}
