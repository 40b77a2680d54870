package delegate

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/style"
)

// Comment shows what a prompt becomes at a service before it is sent. The event loop owns it.
type Comment struct {
	look  *style.Look
	about string // what it becomes, such as "a comment on octo/app#12"
	text  string
	drawn time.Time // when it was drawn first

	top, most, height int
}

// The answers of a user to a [Comment].
type (
	// Publish sends the prompt.
	Publish struct{}
	// Withdraw puts it back into the field.
	Withdraw struct{}
)

func (Publish) action()  {}
func (Withdraw) action() {}

// settleTime is how long the page must be shown before enter counts.
const settleTime = 400 * time.Millisecond

// NewComment returns the page for a text. about says what the text becomes.
func NewComment(look *style.Look, about, text string) *Comment {
	return &Comment{look: look, about: about, text: text}
}

// Update handles a key. Enter counts once the page was shown for a moment: it may still be that of the prompt.
func (c *Comment) Update(msg tea.Msg) (Action, tea.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, nil
	}
	switch k.String() {
	case "enter":
		if !c.drawn.IsZero() && c.look.Now().Sub(c.drawn) >= settleTime {
			return Publish{}, nil
		}
	case "esc", "ctrl+c":
		return Withdraw{}, nil
	case "up":
		c.top--
	case "down":
		c.top++
	case "pgup":
		c.top -= c.height - 1
	case "pgdown", "space":
		c.top += c.height - 1
	}
	c.top = max(0, min(c.top, c.most))
	return nil, nil
}

// Close does nothing.
func (c *Comment) Close() {}

// Rows returns at most height rows.
func (c *Comment) Rows(width, height int) (all []string, cx, cy int) {
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
	foot = append(foot, "  "+th.Dim.Of(ms.Hints("enter posts it · esc goes back to writing", w)))
	if height < len(head)+len(foot)+3 {
		foot = foot[len(foot)-1:]
	}
	var body []string
	for _, s := range ms.Wrap(style.Visible(c.text), max(2, w-2)) {
		body = append(body, "  "+th.Accent.Of("│")+" "+s)
	}
	c.height = max(1, height-len(head)-len(foot))
	c.most = max(0, len(body)-c.height)
	c.top = min(c.top, c.most)
	if c.drawn.IsZero() {
		c.drawn = c.look.Now()
	}
	body = body[c.top:]
	rows := append(append(head, body[:min(len(body), c.height)]...), foot...)
	return rows[:min(len(rows), height)], -1, -1
}
