package transcript

import (
	"fmt"
	"sort"

	"parley/session"
	"parley/ui/scroll"
)

// place is where the user reads in a session, as it is stored: the turn at the top, how many items follow its first one, and how many
// letters of that item stand above. It holds in another process and at another width; "" is the end.
type place string

// placeIn returns the place of the reader in a feed.
func placeIn(f *feed) place {
	if f.goes != "" {
		return f.goes
	}
	i, row, ok := f.rows.ItemAt(0)
	if !ok || f.rows.Following() {
		return ""
	}
	turn := sort.Search(len(f.first), func(n int) bool { return f.first[n] > i }) - 1
	if turn < 0 || f.t.Turns[turn].ID == "" {
		return ""
	}
	letters := min(row, 0) // the rows of the gap before an item are below zero
	if a, is := f.rows.Item(i).(scroll.Anchored); is && row > 0 {
		letters = a.Anchor(row)
	}
	return place(fmt.Sprintf("%s %d %d", f.t.Turns[turn].ID, i-f.first[turn], letters))
}

// show moves the window of a feed to the place. One that is no more, or was never one, does nothing.
func (p place) show(f *feed) {
	var id session.TurnID
	var item, letters int
	if n, _ := fmt.Sscan(string(p), &id, &item, &letters); n < 3 {
		return
	}
	for turn, end := len(f.first)-1, len(f.list); turn >= 0; turn-- {
		if f.t.Turns[turn].ID != id {
			end = f.first[turn]
			continue
		}
		i := min(f.first[turn]+max(item, 0), end-1)
		if i < f.first[turn] {
			return
		}
		f.rows.Jump(i)
		if a, is := f.rows.Item(i).(scroll.Anchored); is && letters > 0 {
			letters = a.Row(letters)
		}
		f.rows.Scroll(max(letters, -1))
		return
	}
}

// Place returns where the user reads in the session, to be stored; "" at the end, and always where the terminal scrolls.
func (s Session) Place() string {
	if s.win.inline() {
		return ""
	}
	return string(placeIn(s.win.feed))
}

// Return goes to a stored place with the next frame.
func (s Session) Return(to string) {
	if !s.win.inline() {
		s.win.feed.goes = place(to)
	}
}
