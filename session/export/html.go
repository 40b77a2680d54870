package export

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// htmlPieces yields a conversation as one page that needs nothing else: no script, no other file, nothing from the network.
func htmlPieces(m session.Meta, t *session.Transcript, o Options) iter.Seq[string] {
	return func(yield func(string) bool) {
		p := newPage(m.Dir, o)
		p.raw(pageHead)
		p.raw("<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<header>\n<h1>%[1]s</h1>\n", p.text(m.Headline()), styleSheet())
		p.raw("<p>%s</p>\n</header>\n<main>\n", p.text(session.AgentTitle(m.Agent)+" · "+m.Dir+" · "+m.Created.UTC().Format("2006-01-02 15:04 UTC")))
		for _, turn := range t.Turns {
			p.turn(turn)
			if p.b.Len() > maxPiece && !yield(p.take()) {
				return
			}
		}
		p.raw("</main>\n</body>\n</html>\n")
		yield(p.take())
	}
}

// pageHead forbids the page to load or to run anything, whatever a conversation holds.
const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
`

// page writes a conversation as HTML.
type page struct {
	b    strings.Builder
	dir  string
	o    Options
	code *coloring
}

func newPage(dir string, o Options) *page {
	return &page{dir: dir, o: o, code: newColoring()}
}

// raw writes markup. Its values are markup too.
func (p *page) raw(format string, values ...any) { fmt.Fprintf(&p.b, format, values...) }

// take returns what was written since the last call.
func (p *page) take() string {
	s := p.b.String()
	p.b.Reset()
	return s
}

// plain returns a text of the conversation without secrets and with visible control characters.
func (p *page) plain(s string) string {
	if !p.o.Secrets {
		s = mask(s)
	}
	return strings.Map(visible, strings.ToValidUTF8(s, "\uFFFD"))
}

// text returns a text of the conversation as markup.
func (p *page) text(s string) string { return escape(p.plain(s)) }

// visible replaces what a browser would obey or hide: control characters, and those that change the direction of text.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < ' ':
		return 0x2400 + r // its picture
	case r >= 0x7f && r < 0xa0, r >= 0x200e && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return '\uFFFD'
	}
	return r
}

// turn writes a turn, and nothing of what happened between turns and has no words.
func (p *page) turn(t *session.Turn) {
	in := page{dir: p.dir, o: p.o, code: p.code}
	if t.Prompt.Text != "" || len(t.Prompt.Attachments) > 0 {
		in.prompt(t.Prompt)
	}
	in.entries(t.Entries)
	switch {
	case t.Problem != nil:
		in.raw("<p class=problem><strong>%s</strong> %s</p>\n", p.text(t.Problem.What), p.text(t.Problem.Next))
	case t.Outcome == session.TurnCancelled:
		in.raw("<p class=quiet>interrupted</p>\n")
	}
	if in.b.Len() > 0 {
		p.raw("<article>\n%s</article>\n", in.take())
	}
}

// images are the types of images that every browser shows.
var images = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

func (p *page) prompt(prompt session.Prompt) {
	p.raw("<div class=prompt>%s", p.text(strings.TrimRight(prompt.Text, "\n")))
	for _, a := range prompt.Attachments {
		switch {
		case a.Kind == session.AttachImage:
			p.image(a.MediaType, a.Data)
		case a.Text != "":
			p.raw("<details><summary>%s</summary><pre>%s</pre></details>", p.text(strings.TrimSpace("attached "+a.Path)), p.text(a.Text))
		default:
			p.raw("<p class=quiet>attached %s</p>", p.text(a.Path))
		}
	}
	p.raw("</div>\n")
}

func (p *page) image(mediaType string, data []byte) {
	if slices.Contains(images, mediaType) && len(data) > 0 {
		p.raw(`<img alt="image" src="data:%s;base64,%s">`, mediaType, base64.StdEncoding.EncodeToString(data))
	}
}

func (p *page) entries(entries []session.Entry) {
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Part:
			p.part(e)
		case *session.Tool:
			p.tool(e)
		case *session.Child:
			p.raw("<details class=agent><summary>Agent %s: %s</summary>\n", p.text(e.Name), p.text(e.Description))
			p.entries(e.Entries)
			p.raw("</details>\n")
		case *session.Mark:
			if n, ok := e.Event.(session.Notice); ok {
				p.raw("<p class=quiet>%s</p>\n", p.text(n.Text))
			} else if e.Prompt != nil {
				p.prompt(*e.Prompt)
			}
		}
	}
}

func (p *page) part(e *session.Part) {
	text := e.Text()
	switch {
	case e.Retracted || strings.TrimSpace(text) == "":
	case e.Kind == session.PartText:
		p.raw("<section>\n%s</section>\n", p.code.markdown(p.plain(text)))
	case p.o.Reasoning:
		p.raw("<details class=reasoning><summary>Reasoning</summary>\n%s</details>\n", p.code.markdown(p.plain(text)))
	}
}

// tool writes a call, folded: its words, its input where that says more, its changes, and its result.
func (p *page) tool(t *session.Tool) {
	input := t.Input
	if input == nil {
		input = json.RawMessage(t.Partial())
	}
	d := toolview.Describe(t.Name, input, p.dir)
	words := d.Past
	if t.Ended {
		words = d.Ended(t.Outcome)
	}
	p.raw("<details class=tool><summary>%s <code>%s</code>", p.text(upper(words)), p.text(d.Subject))
	if t.Ended && t.Outcome != session.ToolOK {
		p.raw(" <span class=problem>%s</span>", p.text(string(t.Outcome)))
	}
	if len(t.Edits) > 0 {
		p.raw(" <span class=quiet>%s</span>", p.text(toolview.Changes(t.Edits)))
	}
	p.raw("</summary>\n")
	var command struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(input, &command) == nil && command.Command != "" {
		p.raw("<pre class=code>%s</pre>\n", p.code.code(p.plain(command.Command), "bash"))
	}
	for _, e := range t.Edits {
		if e.Patch != "" {
			p.raw("<pre class=diff>%s</pre>\n", p.code.diff(p.plain(e.Patch), e.Path))
		}
	}
	if p.o.Output {
		if text := strings.TrimRight(t.Result.Text, "\n"); text != "" && len(t.Edits) == 0 {
			p.raw("<pre>%s</pre>\n", p.text(text))
		}
		for _, m := range t.Result.Media {
			p.image(m.MediaType, m.Data)
		}
	}
	p.raw("</details>\n")
}

// upper returns words that begin a line.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
