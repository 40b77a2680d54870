package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/install"
	"parley/ui/panel"
	"parley/ui/question"
	questions "parley/ui/question/view"
	"parley/ui/shell"
	"parley/ui/welcome"
)

// controls turns keys, pastes and the pointer into what they do, while nothing covers the chat.
type controls struct {
	*parts

	current  *current
	choices  *choices
	asks     *questions.Asks
	prompts  *prompts
	sessions *switcher
	reader   *reader
	shell    *shell.Model
	install  *install.Model
	greeting *welcome.Greeting
	commands *commands

	taps    taps
	editing *question.Question // the plan in the user's editor, nil for the field
}

// edit opens a text in the user's editor; plan is the question it belongs to, nil for the field.
func (c *controls) edit(text string, plan *question.Question) {
	c.editing = plan
	c.do(panel.EditText{Text: text})
}

// edited puts what was written in the user's editor in its place: the plan that is asked about, or the field.
func (c *controls) edited(msg panel.Edited) tea.Cmd {
	switch plan := c.editing; {
	case msg.Err != nil:
		c.notices.Warn("The editor failed: " + msg.Err.Error())
	case plan != nil:
		return c.asks.PlanEdited(plan, msg.Text)
	default:
		return c.input.Edited(msg.Text)
	}
	return nil
}

// choose resumes a session, opens or leaves those that were open, or puts words into the field.
func (c *controls) choose(to welcome.Choice) tea.Cmd {
	switch {
	case to.Session != "":
		return c.sessions.resume(to.Session)
	case to.Open:
		c.do(c.sessions.tabs.Reopen())
		return nil
	case to.Leave:
		c.sessions.tabs.Leave()
		c.screen.touch()
		return nil
	}
	return c.input.SetValue(to.Prompt)
}
