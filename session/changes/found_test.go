package changes

import "testing"

func TestGaps(t *testing.T) {
	var f findings
	for _, path := range []string{"/project/a", "/project/b", "/else/c"} {
		f.put(change(path, "A", "B"))
	}
	if got := f.text("/project"); got != "" {
		t.Errorf("%q", got)
	}
	for _, path := range []string{"/project/a", "/project/b", "/else/c"} {
		c := change(path, "A", "B")
		c.Unsure = "it is unsure"
		f.put(c)
	}
	c := change("/else/d", "A", "B")
	c.Before.Unkept = "it is too large"
	f.put(c)
	f.gap = "Gap."
	const want = "Gap. The changes of a and 2 other files cannot be undone: it is unsure. The change of /else/d cannot be undone: it is too large."
	if got := f.text("/project"); got != want {
		t.Errorf("%q", got)
	}
	var all findings
	all.add(f)
	all.add(f)
	if got := all.text("/project"); len(all.changes) != 4 || all.gap != "Gap." || got == want {
		t.Errorf("%d changes, %q", len(all.changes), got)
	}
}
