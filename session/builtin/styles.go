package builtin

import (
	"context"
	"strings"

	"parley/session"
	"parley/session/extensions/style"
)

// chooseStyle lists the output styles, or takes the one of a name from the next turn on, and returns what to tell the user.
func chooseStyle(ctx context.Context, c *conversation, name string) string {
	if c.o.Styles == nil {
		return "Output styles are not available here."
	}
	all := c.o.Styles.Find(ctx, c.open.Dir)
	if name == "" {
		var b strings.Builder
		for _, s := range all {
			b.WriteString("- " + s.Name)
			if s.Name == c.style().Name {
				b.WriteString(" (current)")
			}
			if s.About != "" {
				b.WriteString(": " + s.About)
			}
			b.WriteString("\n")
		}
		return b.String() + "\n`/output-style NAME` takes one."
	}
	s, ok := style.Named(all, name)
	if !ok {
		return "No output style is called " + strings.ToValidUTF8(name, "") + ". `/output-style` lists them."
	}
	c.styled.Store(&s)
	return "Output style: " + s.Name + ", starting with the next prompt."
}

// style returns the output style that holds.
func (c *conversation) style() style.Style {
	if s := c.styled.Load(); s != nil {
		return *s
	}
	return style.Style{Name: style.Default}
}

// restyle takes the output style that was chosen last in an earlier conversation.
func restyle(ctx context.Context, c *conversation, h *session.Transcript) {
	name := ""
	for _, turn := range h.Turns {
		if command, args := commandOf(turn.Prompt); command == "output-style" && args != "" {
			name = args
		}
	}
	if name != "" {
		chooseStyle(ctx, c, name)
	}
}
