package highlight

import (
	"hash/maphash"
	"slices"
	"time"
)

// Highlighter caches the colors of code and queues code to lex. Layouts draw unknown code plain and request it. The caller runs
// the jobs of [Highlighter.Next] on any goroutine, passes their results to [Highlighter.Take], and lays out again the owners
// that it returns.
//
// Colors are cached by code and language and do not depend on width and theme: a resize does not make a result stale. A
// Highlighter belongs to the goroutine of the layouts; only [Job.Run] may run elsewhere.
type Highlighter struct {
	now      func() time.Time
	at       bool          // lex within the layout
	limit    time.Duration // of one lexing
	seed     maphash.Seed
	owner    any
	new, old map[Key][]Token // two generations of the cache
	size     int             // of the new one, in tokens
	asked    map[Key]*request
	queue    []*request
	round    int
	running  bool
	epoch    uint64 // grows whenever colors may change
	due      map[*OpenBlock]time.Time
}

// Key identifies some code in a language by its length and hash.
type Key struct {
	Language
	size int
	hash uint64
}

// request is code to lex: all of it, or a window of a growing block.
type request struct {
	key    Key
	code   string
	later  bool // all others go first
	round  int
	owners []any

	block   *OpenBlock
	version int
	from    int     // where the window begins
	near    int     // a later line of it at which it may begin as well,
	known   []Token // if that gives these tokens again from there
}

// How many tokens a generation holds, and how much is lexed in one job.
const (
	keptTokens = 128 << 10
	jobBytes   = 64 << 10
)

// New returns an empty highlighter with a clock for the pace of growing blocks.
func New(now func() time.Time) *Highlighter {
	return &Highlighter{now: now, limit: maxTime, seed: maphash.MakeSeed(), new: map[Key][]Token{}, asked: map[Key]*request{},
		due: map[*OpenBlock]time.Time{}}
}

// AtOnce returns a highlighter that lexes within the layout, for printed output. Growing blocks stay plain until they are
// closed.
func AtOnce() *Highlighter {
	h := New(time.Now)
	h.at = true
	return h
}

// SetLimit sets the processor time that one lexing may take before its code stays plain, instead of 100 ms.
func (h *Highlighter) SetLimit(limit time.Duration) { h.limit = limit }

// Epoch grows whenever colors may change.
func (h *Highlighter) Epoch() uint64 { return h.epoch }

// SetOwner sets the owner of the layouts that follow, which Take and Wake return. It must be comparable; nil is none.
func (h *Highlighter) SetOwner(owner any) { h.owner = owner }

// Tokens returns the tokens of some code, none for code that stays plain, and whether they are known. It requests unknown ones;
// later puts them behind all others.
func (h *Highlighter) Tokens(l Language, code []byte, later bool) (toks []Token, key Key, known bool) {
	key = Key{l, len(code), maphash.Bytes(h.seed, code)}
	if toks, known = h.find(key); known {
		return toks, key, true
	}
	if h.at {
		toks, _ = lex(l.lexer(), string(code), time.Second)
		h.keep(key, toks)
		return toks, key, true
	}
	r := h.asked[key]
	if r == nil {
		r = &request{key: key, code: string(code), later: later}
		h.asked[key] = r
		h.queue = append(h.queue, r)
	}
	r.round = h.round
	if h.owner != nil && !slices.Contains(r.owners, h.owner) {
		r.owners = append(r.owners, h.owner)
	}
	return nil, key, false
}

func (h *Highlighter) find(key Key) (toks []Token, known bool) {
	if toks, known = h.new[key]; known {
		return toks, true
	}
	if toks, known = h.old[key]; known {
		h.keep(key, toks)
	}
	return toks, known
}

func (h *Highlighter) keep(key Key, toks []Token) {
	h.new[key] = toks
	if h.size += len(toks) + 16; h.size > keptTokens {
		h.new, h.old, h.size = map[Key][]Token{}, h.new, 0
	}
}

// Settles reports whether code should be laid out again: its colors are known, or were dropped and must be requested again.
func (h *Highlighter) Settles(keys []Key) bool {
	for _, k := range keys {
		if h.asked[k] == nil {
			return true
		}
	}
	return false
}

