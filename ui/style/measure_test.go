package style

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// An address that is torn at a hyphen leads elsewhere, and half a flag is none.
func TestWrapLeavesHyphensAlone(t *testing.T) {
	for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		m := Measure{Method: method}
		got := m.Wrap("a token at https://github.com/settings/personal-access-tokens, then run: x --web", 52)
		if want := []string{"a token at", "https://github.com/settings/personal-access-tokens,", "then run: x --web"}; !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		got = m.Wrap("one-two-three", 8) // wider than the window
		if want := []string{"one-two-", "three"}; !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	}
}
