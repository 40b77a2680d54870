package store

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// wordsOf returns the words of the texts of a session behind a place, and the place where they end.
func wordsOf(t *testing.T, s *Store, want session.TextQuery) (all map[string]bool, place string) {
	t.Helper()
	var joined strings.Builder
	read, err := s.Texts(t.Context(), "a", want, func(x session.Text) bool {
		if !want.Wants(x) {
			t.Errorf("%+v yields %q", want, x.Bytes)
		}
		if !x.GoesOn {
			joined.WriteByte('\n')
		}
		joined.Write(x.Bytes)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	all = map[string]bool{}
	for _, w := range strings.Fields(joined.String()) {
		all[w] = true
	}
	return all, read.Place
}

// TestTextsAfter reads a journal that grew, cut at many places: both readings have each word of the whole one, whatever was split.
func TestTextsAfter(t *testing.T) {
	s := New(Options{Dir: t.TempDir(), LockDir: t.TempDir()})
	j, err := s.Create(t.Context(), session.Meta{ID: "a", Agent: "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	h := session.Head{Session: "a", Turn: "t"}
	child := h
	child.Child = "c"
	for _, e := range []session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "a prompt"}, Origin: session.OriginUser},
		session.PartStarted{Head: h, Part: "r", Kind: session.PartReasoning}, session.PartDelta{Head: h, Part: "r", Text: "hid"},
		session.PartDelta{Head: h, Part: "r", Text: "den"}, session.PartEnded{Head: h, Part: "r"},
		session.PartStarted{Head: h, Part: "p", Kind: session.PartText}, session.PartDelta{Head: h, Part: "p", Text: "jit"},
		session.PartDelta{Head: h, Part: "p", Text: "ter"}, session.ToolReady{Head: child, Call: "y", Input: []byte(`{"command":"child"}`)},
		session.PartDelta{Head: h, Part: "p", Text: "bug one"}, session.PartEnded{Head: h, Part: "p"},
		session.ToolReady{Head: h, Call: "x", Input: []byte(`{"command":"list","child":"x"}`)}, session.ToolEnded{Head: h, Call: "x", Outcome: session.ToolOK, Result: session.ToolResult{Text: "output"}},
		session.PartDelta{Head: h, Part: "p", Text: "two"}, session.PartReplaced{Head: h, Part: "z", Kind: session.PartText, Text: "re"},
		session.PartDelta{Head: h, Part: "z", Text: "placed"}, session.Steered{Head: h, Said: &session.Prompt{Text: "steered"}},
	} {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, "a"+journalSuffix)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]session.TextQuery{"all": {}, "spoken": {Spoken: true}, "tools": {Tools: true}} {
		all, _ := wordsOf(t, s, want)
		if all["hidden"] || all["den"] || all["child"] || all["jitterbug"] == want.Tools || all["output"] == want.Spoken {
			t.Fatalf("%s: %q", name, slices.Sorted(maps.Keys(all)))
		}
		for cut := range len(whole) + 1 {
			if next := bytes.IndexByte(whole[cut:], '\n'); next > 3 && cut%11 > 0 {
				continue // most cuts are around the ends of lines
			}
			if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			got, place := wordsOf(t, s, want)
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
			want.After = place
			rest, _ := wordsOf(t, s, want)
			want.After = ""
			maps.Copy(got, rest)
			for w := range all {
				if !got[w] {
					t.Fatalf("%s, cut at %d: %q is missing, place %s", name, cut, w, place)
				}
			}
			if got["den"] || got["hidden"] {
				t.Fatalf("%s, cut at %d: reasoning was read, place %s", name, cut, place)
			}
		}
	}
}
