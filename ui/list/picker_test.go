package list

import (
	"reflect"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/style"
)

func key(code rune, mod tea.KeyMod) tea.KeyPressMsg {
	k := tea.KeyPressMsg{Code: code, Mod: mod}
	if mod == 0 && code >= ' ' && code < 0x7f {
		k.Text = string(code)
	}
	return k
}

func newTestPicker(o Options) *Picker {
	p := New(&style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 120, Height: 24}, o)
	p.SetSize(120, 24)
	p.setRows([]Row{{ID: "a", Cells: []string{"apple"}}, {ID: "b", Cells: []string{"banana"}, Off: "is out of season"}, {ID: "c", Cells: []string{"cherry"}}})
	return p
}

// Every key that does something with the selected row comes back as an action, and only where the picker allows it.
func TestKeysBecomeActions(t *testing.T) {
	all := Options{Drops: true, Moves: true, Offers: []Offer{{Name: "copy", Letter: "c", Key: "ctrl+f"}}}
	enter, down, tab := key(tea.KeyEnter, 0), key(tea.KeyDown, 0), key(tea.KeyTab, 0)
	first, second := Row{ID: "a", Cells: []string{"apple"}}, Row{ID: "b", Cells: []string{"banana"}, Off: "is out of season"}
	for _, tt := range []struct {
		name string
		o    Options
		keys []tea.KeyPressMsg
		want Action
	}{
		{"enter picks", Options{}, []tea.KeyPressMsg{enter}, Picked{Row: first}},
		{"a row that is off is refused", Options{}, []tea.KeyPressMsg{down, enter}, Refused{second}},
		{"escape is passed", Options{}, []tea.KeyPressMsg{key(tea.KeyEscape, 0)}, Passed{}},
		{"ctrl+x drops", all, []tea.KeyPressMsg{key('x', tea.ModCtrl)}, Dropped{first}},
		{"the key of an offer does it", all, []tea.KeyPressMsg{key('f', tea.ModCtrl)}, Acted{first, "ctrl+f"}},
		{"tab offers them by their letters", all, []tea.KeyPressMsg{tab, down, key('c', 0)}, Acted{second, "ctrl+f"}},
		{"a letter filters where they are not offered", all, []tea.KeyPressMsg{tab, tab, key('c', 0), enter}, Picked{Row: Row{ID: "c", Cells: []string{"cherry"}}, Typed: "c"}},
		{"escape takes the offer back", all, []tea.KeyPressMsg{tab, key(tea.KeyEscape, 0)}, nil},
		{"another letter takes it back too", all, []tea.KeyPressMsg{tab, key('h', 0), key('c', 0), enter}, nil},
		{"tab is passed where there are none", Options{}, []tea.KeyPressMsg{tab}, Passed{}},
		{"escape clears the filter", Options{Clears: true}, []tea.KeyPressMsg{key('z', 0), key(tea.KeyEscape, 0), enter}, Picked{Row: first}},
		{"and is passed without one", Options{Clears: true}, []tea.KeyPressMsg{key(tea.KeyEscape, 0)}, Passed{}},
		{"alt+down moves", all, []tea.KeyPressMsg{key(tea.KeyDown, tea.ModAlt)}, Moved{first, 1}},
		{"ctrl+x is nothing where rows stay", Options{}, []tea.KeyPressMsg{key('x', tea.ModCtrl)}, nil},
		{"ctrl+f moves in the filter where nothing is copied", Options{}, []tea.KeyPressMsg{key('f', tea.ModCtrl)}, nil},
		{"what is typed filters", Options{}, []tea.KeyPressMsg{key('c', 0), key('h', 0), enter}, Picked{Row: Row{ID: "c", Cells: []string{"cherry"}}, Typed: "ch"}},
		{"nothing is picked where nothing matches", Options{}, []tea.KeyPressMsg{key('z', 0), enter}, nil},
	} {
		p := newTestPicker(tt.o)
		var got Action
		for _, k := range tt.keys {
			got = p.Update(k)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %#v, want %#v", tt.name, got, tt.want)
		}
	}
}

// A preview is asked for once, for the row that stays selected.
func TestPreviewIsLoadedOnce(t *testing.T) {
	p := newTestPicker(Options{Peeks: true})
	if act, ok := p.Missing().(Peek); !ok || act.Row.ID != "a" {
		t.Fatalf("the first row: %#v", p.Missing())
	}
	if p.Load("c") || !p.Load("a") || p.Load("a") {
		t.Fatal("a preview is loaded for another row, or twice")
	}
	if act := p.Missing(); act != nil {
		t.Fatalf("a preview being loaded is asked for again: %#v", act)
	}
	p.SetSize(40, 10)
	if act := p.Update(key(tea.KeyDown, 0)); act != nil {
		t.Fatalf("a preview without room: %#v", act)
	}
	p.SetSize(120, 40)
	if act, ok := p.Missing().(Peek); !ok || act.Row.ID != "b" || !p.Load("b") {
		t.Fatalf("a window that grew: %#v", p.Missing())
	}
	if p.SetSize(120, 40); p.Missing() != nil {
		t.Fatal("a preview is asked for again in a window of the same size")
	}
	if p.SetSize(90, 40); p.Missing() == nil {
		t.Fatal("a preview keeps the width of another window")
	}
}

// New rows keep the selection, by id.
func TestRowsKeepTheSelection(t *testing.T) {
	p := newTestPicker(Options{})
	p.Update(key(tea.KeyDown, 0))
	p.setRows([]Row{{ID: "b", Cells: []string{"banana"}}, {ID: "a", Cells: []string{"apple"}}})
	if r, _ := p.Selected(); r.ID != "b" {
		t.Errorf("selected %q", r.ID)
	}
}
