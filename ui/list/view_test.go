package list

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/style"
)

// Where there is no room the columns go that matter least.
func TestPickerColumnsThatGive(t *testing.T) {
	p := Picker{Options: Options{Gives: []int{2, 1}}, all: []Row{{Cells: []string{"a name", "agent", "branch", "2 h"}}}}
	p.match()
	for w, want := range map[int][]int{80: {6, 5, 6, 3}, 20: {6, 5, 0, 3}, 15: {6, 0, 0, 3}, 8: {6, 0, 0, 0}} {
		if got := p.columns(style.Measure{Method: ansi.WcWidth}, w); !slices.Equal(got, want) {
			t.Errorf("%d columns: %v, want %v", w, got, want)
		}
	}
}

// What a dropped column leaves is the name's, which is not cut then.
func TestPickerColumns(t *testing.T) {
	p := Picker{all: []Row{{Cells: []string{"Claude Sonnet 4.6 preview", "1M", "low medium high max", "300 in, 1500 out"}, Mark: true}}}
	p.match()
	name := len("Claude Sonnet 4.6 preview v")
	for w, want := range map[int][]int{
		80: {name, 2, 19, 16}, 68: {name - 2, 2, 19, 16}, 60: {name, 2, 19, 0}, 40: {name, 2, 0, 0}, 24: {24, 0, 0, 0}, 5: {8, 0, 0, 0},
	} {
		got := p.columns(style.Measure{Method: ansi.WcWidth}, w)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%d columns: %v, want %v", w, got, want)
				break
			}
		}
	}
}

// Words are not cut off while the window has room for them.
func TestPickerColumnsTakeTheRoom(t *testing.T) {
	long := strings.Repeat("word ", 14) // 70 columns
	p := Picker{all: []Row{{Cells: []string{"fork", "alt+r", long}}, {Cells: []string{"mode", "shift+tab", "short"}}}}
	p.match()
	for w, want := range map[int][]int{120: {4, 9, 70}, 80: {4, 9, 63}, 65: {4, 9, 48}, 60: {4, 9, 0}} {
		if got := p.columns(style.Measure{Method: ansi.WcWidth}, w); !slices.Equal(got, want) {
			t.Errorf("%d columns: %v, want %v", w, got, want)
		}
	}
	p = Picker{all: []Row{{Cells: []string{long, "now"}}}}
	p.match()
	if got := p.columns(style.Measure{Method: ansi.WcWidth}, 78); !slices.Equal(got, []int{70, 3}) {
		t.Errorf("a long name: %v", got)
	}
}
