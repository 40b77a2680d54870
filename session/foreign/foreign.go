package foreign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/words"
)

// Options are where programs keep their sessions.
type Options struct {
	// Home is the user's home directory, "" for none. Getenv returns variables that move a program's files.
	Home   string
	Getenv func(string) string
	// Dir returns the working directory, where crush keeps a database, and an error if the user has not said that it is trusted.
	Dir func() (string, error)
	// Temp is the directory for copies of databases.
	Temp string
}

// All returns the programs whose sessions can be read, without looking for them. There are none without a home directory.
func All(o Options) []*Program {
	if o.Home == "" {
		return nil
	}
	data := o.under("XDG_DATA_HOME", ".local", "share")
	return []*Program{
		newProgram("codex", codex{o.under("CODEX_HOME", ".codex")}, "codex resume %s"),
		newProgram("opencode", opencode{filepath.Join(data, "opencode", "opencode.db"), &database{temp: o.Temp, large: true}}, "opencode --session %s"),
		newProgram("crush", crush{filepath.Join(data, "crush", "projects.json"), o.Dir, &database{temp: o.Temp}}, "crush --session %s"),
		newProgram("gemini", gemini{o.under("", ".gemini")}, "gemini --resume %s"),
		newProgram("goose", goose{filepath.Join(data, "goose", "sessions", "sessions.db"), &database{temp: o.Temp, large: true}}, "goose session --resume --session-id %s"),
		newProgram("antigravity", antigravity{filepath.Join(o.under("", ".gemini"), "antigravity-cli")}, "agy --conversation %s"),
	}
}

// source is where one program keeps its sessions. Its methods may be called at the same time.
type source interface {
	// places returns the files with sessions, none for a program that is missing. Errors join those that can be looked at.
	places(ctx context.Context) ([]place, error)
	// describe describes the sessions of a file. A session in which nothing was said is left out.
	describe(ctx context.Context, p place) ([]session.Meta, error)
	// read passes what was said and done in a session to emit, oldest first, until it returns false, and returns how many bytes it read.
	// The session is one of those that the file had when it was described.
	read(ctx context.Context, p place, id string, emit func(step) bool) (int64, error)
}

// place is a file with sessions as it was found.
type place struct {
	path  string
	dir   string // the directory that its sessions work in, where the place says so
	stamp stamp
}

// stamp is the state of a file, and of the log and the journal beside a database.
type stamp struct {
	size, logSize, journalSize    int64
	mtime, logMtime, journalMtime time.Time
}

// Program is an agent for the stored sessions of a program. It is safe for concurrent use.
type Program struct {
	name   string
	source source
	goOn   string // the command that continues a session, with %s for its id

	mu     sync.Mutex
	known  map[string]described // by path
	where  map[session.ID]spot  // of each session, of several files the one that changed last
	listed time.Time            // when these were as they are here
	reads  int
}

// spot is the place of a session among what is known.
type spot struct {
	path string
	n    int
}

// described is what a file had when it was read last.
type described struct {
	place place
	metas []session.Meta
	err   error
}

func newProgram(name string, s source, goOn string) *Program {
	return &Program{name: name, source: s, goOn: goOn, known: map[string]described{}}
}

// Name returns the name of the agent, such as "codex".
func (p *Program) Name() string { return p.name }

// Open always fails, with an error of kind [session.KindUnsupported] that says how to go on with the session.
func (p *Program) Open(_ context.Context, o session.OpenOptions) (session.Conversation, error) {
	command := fmt.Sprintf(p.goOn, p.raw(o.Session))
	return nil, &session.Error{Op: "continue session", Kind: session.KindUnsupported, Err: kept{session.AgentTitle(p.name), string(o.Session), command}}
}

// kept is the error that a session's own program continues it, with the session's id and the command for that.
type kept struct{ program, id, command string }

// Error returns what else can be done with the session.
func (k kept) Error() string {
	return fmt.Sprintf("%s made it, and parley only reads it; `parley sessions fork %s` copies it, `%s` goes on in %s", k.program, k.id, k.command, k.program)
}

// Words returns the texts of the problem; see [session.ProblemOf].
func (k kept) Words() (what, next string) {
	return k.program + " made this session, and parley only reads it.", "/fork goes on with a copy here, `" + k.command + "` goes on in " + k.program + "."
}

// Reads counts the files that were read to describe sessions.
func (p *Program) Reads() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reads
}

