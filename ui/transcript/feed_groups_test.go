package transcript

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"parley/internal/repeat"
	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// checkGroups checks that the groups of a feed with the rows outside of them are all calls in order, that each group is as
// long as it may be, and that no failure is in one. It returns how many calls are in groups.
func checkGroups(t *testing.T, f *feed) (grouped int) {
	t.Helper()
	for turn, items := range f.turns {
		var want, got []*session.Tool
		for _, e := range f.t.Turns[turn].Entries {
			if tool, ok := e.(*session.Tool); ok {
				want = append(want, tool)
			}
		}
		end := f.at(turn, len(items.entries))
		var open *groupItem // that a call may still belong to
		var alone *toolItem // that should have been grouped with the next
		for _, it := range f.list[f.first[turn]:end] {
			switch it := it.(type) {
			case *groupItem:
				if !it.empty() {
					open = it
					for _, m := range it.members {
						got = append(got, m.row.Tool)
						grouped++
						if m.row.Tool.Ended && m.row.Tool.Outcome != session.ToolOK || m.row.Ask != nil || m.in != it || m.tucked == it.isOpen() {
							t.Fatalf("turn %d groups %+v", turn, m)
						}
					}
				}
			case *toolItem:
				if it.in == nil {
					got = append(got, it.row.Tool)
				} else if it.in != open {
					t.Fatalf("turn %d: something stands between the calls of a group, or a call before its group", turn)
				}
				if it.gathers() && (it.in == nil && open != nil || alone != nil) && !it.hidden {
					t.Fatalf("turn %d leaves a call out of the group beside it", turn)
				}
				alone = nil
				if it.gathers() && it.in == nil && !it.hidden {
					alone = it
				}
				if !it.gathers() && !it.hidden {
					open = nil
				}
			default:
				if it.state().shown() {
					open, alone = nil, nil
				}
			}
		}
		if len(want) != len(got) {
			t.Fatalf("turn %d shows %d of %d calls", turn, len(got), len(want))
		}
		for i := range want {
			if want[i] != got[i] {
				t.Fatalf("turn %d shows another call in place %d", turn, i)
			}
		}
	}
	return grouped
}

// calls makes the events of a turn from words: a tool, what became of it, and what it acts on, such as "read:a.go",
// "read!:a.go" for a failure, "read?:a.go" while it runs, "ask:a.go" for a read that asked. Other words are text.
type calls struct {
	turn session.TurnID
	n    int
}

var callTools = map[string]string{"read": "Read", "grep": "Grep", "list": "LS", "run": "Bash", "edit": "Edit", "ask": "Read"}

func (c *calls) begin() []session.Event {
	return []session.Event{session.TurnStarted{Head: session.Head{Turn: c.turn}, Prompt: session.Prompt{Text: "a question"}}}
}

func (c *calls) word(s string) []session.Event {
	c.n++
	h := session.Head{Turn: c.turn}
	verb, what, ok := strings.Cut(s, ":")
	if !ok {
		part := session.PartID(fmt.Sprint(c.turn, "p", c.n))
		kind := session.PartText
		if s == "thinking" {
			kind = session.PartReasoning
		}
		return []session.Event{session.PartStarted{Head: h, Part: part, Kind: kind}, session.PartDelta{Head: h, Part: part, Text: s},
			session.PartEnded{Head: h, Part: part}}
	}
	name := strings.TrimRight(verb, "!?")
	id := session.CallID(fmt.Sprint(c.turn, "c", c.n))
	in, _ := json.Marshal(map[string]string{"file_path": "/repo/" + what, "path": "/repo/" + what, "pattern": what, "command": what})
	all := []session.Event{session.ToolStarted{Head: h, Call: id, Name: callTools[name]}, session.ToolReady{Head: h, Call: id, Input: in}}
	if name == "ask" {
		ask := session.AskID(id)
		all = append(all, session.Asked{Head: h, Ask: ask, Kind: session.AskPermission, Call: id, Permission: &session.PermissionAsk{Tool: "Read"}},
			session.Settled{Head: h, Ask: ask, How: session.SettledAnswered, Answer: session.Answer{Decision: session.Allow}})
	}
	outcome := session.ToolOK
	switch verb[len(name):] {
	case "?":
		return all
	case "!":
		outcome = session.ToolFailed
	}
	return append(all, session.ToolEnded{Head: h, Call: id, Outcome: outcome, Result: session.ToolResult{Text: "inside " + what + "\nmore\n"}})
}

// groupLook is a look with groups.
func groupLook() *style.Look {
	return &style.Look{Theme: style.NewTheme(true, true, nil), Width: 80, Height: 24, Now: func() time.Time { return time.Time{} }, Dir: "/repo", Groups: true}
}

