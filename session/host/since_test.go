package host

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parley/internal/repeat"
	"parley/session"
)

// clone is a host's log with the stream of one connection, written by the host's own code.
type clone struct {
	log    session.Log
	reader *session.Reader
	l      *link
	out    bytes.Buffer
}

// attachClone adds events to a log and attaches a client that has something, and returns what it is sent.
func attachClone(t testing.TB, id uint64, have *since, epoch string, events []session.Event) *clone {
	t.Helper()
	c := &clone{}
	c.log.Add(events...)
	past, reader := c.log.Read(nil)
	c.reader = reader
	past, goesOn := have.missing(epoch, past)
	c.l = &link{out: bufio.NewWriter(&c.out)}
	c.out.Write(line(tagReply, reply{ID: id, Result: []byte(fmt.Sprintf(`{"past":%d,"since":%v,"epoch":%q}`, len(past), goesOn, epoch))}))
	if err := c.l.events(past); err != nil {
		t.Fatal(err)
	}
	_ = c.l.out.Flush()
	return c
}

// add adds events and sends what there is.
func (c *clone) add(t testing.TB, events ...session.Event) {
	t.Helper()
	c.log.Add(events...)
	if err := c.l.events(c.reader.Take()); err != nil {
		t.Fatal(err)
	}
	_ = c.l.out.Flush()
}

// read lets a screen read a stream, which ends where the connection breaks, and reports whether it took it up by number.
func (s *mirror) read(t testing.TB, id uint64, stream []byte) bool {
	t.Helper()
	in := &incoming{s: s, ready: make(chan struct{})}
	k := &conn{in: bufio.NewReader(bytes.NewReader(stream)), event: in.event, waits: map[uint64]*waiting{id: {got: in.attached, ch: make(chan reply, 1)}}}
	if err := k.read(); err != errLost {
		t.Fatal(err)
	}
	return in.got.Since
}

// have is what the screen says that it has.
func (s *mirror) have() *since {
	if s.epoch == "" {
		return nil
	}
	return sinceOf(s.epoch, s.log.All())
}

