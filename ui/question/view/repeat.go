package view

import "time"

// Times that tell a key that is held down from one that is typed again.
const (
	repeatDelay = time.Second            // a terminal repeats a key after less
	repeatPause = 60 * time.Millisecond  // and then more often than this
	repeatEnd   = 150 * time.Millisecond // a longer pause means that the key was let go
)

// repeat recognises the letter that opened a text and is still held down. Its first repetition looks like a letter that is
// typed; the second one comes too soon for fingers, and then both are no text. It is pure: the caller passes the time.
type repeat struct {
	key    string
	opened time.Time // when the letter opened the text
	last   time.Time // of the letter, zero before it came again
	held   bool
}

// holds reports whether a key is a repetition, and whether the one before has to be undone.
func (r *repeat) holds(key string, now time.Time) (drop, undo bool) {
	switch before := r.last; {
	case r.key == "":
		return false, false
	case key != r.key:
		*r = repeat{}
		return false, false
	case r.held:
		if r.last = now; now.Sub(before) > repeatEnd {
			*r = repeat{}
			return false, false
		}
		return true, false
	case before.IsZero():
		if r.last = now; now.Sub(r.opened) > repeatDelay {
			*r = repeat{}
		}
		return false, false
	case now.Sub(before) < repeatPause:
		r.held, r.last = true, now
		return true, true
	}
	*r = repeat{}
	return false, false
}

// repeats reports whether a key is the letter that opened the text and is still held down. It takes back what the letter
// wrote before that was known.
func (p *prompt) repeats(key string) bool {
	drop, undo := p.repeat.holds(key, p.now())
	switch {
	case !undo:
	case p.editing():
		p.q.Review.Editor.Undo()
	case p.line() != nil:
		p.line().Key("backspace", "")
	default:
		p.form.Input.Key("backspace", "")
	}
	return drop
}
