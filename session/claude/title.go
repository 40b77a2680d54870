package claude

import (
	"strings"

	"parley/session"
)

// titles decides when the runtime is asked for a title. The conversation's lock guards it.
type titles struct {
	on       bool
	prompts  string // text of the prompts so far
	requests int    // requests without a title
	done     bool   // there is a title, or a request for one
}

const (
	// maxTitleRequests bounds the requests: the first prompts may be too short to make a title of.
	maxTitleRequests = 3
	// maxTitlePrompts bounds the text that a title is made of, in bytes.
	maxTitlePrompts = 2000
)

// add adds the text of a prompt.
func (t *titles) add(prompt string) {
	if t.done {
		return
	}
	text := strings.TrimSpace(t.prompts + "\n" + prompt)
	if len(text) > maxTitlePrompts {
		text = strings.ToValidUTF8(text[:maxTitlePrompts], "")
	}
	t.prompts = text
}

// begin returns the text to make a title of, and false if none is to be requested.
func (t *titles) begin() (prompts string, ok bool) {
	if !t.on || t.done {
		return "", false
	}
	t.done = true
	return t.prompts, true
}

// failed records a request without a title. The next turn may try again.
func (t *titles) failed() {
	t.requests++
	t.done = t.requests >= maxTitleRequests
}

// makeTitle asks the runtime for a title, which it does not write to its transcript. Without one, the session is shown by
// its first prompt.
func (c *conversation) makeTitle(e *engine, prompts string) {
	title, err := e.p.GenerateTitle(c.life, prompts)
	if err != nil || title == "" {
		c.a.o.Log.Debug("no title", "session", c.o.Session, "error", err)
		c.mu.Lock()
		c.title.failed()
		c.mu.Unlock()
		return
	}
	c.mu.Lock()
	if !c.closed {
		c.out.Put(session.TitleChanged{Head: session.Head{Session: c.o.Session, Gen: e.gen, At: c.a.o.Now()}, Title: title})
	}
	c.mu.Unlock()
	c.out.Deliver()
}
