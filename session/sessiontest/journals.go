package sessiontest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"parley/session"
)

// MemoryJournals are journals in memory. They hold encoded events, as files would. Make them with [Journals].
type MemoryJournals struct {
	log *Log

	mu    sync.Mutex
	books map[session.ID]*book
	fail  map[string]error

	files string // see [World.Bin]
	away  map[session.ID]*book
}

// book is one journal: what is on disk, and whether somebody has it.
type book struct {
	meta   session.Meta
	lines  [][]byte
	locked bool
}

// Journals makes empty journals.
func Journals() *MemoryJournals {
	return &MemoryJournals{books: map[session.ID]*book{}, fail: map[string]error{}}
}

// Fail makes an operation ("create", "open", "read", "tail", "append", "flush", "close") fail with err from now on; nil mends it.
func (m *MemoryJournals) Fail(op string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail[op] = err
}

// Stored returns the events that have reached the disk, nil if there is no such journal.
func (m *MemoryJournals) Stored(id session.ID) []session.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.events(id)
}

// Locked reports whether somebody has the journal.
func (m *MemoryJournals) Locked(id session.ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.books[id]
	return b != nil && b.locked
}

// Holder tells that process 4711 has a journal that somebody has, as the errors of Open do.
func (m *MemoryJournals) Holder(_ context.Context, id session.ID) (pid int, held bool) {
	if m.Locked(id) {
		return 4711, true
	}
	return 0, false
}

// Count returns how many journals there are.
func (m *MemoryJournals) Count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.books)
}

// Put stores a session as if an earlier process had written it.
func (m *MemoryJournals) Put(meta session.Meta, events ...session.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := &book{meta: meta}
	for _, e := range events {
		b.lines = append(b.lines, encode(e))
	}
	m.books[meta.ID] = b
}

// AfterCrash returns what is left when the process is killed now.
func (m *MemoryJournals) AfterCrash() *MemoryJournals {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := Journals()
	for id, b := range m.books {
		n.books[id] = &book{meta: b.meta, lines: slices.Clone(b.lines)}
	}
	return n
}

func (m *MemoryJournals) events(id session.ID) []session.Event {
	b := m.books[id]
	if b == nil {
		return nil
	}
	events := make([]session.Event, len(b.lines))
	for i, l := range b.lines {
		events[i] = decode(l)
	}
	return events
}

func decode(line []byte) session.Event {
	e, err := session.DecodeEvent(line)
	if err != nil {
		panic(err)
	}
	return e
}

func encode(e session.Event) []byte {
	line, err := session.EncodeEvent(e)
	if err != nil {
		panic(err)
	}
	return line
}

func problem(op string, kind session.Kind, text string) error {
	return &session.Error{Op: op, Kind: kind, Err: errors.New(text)}
}

// Create makes a journal and locks it.
func (m *MemoryJournals) Create(_ context.Context, meta session.Meta) (session.Journal, error) {
	m.log.Add("journal create")
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail["create"]; err != nil {
		return nil, err
	}
	if m.books[meta.ID] != nil {
		return nil, problem("create journal", session.KindInvalid, "it exists")
	}
	m.books[meta.ID] = &book{meta: meta, locked: true}
	return &journal{m: m, id: meta.ID}, nil
}

// Open locks a journal and returns what it holds.
func (m *MemoryJournals) Open(_ context.Context, id session.ID) (session.Journal, session.Meta, []session.Event, error) {
	m.log.Add("journal open")
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.books[id]
	switch {
	case m.fail["open"] != nil:
		return nil, session.Meta{}, nil, m.fail["open"]
	case b == nil:
		return nil, session.Meta{}, nil, problem("open journal", session.KindNotFound, "no such session")
	case b.locked:
		return nil, session.Meta{}, nil, problem("open journal", session.KindLocked, "process 4711 has it")
	}
	b.locked = true
	return &journal{m: m, id: id}, b.meta, m.events(id), nil
}

// Read returns what a journal holds.
func (m *MemoryJournals) Read(_ context.Context, id session.ID) (session.Meta, []session.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.books[id]
	switch {
	case m.fail["read"] != nil:
		return session.Meta{}, nil, m.fail["read"]
	case b == nil:
		return session.Meta{}, nil, problem("read journal", session.KindNotFound, "no such session")
	}
	return b.meta, m.events(id), nil
}