// groupModel returns a conversation of words, without the end of its turn.
func groupModel(t *testing.T, words string) (*Model, *calls) {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	m, c := New(groupLook(), Options{Keys: keys, Mouse: true}), &calls{turn: "t"}
	m.Show("s", c.begin())
	for w := range strings.FieldsSeq(words) {
		m.Apply(c.word(w))
	}
	return m, c
}

// screen returns the rows of a window of a height, without styles.
func screen(m *Model, height int) []string {
	m.SetSize(height)
	var out []string
	for _, r := range m.Rows() {
		out = append(out, strings.TrimRight(style.Unstyled(r), " "))
	}
	return out
}

func TestGroupRows(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"read:a", "• read a"},
		{"read:a read:b", "• read 2 files  a, b"},
		{"read:a grep:x read:b grep:y list:d", "• read 2 files, searched twice, listed 1 directory  a, x, b, y, d"},
		{"read:a read:b read?:c", "• reading 3 files  a, b, c"},
		{"read?:a grep?:x", "• reading a, searching  x"},
		{"read:a text read:b", "• read a|  text|• read b"},
		{"read:a thinking read:b", "• read a|~ thought|• read b"},
		{"read:a run:ls read:b read:c", "• read a|• ran ls|• read 2 files  b, c"},
		{"read:a read:b read!:c read:d read:e", "• read 2 files  a, b|✗ could not read c|• read 2 files  d, e"},
		{"read!:a read!:b", "✗ could not read a|✗ could not read b"},
		{"read:a ask:b read:c read:d", "• read a|• read b|• read 2 files  c, d"},
		{"read:a read:a", "• read a twice"},
	} {
		m, _ := groupModel(t, c.words)
		var got []string
		for _, r := range screen(m, 30)[1:] {
			if r != "" && !strings.HasPrefix(r, "    ") {
				left, _, _ := strings.Cut(r, "   ")
				got = append(got, left)
			}
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.words, got, c.want)
		}
		checkGroups(t, m.win.feed)
	}
	l := groupLook()
	l.Groups = false
	f, c := newFeed("", l), &calls{turn: "t"}
	f.apply(slices.Concat(c.begin(), c.word("read:a"), c.word("read:b")))
	if f.rows.SetSize(80, 30); len(f.rows.Frame()) != 4 {
		t.Errorf("without groups: %q", f.rows.Frame())
	}
}

// TestGroupsGrowInPlace streams reads below other rows: what stands above the first of them never changes, and together they
// take one row at any time.
func TestGroupsGrowInPlace(t *testing.T) {
	m, c := groupModel(t, "one two run:ls three")
	lefts := func() (out []string) {
		for _, r := range screen(m, 30) {
			left, _, _ := strings.Cut(r, "   ") // the fold key moves on
			out = append(out, left)
		}
		return out
	}
	above := lefts()
	for i := range 40 {
		for _, e := range c.word(fmt.Sprint([]string{"read", "grep"}[i%2], ":", i)) {
			m.Apply([]session.Event{e})
			if got := lefts(); len(got) != len(above)+2 || !slices.Equal(got[:len(above)], above) {
				t.Fatalf("after call %d the conversation is\n%s", i, strings.Join(got, "\n"))
			}
		}
	}
}

// TestGroupsGrowWhereTheReaderIs scrolls so that a read is the first row of the window: its group takes that row.
func TestGroupsGrowWhereTheReaderIs(t *testing.T) {
	m, c := groupModel(t, "one two three read:a")
	screen(m, 1)
	m.win.feed.rows.Hold()
	if got := screen(m, 1); !strings.HasPrefix(got[0], "• read a") {
		t.Fatalf("the first row is %q", got)
	}
	for i, want := range []string{"• reading 2 files", "• reading 3 files"} {
		m.Apply(c.word("read?:x" + fmt.Sprint(i)))
		if got := screen(m, 1); !strings.HasPrefix(got[0], want) {
			t.Errorf("with %d more the first row is %q", i+1, got)
		}
		if _, fresh := m.Below(); fresh != 0 {
			t.Errorf("%d rows are new", fresh)
		}
	}
	m.Apply(c.word("below"))
	screen(m, 1)
	if _, fresh := m.Below(); fresh != 1 {
		t.Errorf("%d rows are new", fresh)
	}
}

