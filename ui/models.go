package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/style"
	"parley/ui/transcript"
)

// choices are what the next request uses, as far as the user chooses it: model, effort, permission mode.
type choices struct {
	opts    *Options
	work    background
	look    *style.Look
	conv    *transcript.Model
	notices *notice.Model
	screen  *screen
	covers  *covers
	current *current

	models   []session.Model
	account  session.Account
	badLogin bool // it was reported that the service refuses the login
}

// catalogMsg brings what this login can use.
type catalogMsg struct {
	models  []session.Model
	account session.Account
	err     error

	looked  session.Settings // what was looked at
	problem string           // and what is wrong with it
}

// loadCatalog asks for models and account, in the background.
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

// gotCatalog takes in what the login can use.
func (ch *choices) gotCatalog(msg catalogMsg) {
	if len(msg.models) > 0 {
		ch.models = msg.models
	}
	if msg.problem != "" && msg.looked == ch.current.settings() {
		ch.notices.Warn(msg.problem)
	}
	if msg.account.Login != "" || len(msg.account.Quotas) > 0 {
		ch.account = msg.account
	}
	if session.KindOf(msg.err) == session.KindAuth && !ch.badLogin { // known before the first prompt is written
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

// modelList returns the list of models.
func (ch *choices) modelList() lists.Models {
	l := lists.Models{All: ch.models, Now: ch.current.settings().Model}
	l.Wait, l.Trouble = ch.noModels()
	return l
}

// effortList returns the list of the current model's reasoning efforts.
func (ch *choices) effortList() lists.Efforts {
	s := ch.current.settings()
	l := lists.Efforts{Model: ch.model(s.Model), ID: s.Model, Now: s.Effort}
	l.Wait, l.Trouble = ch.noModels()
	return l
}

// noModels returns what is shown instead of the models while there are none: what is waited for, or what is wrong.
func (ch *choices) noModels() (wait, trouble string) {
	switch {
	case len(ch.models) > 0:
		return "", ""
	case ch.opts.Catalog == nil:
		return "", "This login's models cannot be listed."
	}
	return "asking which models this login can use…", ""
}

// openModels opens a list of models or efforts, and loads the models if there are none yet.
func (ch *choices) openModels(l lists.List, filter string) tea.Cmd {
	ch.covers.open(l, filter)
	if len(ch.models) > 0 {
		return nil
	}
	return ch.loadCatalog()
}

// chooseModel makes the next request use a model, with an effort it knows.
func (ch *choices) chooseModel(id string) tea.Cmd {
	s := ch.current.settings()
	s.Model = id
	if mod := ch.model(id); mod != nil && !slices.Contains(mod.Efforts, s.Effort) {
		s.Effort = ""
	}
	ch.configure(s, style.ShortModel(id)+" from the next request on")
	return nil
}

// model finds a model by its id, nil if it is not known.
func (ch *choices) model(id string) *session.Model { return chat.FindModel(ch.models, id) }

func (ch *choices) chooseEffort(e string) tea.Cmd {
	s := ch.current.settings()
	s.Effort = e
	name := e
	if name == "" {
		name = "the model's own"
	}
	ch.configure(s, "effort "+name+" from the next request on")
	return nil
}

// openModes opens the list of permission modes.
func (ch *choices) openModes() tea.Cmd {
	ch.covers.open(lists.Modes{Now: ch.current.mode(), Problem: ch.current.unsupported}, "")
	return nil
}

// chooseMode changes the permission mode to one that the user named. Bypassing takes a confirmation.
func (ch *choices) chooseMode(mode session.Mode, confirmed bool) {
	if mode != session.ModeBypass || ch.current.mode() == session.ModeBypass || confirmed {
		ch.setMode(mode)
		return
	}
	ch.covers.open(lists.Bypass{Now: ch.current.mode()}, "")
}

// setMode makes a permission mode hold.
func (ch *choices) setMode(mode session.Mode) {
	s := ch.current.settings()
	s.Mode = mode
	ch.configure(s, chat.ModeName(mode)+" mode")
}

// walkedModes are the modes that a key walks through.
var walkedModes = []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan}

// nextMode walks to the next permission mode that the agent knows, but never to one in which nothing is asked.
func (ch *choices) nextMode() {
	at := slices.Index(walkedModes, ch.current.mode())
	skipped := ""
	for i := 1; i <= len(walkedModes); i++ {
		next := walkedModes[(at+i)%len(walkedModes)]
		if next == ch.current.mode() {
			continue
		}
		if why := ch.current.unsupported(next); why != "" {
			skipped += " · no " + chat.ModeName(next) + " mode: " + why
			continue
		}
		s := ch.current.settings()
		s.Mode = next
		if err := ch.current.session.Configure(s); session.KindOf(err) == session.KindUnsupported {
			skipped += " · no " + chat.ModeName(next) + " mode"
			continue
		}
		if skipped == "" {
			ch.confirm(chat.ModeName(next) + " mode")
			return
		}
		ch.notices.Info(chat.ModeName(next) + " mode" + skipped)
		return
	}
	if skipped != "" {
		ch.notices.Info("there is no other mode" + skipped)
	}
}

// unsupported says why the session's agent cannot work in a mode, "" if it can.
func (cur *current) unsupported(mode session.Mode) string {
	return style.Visible(style.OneLine(cur.opts.Manager.ModeProblem(cur.agent(), mode)))
}

// quotas returns what is left of the plan, from the newest source.
func (ch *choices) quotas() []session.Quota { return ch.opts.Quotas(ch.conv.Transcript(), ch.account) }