// mostNamed is how many unreadable files of a program, and bad ids in a file, an error names.
const mostNamed = 8

// Sessions describes the stored sessions, most recently changed first. Files that did not change are not read again. What can be read is
// returned with the errors of the rest.
func (p *Program) Sessions(ctx context.Context) ([]session.Meta, error) {
	places, err := p.source.places(ctx)
	all := make([]described, len(places))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(places)) {
		wg.Go(crash.Guarded(func() {
			for i := range next {
				all[i] = p.describe(ctx, places[i])
			}
		}))
	}
	for i := range places {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.keep(all)
	p.mu.Unlock()
	unique(all)
	var metas []session.Meta
	var broken []error
	if err != nil {
		broken = append(broken, p.fail("list sessions", err))
	}
	more := 0
	for _, d := range all {
		metas = append(metas, d.metas...)
		switch {
		case d.err == nil || errors.Is(d.err, fs.ErrNotExist):
		case len(broken) >= mostNamed:
			more++
		default:
			broken = append(broken, p.fail("list sessions", fmt.Errorf("%s: %w", d.place.path, d.err)))
		}
	}
	if more > 0 {
		broken = append(broken, p.fail("list sessions", fmt.Errorf("and %d more files", more)))
	}
	slices.SortStableFunc(metas, func(a, b session.Meta) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) })
	return metas, errors.Join(broken...)
}

// unique leaves each session to one file, the one that changed last: a program may have begun another for a session that it resumed.
func unique(all []described) {
	at := map[session.ID]time.Time{}
	for _, d := range all {
		for _, m := range d.metas {
			if m.Updated.After(at[m.ID]) {
				at[m.ID] = m.Updated
			}
		}
	}
	for i := range all {
		var metas []session.Meta
		for _, m := range all[i].metas {
			if newest, open := at[m.ID]; open && m.Updated.Equal(newest) {
				delete(at, m.ID)
				metas = append(metas, m)
			}
		}
		all[i].metas = metas
	}
}

// describe describes the sessions of a file, from memory if it is unchanged.
func (p *Program) describe(ctx context.Context, at place) described {
	p.mu.Lock()
	d, known := p.known[at.path]
	p.mu.Unlock()
	if known && d.place == at {
		return d
	}
	metas, err := p.source.describe(ctx, at)
	d = described{at, metas[:0:0], err}
	bad := 0
	for _, m := range metas {
		if !plainID.MatchString(string(m.ID)) {
			if bad++; bad <= mostNamed {
				d.err = errors.Join(d.err, fmt.Errorf("%.40q is not the id of a session", string(m.ID)))
			}
			continue
		}
		m.ID, m.Agent, m.First = session.ID(p.name+"-"+string(m.ID)), p.name, firstWords(m.First)
		m.Title, m.Dir, m.Branch, m.Model = firstWords(m.Title), plain(m.Dir), plain(m.Branch), plain(m.Model)
		if m.Updated.IsZero() {
			m.Updated = at.stamp.mtime
		}
		d.metas = append(d.metas, m)
	}
	if bad > mostNamed {
		d.err = errors.Join(d.err, fmt.Errorf("and %d more ids", bad-mostNamed))
	}
	p.mu.Lock()
	p.reads++
	p.mu.Unlock()
	return d
}

