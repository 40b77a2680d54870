package chat

import (
	"cmp"

	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/status"
	"parley/ui/style"
)

// header gathers what the first row shows.
func (v *view) header() status.Header {
	s, meta := v.current.settings(), v.current.meta()
	h := status.Header{Title: meta.Title, Agent: core.AgentTitle(v.current.agent()), Version: v.current.version, Model: cmp.Or(s.Model, meta.Model), Effort: s.Effort,
		Branch: cmp.Or(meta.Branch, v.opts.Branch), Demo: v.opts.Demo, Dir: style.Place(v.current.dir(), v.look.Home), Context: core.ContextOf(v.conv.Transcript(), v.choices.models),
		Quota: core.QuotaLeft(v.choices.quotas()), Spent: core.Credits(v.conv.Transcript().NanoAIU), Changed: v.unaccepted()}
	if s.Custom != "" {
		h.Agent += " as " + session.CustomName(s.Custom)
	}
	if r := v.conv.Transcript().Remote; r != nil {
		h.Remote = r
		if r.Repository != "" { // the work is not in the directory
			h.Dir, h.Branch = r.Repository, r.Branch
		}
	}
	if h.Remote != nil || session.Foreign(v.current.agent()) { // the service or the other program chooses its models
		h.Model, h.Effort = meta.Model, ""
	} else if mod := v.choices.model(""); h.Model == "" && mod != nil {
		h.Model = mod.ID
	}
	return h
}

// statusLine gathers what the row above the composer shows in w columns.
func (v *view) statusLine(w int) *status.Line {
	b := &status.Line{Bottom: v.keys.Hint(keymap.Bottom), Notice: v.notices.Text(), Warns: v.notices.Warns(), Spinner: v.spin.Cell(v.look.Ascii),
		Run: v.run(), Busy: v.sessions.busy, Install: v.install.Progress()}
	b.Holder, b.Elsewhere = v.current.elsewhere()
	b.Find, _, _ = v.conv.FindBar(w)
	b.Copy, _ = v.conv.CopyBar(w - 4)
	b.More, b.Fresh = v.conv.Below()
	return b
}

// run describes the turn that runs, nil for none.
func (v *view) run() *status.Run {
	turn := v.conv.Running()
	if turn == nil {
		return nil
	}
	t := v.conv.Transcript()
	r := &status.Run{Turn: turn, State: t.Runtime, Asks: len(t.Asks), Working: v.conv.Session().Working(v.look.Now(), v.look.Width, v.rowAway()), Heard: v.current.heard,
		Runtime: style.Visible(style.OneLine(v.conv.Session().Runtime())), Agent: core.AgentTitle(v.current.agent()), Version: v.current.version,
		Stopping: v.current.stopping, Shown: v.asks.Shown() && v.asks.Ask.Question().Ask != nil, Elsewhere: core.RemotePage(t.Remote) != "", Escapes: v.asks.Ask.Escapes()}
	if len(t.Asks) > 0 {
		r.Asker = r.Agent
		if c := t.FindChild(t.Asks[0].Head.Child); c != nil && c.Name != "" {
			r.Asker = style.Visible(style.OneLine(c.Name))
		}
	}
	return r
}

// rowAway reports whether the row of what runs may be off the screen.
func (v *view) rowAway() bool {
	more, fresh := v.conv.Below()
	return more || fresh > 0 || v.conv.Viewing()
}

// footless reports whether the last row is left out: the question above the field names the keys, and nothing else is to be said.
func (v *view) footless() bool {
	if !v.asks.Ask.Open() || v.asks.Ask.Question().Summoned || v.conv.Viewing() || v.reader.inlineHere() {
		return false
	}
	mode := v.current.settings().Mode
	return (mode == session.ModeDefault || mode == "") && v.conv.Session().Background() == 0 && v.input.VimMode() == "" &&
		v.input.WantList() == 0 && !v.input.Begins("!")
}

// footer returns the last row in w columns.
func (v *view) footer(w int) string {
	f := status.Footer{Mode: v.current.settings().Mode, ModeHint: v.keys.Hint(keymap.Mode), Vim: v.input.VimMode(), Background: v.conv.Session().Background(),
		Newline: v.keys.Newline(v.screen.kitty), Help: v.keys.Help()}
	if v.input.Begins("!") && !v.input.Begins("!!") && v.shell.Available() {
		f.Shell = v.keys.Key(keymap.Send)
	}
	f.List = !v.input.Searching() && v.input.WantList() > 0
	if v.reader.inlineHere() {
		h := v.header()
		f.Header = &h
	}
	row := f.Row(v.look, w)
	v.screen.backgroundFrom, v.screen.backgroundTo = f.BackgroundAt(v.look, w, row)
	return row
}

// pending returns at most limit rows of the prompts that wait to be sent.
func (v *view) pending(limit int) []string {
	q := status.Queue{Prompts: v.conv.Transcript().Queue, Held: v.current.held(), Reclaim: v.input.Empty(), Asked: v.asks.Ask.HasKeyboard(), Steered: v.current.steered()}
	return q.Rows(v.look, v.look.Width, limit)
}

// fieldRows returns at most limit rows of the field, and the cell of the cursor.
func (v *view) fieldRows(limit int) (rows []string, cx, cy int) {
	v.input.Suggest(v.suggestion())
	return v.input.Rows(v.look.Width, limit)
}

// suggestion returns the hint in an empty field: below the first question, and before the first prompt of a conversation.
func (v *view) suggestion() string {
	if v.asks.Ask.Open() && v.asks.Ask.Question().Explain {
		return v.asks.Ask.Question().Explanation(v.look.Width)
	}
	if len(v.conv.Transcript().Turns) > 0 || v.current.opening != nil || v.look.Width < 40 || v.shell.Running() {
		return ""
	}
	hint := "/ commands · @ files"
	if v.shell.Available() {
		hint += " · ! your shell"
	}
	return hint
}
