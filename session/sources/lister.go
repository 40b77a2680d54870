package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/internal/pace"
	"parley/session"
)

// Options say how the sessions of a program are called. Fields are required unless marked optional.
type Options struct {
	// Program is its name for people. Prefix begins the ids that parley gives its sessions; optional.
	Program, Prefix string
	// Valid reports whether a text can be the id of a session.
	Valid func(id string) bool
	// Stamp returns the state of a place; optional, that of its file.
	Stamp func(path string) (Stamp, error)
	// Home reports whether the program itself finds a session at a place; optional. Of several with one id such a one keeps the id.
	Home func(p Place, m session.Meta) bool
}

// Lister lists the sessions of a source, and remembers the descriptions of files that do not change. It is safe for concurrent use.
type Lister struct {
	o      Options
	source Source

	mu    sync.Mutex
	known map[string]described // by path
	where map[string][]string  // the paths of the files that have a session, by its id
	plain map[string]string    // the path of the one that was last listed under its id, of several
	reads int
}

// described is a file as it was read last; read is not set if only its place is known.
type described struct {
	place Place
	metas []session.Meta
	err   error
	at    time.Time
	read  bool
}

// found is a session at a place. It has no description if none was wanted, or if that failed.
type found struct {
	place Place
	meta  *session.Meta
	err   error
}

// New returns the lister of a source without looking for anything.
func New(s Source, o Options) *Lister {
	if o.Stamp == nil {
		o.Stamp = func(path string) (Stamp, error) { return StampOf(path) }
	}
	return &Lister{o: o, source: s, known: map[string]described{}, where: map[string][]string{}}
}

// Reads counts the files that were read to describe sessions.
func (l *Lister) Reads() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reads
}

// mostNamed is how many unreadable files of a program, and bad ids in a file, an error names.
const mostNamed = 8

// Sessions describes the sessions, most recently changed first. What can be read is returned with the errors of the rest, of kind
// [session.KindDisk], each with the path.
func (l *Lister) Sessions(ctx context.Context) ([]session.Meta, error) {
	places, err := l.source.Places(ctx, "")
	all := l.describeAll(ctx, places)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	metas := l.named(all)
	slices.SortStableFunc(metas, func(a, b session.Meta) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) })
	return metas, l.broken(all, err)
}

