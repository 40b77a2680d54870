package chat

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"

	"parley/ui/models"
	"parley/ui/panel"
	"parley/ui/style"
)

// choices changes what the next request uses: the model, its effort, the permission mode.
type choices struct {
	*parts

	current *current

	models   []session.Model
	account  session.Account
	trouble  string // why the models cannot be listed
	badLogin bool   // it was reported that the service refuses the login
	answered bool   // the catalog has answered, so that its last answer tells whether the login can be used
	refused  bool   // that was that it cannot
	offline  bool   // it was reported that the service cannot be reached
}

// known returns what is known of the models.
func (ch *choices) known() models.Known {
	k := models.Known{Look: ch.look, Terms: core.TermsOf(ch.opts.Catalog), All: ch.models, Now: ch.current.settings(), ByTokens: ch.byTokens(), Lasts: ch.opts.Settings != nil}
	k.Wait, k.Trouble = ch.noModels()
	return k
}

// byTokens reports whether the plan bills by tokens.
func (ch *choices) byTokens() bool { return core.ByTokens(ch.quotas(), ch.models) }

// noModels returns what is shown instead of the models while there are none: what is waited for, or what is wrong.
func (ch *choices) noModels() (wait, trouble string) {
	switch {
	case len(ch.models) > 0:
		return "", ""
	case ch.opts.Catalog == nil:
		return "", "This login's models cannot be listed."
	case ch.trouble != "":
		return "", ch.trouble
	}
	return "asking which models this login can use…", ""
}

// chooseModel sets the model, and drops an effort that it does not have.
func (ch *choices) chooseModel(id string) {
	s := core.WithModel(ch.current.settings(), id, ch.models)
	ch.configure(s, "Switched to "+core.ModelWords(id, s.Effort))
}

// accepted notes that the user has agreed to the terms of a model.
func (ch *choices) accepted(id string) {
	ch.models = core.AcceptedModel(ch.models, id)
	ch.tell(list.Fresh{Source: ch.known().Models()})
}

// use sets a model with an effort.
func (ch *choices) use(e panel.UseModel) {
	s := ch.current.settings()
	s.Model, s.Effort = e.ID, e.Effort
	ch.configure(s, "Switched to "+core.ModelWords(e.ID, e.Effort))
	if e.Lasting {
		ch.do(models.SaveDefault(ch.opts.Settings, e.ID, e.Effort))
	}
}

// chooseEffort sets the reasoning effort; "" is the model's own.
func (ch *choices) chooseEffort(e string) {
	s := ch.current.settings()
	s.Effort = e
	name := e
	if name == "" {
		name = "model default"
	}
	ch.configure(s, "Switched to "+name+" effort")
}

// chooseMode sets a permission mode that the user named, and asks before one that bypasses permissions.
func (ch *choices) chooseMode(mode session.Mode, confirmed bool) {
	if mode != session.ModeBypass || ch.current.mode() == session.ModeBypass || confirmed {
		ch.setMode(mode)
		return
	}
	ch.do(panel.Push{Panel: list.Open(ch.look, models.Bypass{Now: ch.current.mode()}, "")})
}

// custom lets a custom agent lead the session, with the model that it asks for; one without a name means none.
func (ch *choices) custom(a session.CustomAgent) {
	s := core.WithCustom(ch.current.settings(), a, ch.models)
	done := "Switched to the default agent"
	if a.Name != "" {
		done = "Switched to " + a.Name
	}
	ch.configure(s, done)
}

// setMode sets a permission mode.
func (ch *choices) setMode(mode session.Mode) {
	s := ch.current.settings()
	s.Mode = mode
	ch.configure(s, core.ModeName(mode)+" mode")
}

// cycledModes are the modes that the key steps through.
var cycledModes = []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan}

// nextMode sets the next permission mode that the agent supports, but never one that bypasses permissions.
func (ch *choices) nextMode() {
	at := slices.Index(cycledModes, ch.current.mode())
	skipped := ""
	for i := 1; i <= len(cycledModes); i++ {
		next := cycledModes[(at+i)%len(cycledModes)]
		if next == ch.current.mode() {
			continue
		}
		if why := ch.current.unsupported(next); why != "" {
			skipped += " · no " + core.ModeName(next) + " mode: " + why
			continue
		}
		s := ch.current.settings()
		s.Mode = next
		if err := ch.current.session.Configure(s); session.KindOf(err) == session.KindUnsupported {
			skipped += " · no " + core.ModeName(next) + " mode"
			continue
		}
		if skipped == "" {
			ch.confirm(style.Capital(core.ModeName(next)) + " mode")
			return
		}
		ch.notices.Info(style.Capital(core.ModeName(next)) + " mode" + skipped)
		return
	}
	if skipped != "" {
		ch.notices.Info("There is no other mode" + skipped)
	}
}

// configure changes the settings and reports done, or why they cannot change.
func (ch *choices) configure(s session.Settings, done string) {
	if err := ch.current.session.Configure(s); err != nil {
		ch.notices.Problem(err)
		return
	}
	ch.confirm(done)
}

// confirm reports a choice. A conversation records it in a row; before the first turn the notice is recorded instead.
func (ch *choices) confirm(text string) {
	if len(ch.conv.Transcript().Turns) == 0 {
		ch.notices.Info(text)
		return
	}
	ch.notices.Flash(text)
}

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
	ch.answered, ch.refused = true, core.BadLogin(msg.err)
	if session.KindOf(msg.err) == session.KindAuth && !ch.badLogin { // before the first prompt is written
		ch.badLogin = true
		ch.notices.Problem(msg.err)
	}
	if session.KindOf(msg.err) == session.KindNetwork && !ch.offline {
		ch.offline = true
		ch.notices.Warn("No connection to GitHub: prompts fail until it is back")
	}
	if ch.trouble = ""; msg.err != nil {
		ch.trouble = style.Visible(style.OneLine(session.ProblemOf(msg.err, ch.look.Now()).What))
	}
	ch.tell(list.Fresh{Source: ch.known().Models()})
	ch.tell(list.Fresh{Source: ch.known().Efforts()})
}

// model finds a model by its id, nil if it is not known.
func (ch *choices) model(id string) *session.Model { return session.FindModel(ch.models, id) }

// quotas returns what is left of the plan, from the newest source.
func (ch *choices) quotas() []session.Quota { return ch.opts.Quotas(ch.conv.Transcript(), ch.account) }

// usage returns what the session cost and what is left.
func (ch *choices) usage() [][2]string {
	return core.UsageLines(ch.conv.Transcript(), ch.quotas(), ch.models, ch.look.Now())
}