// plainID matches ids that have no meaning in paths, patterns and command lines.
var plainID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,120}$`)

// keep replaces what is known of files. The lock is held.
func (p *Program) keep(all []described) {
	p.known, p.where, p.listed = make(map[string]described, len(all)), map[session.ID]spot{}, time.Now()
	for _, d := range all {
		p.known[d.place.path] = d
		for n, m := range d.metas {
			if old, twice := p.where[m.ID]; !twice || m.Updated.After(p.known[old.path].metas[old.n].Updated) {
				p.where[m.ID] = spot{d.place.path, n}
			}
		}
	}
}

// recently is how long what is known is good enough to read a session: a program that writes all the time would have its database copied
// for each of them.
const recently = 10 * time.Second

// find returns the file with a session, and its description: as they are, or as they were recently if that is enough. The error is of kind
// [session.KindNotFound] if there is none.
func (p *Program) find(ctx context.Context, id session.ID, enough bool) (place, session.Meta, error) {
	if raw, ours := strings.CutPrefix(string(id), p.name+"-"); !ours || !plainID.MatchString(raw) {
		return place{}, session.Meta{}, p.missing(id)
	}
	at, m, known, since := p.lookup(id)
	if known {
		if now, err := stampOf(at.path); err == nil && (now == at.stamp || enough && since < recently) {
			return at, m, nil
		}
	}
	if at, m, known := p.named(ctx, id); known {
		return at, m, nil
	}
	if _, err := p.Sessions(ctx); ctx.Err() != nil {
		return place{}, session.Meta{}, err
	}
	if at, m, known, _ = p.lookup(id); !known {
		return place{}, session.Meta{}, p.missing(id)
	}
	return at, m, nil
}

// named finds a session whose file has the beginning of its id in its path, and reads no other file.
func (p *Program) named(ctx context.Context, id session.ID) (place, session.Meta, bool) {
	places, _ := p.source.places(ctx) // what it cannot look at is looked at again, and reported
	for _, at := range places {
		if strings.Contains(at.path, limited(p.raw(id), 8)) {
			d := p.describe(ctx, at)
			for _, m := range d.metas {
				if m.ID == id {
					p.mu.Lock()
					defer p.mu.Unlock()
					delete(p.known, at.path)
					p.keep(append(slices.Collect(maps.Values(p.known)), d))
					return at, m, true
				}
			}
		}
	}
	return place{}, session.Meta{}, false
}

// lookup returns a known session, and how long ago it was as it is known.
func (p *Program) lookup(id session.ID) (at place, m session.Meta, known bool, since time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, known := p.where[id]
	if known {
		at, m = p.known[s.path].place, p.known[s.path].metas[s.n]
	}
	return at, m, known, time.Since(p.listed)
}

// Describe describes one session; see [session.Describer].
func (p *Program) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	_, m, err := p.find(ctx, id, false)
	return m, err
}

// Replay returns the events of a stored session; see [session.Replayer].
func (p *Program) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	at, _, err := p.find(ctx, id, true)
	if err != nil {
		return nil, err
	}
	b := newBuilder(id)
	if _, err := p.source.read(ctx, at, p.raw(id), func(s step) bool { b.add(s); return true }); err != nil {
		return nil, p.fail("read session", fmt.Errorf("%s: %w", at.path, err))
	}
	return b.end(session.AgentTitle(p.name)), nil
}

// Texts passes on what was said in a session; see [session.TextReader].
func (p *Program) Texts(ctx context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	at, _, err := p.find(ctx, id, true)
	if err != nil {
		return session.TextsRead{}, err
	}
	read, err := p.source.read(ctx, at, p.raw(id), func(s step) bool {
		t := session.Text{Prompt: s.kind == stepPrompt, Tool: s.kind == stepCall || s.kind == stepResult, Bytes: []byte(s.text)}
		switch s.kind {
		case stepPrompt, stepAnswer, stepResult:
		case stepCall:
			t.Bytes = words.Strings(s.input)
		default:
			return true
		}
		return len(t.Bytes) == 0 || !want.Wants(t) || yield(t)
	})
	if err != nil {
		return session.TextsRead{Bytes: read}, p.fail("read session", fmt.Errorf("%s: %w", at.path, err))
	}
	return session.TextsRead{Bytes: read}, nil
}

func (p *Program) raw(id session.ID) string { return strings.TrimPrefix(string(id), p.name+"-") }

func (p *Program) missing(id session.ID) error {
	return &session.Error{Op: "find session", Kind: session.KindNotFound, Err: fmt.Errorf("there is no session %s of %s", id, session.AgentTitle(p.name))}
}

func (p *Program) fail(op string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &session.Error{Op: op, Kind: session.KindDisk, Err: fmt.Errorf("%s: %w", session.AgentTitle(p.name), err)}
}

// stampOf returns the state of a regular file, and of the log and the journal of a database beside it.
func stampOf(path string) (stamp, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}, err
	}
	if !info.Mode().IsRegular() {
		return stamp{}, errors.New("not a regular file")
	}
	s := stamp{size: info.Size(), mtime: info.ModTime()}
	if log, err := os.Lstat(path + "-wal"); err == nil && log.Mode().IsRegular() {
		s.logSize, s.logMtime = log.Size(), log.ModTime()
	}
	if journal, err := os.Lstat(path + "-journal"); err == nil && journal.Mode().IsRegular() {
		s.journalSize, s.journalMtime = journal.Size(), journal.ModTime()
	}
	return s, nil
}
