package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session/sources"
)

// IsID reports whether a text is the id of a session, after which its transcript is called. Other files are of child agents or programs.
func IsID(text string) bool { return sessionName.MatchString(text) }

var sessionName = lazyregexp.New(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// Info describes a stored session without reading all of it.
type Info struct {
	// Title is the user's title, else the runtime's. Summary is the title, else the newest prompt, else the first. First is
	// the first prompt. All are one line of at most 200 characters.
	Title, Summary, First string
	Dir, Branch, Model    string
	Tag                   string // the newest, one line
	Created, Updated      time.Time
	Prompted              time.Time // the newest prompt that was found

	folder string // of its project
}

// edges are the ends of a transcript that are read, as in Claude Code's listing.
var edges = sources.Ends{First: 64 << 10, Most: 64 << 10, End: 64 << 10}

// newest is the number of lines at the end of a long transcript that are searched for branch and model.
const newest = 24

// ErrNoSession is the error of a file without a session: that of a child agent, or one without messages.
var ErrNoSession = errors.New("no session")

// Describe reads both ends of a transcript that changed at a time. The error is [ErrNoSession] if it has none.
func Describe(path string, updated time.Time) (Info, error) {
	head, tail, err := edges.Read(path, func([]byte) bool { return true })
	if err != nil {
		return Info{}, err
	}
	in := Info{folder: filepath.Base(filepath.Dir(path)), Updated: updated}
	return in.fill(head, tail)
}

// ends collects the fields from both ends of a transcript.
type ends struct {
	custom, auto, prompt, summary string
	sidechain                     bool
	hasMessage                    bool
}

func (in Info) fill(head, tail []byte) (Info, error) {
	var e ends
	first := true
	for line := range bytes.Lines(head) {
		known := in.First != "" && in.Dir != "" && e.hasMessage && len(tail) > 0
		if known && !bytes.HasPrefix(line, firstType) {
			continue // the tail has the newest values
		}
		in.fromLine(&e, bytes.TrimSpace(line), first)
		first = false
	}
	if e.sidechain {
		return Info{}, ErrNoSession
	}
	lines := bytes.SplitAfter(tail, []byte("\n"))
	for i, line := range lines {
		if len(lines)-i < newest || bytes.HasPrefix(line, firstType) {
			in.fromLine(&e, bytes.TrimSpace(line), false)
		}
	}
	in.Title = oneLine(cmp.Or(e.custom, e.auto))
	in.Summary = oneLine(cmp.Or(in.Title, e.prompt, e.summary, in.First))
	in.First = cmp.Or(in.First, oneLine(e.prompt))
	if in.Summary == "" && !e.hasMessage {
		return Info{}, ErrNoSession
	}
	if in.Created.IsZero() {
		in.Created = in.Updated
	}
	return in, nil
}

// fromLine takes the fields of one line.
func (in *Info) fromLine(e *ends, line []byte, first bool) {
	if len(line) == 0 {
		return
	}
	if rest, ok := bytes.CutPrefix(line, firstType); ok && !isListed(rest) {
		return
	}
	c := newCursor(line)
	if !c.open('{') {
		return
	}
	var l Entry
	var lastPrompt, summary, tag string
	var message []byte
	for {
		key, more := c.key()
		if !more {
			break
		}
		switch key {
		case "type":
			l.Type = c.text()
		case "timestamp":
			l.Time, _ = time.Parse(time.RFC3339, c.text())
		case "isSidechain":
			l.Sidechain = c.truth()
		case "isMeta":
			l.Meta = c.truth()
		case "isCompactSummary":
			l.Summary = c.truth()
		case "isApiErrorMessage":
			l.Failed = c.truth()
		case "cwd":
			l.Cwd = c.text()
		case "gitBranch":
			l.Branch = c.text()
		case "customTitle", "aiTitle":
			l.Title = c.text()
		case "lastPrompt":
			lastPrompt = c.text()
		case "summary":
			summary = c.text()
		case "tag":
			tag = c.text()
		case "message":
			message = c.skip()
		default:
			c.skip()
		}
	}
	e.sidechain = e.sidechain || first && l.Sidechain
	if c.bad() && l.Type == "" {
		return
	}
	switch l.Type {
	case "custom-title":
		e.custom = l.Title
	case "ai-title":
		e.auto = l.Title
	case "tag":
		in.Tag = oneLine(tag)
	case "last-prompt":
		e.prompt = cmp.Or(lastPrompt, e.prompt)
	case "summary":
		e.summary = summary
	case "user", "assistant":
		e.hasMessage = true
		in.fromMessage(l, message)
	}
	if in.Dir == "" || l.Cwd != in.Dir && Slug(in.Dir) != in.folder && Slug(l.Cwd) == in.folder { // the project may have moved
		in.Dir = l.Cwd
	}
	if l.Branch != "" && l.Branch != "HEAD" {
		in.Branch = l.Branch
	}
	if in.Created.IsZero() {
		in.Created = l.Time
	}
}

func (in *Info) fromMessage(l Entry, message []byte) {
	if l.Sidechain || message == nil {
		return
	}
	if l.Type == "assistant" {
		if from, to, ok := find(message, "model"); ok {
			if model := textOf(message[from:to]); model != "" && model != "<synthetic>" {
				in.Model = model
			}
		}
		return
	}
	if l.Meta || l.Summary {
		return
	}
	l.message(newCursor(message))
	text := PromptText(l.Blocks)
	if in.First == "" {
		in.First = oneLine(text)
	}
	if text != "" && l.Time.After(in.Prompted) {
		in.Prompted = l.Time
	}
}

// isListed reports whether a line whose type is rest has fields of a listing.
func isListed(rest []byte) bool {
	n := bytes.IndexByte(rest, '"')
	if n < 0 {
		return false
	}
	switch string(rest[:n]) {
	case "custom-title", "ai-title", "tag", "last-prompt", "summary", "user", "assistant", "system", "attachment":
		return true
	}
	return false
}

// wrapped matches texts that the runtime writes as the user, such as the echo of a command, a reminder or the notice of a
// background task. Other markup is the user's.
var wrapped = lazyregexp.New(`^\s*<(command-(name|message|args|contents)|local-command-\w+|bash-(input|stdout|stderr)|` +
	`system-reminder|task-notification|user-prompt-submit-hook|user-memory-input|ide_[a-z_]+|teammate-message|fork-boilerplate)[\s>]`)

// Interrupted begins the runtime's note of an interrupt by the user.
const Interrupted = "[Request interrupted by user"

// PromptText returns the user's text without what the runtime added, "" for a tool result, the echo of a command or a note.
func PromptText(blocks []Block) string {
	var parts []string
	for _, b := range blocks {
		switch {
		case b.Type == "tool_result":
			return ""
		case b.Type != "text" || wrapped.MatchString(b.Text) || strings.HasPrefix(b.Text, Interrupted):
		default:
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// oneLine returns a text as one line of at most 200 characters.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 200 {
		return strings.TrimSpace(string(r[:200])) + "…"
	}
	return s
}
