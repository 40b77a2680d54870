package caps

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"parley/session"
)

// Caps are limits of what sessions may cost, in nano AI units.
type Caps struct {
	// Session bounds one session since it was made, Day all sessions on a local day. 0 says nothing, [None] that there is no limit.
	Session int64 `json:"session,omitempty"`
	Day     int64 `json:"day,omitempty"`
}

// None is a limit that bounds nothing.
const None int64 = -1

// Options are what a keeper needs.
type Options struct {
	// Now returns the time.
	Now func() time.Time
	// Settings returns the user's limits as they are now. It may read a file.
	Settings func() (Caps, error)
	// Stored returns what the stored sessions cost on the local day of a time, without those for which but returns true. It reads files.
	Stored func(ctx context.Context, day time.Time, but func(session.ID) bool) (int64, error)
}

// Keeper counts what sessions cost against the limits. It is safe for concurrent use, and holds no lock while it calls out.
type Keeper struct {
	o Options

	mu       sync.Mutex
	settings Caps
	day      string // of others
	others   int64  // what sessions cost that day that are not in open
	open     map[session.ID]*Account
	changes  int // of open
}

// New returns a keeper, which has read nothing yet.
func New(o Options) *Keeper { return &Keeper{o: o, open: map[session.ID]*Account{}} }

// Bounded is a session with limits of credits, wherever it runs.
type Bounded interface {
	// Cap sets limits of what this session and a day may cost in the place of the user's settings; 0 changes nothing. They hold in
	// the process of the session and are not stored.
	Cap(c Caps)
	// Standing reads what the session and the day have cost, and the limits. It blocks.
	Standing(ctx context.Context) (Standing, error)
}

// Account is what one session cost. A nil account bounds and counts nothing. It is safe for concurrent use.
type Account struct {
	k    *Keeper
	id   session.ID
	made time.Time

	// The keeper's lock guards the fields below.
	own  Caps // instead of the settings
	days map[string]int64
}

// Account returns the account of a session that was made then: what a copy took over was charged to the original. A nil keeper
// returns nil.
func (k *Keeper) Account(id session.ID, made time.Time) *Account {
	if k == nil {
		return nil
	}
	return &Account{k: k, id: id, made: made, days: map[string]int64{}}
}

// Note counts an event of the session, old or new, once. It may be called under the session's lock.
func (a *Account) Note(e session.Event) {
	c, is := e.(session.CreditsReported)
	if a == nil || !is || c.At.IsZero() || c.At.Before(a.made) {
		return
	}
	a.k.mu.Lock()
	defer a.k.mu.Unlock()
	a.days[dayOf(c.At)] += c.NanoAIU
}

// Cap sets limits of this session in the place of the settings, as long as it is open. A field that is 0 changes nothing.
func (a *Account) Cap(c Caps) {
	if a == nil {
		return
	}
	a.k.mu.Lock()
	defer a.k.mu.Unlock()
	if c.Session != 0 {
		a.own.Session = c.Session
	}
	if c.Day != 0 {
		a.own.Day = c.Day
	}
}

// Check reads the settings and what other sessions cost today, and returns the problem of a limit that is reached, nil if there is
// none. From then on this process counts for the session. What cannot be read counts as it was.
func (a *Account) Check(ctx context.Context) *session.Problem {
	if a == nil {
		return nil
	}
	a.k.mu.Lock()
	if a.k.open[a.id] != a {
		a.k.open[a.id] = a
		a.k.changes++
	}
	a.k.mu.Unlock()
	a.refresh(ctx, false)
	return a.Reached()
}

// tries bounds how often the stored costs are read while sessions are opened and closed.
const tries = 3

// refresh reads the settings, and the costs of other sessions if they are limited or wanted.
func (a *Account) refresh(ctx context.Context, wanted bool) {
	k := a.k
	settings, err := k.o.Settings()
	k.mu.Lock()
	if err == nil {
		k.settings = settings
	}
	wanted = wanted || a.caps().Day > 0
	k.mu.Unlock()
	for range tries {
		if !wanted || k.read(ctx) {
			return
		}
	}
}

