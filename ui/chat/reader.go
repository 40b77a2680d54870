package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/list"
	questions "parley/ui/question/view"

	"parley/ui/codeblocks"
	"parley/ui/panel"
	"parley/ui/status"
	"parley/ui/transcript"
)

// reader stands between the conversation and the rest of the screen: keys, the mouse, copying.
type reader struct {
	*parts

	run     func(command string)
	current *current
	asks    *questions.Asks

	inl   *transcript.Scrollback
	tasks status.Tasks
}

// converse updates the conversation. handled is false for a key or a paste that is not for it.
func (r *reader) converse(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	took := r.conv.TakesKeys()
	action, cmd := r.conv.Update(msg)
	return r.follow(took, action, cmd)
}

// follow carries out an action of the conversation. took reports whether it took the keys before.
func (r *reader) follow(took bool, action transcript.Action, cmd tea.Cmd) (_ tea.Cmd, handled bool) {
	if r.conv.Changed() {
		r.screen.touch()
	}
	if r.conv.TakesKeys() != took {
		cmd = tea.Batch(cmd, r.asks.Reset())
	}
	r.carryOut(action)
	_, passed := action.(transcript.Passed)
	return cmd, !passed
}

// carryOut does what an action of the conversation stands for.
func (r *reader) carryOut(action transcript.Action) {
	switch a := action.(type) {
	case transcript.Copy:
		r.do(panel.Copy{What: a.What, Text: a.Text})
	case transcript.PickCode:
		r.do(panel.Push{Panel: list.Open(r.look, codeblocks.List{Blocks: a.Blocks}, "")})
	case transcript.Say:
		r.notices.Info(a.Text)
	case transcript.Mouse:
		r.setMouse(a.On)
	case transcript.Run:
		if !a.Bound.Empty || r.input.Empty() {
			r.runHere(a.Bound)
		}
	}
}

// readKey handles the keys for reading: find, select, copy, jump. done is false for all others.
func (r *reader) readKey(k tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	if r.look.TooSmall() && !r.conv.TakesKeys() && r.keys.Acts[k.String()].Act == keymap.Select {
		return nil, true // there is no room for the status line
	}
	return r.converse(k)
}

// viewKey handles a key while a child agent is shown.
func (r *reader) viewKey(s string) tea.Cmd {
	cmd, _ := r.follow(r.conv.TakesKeys(), r.conv.ChildKey(s), nil)
	return cmd
}

// scrollAct does what the keys do that scroll and fold, and reports whether an action is one of them.
func (r *reader) scrollAct(a keymap.Action) bool {
	switch {
	case a == keymap.Fold && r.inlineHere():
		if !r.inl.ShowFolded() {
			r.notices.Info("Nothing more is folded")
		}
		r.screen.touch()
		return true
	case a == keymap.Tasks:
		r.tasks.Toggle()
		return true
	}
	_, done := r.follow(r.conv.TakesKeys(), r.conv.Act(a), nil)
	return done
}

// runHere carries out actions that keys also have while the conversation takes them.
func (r *reader) runHere(b keymap.Bound) {
	switch b.Act {
	case keymap.Stop:
		r.current.interrupt()
	case keymap.RunCommand:
		r.run(b.Command)
	case keymap.Tasks:
		r.tasks.Toggle()
	case keymap.Times:
		r.look.Times = !r.look.Times
		r.tell(panel.Restyled{})
		r.notices.Info(map[bool]string{true: "Times shown", false: "Times hidden"}[r.look.Times])
	case keymap.Split:
		r.notices.Info(r.look.SwitchSplit())
		r.tell(panel.Restyled{})
	}
}

// find opens the search.
func (r *reader) find() tea.Cmd {
	took := r.conv.TakesKeys()
	action, cmd := r.conv.Find()
	cmd, _ = r.follow(took, action, cmd)
	return cmd
}

// findAgain searches the last query again, forward for 1 and back for -1.
func (r *reader) findAgain(dir int) tea.Cmd {
	took := r.conv.TakesKeys()
	action, cmd := r.conv.FindAgain(dir)
	cmd, _ = r.follow(took, action, cmd)
	return cmd
}

// inlineHere reports whether the conversation on the screen is the terminal's, and cannot be scrolled or drawn over.
func (r *reader) inlineHere() bool { return r.opts.Appearance.Inline && !r.conv.Viewing() }

// setMouse takes the mouse from the terminal or returns it.
func (r *reader) setMouse(on bool) {
	r.do(panel.Mouse{On: on})
	if on {
		r.notices.Info("Mouse on: click, drag and scroll in parley")
		return
	}
	r.notices.Info("Mouse off: the terminal has it. " + r.keys.Key(keymap.Mouse) + " takes it back")
}

// readCursor returns the cell of the cursor for reading, -1 if the cursor is where something is written.
func (r *reader) readCursor() (x, y int) {
	if !r.conv.TakesKeys() {
		return -1, -1
	}
	if _, x, ok := r.conv.FindBar(r.look.Width); ok && x >= 0 {
		return x, r.screen.statusTop
	}
	if x, y, ok := r.conv.Cursor(); ok {
		return x, r.screen.bodyTop + y
	}
	return 0, r.screen.statusTop
}

// viewKeys returns the row in the place of the field while a child agent is shown.
func (r *reader) viewKeys(w int) string {
	keys := "esc back · " + r.look.Fold() + " open rows · " + r.keys.Key(keymap.Open) + " open a subagent"
	if w < 70 {
		keys = "esc back · " + r.look.Fold() + " open rows"
	}
	return "  " + r.look.Theme.Dim.Of(r.look.Measure.Clip(keys, w-4))
}

// lastRows returns at most n rows of the end of the conversation.
func (r *reader) lastRows(n int) []string {
	if n <= 0 {
		return nil
	}
	if r.inlineHere() {
		return r.inl.Live(n)
	}
	r.conv.SetSize(n)
	return r.conv.PlainRows()
}
