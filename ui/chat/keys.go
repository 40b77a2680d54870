package chat

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/ui/background"
	"parley/ui/features"
	"parley/ui/keymap"
	"parley/ui/panel"
)

// twice is the time within which a key has to be pressed again to count as twice.
const twice = 2 * time.Second

// warning is the time for which a warning of what leaving stops counts: a command has to be written again.
const warning = 10 * time.Second

// taps are the keys that do more when they are pressed twice: ctrl+c leaves, escape clears what is written. warned is when
// the user was told what leaving stops.
type taps struct {
	leave, clear tap
	warned       time.Time
}

// tap is the time at which a key was pressed first, zero for never.
type tap struct{ at time.Time }

// again records a press, and reports whether it is the second one in time.
func (t *tap) again(now time.Time) bool {
	if !t.at.IsZero() && now.Sub(t.at) < twice {
		t.at = time.Time{}
		return true
	}
	t.at = now
	return false
}

// disarm forgets a first press when another key comes: its notice is gone from the screen.
func (t *taps) disarm(by keymap.Action) {
	if by != keymap.Stop {
		t.leave = tap{}
	}
	if by != keymap.Interrupt {
		t.clear = tap{}
	}
}

// key handles a key: a held answer key first, then the conversation, the question, the field.
func (c *controls) key(k tea.KeyPressMsg) tea.Cmd {
	bound := c.keys.Acts[k.String()]
	c.taps.disarm(bound.Act)
	var before tea.Cmd
	if held := c.asks.Ask.Press(k, c.asks.Reachable()); held != nil {
		before = c.asks.CarryOut(held)
	}
	if bound.Act == keymap.Redraw || bound.Act == keymap.Suspend {
		c.do(panel.Key{Bound: bound})
		return before
	}
	return tea.Batch(before, c.keyTo(k, bound))
}

// keyTo handles a key in what has the keyboard: the conversation, the question, the field.
func (c *controls) keyTo(k tea.KeyPressMsg, bound keymap.Bound) tea.Cmd {
	if bound.Act == keymap.RunCommand && !bound.Empty {
		c.commands.runKey(bound.Command)
		return nil
	}
	if cmd, done := c.reader.readKey(k); done {
		return cmd
	}
	if c.input.Bound(k.String()).Act == keymap.Answer && !c.input.Searching() {
		return c.asks.GiveKeyboard()
	}
	if c.asks.Ask.Open() && !c.input.Searching() {
		if c.asks.Ask.Writes() && c.readOnKey(k.String()) {
			return nil
		}
		if cmd, used := c.asks.Key(k); used {
			return cmd
		}
	}
	if c.input.Empty() && !c.input.Searching() {
		if chosen, taken, used := c.greeting.Key(k.String()); taken {
			return c.choose(chosen)
		} else if used {
			return nil
		}
	}
	return c.write(k)
}

// write handles a key that answers nothing: in the child agent that is shown, else in the field.
func (c *controls) write(k tea.KeyPressMsg) tea.Cmd {
	if c.conv.Viewing() {
		return c.reader.viewKey(k.String())
	}
	return c.field(c.input.Update(k))
}

// readOnKey handles the keys that work while an answer is written: scrolling, changing the mode, interrupting. done is false
// for all others.
func (c *controls) readOnKey(s string) (done bool) {
	switch {
	case s == "ctrl+c":
		c.commands.interrupt()
	case c.asks.Ask.Takes(s):
		return false
	case c.reader.scrollAct(c.input.Bound(s).Act):
	case c.input.Bound(s).Act == keymap.Mode && !c.asks.Ask.GivesReason():
		c.choices.nextMode()
	default:
		return false
	}
	return true
}

// escape interrupts what runs; pressed twice it clears what is written, or lists the prompts to go back to.
func (c *controls) escape() tea.Cmd {
	if c.shell.Stop() {
		return nil
	}
	if c.conv.Running() != nil {
		c.commands.interrupt()
		return nil
	}
	empty := c.input.Empty()
	if empty && c.install.Stop() {
		return nil
	}
	if again := c.taps.clear.again(c.look.Now()); empty {
		if f, _ := features.Find("rewind"); again && f.When(c.commands.state()) {
			c.do(f.Run(c.commands.state(), ""))
		}
		return nil
	} else if again {
		return c.input.SetValue("")
	}
	c.notices.AddFor(twice, "Press esc again to clear what you wrote", false)
	return nil
}

// ctrlC clears what is written or interrupts, and leaves if pressed twice.
func (c *controls) ctrlC() tea.Cmd {
	if c.taps.leave.again(c.look.Now()) {
		c.do(panel.Leave{})
		return nil
	}
	var cmd tea.Cmd
	switch {
	case !c.input.Empty():
		cmd = c.input.SetValue("")
	case c.shell.Stop():
	case c.conv.Running() != nil && c.commands.delegate.Remote() == nil: // what works at a service is not stopped by leaving
		c.current.interrupt()
	}
	c.notices.AddFor(twice, strings.TrimSuffix("ctrl+c again leaves and "+c.leaving(), " and "), false)
	return cmd
}

// leave ends the screen, at once unless that stops something in the background: that needs it twice.
func (c *controls) leave() panel.Effect {
	if what := c.leaving(); what != "" && (c.taps.warned.IsZero() || c.look.Now().Sub(c.taps.warned) >= warning) {
		c.taps.warned = c.look.Now()
		return panel.Notice{Text: "Leaving " + what + "; again to leave", Warn: true, For: warning}
	}
	return panel.Leave{}
}

// leaving returns what is stopped by leaving, "" for nothing.
func (c *controls) leaving() string {
	what := background.Leaving(c.look, c.conv.Transcript(), c.current.dir())
	switch n := c.sessions.tabs.Working(); {
	case n == 0:
		return what
	case what == "":
		return "stops " + human.Count(n, "other session", "other sessions")
	default:
		return what + " and " + human.Count(n, "other session", "other sessions")
	}
}

// paste puts pasted text into what is being written. It never answers anything.
func (c *controls) paste(text string) tea.Cmd {
	c.taps.disarm(keymap.None)
	before := c.asks.CarryOut(c.asks.Ask.Release())
	c.asks.Ask.Touch()
	return tea.Batch(before, c.pasteTo(text))
}

// pasteTo puts pasted text into what is being written.
func (c *controls) pasteTo(text string) tea.Cmd {
	switch {
	case c.conv.TakesKeys():
		cmd, _ := c.reader.converse(tea.PasteMsg{Content: text})
		return cmd
	case c.asks.Shown() && c.asks.Ask.Paste(text):
	case c.conv.Viewing():
	default:
		return c.field(c.input.Update(tea.PasteMsg{Content: text}))
	}
	return nil
}
