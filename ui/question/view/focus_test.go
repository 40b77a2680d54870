package view

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// typist types keys into a question as the screen does, and notes where they go.
type typist struct {
	focus    focus
	now      time.Time
	held     string
	composer string
	answers  string
}

func newTypist() *typist {
	p := &typist{now: time.Unix(0, 0)}
	p.focus.show(p.now)
	return p
}

// pass lets time pass, with every timer on time.
func (p *typist) pass(d time.Duration) {
	end := p.now.Add(d)
	for {
		due := p.focus.due(p.composer == "")
		if due.IsZero() || due.After(end) {
			break
		}
		if due.After(p.now) {
			p.now = due
		}
		p.tick()
	}
	p.now = end
}

func (p *typist) tick() {
	if p.focus.tick(p.now, p.composer == "") {
		p.answers, p.held = p.answers+p.held, ""
	} else if !p.focus.holds() {
		p.held = ""
	}
}

// key presses a key: one of "ynsm" answers, a digit selects, "\r" is Enter, "^" the chord, "<" an arrow, "#" another
// key, and everything else is text.
func (p *typist) key(r rune) {
	kind := keyText
	switch {
	case strings.ContainsRune("ynsm", r):
		kind = keyLetter
	case r >= '1' && r <= '9':
		kind = keyDigit
	case r == '\r':
		kind = keyEnter
	case r == '<':
		kind = keyArrow
	case r == '#':
		kind = keyForeign
	case r == '^':
		if p.focus.given {
			p.focus.takeBack(p.now)
		} else {
			p.focus.give()
		}
		p.held = ""
		return
	}
	switch t := p.focus.press(kind, p.now); {
	case t == turnHolds:
		p.held = string(r)
	case t == turnAnswers:
		p.answers, p.held = p.answers+p.held, ""
	case t == turnTyped || t == turnPasses && kind.printable():
		p.composer, p.held = p.composer+p.held, ""
		if kind.printable() {
			p.composer += string(r)
		}
	case t == turnTakes && kind == keyEnter:
		p.answers, p.held = p.answers+"!", "" // what is selected
	default:
		p.held = ""
	}
	if p.composer != "" {
		p.focus.wrote()
	}
}

// TestFocus walks through the rule. A number is a pause of so many milliseconds.
func TestFocus(t *testing.T) {
	for _, tt := range []struct{ keys, composer, answers string }{
		{"700 y 300", "", "y"},
		{"699 y 5000", "y", ""},
		{"700 y 299", "", ""},
		{"700 y 100 \r", "", "y"},
		{"700 y 299 e", "ye", ""},
		{"700 y 0 y 0 y", "yyy", ""},
		{"700 y 299 e 9000 s 9000", "yes", ""},
		{"700 h 9000 y 9000", "hy", ""},
		{"100 < 699 y 5000", "y", ""},
		{"100 < 700 y 300", "", "y"},
		{"700 \r", "", ""},
		{"700 299 \r", "", ""},
		{"700 300 \r", "", "!"},
		{"700 \r 300 \r", "", "!"},
		{"699 \r", "", ""},
		{"700 1 299 2 9000", "12", ""},
		{"700 1 300 \r", "", "!"},
		{"700 1 100 \r", "", ""},
		{"700 1 9000", "", ""},
		{"700 y 100 < 9000", "", ""},
		{"700 y 100 < 0 \r", "", ""},
		{"700 y 100 # 9000 n 9000", "yn", ""},
		{"0 h 9000 ^ y 300", "h", "y"},
		{"0 h 9000 ^ y 100 e 9000 y 9000", "hyey", ""},
		{"0 ^ y 300", "", "y"},
		{"0 ^ ^ y 9000", "y", ""},
		{"0 ^ 1 120 2 9000 y 300", "", "y"},
		{"0 ^ 1 0 2 0 1 \r", "", "!"},
		{"0 ^ 1 120 2 120 h 9000 y 9000", "2hy", ""},
		{"700 ^ ^ 0 y 9000", "y", ""},
		{"700 y 100 ^ 9000", "", ""},
		{"0 h 9000 ^ h 0 y 9000", "hhy", ""},
	} {
		p := newTypist()
		for _, k := range strings.Split(tt.keys, " ") {
			var ms int
			if _, err := fmt.Sscan(k, &ms); err == nil && k != "1" && k != "2" {
				p.pass(time.Duration(ms) * time.Millisecond)
				continue
			}
			p.key([]rune(k)[0])
		}
		if p.composer != tt.composer || p.answers != tt.answers {
			t.Errorf("%q: composer %q, answers %q; want %q and %q", tt.keys, p.composer, p.answers, tt.composer, tt.answers)
		}
	}
}