// TestGroupsFold opens and folds a group and its calls by key and by click; the mark goes with what it marked.
func TestGroupsFold(t *testing.T) {
	m, c := groupModel(t, "text read:a")
	if got := screen(m, 30); !strings.HasSuffix(got[4], "2 lines  tab") {
		t.Fatalf("%q", got)
	}
	m.Act(keymap.FoldUp) // the user marks it
	m.Apply(c.word("grep:x"))
	if got := screen(m, 30); len(got) != 5 || !strings.HasSuffix(got[4], "tab") || !strings.HasPrefix(got[4], "• read a, searched ") {
		t.Fatalf("%q", got)
	}
	m.Act(keymap.Fold)
	got := screen(m, 30)
	if len(got) != 7 || !strings.HasPrefix(got[5], "· read a") || !strings.HasPrefix(got[6], "· searched x") {
		t.Fatalf("opened: %q", got)
	}
	m.Apply(c.word("read:b")) // it stays open
	if got := screen(m, 30); len(got) != 8 || !strings.HasPrefix(got[7], "· read b") {
		t.Fatalf("grown: %q", got)
	}
	m.win.click(5)
	if got := screen(m, 30); len(got) != 10 || strings.TrimSpace(got[6]) != "inside a" {
		t.Fatalf("a call opened: %q", got)
	}
	m.win.click(4)
	if got := screen(m, 30); len(got) != 5 {
		t.Fatalf("folded: %q", got)
	}
	m.Update(tea.KeyPressMsg{}) // nothing
	m.win.jump(keymap.FoldAll)
	if got := screen(m, 30); len(got) != 5+3+6 {
		t.Fatalf("all opened: %q", got)
	}
	m.Apply(c.word("read!:d"))
	m.Apply(c.word("read:e"))
	m.win.jump(keymap.FoldAll)
	m.win.jump(keymap.FoldAll)
	if got := screen(m, 30); len(got) != 7 || !strings.HasPrefix(got[5], "✗ could not read d") {
		t.Fatalf("all folded: %q", got)
	}
}

// TestGroupsOfWhatIsRead keeps a call open that the user opened before another one joined it.
func TestGroupsOfWhatIsRead(t *testing.T) {
	m, c := groupModel(t, "read:a")
	screen(m, 30)
	m.Act(keymap.Fold)
	screen(m, 30)
	m.Apply(c.word("read:b"))
	if got := screen(m, 30); len(got) != 7 || strings.TrimSpace(got[4]) != "inside a" {
		t.Errorf("%q", got)
	}
}

// TestFindOpensGroups finds text in a call of a folded group, which opens with the call and folds again.
func TestFindOpensGroups(t *testing.T) {
	m, _ := groupModel(t, "read:a read:b text read:c read:d")
	before := screen(m, 30)
	m.Find()
	for _, r := range "inside b" {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	got := screen(m, 30)
	if len(got) != len(before)+4 || strings.TrimSpace(got[5]) != "inside b" {
		t.Fatalf("%q", got)
	}
	if n, _ := m.finding.finder.Count(); n != 1 {
		t.Errorf("%d matches", n)
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	if after := screen(m, 30); !slices.Equal(after, before) {
		t.Errorf("after the search:\n%s", strings.Join(after, "\n"))
	}
}

// TestGroupsInChildren looks into a child agent: its calls have the same rows.
func TestGroupsInChildren(t *testing.T) {
	h := session.Head{Turn: "t"}
	events := (&calls{turn: "t"}).begin()
	events = append(events, session.ChildStarted{Head: h, ID: "k", Name: "explore"})
	c := &calls{turn: "t"}
	for w := range strings.FieldsSeq("read:a read:b grep:x") {
		for _, e := range c.word(w) {
			switch e := e.(type) {
			case session.ToolStarted:
				e.Head.Child = "k"
				events = append(events, e)
			default:
				events = append(events, e)
			}
		}
	}
	m, _ := groupModel(t, "")
	m.Show("s", events)
	m.OpenChild("k")
	if got := screen(m, 30); !strings.HasPrefix(got[len(got)-1], "• read 2 files, searched") {
		t.Errorf("%q", got)
	}
}

// TestGroupsFoldedAtRandom opens and folds rows while events arrive. With all folded again, the conversation is as if
// nothing had been opened.
func TestGroupsFoldedAtRandom(t *testing.T) {
	l := groupLook()
	for seed := range uint64(repeat.Times(8, 15, 40)) {
		r := rand.New(rand.NewPCG(seed, 7))
		live, untouched := newFeed("", l), newFeed("", l)
		for _, f := range []*feed{live, untouched} {
			f.rows.SetSize(80, 10000)
		}
		for _, e := range randomEvents(r, 250) {
			live.apply([]session.Event{e})
			live.rows.Frame()
			for range 3 {
				live.fold(r.IntN(len(live.list) + 1))
				live.setMark(r.IntN(len(live.list)+1) - 1)
			}
			checkGroups(t, live)
			untouched.apply([]session.Event{e})
		}
		live.setMark(-1)
		for i, it := range live.list {
			if it.state().open {
				live.unfold(i, false)
			}
		}
		if diff := cmp.Diff(untouched.rows.Frame(), live.rows.Frame()); diff != "" {
			t.Fatalf("seed %d (- never opened, + opened and folded):\n%s", seed, diff)
		}
	}
}
