package view

import (
	"time"

	"parley/ui/core"
)

// Times of the rule of who has the keyboard while a question is open.
const (
	settleTime  = core.SettleTime        // on the terminal without a key: then, with an empty composer, the question gets keys
	confirmTime = 300 * time.Millisecond // a letter is held for this long before it answers
	enterTime   = 300 * time.Millisecond // the question has had the keyboard for this long before Enter answers
	// lateTime is how late a timer may fire. A later one means that the program stalled and keys may be waiting.
	lateTime = 100 * time.Millisecond
)

// focus decides whether a key answers a question or is text. It is pure: the caller passes the time.
//
//	hidden --shown--> watched --700 ms without a key, composer empty--> open --letter--> held --300 ms or Enter--> answer
//	                    |  ^                                             |                |
//	                    |  +------------- text in the composer ----------+                +--other printable key--> text
//	                    +--chord--> given, until the chord again or text
//
// The zero value is hidden.
type focus struct {
	since time.Time // when the terminal had drawn the question, zero before
	last  time.Time // of the last key
	given bool      // the user gave it the keyboard
	open  bool      // it was visible for long enough
	from  time.Time // when it opened
	held  keyKind   // keyLetter or keyDigit while such a key is held, else 0
	at    time.Time // of the held key
}

// keyKind is what a key can mean to a question.
type keyKind uint8

const (
	keyForeign keyKind = iota // not printable, and nothing to the question
	keyArrow                  // not printable, and moves in the question
	keyEnter
	keyLetter // printable, and answers
	keyDigit  // printable, and only selects
	keyText   // printable, and nothing to the question
)

func (k keyKind) printable() bool { return k >= keyLetter }

// turn is what happens with a key.
type turn uint8

const (
	turnPasses  turn = iota // the question does not have the keyboard
	turnTakes               // the question handles the key
	turnHolds               // the question selects what the key stands for, and holds the key
	turnTyped               // the held key, if any, is text, and this key goes where it goes without a question
	turnAnswers             // the held key answers
	turnIgnored             // the key came too soon after the question got the keyboard
)

// show starts the rule once the terminal has drawn the frame with the question.
func (f *focus) show(now time.Time) { *f = focus{since: now, last: f.last} }

// hide takes the keyboard away until the question is drawn again.
func (f *focus) hide() { *f = focus{last: f.last} }

// shown reports whether the terminal has drawn the question.
func (f *focus) shown() bool { return !f.since.IsZero() }

// has reports whether the question has the keyboard.
func (f *focus) has() bool { return f.given || f.open }

// holds reports whether a printable key is held.
func (f *focus) holds() bool { return f.held != 0 }

// touch records the time of a key, whatever it does.
func (f *focus) touch(now time.Time) { f.last = now }

// drop forgets the held key.
func (f *focus) drop() { f.held = 0 }

// give hands the question the keyboard, if the terminal has drawn it.
func (f *focus) give() {
	if f.shown() {
		f.given = true
	}
	f.drop()
}

// leave makes Enter wait again: a field for text was closed with it.
func (f *focus) leave(now time.Time) { f.from = now }

// takeBack makes the question wait again for a pause without keys.
func (f *focus) takeBack(now time.Time) {
	f.given, f.open, f.last = false, false, now
	f.drop()
}

// wrote records that there is text in the composer. Only the user's own grant of the keyboard survives it.
func (f *focus) wrote() {
	f.open = false
	if !f.given {
		f.drop()
	}
}

// press returns what happens with a key.
func (f *focus) press(k keyKind, now time.Time) turn {
	f.last = now
	held := f.held
	f.drop()
	switch {
	case f.given && held == keyDigit && k == keyDigit: // two options ticked quickly: the user gave the keyboard for that
		f.held, f.at = k, now
		return turnHolds
	case held != 0 && (k.printable() || k == keyForeign), f.has() && k == keyText:
		f.given, f.open = false, false
		return turnTyped
	case !f.has() || k == keyForeign:
		return turnPasses
	case k == keyLetter, k == keyDigit:
		f.held, f.at = k, now
		return turnHolds
	case k == keyEnter && held == keyLetter:
		return turnAnswers
	case k == keyEnter && now.Sub(f.from) < enterTime:
		return turnIgnored
	}
	return turnTakes
}

// settled reports whether the question was on the terminal for long enough without a key.
func (f *focus) settled(now time.Time) bool {
	return f.shown() && !now.Before(f.quietSince().Add(settleTime))
}

// quietSince returns since when the question is on the terminal without a key.
func (f *focus) quietSince() time.Time {
	if f.last.After(f.since) {
		return f.last
	}
	return f.since
}

// due returns when tick has something to do, zero for never.
func (f *focus) due(idle bool) time.Time {
	switch {
	case f.holds():
		return f.at.Add(confirmTime)
	case !f.shown() || f.has() || !idle:
		return time.Time{}
	}
	return f.quietSince().Add(settleTime)
}

// tick advances the rule to now and reports whether the held key answers. idle means that nothing is being written.
func (f *focus) tick(now time.Time, idle bool) (answers bool) {
	due := f.due(idle)
	switch {
	case due.IsZero() || now.Before(due):
		return false
	case now.Sub(due) > lateTime && f.holds():
		f.at = now.Add(lateTime - confirmTime) // keys that came meanwhile are handled first
		return false
	case now.Sub(due) > lateTime:
		f.last = now.Add(lateTime - settleTime)
		return false
	case f.holds():
		answers = f.held == keyLetter
		f.drop()
		return answers
	}
	f.open, f.from = true, now
	return false
}
