package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/compose"
	"parley/ui/files"
	"parley/ui/style"
)

// This file is the way of a prompt from the composer to the session: what it names behind @ and the images in it are read
// first, in the background, and prompts stay in their order.

// outgoing is a prompt on its way.
type outgoing struct {
	prompt session.Prompt
	steer  bool
	draft  string // what stood in the composer
	ready  bool
	err    error // why an image could not be read
	ticket int   // of the draft that is kept until the prompt is on disk
	// session has taken the prompt.
	session *live.Session
}

// readyMsg says that what a prompt names was read.
type readyMsg struct {
	out  *outgoing
	with []session.Attachment
	said []string // why a picture does not go along
	err  error
	late bool // it was not read in time
}

// readPatience is how long reading what a prompt names may take. A disk that does not answer must not keep words back.
const readPatience = 3 * time.Second

// post sends what is written, with all that goes along.
func (m *Model) post(text string, steer bool) tea.Cmd {
	p := session.Prompt{Text: strings.TrimRight(text, " \n\t"), Attachments: m.takeAlong()}
	var images []string
	for _, chip := range m.composer.Chips() {
		if chip.Image != "" {
			images = append(images, chip.Image)
		}
	}
	out := &outgoing{prompt: p, steer: steer, draft: withAlong(m.composer.Draft(), keepAlong(p.Attachments))}
	m.emptied()
	return m.dispatch(out, compose.Mentions(p.Text), images)
}

// postFirst sends the prompt that the program was started with, and leaves alone what is being written.
func (m *Model) postFirst(text string) tea.Cmd {
	p := session.Prompt{Text: strings.TrimRight(text, " \n\t")}
	return m.dispatch(&outgoing{prompt: p, draft: draftOf(p)}, compose.Mentions(p.Text), nil)
}

// draftOf is a prompt as a draft.
func draftOf(p session.Prompt) string {
	c := compose.New(compose.Looks{})
	c.SetValueWithChips(p.Text, imageChips(p))
	return withAlong(c.Draft(), keepAlong(p.Attachments))
}

// imageChips are the images of a prompt as they stand in the composer.
func imageChips(p session.Prompt) (images []compose.Chip) {
	for _, a := range p.Attachments {
		if a.Kind == session.AttachImage && a.Path != "" {
			images = append(images, compose.ImageChip(fmt.Sprintf("[image %d]", len(images)+1), a.Path, len(a.Data)))
		}
	}
	return images
}

// dispatch hands a prompt over once what it names was read. Its draft is kept until the prompt itself is on disk.
func (m *Model) dispatch(out *outgoing, mentions []compose.Mention, images []string) tea.Cmd {
	out.ticket = m.drafts.hold(m.draftKey, out.draft)
	m.saveDraft()
	m.outbox = append(m.outbox, out)
	if len(mentions) == 0 && len(images) == 0 {
		out.ready = true
		return m.sendReady()
	}
	t, patience := m.opts.treeOf(m.dir()), m.after(readPatience, readyMsg{out: out, late: true})
	blind, ctx := "", m.ctx
	if mod := m.model(m.settings().Model); mod != nil && !mod.Vision {
		blind = style.ShortModel(mod.ID)
	}
	return tea.Batch(patience, m.command(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, readPatience)
		defer cancel()
		with, said := mentioned(ctx, t, mentions, blind)
		pictures, err := readImages(ctx, images)
		// Those that the text counts come first, so that their numbers are right.
		return readyMsg{out: out, with: append(pictures, with...), said: said, err: err}
	}))
}

// isReady takes in what a prompt names.
func (m *Model) isReady(msg readyMsg) tea.Cmd {
	if !msg.out.ready {
		if msg.late {
			m.say("sent without the files it names: the disk does not answer", true)
		}
		msg.out.ready, msg.out.err = true, msg.err
		msg.out.prompt.Attachments = append(msg.out.prompt.Attachments, msg.with...)
		for _, why := range msg.said {
			m.say(style.Visible(style.OneLine(why)), true)
		}
	}
	m.touch()
	return m.sendReady()
}

// sendReady hands over the prompts that are complete, in their order.
func (m *Model) sendReady() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.outbox) > 0 && m.outbox[0].ready {
		out := m.outbox[0]
		m.outbox = m.outbox[1:]
		if out.err != nil {
			m.say(style.Visible(style.OneLine("not sent: "+out.err.Error())), true)
		}
		if out.err == nil && m.hand(out) {
			cmds = append(cmds, m.awaitStored(out))
			continue
		}
		m.putBack(out)
	}
	return tea.Batch(cmds...)
}

// putBack puts a prompt that could not be sent back into the composer, before what was written since.
func (m *Model) putBack(out *outgoing) {
	m.along = append(out.prompt.Attachments, m.along...)
	m.along = keepAlong(m.along)
	since := m.composer.Value()
	if m.composer.SetDraft(out.draft) == nil && since != "" {
		m.composer.Finish()
		m.composer.Insert("\n\n" + since)
	}
	m.saveDraft()
	m.drafts.release(out.ticket)
}