// lines returns events as they are stored.
func lines(t testing.TB, events []session.Event) []string {
	t.Helper()
	var out []string
	for _, e := range events {
		b, err := session.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}

// conversation returns events of several parts and calls at once, with prompts, ends and generations between them.
func conversation(r *rand.Rand, n, parts int) (all []session.Event) {
	gen := session.Generation(1)
	for i := range n {
		h := session.Head{Session: "s", Turn: session.TurnID(fmt.Sprint("t", i/50)), Gen: gen}
		id := fmt.Sprint(r.IntN(parts))
		var e session.Event
		kind := r.IntN(16)
		if parts > 64 && i%90 > 0 { // only another event, or too many parts, end fragments
			kind = max(kind, 4)
		}
		switch kind {
		case 0:
			e = session.PartStarted{Head: h, Part: session.PartID(id), Kind: session.PartText}
		case 1:
			e = session.PartReplaced{Head: h, Part: session.PartID(id), Text: "another"}
		case 2:
			e = session.Notice{Head: h, Text: fmt.Sprint("note ", i)}
		case 3:
			if r.IntN(4) == 0 {
				gen++
			}
			continue
		case 4, 5:
			e = session.ToolInput{Head: h, Call: session.CallID(id), Fragment: fmt.Sprint("{", i)}
		case 6, 7:
			e = session.ToolOutput{Head: h, Call: session.CallID(id), Text: []string{"", fmt.Sprint("é", i, "\n")}[r.IntN(2)]}
		default:
			e = session.PartDelta{Head: h, Part: session.PartID(id), Text: fmt.Sprint(i, "ä ")}
		}
		all = append(all, e)
	}
	return all
}

// A screen that is cut at any byte of the stream and connects again, at once or when the host has gone on, has the same log as one that
// was never cut: no event is lost, comes twice or elsewhere. Longer streams are cut at every event and somewhere in it.
func TestCutAtEveryByte(t *testing.T) {
	for seed := range uint64(repeat.Times(2, 4, 60)) {
		r := rand.New(rand.NewPCG(seed, 28))
		parts := []int{2, 5, 200}[seed%3] // 200 are more than a log keeps open
		all := conversation(r, 40+100*int(min(seed%4, 1)), parts)
		begin := r.IntN(len(all))
		c := attachClone(t, 1, nil, "e", all[:begin])
		for at := begin; at < len(all); {
			next := min(at+1+r.IntN(9), len(all))
			c.add(t, all[at:next]...)
			at = next
		}
		uncut := &mirror{}
		if uncut.read(t, 1, c.out.Bytes()) {
			t.Fatal("a screen that had nothing goes on from something")
		}
		want := lines(t, uncut.log.All())
		if host := lines(t, c.log.All()); !slices.Equal(want, host) {
			t.Fatalf("seed %d: the host's log has %d events, the screen's %d", seed, len(host), len(want))
		}
		history := attachClone(t, 1, nil, "e", all[:begin]).out.Len()
		for _, cut := range cuts(r, c.out.Bytes(), seed%4 == 0) {
			s := &mirror{}
			s.read(t, 1, c.out.Bytes()[:cut])
			if (s.epoch != "") != (cut >= history) {
				t.Fatalf("seed %d, cut at %d, behind the history of %d: epoch %q", seed, cut, history, s.epoch)
			}
			sent := bytes.Count(c.out.Bytes()[:cut], []byte("\nE"))
			reached := sent + r.IntN(len(all)-min(sent, len(all))+1) // as far as the host may be by now
			if reached < len(all) && (s.epoch == "" || !s.has(all[:reached])) {
				reached = len(all)
			}
			again := attachClone(t, 2, s.have(), "e", all[:reached])
			again.add(t, all[reached:]...)
			had := s.epoch != ""
			if s.read(t, 2, again.out.Bytes()) != had {
				t.Fatalf("seed %d, cut at %d: goes on from what it had: %v", seed, cut, !had)
			}
			if got := lines(t, s.log.All()); !slices.Equal(got, want) {
				t.Fatalf("seed %d, cut at %d, host at %d: %d events of %d\n%s", seed, cut, reached, len(got), len(want), firstDifference(got, want))
			}
		}
	}
}

// cuts returns where a stream is cut: everywhere, or at each line's end and once within it.
func cuts(r *rand.Rand, stream []byte, everywhere bool) (at []int) {
	end := 0
	for cut := range len(stream) + 1 {
		if cut > 0 && stream[cut-1] == '\n' {
			at, end = append(at, end+r.IntN(cut-end), cut), cut
		} else if everywhere {
			at = append(at, cut)
		}
	}
	return at
}

// has reports whether a host that has added only these events can have sent what the screen has.
func (s *mirror) has(events []session.Event) bool {
	var l session.Log
	l.Add(events...)
	_, ok := s.have().missing(s.epoch, l.All())
	return ok
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("event %d: %s\ninstead of %s", i, got[i], want[i])
		}
	}
	return "one is the begin of the other"
}

// 20,000 tokens in pieces of any size: a cut after each event loses no byte, and what is sent again is what the screen lacks.
func TestCutInManyTokens(t *testing.T) {
	const tokens = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	all := []session.Event{session.TurnStarted{Head: h}, session.PartStarted{Head: h, Part: "p", Kind: session.PartText}}
	for i := range tokens {
		all = append(all, session.PartDelta{Head: h, Part: session.PartID([]string{"p", "q"}[i/5000%2]), Text: fmt.Sprint(i, " ")})
	}
	all = append(all, session.PartEnded{Head: h, Part: "p"})
	c := attachClone(t, 1, nil, "e", all[:2])
	ends := []int{c.out.Len()}
	for at := 2; at < len(all); {
		next := min(at+1+r.IntN(2*len(all)/repeat.Times(40, 150, 1000)), len(all))
		c.add(t, all[at:next]...)
		ends, at = append(ends, c.out.Len()), next
	}
	uncut := &mirror{}
	uncut.read(t, 1, c.out.Bytes())
	want := lines(t, uncut.log.All())
	whole := attachClone(t, 1, nil, "e", all).out.Len()
	last := whole
	for i, cut := range ends {
		s := &mirror{}
		s.read(t, 1, c.out.Bytes()[:cut])
		again := attachClone(t, 2, s.have(), "e", all)
		if n := again.out.Len(); n > last+8 { // the lengths of two numbers
			t.Fatalf("cut %d of %d: %d bytes are sent again, %d for the one before", i, len(ends), n, last)
		}
		last = again.out.Len()
		if !s.read(t, 2, again.out.Bytes()) || !slices.Equal(lines(t, s.log.All()), want) {
			t.Fatalf("cut %d of %d: the log differs", i, len(ends))
		}
	}
	if last > 100 || whole < 100_000 {
		t.Errorf("%d bytes for a screen that has everything, %d for one that has nothing", last, whole)
	}
}

