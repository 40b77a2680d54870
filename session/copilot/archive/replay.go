package archive

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"parley/internal/human"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
)

// replayed is a session that was replayed recently. If its file has grown, only the rest is read.
type replayed struct {
	id      session.ID
	size    int64  // what was read, to the end of a line
	seam    []byte // the last bytes of that, to recognize a file that was rewritten
	title   string
	stored  []protocol.Event
	damaged int
	events  []session.Event
}

// maxRecent bounds the sessions in memory.
const maxRecent = 2

// seamBytes is the length of a seam.
const seamBytes = 256

// maxEvents bounds the file of a session, in bytes.
const maxEvents = 2 << 30

// Replay returns the events of a stored session, oldest first, also while a runtime writes to it. Damaged lines are left out
// and counted in a notice at the end. Errors are of kind [session.KindNotFound], [session.KindInvalid] or
// [session.KindDisk].
func (a *Archive) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	dir, err := a.find(id)
	if err != nil {
		return nil, err
	}
	a.replaying.Lock()
	defer a.replaying.Unlock()
	r := &replayed{id: id}
	if i := slices.IndexFunc(a.recent, func(r *replayed) bool { return r.id == id }); i >= 0 {
		r = a.recent[i]
		a.recent = slices.Delete(a.recent, i, i+1)
	}
	if err := r.update(ctx, dir); err != nil {
		return nil, err
	}
	a.recent = append(a.recent, r)
	if len(a.recent) > maxRecent {
		a.recent = slices.Delete(a.recent, 0, len(a.recent)-maxRecent)
	}
	return r.events[:len(r.events):len(r.events)], nil
}

func (a *Archive) forget(id session.ID) {
	a.replaying.Lock()
	defer a.replaying.Unlock()
	a.recent = slices.DeleteFunc(a.recent, func(r *replayed) bool { return r.id == id })
}

// update reads what is new in the file.
func (r *replayed) update(ctx context.Context, dir string) error {
	const op = "read session"
	f, info, err := safefs.OpenFile(filepath.Join(dir, eventsFile), safefs.NoLinks)
	if os.IsNotExist(err) {
		return notFound(r.id)
	}
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	defer f.Close()
	if info.Size() > maxEvents {
		return &session.Error{Op: op, Kind: session.KindDisk, Err: safefs.ErrTooLarge}
	}
	if !r.continues(f, info.Size()) {
		*r = replayed{id: r.id}
	}
	lines, err := wholeLines(ctx, f, r.size, info.Size())
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	w := readWorkspace(ctx, dir)
	if len(lines) == 0 && r.events != nil && w.Name == r.title {
		return nil
	}
	events, damaged := parseAll(lines)
	r.size += int64(len(lines))
	if len(lines) > 0 {
		r.seam = bytes.Clone(lines[max(0, len(lines)-seamBytes):])
	}
	r.stored, r.damaged, r.title = append(r.stored, events...), r.damaged+damaged, w.Name
	r.events = r.replay(w)
	return nil
}

// continues reports whether a file still begins with what was read of it.
func (r *replayed) continues(f *os.File, size int64) bool {
	if size < r.size {
		return false
	}
	now := make([]byte, len(r.seam))
	n, err := f.ReadAt(now, r.size-int64(len(now)))
	return (err == nil || err == io.EOF) && bytes.Equal(now[:n], r.seam)
}

// wholeLines reads the lines between two positions of a file. A last line without an end is still being written.
func wholeLines(ctx context.Context, f *os.File, from, to int64) ([]byte, error) {
	data := make([]byte, to-from)
	const chunk = 4 << 20
	for at := int64(0); at < int64(len(data)); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := f.ReadAt(data[at:min(at+chunk, int64(len(data)))], from+at)
		at += int64(n)
		if err == io.EOF {
			data = data[:at]
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return data[:bytes.LastIndexByte(data, '\n')+1], nil
}

// replay maps what was read.
func (r *replayed) replay(w workspace) []session.Event {
	var out []session.Event
	first := ""
	for _, e := range r.stored {
		if text, ok := mapper.PromptText(e); ok {
			first = text
			break
		}
	}
	if title := w.title(first); title != "" {
		out = append(out, session.TitleChanged{Head: session.Head{Session: r.id, At: w.Created.UTC()}, Title: title})
	}
	out = append(out, mapper.Replay(r.id, r.stored)...)
	if r.damaged > 0 {
		out = append(out, session.Notice{Head: session.Head{Session: r.id}, Severity: session.Warning,
			Text: "Copilot's record of this session: " + human.Count(r.damaged, "damaged entry was", "damaged entries were") + " left out."})
	}
	return out
}