// keepAlong leaves out what is read again when the prompt is sent again.
func keepAlong(all []session.Attachment) []session.Attachment {
	var kept []session.Attachment
	for _, a := range all {
		if a.Kind == session.AttachCommand || a.Kind == session.AttachPaste {
			kept = append(kept, a)
		}
	}
	return kept
}

// hand gives a prompt to the session, into the running turn if so wished, and reports whether it took it.
func (m *Model) hand(out *outgoing) bool {
	send := m.session.Send
	if out.steer && m.feed.running() != nil {
		send = m.session.Steer
	}
	id, err := send(out.prompt)
	if err != nil {
		problem := session.ProblemOf(err, m.now())
		m.say(style.Visible(style.OneLine(problem.What+" "+problem.Next)), true)
		return false
	}
	if out.steer {
		m.steering[id] = true
	}
	out.session = m.session
	m.remember(out.prompt.Text)
	if m.feed.running() == nil { // what is queued is shown above the field, wherever the reader is
		m.chosen = false
		m.feed.rows.Bottom()
	}
	return true
}

// mentioned are the files and directories that a text names, those that exist, each once. Images go along as pictures, and
// lines of a file as they are; what names nothing is only words. said tells why an image goes along as a path alone. blind
// is the name of a model that cannot see images; empty for others.
func mentioned(ctx context.Context, t *files.Tree, all []compose.Mention, blind string) (out []session.Attachment, said []string) {
	seen := map[compose.Mention]bool{}
	for _, mention := range all {
		mention.From, mention.To = 0, 0
		if seen[mention] {
			continue
		}
		seen[mention] = true
		a, ok := attachment(ctx, t, mention)
		if !ok {
			continue
		}
		if a.Kind == session.AttachFile && files.NamesImage(a.Path) {
			var why string
			if a, why = pictured(ctx, a, blind); why != "" {
				said = append(said, why)
			}
		}
		out = append(out, a)
	}
	return out, said
}

// pictured returns the picture that an attached file is, or the file as it is and, if it is a picture, why it cannot be one.
func pictured(ctx context.Context, a session.Attachment, blind string) (picture session.Attachment, why string) {
	kind, data, err := files.ReadImage(ctx, a.Path)
	name := filepath.Base(a.Path)
	switch {
	case errors.Is(err, files.ErrNotImage):
		return a, ""
	case err != nil:
		return a, err.Error() + ": only its path is sent"
	case blind != "":
		return a, blind + " can't see images: only the path of " + name + " is sent"
	}
	return session.Attachment{Kind: session.AttachImage, Path: a.Path, MediaType: kind, Data: data}, ""
}

// mostLines is how much of a file goes along as lines, in bytes; what is more the agent reads itself.
const mostLines = 100 << 10

// attachment looks up what a text names.
func attachment(ctx context.Context, t *files.Tree, m compose.Mention) (session.Attachment, bool) {
	name := filepath.ToSlash(filepath.Clean(m.Path))
	var fsys fs.FS
	if !files.Outside(m.Path) && fs.ValidPath(name) {
		fsys = t.FS()
	} else {
		full := t.Path(m.Path)
		fsys, name = files.OnDisk(filepath.Dir(full)), filepath.Base(full)
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return session.Attachment{}, false
	}
	a := session.Attachment{Kind: session.AttachFile, Path: t.Path(m.Path)}
	switch {
	case info.IsDir():
		a.Kind = session.AttachDirectory
	case !info.Mode().IsRegular():
		return session.Attachment{}, false // a device or a pipe is nothing to read
	case m.First > 0:
		text, last, ok := linesOf(ctx, fsys, name, m.First, m.Last)
		if ok {
			a.Kind, a.FirstLine, a.LastLine, a.Text = session.AttachSelection, m.First, last, text
		}
	}
	return a, true
}

// linesOf reads lines of a file, and returns the number of the last one there is.
func linesOf(ctx context.Context, fsys fs.FS, name string, first, last int) (text string, end int, ok bool) {
	data, _, err := files.Read(ctx, fsys, name, 16<<20)
	if err != nil {
		return "", 0, false
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if n := len(lines); n > 0 && len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	last = min(last, len(lines))
	if first > last {
		return "", 0, false
	}
	picked := bytes.Join(lines[first-1:last], nil)
	if len(picked) > mostLines {
		return "", 0, false
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(picked), "\n"), "\ufffd"), last, true
}

// readImages reads the images of a prompt.
func readImages(ctx context.Context, names []string) ([]session.Attachment, error) {
	var all []session.Attachment
	for _, name := range names {
		kind, data, err := files.ReadImage(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, session.Attachment{Kind: session.AttachImage, Path: name, MediaType: kind, Data: data})
	}
	return all, nil
}