// read reads the costs of other sessions. It reports false if a session was opened or closed meanwhile.
func (k *Keeper) read(ctx context.Context) bool {
	k.mu.Lock()
	ours, changes := maps.Clone(k.open), k.changes
	k.mu.Unlock()
	now := k.o.Now()
	others, err := k.o.Stored(ctx, now, func(id session.ID) bool { return ours[id] != nil })
	if err != nil {
		return true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes != changes {
		return false
	}
	k.day, k.others = dayOf(now), others
	return true
}

// Reached returns the problem of a limit that is reached by what is known, nil if there is none. It reads nothing.
func (a *Account) Reached() *session.Problem {
	if a == nil {
		return nil
	}
	s := a.standing()
	switch c := s.Caps; {
	case c.Session > 0 && s.Session >= c.Session:
		return problem(fmt.Sprintf("This session has reached its limit of %s: it has cost %s.", credits(c.Session), credits(s.Session)),
			fmt.Sprintf("Nothing more is sent. Raise the limit with /limit %s, or the setting limits.session_credits.", raised(s.Session)))
	case c.Day > 0 && s.Day >= c.Day:
		return problem(fmt.Sprintf("Today's limit of %s is reached: all sessions together have cost %s.", credits(c.Day), credits(s.Day)),
			fmt.Sprintf("Nothing more is sent today. Raise the limit with /limit day %s, or the setting limits.day_credits.", raised(s.Day)))
	}
	return nil
}

func problem(what, next string) *session.Problem {
	return &session.Problem{Kind: session.KindTooLong, What: what, Next: next, Retry: true}
}

// credits words a cost, with at most two digits behind its point.
func credits(nano int64) string {
	text := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", float64(nano)/1e9), "0"), ".")
	switch text {
	case "0":
		return "less than 0.01 credits"
	case "1":
		return "1 credit"
	}
	return text + " credits"
}

// raised suggests a limit in credits: a round number that leaves as much room as was used.
func raised(spent int64) string {
	n, unit := 2*((spent+1e9-1)/1e9), int64(1)
	for n > 20*unit {
		unit *= 10
	}
	return fmt.Sprint((n + unit - 1) / unit * unit)
}

// Standing is what is spent, and the limits that hold; 0 or less bounds nothing.
type Standing struct {
	Session int64 `json:"session"`
	Day     int64 `json:"day"`
	Caps    Caps  `json:"caps"`
}

// Standing reads the settings and what is spent.
func (a *Account) Standing(ctx context.Context) (Standing, error) {
	if a == nil {
		return Standing{}, nil
	}
	a.refresh(ctx, true)
	return a.standing(), ctx.Err()
}

func (a *Account) standing() Standing {
	k := a.k
	now := dayOf(k.o.Now())
	k.mu.Lock()
	defer k.mu.Unlock()
	s := Standing{Caps: a.caps()}
	for _, n := range a.days {
		s.Session += n
	}
	if k.day == now {
		s.Day = k.others
	}
	for _, o := range k.open {
		s.Day += o.days[now]
	}
	return s
}

// caps returns the limits of the session. The keeper's lock is held.
func (a *Account) caps() Caps {
	c := a.k.settings
	if a.own.Session != 0 {
		c.Session = a.own.Session
	}
	if a.own.Day != 0 {
		c.Day = a.own.Day
	}
	return c
}

// Close ends that this process counts for the session, which is stored whole.
func (a *Account) Close() {
	if a == nil {
		return
	}
	k := a.k
	now := dayOf(k.o.Now())
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.open[a.id] != a {
		return
	}
	delete(k.open, a.id)
	k.changes++
	if k.day == now {
		k.others += a.days[now]
	}
}

// Admit returns the error of a limit that a session has reached, nil for one of which this process does not count.
func (k *Keeper) Admit(id session.ID) error {
	k.mu.Lock()
	a := k.open[id]
	k.mu.Unlock()
	if p := a.Reached(); p != nil {
		return fmt.Errorf("%s %s", p.What, p.Next)
	}
	return nil
}

func dayOf(t time.Time) string { return t.Local().Format(time.DateOnly) }