// TestFocusHidden never lets a question that the terminal does not show have a key, whatever the user does.
func TestFocusHidden(t *testing.T) {
	var f focus
	f.give()
	for range 10 {
		if f.tick(time.Unix(1e9, 0), true) || f.has() || !f.due(true).IsZero() || f.settled(time.Unix(1e9, 0)) {
			t.Fatalf("a hidden question: %+v", f)
		}
		for k := keyForeign; k <= keyText; k++ {
			if got := f.press(k, time.Unix(1e9, 0)); got != turnPasses {
				t.Fatalf("a hidden question made %d of the key %d", got, k)
			}
		}
	}
}

// TestFocusLateTimer has the program stall: a timer that comes late gives the keys that wait behind it another chance.
func TestFocusLateTimer(t *testing.T) {
	p := newTypist()
	p.pass(settleTime)
	p.key('y')
	p.now = p.now.Add(5 * time.Second)
	if p.tick(); p.answers != "" {
		t.Fatal("a late timer answered at once")
	}
	late := *p
	late.key('e')
	if late.pass(time.Minute); late.composer != "ye" || late.answers != "" {
		t.Errorf("a key behind a late timer: composer %q, answers %q", late.composer, late.answers)
	}
	if p.pass(lateTime); p.answers != "y" {
		t.Errorf("no key behind a late timer: answers %q", p.answers)
	}
}

// TestFocusExhaustive tries all ways to press four keys with the pauses that matter before them, and holds them to what
// the rule promises whatever happens.
func TestFocusExhaustive(t *testing.T) {
	keys := []rune{'y', '1', 'x', '\r', '<', '#', '^'}
	pauses := []time.Duration{0, confirmTime, settleTime}
	const depth = 4
	n := len(keys) * len(pauses)
	total := 1
	for range depth {
		total *= n
	}
	for code := range total {
		p, typed, chord := newTypist(), "", false
		way := func() (s string) {
			for c, i := code, 0; i < depth; i, c = i+1, c/n {
				s += fmt.Sprintf("%v %c ", pauses[c%n/len(keys)], keys[c%n%len(keys)])
			}
			return s
		}
		for c, i := code, 0; i < depth; i, c = i+1, c/n {
			k, pause := keys[c%n%len(keys)], pauses[c%n/len(keys)]
			before, text := p.answers, p.composer != ""
			if p.pass(pause); p.answers != before && text && !chord {
				t.Fatalf("%s: text in the composer, no chord, and %q answered", way(), p.answers)
			}
			if p.key(k); k >= '1' && k <= 'y' && k != '<' && k != '^' {
				typed += string(k)
			}
			chord = chord || k == '^'
			if p.focus.has() && text && !p.focus.given {
				t.Fatalf("%s: text in the composer, and the question has the keyboard: %+v", way(), p.focus)
			}
		}
		p.pass(time.Hour)
		if strings.Contains(p.answers, "1") || strings.Contains(p.answers, "x") {
			t.Fatalf("%s: %q answered", way(), p.answers)
		}
		if got := strings.Map(func(r rune) rune {
			if r == '!' {
				return -1
			}
			return r
		}, p.answers) + p.composer; len(got) > len(typed) {
			t.Fatalf("%s: typed %q, got %q", way(), typed, got)
		}
	}
}

// TestSentencesAreText types sentences with pauses of any length between their words, and of at most 250 ms behind the
// first character of an empty composer.
func TestSentencesAreText(t *testing.T) {
	words := strings.Fields("yes no so make sure you and nobody always summarize what next y n s m 1 2 3")
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		p := newTypist()
		var b strings.Builder
		for n := 2 + r.IntN(6); n > 0; n-- {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		for i, c := range b.String() {
			limit := 3 * time.Second
			if i == 1 {
				limit = 250 * time.Millisecond
			}
			p.pass(time.Duration(r.Int64N(int64(limit) + 1)))
			p.key(c)
		}
		if p.pass(time.Minute); p.answers != "" || p.composer != b.String() {
			t.Fatalf("typed %q: composer %q, answered %q", b.String(), p.composer, p.answers)
		}
	}
}
