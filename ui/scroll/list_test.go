package scroll

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// book returns a list of so many items with their letters, each at least 20, and a gap of 1.
func book(n, keep int) (*List, []*tale) {
	r := rand.New(rand.NewPCG(1, 1))
	l := New(keep)
	l.SetSize(20, 10)
	tales := make([]*tale, n)
	for i := range tales {
		tales[i] = &tale{note{key: fmt.Sprint(i), letters: 20 + r.IntN(100), gap: 1, anchored: true}}
		l.Append(tales[i])
	}
	return l, tales
}

// Only visible items are laid out, and those that a scroll passes.
func TestOnlyVisibleItemsAreLaidOut(t *testing.T) {
	l, tales := book(100_000, 1000)
	visible := func() int {
		seen := map[int]bool{}
		for y := range l.Frame() {
			i, _, _ := l.ItemAt(y)
			seen[i] = true
		}
		return len(seen)
	}
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"the first frame", func() {}},
		{"a resize", func() { l.SetSize(30, 12) }},
		{"another theme", func() { l.Invalidate() }},
		{"to the top", func() { l.Top() }},
		{"to the middle", func() { l.Jump(50_000) }},
		{"a page down", func() { l.Page(1) }},
		{"a page up", func() { l.Page(-1) }},
		{"an item far away", func() { l.Reveal(70_000) }},
		{"resize in the middle", func() { l.SetSize(25, 20) }},
		{"changes elsewhere", func() {
			for i := range 1000 {
				tales[i].set(50)
			}
		}},
		{"to the end", func() { l.Bottom() }},
		{"more at the end", func() { l.Append(newItem("new", 500, 1, true)) }},
	} {
		before := l.items.cache.layouts
		c.do()
		l.Frame()
		n := l.items.cache.layouts - before
		if most := visible() + 1; n > most {
			t.Errorf("%s: %d layouts, %d are visible", c.name, n, most-1)
		}
		before = l.items.cache.layouts
		l.Frame()
		if n := l.items.cache.layouts - before; n != 0 {
			t.Errorf("%s: %d layouts in the next frame, in which nothing changed", c.name, n)
		}
	}
}

func TestStreamingLaysOutOneItemPerFrame(t *testing.T) {
	l, tales := book(1000, 100)
	l.Frame()
	before := l.items.cache.layouts
	for range 100 {
		last := tales[len(tales)-1]
		last.set(last.letters + 3)
		l.Frame()
	}
	if n := l.items.cache.layouts - before; n != 100 {
		t.Errorf("%d layouts in 100 frames", n)
	}
}