// describeAll describes places, several at once of those that changed, and replaces what is known.
func (l *Lister) describeAll(ctx context.Context, places []Place) []described {
	all := make([]described, len(places))
	var changed []int
	for i, p := range places {
		var known bool
		if all[i], known = l.unchanged(p, false); !known {
			changed = append(changed, i)
		}
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(pace.Workers(ctx, 2*runtime.GOMAXPROCS(0)), len(changed)) {
		wg.Go(crash.Guarded(func() {
			for n := int(next.Add(1)) - 1; n < len(changed) && ctx.Err() == nil; n = int(next.Add(1)) - 1 {
				all[changed[n]] = l.describe(ctx, places[changed[n]], false)
				pace.Rest(ctx)
			}
		}))
	}
	wg.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() == nil && (len(changed) > 0 || len(places) != len(l.known)) {
		l.replace(all)
	}
	return all
}

// broken returns the error of a listing: of the places, and of the files that could not be read.
func (l *Lister) broken(all []described, places error) error {
	var broken []error
	if places != nil {
		broken = append(broken, places)
	}
	more := 0
	for _, d := range all {
		switch {
		case d.err == nil || errors.Is(d.err, fs.ErrNotExist): // it went away
		case len(broken) >= mostNamed:
			more++
		default:
			broken = append(broken, fmt.Errorf("%s: %w", d.place.Path, d.err))
		}
	}
	if more > 0 {
		broken = append(broken, fmt.Errorf("and %d more files", more))
	}
	if broken == nil {
		return nil
	}
	return l.fail("list sessions", errors.Join(broken...))
}

// Recently is how long a description is good enough to read a session: a program that writes all the time would have its database copied
// for each of them.
const Recently = 10 * time.Second

// unchanged returns what is known of a file if it is as it was or, where that is enough, if it was read recently. What the file system refused
// may work now, without a trace in the file.
func (l *Lister) unchanged(p Place, enough bool) (described, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.known[p.Path]
	_, refused := errors.AsType[*fs.PathError](d.err)
	return d, d.read && !refused && (d.place == p || enough && time.Since(d.at) < Recently)
}

// describe describes the sessions of a file, from memory if that is good enough.
func (l *Lister) describe(ctx context.Context, p Place, enough bool) described {
	if d, known := l.unchanged(p, enough); known {
		return d
	}
	metas, err := l.source.Describe(ctx, p)
	d := described{p, metas[:0], err, time.Now(), true}
	bad, had := 0, map[session.ID]bool{}
	for _, m := range metas {
		if had[m.ID] {
			continue
		}
		had[m.ID] = true
		if !l.o.Valid(string(m.ID)) || Marked(m.ID) {
			if bad++; bad <= mostNamed {
				d.err = errors.Join(d.err, fmt.Errorf("%.40q is not the id of a session", string(m.ID)))
			}
			continue
		}
		if m.Updated.IsZero() {
			m.Updated = p.Stamp[0].MTime
		}
		d.metas = append(d.metas, m)
	}
	if bad > mostNamed {
		d.err = errors.Join(d.err, fmt.Errorf("and %d more ids", bad-mostNamed))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	if ctx.Err() == nil {
		l.known[p.Path] = d
	}
	return d
}

// replace replaces what is known of files. The lock is held.
func (l *Lister) replace(all []described) {
	known, where := make(map[string]described, len(all)), make(map[string][]string, len(all))
	for _, d := range all {
		known[d.place.Path] = d
		for _, id := range d.ids() {
			where[id] = append(where[id], d.place.Path)
		}
	}
	l.known, l.where = known, where
}

// ids returns the ids of the sessions in a file.
func (d described) ids() (ids []string) {
	if d.place.ID != "" {
		return []string{d.place.ID}
	}
	for _, m := range d.metas {
		ids = append(ids, string(m.ID))
	}
	return ids
}

// Find returns the place of a session: as it is, or as it was recently if that is enough. Errors are of kind [session.KindNotFound],
// [session.KindInvalid] for what is no id of the program, or [session.KindDisk] if it may be where nothing can be read.
func (l *Lister) Find(ctx context.Context, id session.ID, enough bool) (Place, error) {
	f, err := l.find(ctx, id, enough, false)
	return f.place, err
}

// Describe describes a session; see [session.Describer]. Its errors are those of [Lister.Find], of kind [session.KindDisk] also for
// a file that cannot be read.
func (l *Lister) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	f, err := l.find(ctx, id, false, true)
	switch {
	case err != nil:
		return session.Meta{}, err
	case f.meta != nil:
		m := *f.meta
		m.ID = id
		return m, nil
	case f.err != nil && !errors.Is(f.err, fs.ErrNotExist):
		return session.Meta{}, l.fail("describe session", fmt.Errorf("%s: %w", f.place.Path, f.err))
	}
	return session.Meta{}, l.missing(id)
}

// Mark returns the name of a session with the mark of its file: that is free where another program has a session with its id.
func (l *Lister) Mark(ctx context.Context, id session.ID) session.ID {
	p, err := l.Find(ctx, id, true)
	if err != nil || Marked(id) {
		return id
	}
	return session.ID(string(id) + sign + markOf(p.Path))
}

// find returns a session by its name.
func (l *Lister) find(ctx context.Context, id session.ID, enough, describe bool) (found, error) {
	name, ours := strings.CutPrefix(string(id), l.o.Prefix)
	if !ours {
		return found{}, l.missing(id)
	}
	raw, mark := split(name)
	if !l.o.Valid(raw) {
		return found{}, &session.Error{Op: "find session", Kind: session.KindInvalid, Err: fmt.Errorf("%.140q is not the id of a session of %s", string(id), l.o.Program)}
	}
	named := func(f found) bool { return mark == "" || mark == markOf(f.place.Path) }
	places, known := l.remembered(raw)
	all := l.among(ctx, raw, places, enough, describe)
	i, err := slices.IndexFunc(all, named), error(nil)
	if i < 0 || !known {
		places, err = l.source.Places(ctx, raw)
		all = l.among(ctx, raw, places, enough, describe)
		l.remember(raw, all)
		i = slices.IndexFunc(all, named)
	}
	switch ended := ctx.Err(); {
	case ended != nil:
		return found{}, ended
	case i >= 0:
		return all[i], nil
	case err != nil: // it may be there
		return found{}, l.fail("find session", err)
	}
	return found{}, l.missing(id)
}

// among returns the sessions with an id at some places, in their order.
func (l *Lister) among(ctx context.Context, raw string, places []Place, enough, describe bool) (all []found) {
	for _, p := range places {
		f := found{place: p}
		if p.ID != "" && p.ID != raw {
			continue
		}
		if describe || p.ID == "" || len(places) > 1 {
			d := l.describe(ctx, p, enough)
			f.err = d.err
			if i := slices.IndexFunc(d.metas, func(m session.Meta) bool { return string(m.ID) == raw }); i >= 0 {
				f.meta = &d.metas[i]
			} else if p.ID == "" {
				continue
			}
		}
		all = append(all, f)
	}
	l.order(all)
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(all, func(f found) bool { return f.meta != nil && f.place.Path == l.plain[raw] })
	if i > 0 { // the list stands, though another one has changed since
		all[0], all[i] = all[i], all[0]
	}
	return all
}

// remembered returns the files that had a session, as they are now. It is false if one is missing.
func (l *Lister) remembered(raw string) (places []Place, known bool) {
	l.mu.Lock()
	for _, path := range l.where[raw] {
		places = append(places, l.known[path].place)
	}
	l.mu.Unlock()
	for i := range places {
		var err error
		if places[i].Stamp, err = l.o.Stamp(places[i].Path); err != nil {
			return nil, false
		}
	}
	return places, len(places) > 0
}

// remember notes where a session was found.
func (l *Lister) remember(raw string, all []found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.where, raw)
	for _, f := range all {
		l.where[raw] = append(l.where[raw], f.place.Path)
		if _, has := l.known[f.place.Path]; !has {
			l.known[f.place.Path] = described{place: f.place}
		}
	}
}

func (l *Lister) missing(id session.ID) error {
	return &session.Error{Op: "find session", Kind: session.KindNotFound, Err: fmt.Errorf("there is no session %s of %s", id, l.o.Program)}
}

func (l *Lister) fail(op string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &session.Error{Op: op, Kind: session.KindDisk, Err: unread{l.o.Program, err}}
}
