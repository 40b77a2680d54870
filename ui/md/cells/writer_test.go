package cells

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// awkward holds what must not reach a terminal, and what must.
const awkward = "plain é 日本 👩‍👧\r\n\x1b[2J\x7f \u009b \u202e\u200b\ufeff\U000e0041 a\u200d\u200d\u200d\u200d\u200db e" +
	"\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 \xff\xc3"

func TestWriter(t *testing.T) {
	for size := 1; size <= len(awkward); size++ {
		var b bytes.Buffer
		w := NewWriter(&b)
		for rest := awkward; rest != ""; {
			cut := rest[:min(size, len(rest))]
			if n, err := w.Write([]byte(cut)); n != len(cut) || err != nil {
				t.Fatalf("wrote %d, %v", n, err)
			}
			rest = rest[len(cut):]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got, want := b.String(), Visible(awkward); got != want {
			t.Fatalf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriterReportsWhatFails(t *testing.T) {
	w := NewWriter(broken{})
	if n, err := w.Write([]byte("x")); n != 0 || !errors.Is(err, errBroken) {
		t.Errorf("%d, %v", n, err)
	}
	if err := w.Flush(); err != nil {
		t.Errorf("nothing was held back: %v", err)
	}
}

func TestVisibleJSON(t *testing.T) {
	in := map[string]string{awkward: "x\u200d", "plain": "\u2028" + strings.Repeat("\u0301", 20)}
	text, err := json.MarshalIndent(in, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got := VisibleJSON(text)
	if Visible(string(got)) != string(got) {
		t.Errorf("not visible: %q", got)
	}
	var want, out map[string]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &out); err != nil {
		t.Fatalf("%v: %q", err, got)
	}
	for k, v := range want {
		if out[k] != v {
			t.Errorf("%q became %q", v, out[k])
		}
	}
	if len(out) != len(want) || !strings.Contains(string(got), "é 日本 👩‍👧") {
		t.Errorf("%q", got)
	}
}