func TestIdleFrameAllocatesNothing(t *testing.T) {
	l, _ := book(10_000, 100)
	for range 30 {
		l.Frame() // until all estimates are made
	}
	if n := testing.AllocsPerRun(100, func() { l.Frame() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	l.Jump(5000)
	l.Frame()
	if n := testing.AllocsPerRun(100, func() { l.Frame() }); n != 0 {
		t.Errorf("%v allocations in the middle", n)
	}
}

func TestLayoutsAreForgotten(t *testing.T) {
	l, tales := book(2000, 50)
	l.Top()
	for range 400 {
		l.Page(1)
		l.Frame()
		held := 0
		for i := range tales {
			if l.items.slots[i].rows != nil {
				held++
			}
		}
		if held > 50 || held != l.items.cache.held {
			t.Fatalf("%d layouts remembered, %d counted, at most 50 wanted", held, l.items.cache.held)
		}
	}
	// What is on the screen stays, even if that is more than what is to be kept.
	l, _ = book(100, 1)
	l.SetSize(200, 40)
	l.Frame()
	before := l.items.cache.layouts
	l.Frame()
	if n := l.items.cache.layouts - before; n != 0 {
		t.Errorf("%d layouts of visible items were forgotten", n)
	}
}

// forgetful counts the items that hold data for their rows.
type forgetful struct {
	*tale
	kept *int
	has  bool
}

func (f *forgetful) Layout(width int) []string {
	if !f.has {
		*f.kept++
	}
	f.has = true
	return f.tale.Layout(width)
}

func (f *forgetful) Forget() {
	if !f.has {
		panic("told to forget what it does not keep")
	}
	*f.kept--
	f.has = false
}

// Items hold data for no more rows than the list caches, however far the reader scrolls.
func TestItemsForgetWithTheList(t *testing.T) {
	const keep = 30
	_, tales := book(2000, keep)
	l, kept := New(keep), 0
	l.SetSize(20, 10)
	for _, it := range tales {
		l.Append(&forgetful{tale: it, kept: &kept})
	}
	for l.Frame(); ; l.Frame() {
		if kept > keep+10 {
			t.Fatalf("%d items keep something", kept)
		}
		if l.at.item == 0 && l.at.row <= 0 {
			break
		}
		l.Page(-1)
	}
	if kept < keep/2 {
		t.Errorf("only %d items keep something", kept)
	}
}

func TestResizeKeepsTheTextAtTheTop(t *testing.T) {
	l := New(10)
	l.SetSize(20, 5)
	l.Append(newItem("a", 2000, 0, true), newItem("b", 2000, 1, true))
	l.Top()
	l.Frame()
	l.Scroll(40)
	if got := l.Frame()[0]; got != "a.0@800" {
		t.Fatalf("scrolled to %q", got)
	}
	for _, c := range []struct {
		width int
		want  string
	}{
		{40, "a.0@800"}, {19, "a.0@798"}, {80, "a.0@720"}, {20, "a.0@720"},
	} {
		l.SetSize(c.width, 5)
		if got := l.Frame()[0]; got != c.want {
			t.Errorf("at width %d the top row is %q, want %q", c.width, got, c.want)
		}
	}
	// Without anchors the share of the rows is kept.
	l = New(10)
	l.SetSize(20, 5)
	l.Append(newItem("a", 2000, 0, false), newItem("b", 2000, 1, false))
	l.Jump(0)
	l.Scroll(50)
	l.SetSize(40, 5)
	if got := l.Frame()[0]; got != "a.0@1000" {
		t.Errorf("the top row is %q, want the middle of the item", got)
	}
}

func TestReaderStaysWhereHeIs(t *testing.T) {
	l, tales := book(100, 50)
	l.Frame()
	l.Jump(50)
	l.Scroll(1)
	want := slices.Clone(l.Frame())
	for name, do := range map[string]func(){
		"the last item grows": func() { tales[99].set(5000) },
		"an item above grows": func() { tales[10].set(5000) },
		"items are added":     func() { l.Append(newItem("x1", 50, 1, true)) },
		"items come above":    func() { l.Insert(3, newItem("x2", 50, 1, true), newItem("x3", 50, 1, true)) },
	} {
		do()
		if got := l.Frame(); !slices.Equal(got, want) {
			t.Errorf("%s: the screen shows\n%q, it was\n%q", name, got, want)
		}
	}
}

func TestTopItemThatStreamsKeepsItsRows(t *testing.T) {
	l := New(10)
	l.SetSize(10, 5)
	item := newItem("a", 200, 0, true)
	l.Append(item)
	l.Frame()
	l.Scroll(-10)
	was := strings.ReplaceAll(strings.Join(l.Frame(), " "), "a.0", "a")
	item.base().set(400)
	if got := strings.ReplaceAll(strings.Join(l.Frame(), " "), "a.1", "a"); got != was {
		t.Errorf("shows %q, want %q", got, was)
	}
}

func TestFollow(t *testing.T) {
	l, tales := book(100, 50)
	l.Frame()
	if !l.Following() {
		t.Fatal("does not follow at first")
	}
	l.Append(newItem("a", 20, 1, true))
	if f := l.Frame(); f[len(f)-1] != "a.0@0" {
		t.Errorf("the last row is %q", f[len(f)-1])
	}
	l.Scroll(-1)
	l.Frame()
	if l.Following() {
		t.Error("follows after the reader scrolled up")
	}
	for n := 1; n <= 3; n++ {
		l.Append(newItem(fmt.Sprint("b", n), 20, 1, true))
		l.Frame()
		if got := l.Unseen(); got != n {
			t.Errorf("%d unseen, want %d", got, n)
		}
	}
	l.Scroll(3)
	l.Frame()
	if got := l.Unseen(); got != 2 {
		t.Errorf("%d unseen after scrolling down by one of them, want 2", got)
	}
	l.Scroll(1000)
	l.Frame()
	if !l.Following() || l.Unseen() != 0 {
		t.Errorf("at the end: follows %v, %d unseen", l.Following(), l.Unseen())
	}
	l.Scroll(-1)
	tales[0].set(1)
	l.Bottom()
	l.Frame()
	if !l.Following() || l.Unseen() != 0 {
		t.Errorf("after Bottom: follows %v, %d unseen", l.Following(), l.Unseen())
	}
}

func TestSmallWindows(t *testing.T) {
	l, _ := book(10, 5)
	for _, size := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {-1, -1}} {
		l.SetSize(size[0], size[1])
		if n := len(l.Frame()); n > max(0, size[1]) {
			t.Errorf("%d rows in a window of %v", n, size)
		}
		l.Scroll(-3)
		l.Page(1)
		l.Jump(4)
		l.Reveal(2)
	}
	empty := New(5)
	empty.SetSize(10, 10)
	empty.Scroll(1)
	empty.Top()
	empty.Reveal(0)
	if n := len(empty.Frame()); n != 0 {
		t.Errorf("%d rows of nothing", n)
	}
}

func TestSameKeyTwice(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second item with the same key was taken")
		}
	}()
	l := New(5)
	l.Append(newItem("a", 1, 0, false), newItem("a", 1, 0, false))
}

func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		l, tales := book(n, 1000)
		l.SetSize(100, 40)
		b.Run(fmt.Sprintf("idle/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.Frame()
			}
		})
		b.Run(fmt.Sprintf("resize/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				l.SetSize(80+i%40, 40)
				l.Frame()
			}
		})
		b.Run(fmt.Sprintf("stream/%d", n), func(b *testing.B) {
			for b.Loop() {
				tales[n-1].set(200)
				l.Frame()
			}
		})
	}
}