// Job is code to lex. It shares nothing that changes.
type Job struct {
	parts []request
	limit time.Duration
}

// Parts returns the pieces of code to lex, in their order.
func (j Job) Parts() (code []string) {
	for _, p := range j.parts {
		code = append(code, p.code)
	}
	return code
}

// Result is the result of a job.
type Result struct{ parts []lexed }

type lexed struct {
	key     Key
	toks    []Token
	bounds  []int
	block   *OpenBlock
	version int
	from    int
	near    int // where in the window lexing began
}

// Next returns the next job, if there is one and none is running. The code that was laid out last goes first, in the order of
// the rows. It is called once after each frame.
func (h *Highlighter) Next() (Job, bool) {
	h.round++
	if h.running || len(h.queue) == 0 {
		return Job{}, false
	}
	slices.SortStableFunc(h.queue, func(a, b *request) int {
		switch {
		case a.later == b.later:
			return b.round - a.round
		case b.later:
			return -1
		}
		return 1
	})
	j := Job{limit: h.limit}
	size := 0
	for len(h.queue) > 0 && (size == 0 || size+len(h.queue[0].code) <= jobBytes) {
		r := h.queue[0]
		h.queue = h.queue[1:]
		size += len(r.code)
		part := *r
		part.owners = nil
		j.parts = append(j.parts, part)
	}
	h.running = true
	return j, true
}

// Run lexes the code of a job, each part within 256 KiB and the limit of its highlighter, not counting the first use of a
// lexer. It may run on any goroutine.
func (j Job) Run() Result { return j.RunWithin(j.limit) }

// RunWithin is Run with another bound for the time.
func (j Job) RunWithin(limit time.Duration) Result {
	var res Result
	for _, r := range j.parts {
		l := r.key.lexer()
		out := lexed{key: r.key, block: r.block, version: r.version, from: r.from}
		if r.block == nil {
			out.toks, _ = lex(l, r.code, limit)
		} else {
			out.toks, out.bounds, out.near = lexNear(l, r, limit)
		}
		res.parts = append(res.parts, out)
	}
	return res
}

// Take adds the result of a job and returns the owners whose layouts it changes. It drops windows of blocks that were closed
// or replaced meanwhile.
func (h *Highlighter) Take(res Result) (owners []any) {
	h.running = false
	h.epoch++
	add := func(owner any) {
		if owner != nil && !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	for _, l := range res.parts {
		if l.block != nil {
			if l.block.take(l) {
				add(l.block.owner)
			}
			continue
		}
		h.keep(l.key, l.toks)
		if r := h.asked[l.key]; r != nil {
			for _, o := range r.owners {
				add(o)
			}
			delete(h.asked, l.key)
		}
	}
	return owners
}

// Waits reports whether code of an owner is queued or being lexed.
func (h *Highlighter) Waits(owner any) bool {
	for _, r := range h.asked {
		if slices.Contains(r.owners, owner) {
			return true
		}
	}
	return false
}

// finishTime is the time that Finish may take.
const finishTime = 300 * time.Millisecond

// Finish lexes all queued and running requests, except for growing blocks, so that the next layout is final.
func (h *Highlighter) Finish() {
	begin := time.Now()
	var j Job
	for _, r := range h.asked {
		j.parts = append(j.parts, request{key: r.key, code: r.code})
	}
	for len(j.parts) > 0 && time.Since(begin) < finishTime {
		h.Take(Job{j.parts[:1], h.limit}.Run())
		j.parts = j.parts[1:]
	}
}

// Due returns how long until the caller must call Wake, because a growing block has finished lines that are too few to lex
// now.
func (h *Highlighter) Due() (wait time.Duration, ok bool) {
	for _, at := range h.due {
		if w := at.Sub(h.now()); !ok || w < wait {
			wait, ok = max(w, 0), true
		}
	}
	return wait, ok
}

// Wake returns the owners of the blocks whose time has come.
func (h *Highlighter) Wake() (owners []any) {
	now := h.now()
	for g, at := range h.due {
		if at.After(now) {
			continue
		}
		delete(h.due, g)
		h.epoch++
		if g.owner != nil && !slices.Contains(owners, g.owner) {
			owners = append(owners, g.owner)
		}
	}
	return owners
}