// ReadTail returns what the whole lines within the last n bytes hold.
func (m *MemoryJournals) ReadTail(_ context.Context, id session.ID, n int64) (session.Meta, session.Tail, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.books[id]
	switch {
	case m.fail["tail"] != nil:
		return session.Meta{}, session.Tail{}, m.fail["tail"]
	case b == nil:
		return session.Meta{}, session.Tail{}, problem("read journal", session.KindNotFound, "no such session")
	}
	size, from := int64(0), len(b.lines)
	for i := len(b.lines) - 1; i >= 0; i-- {
		if size += int64(len(b.lines[i])) + 1; size <= n {
			from = i
		}
	}
	meta := b.meta
	var before []session.Event // what was chosen and listed, which is all that counts of it
	for _, l := range b.lines[:from] {
		if bytes.Contains(l[:min(len(l), 32)], []byte("_changed")) {
			before = append(before, decode(l))
		}
	}
	events := slices.Clip(before)
	for _, l := range b.lines[from:] {
		events = append(events, decode(l))
	}
	for _, e := range events {
		if e, ok := e.(session.TitleChanged); ok {
			meta.Title = e.Title
		}
	}
	t := TailOf(events, len(before))
	t.Size, t.Whole = size, from == 0
	return meta, t, nil
}

// List describes all journals.
func (m *MemoryJournals) List(context.Context) ([]session.Meta, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	metas := make([]session.Meta, 0, len(m.books))
	for id, b := range m.books {
		meta := b.meta
		var t session.Transcript
		for _, e := range m.events(id) {
			t.Apply(e)
			if at := e.Header().At; at.After(meta.Updated) {
				meta.Updated = at
			}
		}
		if t.Title != "" {
			meta.Title = t.Title
		}
		metas = append(metas, meta)
	}
	slices.SortFunc(metas, func(a, b session.Meta) int { return b.Updated.Compare(a.Updated) })
	return metas, nil
}

// Remove deletes a journal that nobody has.
func (m *MemoryJournals) Remove(_ context.Context, id session.ID) error {
	m.log.Add("journal remove")
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.books[id]
	if b == nil {
		return problem("remove journal", session.KindNotFound, "no such session")
	}
	if b.locked {
		return problem("remove journal", session.KindLocked, "process 4711 has it")
	}
	delete(m.books, id)
	return nil
}

// journal is one open journal. Deltas stay in pending until something else is appended or it is flushed.
type journal struct {
	m       *MemoryJournals
	id      session.ID
	pending [][]byte
}

func (j *journal) Append(e session.Event) error {
	j.m.log.Add("journal append " + session.EventType(e))
	j.m.mu.Lock()
	defer j.m.mu.Unlock()
	j.pending = append(j.pending, encode(e))
	switch e.(type) {
	case session.PartDelta, session.ToolInput, session.ToolOutput:
		return nil
	}
	return j.write("append")
}

func (j *journal) Flush() error {
	j.m.log.Add("journal flush")
	j.m.mu.Lock()
	defer j.m.mu.Unlock()
	return j.write("flush")
}

// write puts what is pending on disk. The lock is held.
func (j *journal) write(op string) error {
	if len(j.pending) == 0 {
		return nil
	}
	if err := errors.Join(j.m.fail[op], j.m.fail["append"]); err != nil {
		return err
	}
	if b := j.m.books[j.id]; b != nil {
		b.lines = append(b.lines, j.pending...)
	}
	j.pending = nil
	return nil
}

func (j *journal) Close() error {
	j.m.log.Add("journal close")
	j.m.mu.Lock()
	defer j.m.mu.Unlock()
	err := errors.Join(j.write("flush"), j.m.fail["close"])
	if b := j.m.books[j.id]; b != nil {
		b.locked = false
	}
	return err
}

// Texts passes on what was said in a session; see [session.TextReader].
func (m *MemoryJournals) Texts(_ context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (read session.TextsRead, err error) {
	last := session.PartID("")
	for _, e := range m.Stored(id) {
		t := session.Text{}
		switch e := e.(type) {
		case session.TurnStarted:
			t.Prompt, t.Bytes = true, []byte(e.Prompt.Text)
		case session.PartDelta:
			t.Bytes, t.GoesOn, last = []byte(e.Text), e.Part == last, e.Part
		}
		if read.Bytes += int64(len(t.Bytes)); len(t.Bytes) > 0 && want.Wants(t) && !yield(t) {
			break
		}
	}
	return read, nil
}
