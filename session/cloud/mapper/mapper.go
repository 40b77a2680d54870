package mapper

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"parley/session"
)

// Options describe the turn whose log is mapped.
type Options struct {
	// Head is copied into every event, with the time of its entry in the log.
	Head session.Head
	// Session is the service's id of the session, which begins the ids of parts.
	Session string
	// Dir is the directory of the repository on this machine, under which files are shown; "" if it is not here.
	Dir string
}

// Mapper maps the log of one session. It is not safe for concurrent use.
type Mapper struct {
	o       Options
	rest    []byte // a line whose end has not arrived
	read    int    // bytes taken so far
	at      time.Time
	entries int // mapped so far, for the ids of parts
	calls   map[string]*call
	order   []string // ids of calls, in order
	out     []session.Event
	title   string
	usage   session.Usage // of all requests so far
	model   string
}

// call describes a tool call as far as it is known.
type call struct {
	name    string
	input   input
	ended   bool
	shown   bool // it has a row; a thought has none
	started time.Time
}

// New returns a mapper that has read nothing.
func New(o Options) *Mapper { return &Mapper{o: o, calls: map[string]*call{}} }

// Read returns the number of bytes of the log that were taken.
func (m *Mapper) Read() int { return m.read }

// Feed takes the next piece of the log and returns its events. A line without its end waits for the next piece.
func (m *Mapper) Feed(piece []byte) []session.Event {
	m.read += len(piece)
	for {
		end := bytes.IndexByte(piece, '\n')
		if end < 0 {
			m.rest = append(m.rest, piece...)
			return m.take()
		}
		line := piece[:end]
		if len(m.rest) > 0 {
			line = append(m.rest, line...)
			m.rest = nil
		}
		m.line(line)
		piece = piece[end+1:]
	}
}

// take returns the events so far and forgets them.
func (m *Mapper) take() []session.Event {
	out := m.out
	m.out = nil
	return out
}

// End returns the events that close what is open, the last line and calls without a result, and the usage of the whole
// session.
func (m *Mapper) End() []session.Event {
	if rest := m.rest; len(rest) > 0 {
		m.rest = nil
		m.line(rest)
	}
	for _, id := range m.order {
		if c := m.calls[id]; c.shown && !c.ended {
			c.ended = true
			m.emit(session.ToolEnded{Head: m.head(), Call: m.callID(id), Outcome: session.ToolCancelled,
				Result: session.ToolResult{Summary: "no result"}})
		}
	}
	if m.usage != (session.Usage{}) {
		m.emit(session.UsageReported{Head: m.head(), Usage: m.usage, Model: m.model})
	}
	return m.take()
}

// line maps one line of the log.
func (m *Mapper) line(line []byte) {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	if !ok {
		return
	}
	c, ok := decodeChunk(data)
	if !ok || c.object != "chat.completion.chunk" {
		return
	}
	if c.created > 0 {
		m.at = time.Unix(c.created, 0).UTC()
	}
	m.entries++
	for i, d := range c.deltas {
		if len(d.calls) > 0 {
			m.toolCalls(c, d, i)
			continue
		}
		m.reasoning(d.reasoning, i)
		if d.role == "assistant" && d.content != "" {
			m.message(d.content, i)
		}
	}
	if u := c.usage; u != (usage{}) {
		m.usage = m.usage.Add(session.Usage{Input: max(u.prompt-u.cached, 0), Output: u.output, CacheRead: u.cached})
		m.model = c.model
	}
}

// head returns the head of the next event.
func (m *Mapper) head() session.Head {
	h := m.o.Head
	if !m.at.IsZero() {
		h.At = m.at
	}
	return h
}

func (m *Mapper) emit(e session.Event) { m.out = append(m.out, e) }

// part emits a whole part. Its id depends on its place in the log.
func (m *Mapper) part(kind session.PartKind, text string, choice int) {
	id := session.PartID(fmt.Sprintf("%s/%d.%d/%s", m.o.Session, m.entries, choice, kind))
	m.emit(session.PartReplaced{Head: m.head(), Part: id, Kind: kind, Text: text})
}

// reasoning emits the model's reasoning, if there is any.
func (m *Mapper) reasoning(text string, choice int) {
	if strings.TrimSpace(text) != "" {
		m.part(session.PartReasoning, text, choice)
	}
}

// message emits a message of the agent. The last one of a session holds title and description of the pull request in tags.
func (m *Mapper) message(text string, choice int) {
	title, rest, ok := between(text, "<pr_title>", "</pr_title>")
	if !ok {
		m.part(session.PartText, text, choice)
		return
	}
	if title = strings.Join(strings.Fields(title), " "); title != "" && title != m.title {
		m.title = title
		m.emit(session.TitleChanged{Head: m.head(), Title: title})
	}
	description, after, ok := between(rest, "<pr_description>", "</pr_description>")
	if !ok {
		description, after = rest, ""
	}
	if both := strings.TrimSpace(strings.TrimSpace(description) + "\n\n" + strings.TrimSpace(after)); both != "" {
		m.part(session.PartText, "**"+title+"**\n\n"+both, choice)
	}
}

// between returns the text between two tags, and the text around it.
func between(s, open, end string) (inner, around string, ok bool) {
	before, rest, ok := strings.Cut(s, open)
	if !ok {
		return "", s, false
	}
	inner, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", s, false
	}
	return inner, before + after, true
}
