package textarea

import (
	"strings"
	"testing"
)

// TestImages inserts images as chips that have numbers of their own, survive in drafts, and cannot be unfolded.
func TestImages(t *testing.T) {
	c := New(Looks{})
	c.Insert("look: ")
	c.Paste(strings.Repeat("x", chipBytes+1))
	if got := c.InsertImage("/tmp/a.png", 2049); got != "[image 1]" {
		t.Errorf("stands for it: %q", got)
	}
	c.Insert(" and ")
	c.InsertImage("/tmp/b.png", 1)
	if c.Unfold() {
		t.Error("an image was unfolded")
	}
	want := "look: " + strings.Repeat("x", chipBytes+1) + "[image 1] and [image 2]"
	again := New(Looks{})
	if err := again.SetDraft(c.Draft()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Composer{c, again} {
		if c.Value() != want {
			t.Errorf("the text is %q", c.Value())
		}
		chips := c.Chips()
		if len(chips) != 3 || chips[1].Image != "/tmp/a.png" || chips[1].Label != "[image 1: 3 KB]" || chips[2].Image != "/tmp/b.png" {
			t.Errorf("%+v", chips)
		}
		if rows := strings.Join(c.View().Rows, "\n"); !strings.Contains(rows, "[image 1: 3 KB] and [image 2: 1 KB]") {
			t.Errorf("shown: %q", rows)
		}
	}
	c.Delete(CharLeft)
	if c.Value() != strings.TrimSuffix(want, "[image 2]") || len(c.Chips()) != 2 {
		t.Errorf("after removing one: %q", c.Value())
	}
	c.Undo()
	if c.Value() != want {
		t.Errorf("undone: %q", c.Value())
	}
}

func TestSearchTakesWhatIsBrought(t *testing.T) {
	s := NewSearch()
	s.SetQuery("t")
	s.Add([]Past{{Text: "test"}, {Text: "b"}}, false)
	s.Add([]Past{{Text: "test "}, {Text: "try"}}, true)
	if n, all := s.Count(); n != 2 || !all || found(s) != "test|try" || !s.Older() || s.Older() {
		t.Errorf("%d, %v, %s", n, all, found(s))
	}
}
