package delegate

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// comment shows what a prompt becomes at a service before it is sent. The event loop owns it.
type comment struct {
	look     *style.Look
	prepared core.Prepared
	about    string // what it becomes, such as "a comment on octo/app#12"
	text     string
	drawn    time.Time // when it was drawn first
	sent     bool

	top, max, height int
}

// settleTime is the time that the page must be shown before enter counts.
const settleTime = 400 * time.Millisecond

// Update handles a key. Enter counts once the page was shown for a moment: it may still be that of the prompt.
func (c *comment) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return panel.Pass{}, nil
	}
	switch k.String() {
	case "enter":
		if !c.drawn.IsZero() && c.look.Now().Sub(c.drawn) >= settleTime {
			c.sent = true
			return panel.All{panel.Pop{}, panel.Post{Prompt: c.prepared}}, nil
		}
	case "up":
		c.top--
	case "down":
		c.top++
	case "pgup":
		c.top -= c.height - 1
	case "pgdown", "space":
		c.top += c.height - 1
	default:
		return panel.Pass{}, nil
	}
	c.top = max(0, min(c.top, c.max))
	return nil, nil
}

// Close puts the prompt back into the field, unless it was sent.
func (c *comment) Close() panel.Effect {
	if c.sent {
		return nil
	}
	return panel.Restore{Prompt: c.prepared}
}

// Draw returns at most height rows.
func (c *comment) Draw(width, height int) panel.Frame {
	th, ms, w := c.look.Theme, c.look.Measure, max(8, width-4)
	var head []string
	for _, s := range ms.Wrap("This becomes "+style.Visible(style.OneLine(c.about)), w) {
		head = append(head, "  "+th.Bold.Of(s))
	}
	head = append(head, "")
	foot := []string{""}
	for _, s := range ms.Wrap("Everyone who can see the pull request can read it. The agent begins to work on it at once.", w) {
		foot = append(foot, "  "+th.Dim.Of(s))
	}
	foot = append(foot, "  "+th.Dim.Of(ms.Hints("enter post it · esc back to writing", w)))
	if height < len(head)+len(foot)+3 {
		foot = foot[len(foot)-1:]
	}
	var body []string
	for _, s := range ms.Wrap(style.Visible(c.text), max(2, w-2)) {
		body = append(body, "  "+th.Accent.Of("│")+" "+s)
	}
	c.height = max(1, height-len(head)-len(foot))
	c.max = max(0, len(body)-c.height)
	c.top = min(c.top, c.max)
	if c.drawn.IsZero() {
		c.drawn = c.look.Now()
	}
	body = body[c.top:]
	rows := append(append(head, body[:min(len(body), c.height)]...), foot...)
	return panel.Frame{Rows: rows[:min(len(rows), height)], Y: -1}
}
