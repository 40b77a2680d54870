package jsonedit

import (
	"bytes"
	"testing"
)

// Edits made in the text itself come to the same as those made in a copy.
func FuzzApplyOver(f *testing.F) {
	f.Add([]byte("0123456789"), []byte{1, 2, 4, 2, 0, 3, 3, 3, 0}, uint8(100))
	f.Add([]byte("0123456789abcdef"), []byte{0, 0, 5, 1, 4, 0, 2, 1, 9, 3, 3, 1}, uint8(3))
	f.Add([]byte("0123456789abcdef"), []byte{2, 6, 0, 0, 1, 30, 5, 0, 1}, uint8(60))
	f.Add([]byte(""), []byte{0, 0, 7}, uint8(7))
	f.Fuzz(func(t *testing.T, text, plan []byte, spare uint8) {
		var edits []Edit
		at := 0
		for i := 0; i+2 < len(plan); i += 3 { // so much later, so much taken, so much put there
			from := min(at+int(plan[i]), len(text))
			to := min(from+int(plan[i+1]), len(text))
			put := bytes.Repeat([]byte{'A' + byte(i%26)}, int(plan[i+2]))
			edits, at = append(edits, Edit{Span{from, to}, string(put)}), to
		}
		want := Apply(text, edits)
		own := append(make([]byte, 0, len(text)+int(spare)), text...)
		if got := applyOver(own, edits); !bytes.Equal(got, want) {
			t.Errorf("%q\n%+v\n got %q\nwant %q", text, edits, got, want)
		}
	})
}
