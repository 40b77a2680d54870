package scroll

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parley/internal/repeat"
)

// note is an item for tests: so many letters, wrapped at the width. It counts its layouts.
type note struct {
	key      string
	version  uint64
	letters  int
	gap      int
	width    int // of the last layout
	layouts  int
	anchored bool
}

func (n *note) Key() string     { return n.key }
func (n *note) Version() uint64 { return n.version }
func (n *note) Gap() int        { return n.gap }

func (n *note) Layout(width int) []string {
	n.width = width
	n.layouts++
	return n.naive(width)
}

func (n *note) naive(width int) (rows []string) {
	for at := 0; at < n.letters; at += width {
		rows = append(rows, fmt.Sprintf("%s.%d@%d", n.key, n.version, at))
	}
	return rows
}

func (n *note) set(letters int) {
	n.letters = letters
	n.version++
}

// tale is a note that is Anchored.
type tale struct{ note }

func (n *tale) Anchor(row int) int { return row * n.width }
func (n *tale) Row(anchor int) int { return min(anchor, max(n.letters-1, 0)) / n.width }

func (n *note) base() *note { return n }

type testItem interface {
	Item
	base() *note
}

func newItem(key string, letters, gap int, anchored bool) testItem {
	n := note{key: key, letters: letters, gap: gap, anchored: anchored}
	if anchored {
		return &tale{n}
	}
	return &n
}

// oracle is a list that lays everything out, always, and computes with rows counted from the start.
type oracle struct {
	items         []testItem
	width, height int
	follow        bool
	item, row     int // the first visible row
	// What was true of the item when the place was taken.
	known          bool
	version, epoch uint64
	oldWidth, of   int
	now            uint64 // the present epoch
}

// all returns all rows, and for every item the row where its gap and where it itself begins.
func (o *oracle) all() (rows []string, gapAt, startAt []int) {
	for i, it := range o.items {
		own := it.base().naive(o.width)
		gapAt = append(gapAt, len(rows))
		if len(own) > 0 && i > 0 {
			rows = append(rows, make([]string, it.base().gap)...)
		}
		startAt = append(startAt, len(rows))
		rows = append(rows, own...)
	}
	return rows, append(gapAt, len(rows)), append(startAt, len(rows))
}

// settle returns the first visible row, counted from the start, and takes that place.
func (o *oracle) settle() (top int, rows []string) {
	rows, gapAt, startAt := o.all()
	last := max(0, len(rows)-o.height)
	top = last
	if !o.follow && o.item < len(o.items) {
		n := o.items[o.item].base()
		own := len(n.naive(o.width))
		row := o.row
		if row > 0 && o.known && (n.version != o.version || o.epoch != o.now || o.width != o.oldWidth) {
			switch {
			case n.anchored && own > 0:
				row = min(o.row*o.oldWidth, max(n.letters-1, 0)) / o.width
			case o.width != o.oldWidth && o.of > 0:
				row = row * own / o.of
			}
		}
		row = min(row, own-1)
		row = max(row, gapAt[o.item]-startAt[o.item])
		top = min(startAt[o.item]+row, last)
	}
	o.take(top)
	return top, rows
}

// take makes the row, counted from the start, the first visible one.
func (o *oracle) take(top int) {
	_, gapAt, startAt := o.all()
	for i := range o.items {
		if gapAt[i] <= top && top < gapAt[i+1] {
			n := o.items[i].base()
			o.item, o.row = i, top-startAt[i]
			o.known, o.version, o.epoch, o.oldWidth, o.of = true, n.version, o.now, o.width, len(n.naive(o.width))
			return
		}
	}
	o.item, o.row, o.known = 0, 0, false // nothing is visible at all
}

func (o *oracle) frame() []string {
	top, rows := o.settle()
	return rows[top:min(len(rows), top+o.height)]
}

func (o *oracle) scroll(d int) {
	top, rows := o.settle()
	last := max(0, len(rows)-o.height)
	top = min(max(top+d, 0), last)
	o.take(top)
	o.follow = top == last
}

func (o *oracle) jump(i int) {
	rows, _, startAt := o.all()
	o.item, o.row, o.known = i, 0, false
	o.follow = len(rows)-startAt[i] <= o.height
}

func (o *oracle) reveal(i int) {
	top, rows := o.settle()
	_, _, startAt := o.all()
	own := len(o.items[i].base().naive(o.width))
	first := startAt[i]
	last := max(0, len(rows)-o.height)
	switch {
	case own == 0, first == top, first > top && first+own <= top+o.height && first < top+o.height:
		return
	case first > top && own < o.height:
		top = max(0, first+own-o.height)
	default:
		o.jump(i)
		return
	}
	o.take(top)
	o.follow = top >= last
}

