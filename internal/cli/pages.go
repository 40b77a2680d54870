package cli

import (
	"io"
	"strings"

	"parley/internal/cli/output"
	"parley/session"
	"parley/session/export"
	"parley/ui/md"
)

// pages prints markdown: on a terminal laid out as in the chat, elsewhere its source.
type pages struct {
	out      *output.Stream
	theme    string            // a name, a file, or "auto"
	complain func(text string) // about a theme that cannot be loaded
}

func pagesOf(a *app) pages {
	return pages{out: a.out, theme: a.themeName(), complain: func(text string) { a.complain(text) }}
}

// markdown prints a text.
func (p pages) markdown(text string) error {
	if p.out.Terminal() != nil {
		return p.render(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(p.out, text)
	return err
}

// conversation prints a conversation, piece by piece.
func (p pages) conversation(m session.Meta, t *session.Transcript) error {
	f := p.out.Terminal()
	if f == nil {
		return p.source(m, t)
	}
	first := true
	for piece := range export.MarkdownPieces(m, t, shown) {
		if !first { // between the blocks of two pieces as between those of one
			if _, err := io.WriteString(f, "\n"); err != nil {
				return err
			}
		}
		first = false
		if err := p.render(piece); err != nil {
			return err
		}
	}
	return nil
}

// shown is what is printed of a conversation for the user alone.
var shown = export.Options{Format: "md", Output: true, Secrets: true}

// source prints the markdown source of a conversation.
func (p pages) source(m session.Meta, t *session.Transcript) error {
	for piece := range export.MarkdownPieces(m, t, shown) {
		if _, err := io.WriteString(p.out, piece); err != nil {
			return err
		}
	}
	return nil
}

// render lays text out for the terminal, in the colors it supports. The dark theme is the default: asking the terminal for
// its background would swallow keys typed ahead for the next command.
func (p pages) render(text string) error {
	theme := md.Dark()
	if name := p.theme; name != "auto" {
		t, err := md.LoadTheme(name)
		if err != nil {
			p.complain(err.Error() + "; using the dark theme") // what was answered is worth more
		} else {
			theme = t
		}
	}
	c := p.out.Canvas()
	return c.Print(md.Render(text, md.Options{Width: c.Prose(), Theme: theme, Highlighter: md.HighlightAtOnce()}))
}
