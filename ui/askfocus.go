package ui

import "time"

// Times of the rule of who has the keyboard while a question is open.
const (
	askSettle  = 700 * time.Millisecond // on the terminal without any key: then an empty composer lets the question have keys
	askConfirm = 300 * time.Millisecond // a letter is held for so long before it answers
	// askLate is how late a timer may be. A later one means that the program stalled, and that keys may be waiting.
	askLate = 100 * time.Millisecond
)

// askFocus decides whether a key answers a question or is text. It is pure: the caller passes the time.
//
//	hidden --shown--> watched --700 ms without a key, composer empty--> open --letter--> held --300 ms or Enter--> answer
//	                    |  ^                                             |                |
//	                    |  +------------- text in the composer ----------+                +--other printable key--> text
//	                    +--chord--> given, until the chord again or text
//
// The zero value is hidden.
type askFocus struct {
	since time.Time // when the terminal had shown the question, zero before
	last  time.Time // when the last key came
	given bool      // the user gave it the keyboard
	open  bool      // it was looked at for long enough
	held  askKey    // askLetter or askDigit while such a key is held, else 0
	at    time.Time // when that came
}

// askKey is what a key can mean to a question.
type askKey uint8

const (
	askForeign askKey = iota // a key that is not printable and means nothing to the question
	askArrow                 // a key that is not printable and moves in the question
	askEnter                 // Enter
	askLetter                // a printable key that answers
	askDigit                 // a printable key that only selects
	askText                  // a printable key that means nothing to the question
)

func (k askKey) printable() bool { return k >= askLetter }

// askTurn is what becomes of a key.
type askTurn uint8

const (
	askPasses  askTurn = iota // the question does not have the keyboard
	askTakes                  // the question handles the key
	askHolds                  // the question selects what the key stands for, and the key is held
	askTyped                  // what was held is text if anything was, and the key goes where it goes without a question
	askAnswers                // the key that was held answers
)

// show starts the rule: the terminal has taken in the frame that shows the question.
func (f *askFocus) show(now time.Time) { *f = askFocus{since: now, last: f.last} }

// hide takes the keyboard away until the question is shown again.
func (f *askFocus) hide() { *f = askFocus{last: f.last} }

// shown reports whether the terminal shows the question.
func (f *askFocus) shown() bool { return !f.since.IsZero() }

// has reports whether the question has the keyboard.
func (f *askFocus) has() bool { return f.given || f.open }

// holds reports whether a printable key is held.
func (f *askFocus) holds() bool { return f.held != 0 }

// touch notes that a key came, whatever it did.
func (f *askFocus) touch(now time.Time) { f.last = now }

// drop forgets the key that is held.
func (f *askFocus) drop() { f.held = 0 }

// give hands the question the keyboard. A question that the terminal does not show gets nothing.
func (f *askFocus) give() {
	if f.shown() {
		f.given = true
	}
	f.drop()
}

// takeBack makes the question wait again for a moment without keys.
func (f *askFocus) takeBack(now time.Time) {
	f.given, f.open, f.last = false, false, now
	f.drop()
}

// wrote notes that there is text in the composer. Only what was given by the user stays so.
func (f *askFocus) wrote() {
	f.open = false
	if !f.given {
		f.drop()
	}
}

// press says what becomes of a key.
func (f *askFocus) press(k askKey, now time.Time) askTurn {
	f.last = now
	held := f.held
	f.drop()
	switch {
	case held != 0 && (k.printable() || k == askForeign), f.has() && k == askText:
		f.given, f.open = false, false
		return askTyped
	case !f.has() || k == askForeign:
		return askPasses
	case k == askLetter, k == askDigit:
		f.held, f.at = k, now
		return askHolds
	case k == askEnter && held == askLetter:
		return askAnswers
	}
	return askTakes
}

// settled reports whether the question was on the terminal for long enough without any key.
func (f *askFocus) settled(now time.Time) bool {
	return f.shown() && !now.Before(f.looked().Add(askSettle))
}

// looked is since when the question is on the terminal and no key came.
func (f *askFocus) looked() time.Time {
	if f.last.After(f.since) {
		return f.last
	}
	return f.since
}

// due returns when tick has something to do, zero for never.
func (f *askFocus) due(idle bool) time.Time {
	switch {
	case f.holds():
		return f.at.Add(askConfirm)
	case !f.shown() || f.has() || !idle:
		return time.Time{}
	}
	return f.looked().Add(askSettle)
}

// tick lets time pass and reports whether the held key answers now. idle says that nothing is being written.
func (f *askFocus) tick(now time.Time, idle bool) (answers bool) {
	due := f.due(idle)
	switch {
	case due.IsZero() || now.Before(due):
		return false
	case now.Sub(due) > askLate && f.holds():
		f.at = now.Add(askLate - askConfirm) // keys that came meanwhile are handled first
		return false
	case now.Sub(due) > askLate:
		f.last = now.Add(askLate - askSettle)
		return false
	case f.holds():
		answers = f.held == askLetter
		f.drop()
		return answers
	}
	f.open = true
	return false
}
