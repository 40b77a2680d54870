package core

import (
	"context"
	"slices"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/ui/files"
	"parley/ui/textarea"
)

// ReadTimeout is the time that reading the files of a prompt may take. A disk that does not answer must not block the words.
const ReadTimeout = 3 * time.Second

// Outgoing is a prompt on its way to the session.
type Outgoing struct {
	Prompt session.Prompt
	Steer  bool   // into the running turn
	Draft  string // the composer's content, to restore if the prompt cannot be sent
	Ticket int    // of the draft held until the prompt is on disk
	Err    error  // why an image could not be read or the login be used; such a prompt is not sent
	// Session has accepted the prompt; nil until then.
	Session *live.Session

	ready bool
}

// Prepared is a prompt that the user sees once more before it is sent.
type Prepared struct {
	Prompt session.Prompt
	// Images are the files of the images in it, in their order.
	Images []string
	// Draft is what was written, without the attachments; Ticket is that of the draft while it is held.
	Draft  string
	Ticket int
	// Steer sends it into the running turn.
	Steer bool
}

// Files are the files and images a prompt names.
type Files struct {
	Mentions []textarea.Mention
	Images   []string // absolute paths
	// Words are paths in the text that may be those of images; what does not exist is only words.
	Words []string
	// Blind names a model that cannot see images; empty for others.
	Blind string
	// Login asks whether the login can be used, before anything is read; nil where that is known. See [LoginCheck].
	Login func(context.Context) error
}

// Named reports whether there is anything to read.
func (f Files) Named() bool { return len(f.Mentions)+len(f.Images)+len(f.Words) > 0 }

// Attached is the result of reading Files: images first, since the text counts them, then mentions. Notes are one line per
// image that is sent as a path only; Err is why an image could not be read, or the login not be used.
type Attached struct {
	Attachments []session.Attachment
	Notes       []string
	Err         error
}

// Read reads the files, as seen from a directory, for at most ReadTimeout.
func (f Files) Read(ctx context.Context, t *files.Tree) Attached {
	ctx, cancel := context.WithTimeout(ctx, ReadTimeout)
	defer cancel()
	if f.Login != nil {
		if err := f.Login(ctx); err != nil {
			return Attached{Err: err}
		}
	}
	with, notes := mentioned(ctx, t, f.Mentions, f.Blind)
	images, err := readImages(ctx, append(f.Images[:len(f.Images):len(f.Images)], existing(t, f.Words)...))
	return Attached{append(images, with...), notes, err}
}

// Outbox holds prompts until their files are read, and releases them in order. The zero value is empty. It belongs to one
// goroutine.
type Outbox struct{ waiting []*Outgoing }

// Empty reports whether no prompt is waiting.
func (b *Outbox) Empty() bool { return len(b.waiting) == 0 }

// Add appends a prompt. It waits for Complete if it names files or images, or the login is to be checked; read reports that.
func (b *Outbox) Add(out *Outgoing, f Files) (read bool) {
	b.waiting = append(b.waiting, out)
	out.ready = !f.Named() && f.Login == nil
	return !out.ready
}

// Complete adds the files of a prompt, which may be sent from then on. It reports false if the prompt was complete already.
func (b *Outbox) Complete(out *Outgoing, a Attached) bool {
	if out.ready {
		return false
	}
	out.ready, out.Err = true, a.Err
	out.Prompt.Attachments = append(out.Prompt.Attachments, a.Attachments...)
	return true
}

// Next removes and returns the oldest prompt, nil if it is still incomplete or there is none.
func (b *Outbox) Next() *Outgoing {
	if len(b.waiting) == 0 || !b.waiting[0].ready {
		return nil
	}
	out := b.waiting[0]
	b.waiting = b.waiting[1:]
	return out
}

// TakeBack removes and returns all prompts, oldest first. Their files are not awaited any more.
func (b *Outbox) TakeBack() []*Outgoing {
	all := b.waiting
	b.waiting = nil
	for _, out := range all {
		out.ready = true
	}
	return all
}

// Unstored holds the prompts that a session has accepted and that may not be on disk yet, oldest first. The zero value is
// empty. It belongs to one goroutine.
type Unstored struct{ list []*Outgoing }

// Add appends a prompt.
func (u *Unstored) Add(out *Outgoing) { u.list = append(u.list, out) }

// Last returns the newest prompt, nil if there is none.
func (u *Unstored) Last() *Outgoing {
	if len(u.list) == 0 {
		return nil
	}
	return u.list[len(u.list)-1]
}

// Drop removes the newest prompt.
func (u *Unstored) Drop() { u.list = u.list[:len(u.list)-1] }

// Stored removes a prompt that is on disk and those sent to the same session before it, and returns them. It returns nil
// for an unknown prompt.
func (u *Unstored) Stored(out *Outgoing) (gone []*Outgoing) {
	at := slices.Index(u.list, out)
	if at < 0 {
		return nil
	}
	var left []*Outgoing
	for i, o := range u.list {
		if o.Session != out.Session || i > at {
			left = append(left, o)
			continue
		}
		gone = append(gone, o)
	}
	u.list = left
	return gone
}