// pair drives a list and its oracle alike.
type pair struct {
	r    *rand.Rand
	list *List
	o    oracle
	next int
}

func newPair(seed uint64) *pair {
	r := rand.New(rand.NewPCG(seed, 7))
	p := &pair{r: r, list: New(r.IntN(20)), o: oracle{follow: true, now: 1}}
	p.resize()
	return p
}

func (p *pair) resize() {
	p.o.width, p.o.height = 1+p.r.IntN(30), 1+p.r.IntN(15)
	p.list.SetSize(p.o.width, p.o.height)
}

func (p *pair) item() testItem {
	p.next++
	letters := p.r.IntN(120)
	if p.r.IntN(5) == 0 {
		letters = 0
	}
	return newItem(fmt.Sprintf("i%d", p.next), letters, p.r.IntN(3), p.r.IntN(2) == 0)
}

func (p *pair) items(n int) (mine []testItem, theirs []Item) {
	for range n {
		it := p.item()
		mine, theirs = append(mine, it), append(theirs, it)
	}
	return mine, theirs
}

// step changes both at random and describes the change.
func (p *pair) step() string {
	n := len(p.o.items)
	switch op := p.r.IntN(14); {
	case op <= 1 || n == 0:
		mine, theirs := p.items(1 + p.r.IntN(3))
		p.o.items = append(p.o.items, mine...)
		p.list.Append(theirs...)
		return fmt.Sprintf("append %d", len(mine))
	case op == 2:
		i := p.r.IntN(n + 1)
		mine, theirs := p.items(1 + p.r.IntN(2))
		if i < n && p.o.item >= i {
			p.o.item += len(mine)
		}
		p.o.items = slices.Insert(p.o.items, i, mine...)
		p.list.Insert(i, theirs...)
		return fmt.Sprintf("insert %d at %d", len(mine), i)
	case op <= 7:
		i := p.r.IntN(n)
		p.o.items[i].base().set(p.r.IntN(120))
		return fmt.Sprintf("change %d", i)
	case op == 8:
		p.resize()
		return fmt.Sprintf("resize to %d×%d", p.o.width, p.o.height)
	case op == 9:
		i := p.r.IntN(n)
		p.o.jump(i)
		p.list.Jump(i)
		return fmt.Sprintf("jump %d", i)
	case op == 10:
		p.o.now++
		p.list.Invalidate()
		return "invalidate"
	case op == 11:
		i := p.r.IntN(n)
		p.o.reveal(i)
		p.list.Reveal(i)
		return fmt.Sprintf("reveal %d", i)
	default:
		d := p.r.IntN(41) - 20
		p.o.scroll(d)
		p.list.Scroll(d)
		return fmt.Sprintf("scroll %d", d)
	}
}

func (p *pair) check(t *testing.T, did []string) {
	t.Helper()
	want, got := p.o.frame(), p.list.Frame()
	if !slices.Equal(got, want) {
		t.Fatalf("after %v\n got %q\nwant %q", did, got, want)
	}
	if p.list.Following() != p.o.follow {
		t.Fatalf("after %v: follows %v, want %v", did, p.list.Following(), p.o.follow)
	}
	for i, it := range p.o.items {
		if at, ok := p.list.items.index[it.Key()]; !ok || at != i {
			t.Fatalf("after %v: item %s is at %d, want %d", did, it.Key(), at, i)
		}
	}
	for y := range got {
		i, row, ok := p.list.ItemAt(y)
		if !ok {
			t.Fatalf("after %v: no item at row %d", did, y)
		}
		var want string
		if row >= 0 {
			want = p.o.items[i].base().naive(p.o.width)[row]
		}
		if got[y] != want {
			t.Fatalf("after %v: row %d is said to be row %d of item %d", did, y, row, i)
		}
	}
}

func checkRandom(t *testing.T, seed uint64, steps int) {
	p := newPair(seed)
	did := []string{fmt.Sprintf("seed %d", seed)}
	for range steps {
		did = append(did, p.step())
		if p.r.IntN(3) > 0 {
			p.check(t, did)
		}
	}
}

func TestListShowsWhatTheOracleShows(t *testing.T) {
	for seed := range uint64(repeat.Times(20, 40, 120)) {
		checkRandom(t, seed, 60)
	}
}

func FuzzList(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandom(t, seed, 100) })
}