// What does not fit the log, is of another life or was changed on the way leads to the whole history.
func TestSinceDoesNotFit(t *testing.T) {
	h := session.Head{Session: "s", Turn: "t"}
	log := []session.Event{session.TurnStarted{Head: h}, session.PartDelta{Head: h, Part: "p", Text: "abc\xff"}, session.PartDelta{Head: h, Part: "q", Text: "d"}}
	fits := sinceOf("e", log[:2])
	for name, change := range map[string]func(*since){
		"":                  func(*since) {},
		"epoch":             func(s *since) { s.Epoch = "f" },
		"no epoch":          func(s *since) { s.Epoch = "" },
		"ahead":             func(s *since) { s.Number = 4 },
		"negative":          func(s *since) { s.Number = -1 },
		"negative text":     func(s *since) { s.Texts[0] = -1 },
		"longer text":       func(s *since) { s.Texts[0] = 9 },
		"shorter text":      func(s *since) { s.Texts[0] = 2 },
		"more texts":        func(s *since) { s.Texts = []int{0, 4} },
		"texts of the dark": func(s *since) { s.Texts = make([]int, 9) },
		"other text":        func(s *since) { s.Sum++ },
		"behind its log":    func(s *since) { s.Number = 3 },
	} {
		s := *fits
		s.Texts = slices.Clone(fits.Texts)
		change(&s)
		lacks, ok := s.missing("e", log)
		if ok != (name == "") || !ok && len(lacks) != len(log) || ok && len(lacks) != 1 {
			t.Errorf("%q: %v, %d events", name, ok, len(lacks))
		}
	}
	if lacks, ok := (*since)(nil).missing("e", log); ok || len(lacks) != len(log) {
		t.Errorf("nothing: %v, %d events", ok, len(lacks))
	}
	s := &mirror{}
	s.read(t, 1, attachClone(t, 1, nil, "e", log[:2]).out.Bytes())
	if s.read(t, 2, attachClone(t, 2, s.have(), "e", log).out.Bytes()) {
		t.Error("a text that JSON changed on its way is continued")
	}
	if got := lines(t, s.log.All()); len(got) != 3 || !strings.Contains(got[2], `"d"`) {
		t.Errorf("%q", got)
	}
}

// A note of the screen alone is in no host's log: the next attachment replaces everything.
func TestNoteEndsTheEpoch(t *testing.T) {
	h := session.Head{Session: "s", Turn: "t"}
	log := []session.Event{session.PartDelta{Head: h, Part: "p", Text: "a"}}
	s := &mirror{}
	s.read(t, 1, attachClone(t, 1, nil, "e", log).out.Bytes())
	have := s.have()
	s.note("the host doesn't answer") // also while it connects again
	if s.have() != nil {
		t.Error("what the screen has is not the begin of the host's log")
	}
	log = append(log, session.PartDelta{Head: h, Part: "p", Text: "b"})
	if !s.read(t, 2, attachClone(t, 2, have, "e", log).out.Bytes()) || s.have() != nil || len(s.log.All()) != 3 {
		t.Errorf("%q", lines(t, s.log.All()))
	}
	if s.read(t, 3, attachClone(t, 3, s.have(), "e", log).out.Bytes()) || s.have() == nil || len(s.log.All()) != 1 {
		t.Errorf("%q", lines(t, s.log.All()))
	}
}

// A host that knows nothing of numbers sends everything, each time.
func TestHostWithoutNumbers(t *testing.T) {
	log := []session.Event{session.PartDelta{Head: session.Head{Session: "s", Turn: "t"}, Part: "p", Text: "a"}}
	s := &mirror{}
	s.read(t, 1, attachClone(t, 1, nil, "e", log).out.Bytes())
	stream := strings.Replace(attachClone(t, 2, nil, "", log).out.String(), `,"since":false,"epoch":""`, "", 1)
	if s.read(t, 2, []byte(stream)) || s.have() != nil || len(s.log.All()) != 1 {
		t.Errorf("%q", lines(t, s.log.All()))
	}
	s.read(t, 3, []byte(strings.Replace(stream, `{"id":2`, `{"id":3`, 1)))
	if got := lines(t, s.log.All()); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
