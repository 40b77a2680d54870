package cli

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"parley/session"
	"parley/session/export"
	"parley/ui/md"
)

// printMarkdown prints markdown: on a terminal laid out as in the chat, elsewhere as it is.
func (a *app) printMarkdown(text string) error {
	if f := a.out.terminal(); f != nil {
		return a.renderMarkdown(f, text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// printConversation prints a conversation as printMarkdown does, piece by piece.
func (a *app) printConversation(m session.Meta, t *session.Transcript) error {
	f := a.out.terminal()
	if f == nil {
		return a.exportConversation(m, t)
	}
	first := true
	for piece := range export.MarkdownPieces(m, t) {
		if !first { // between the blocks of two pieces as between those of one
			if _, err := io.WriteString(f, "\n"); err != nil {
				return err
			}
		}
		first = false
		if err := a.renderMarkdown(f, piece); err != nil {
			return err
		}
	}
	return nil
}

// exportConversation prints the source of a conversation.
func (a *app) exportConversation(m session.Meta, t *session.Transcript) error {
	for piece := range export.MarkdownPieces(m, t) {
		if _, err := io.WriteString(a.out, piece); err != nil {
			return err
		}
	}
	return nil
}

// renderMarkdown lays text out for the terminal f, in as many colours as it has. The dark theme is the default because
// asking the terminal for its background would swallow keys typed ahead for the next command.
func (a *app) renderMarkdown(f *os.File, text string) error {
	theme := md.Dark()
	if name := a.themeName(); name != "auto" {
		t, err := md.LoadTheme(name)
		if err != nil {
			a.complain(err.Error() + "; this is the dark one") // what was answered is worth more
		} else {
			theme = t
		}
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 20 {
		width = 80
	}
	rows := md.Render(text, md.Options{Width: min(width, 100), Theme: theme, Highlighter: md.HighlightAtOnce()})
	w := colorprofile.NewWriter(f, a.environ)
	_, err = io.WriteString(w, strings.Join(rows, "\n")+"\n")
	return err
}
