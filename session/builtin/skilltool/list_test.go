package skilltool

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions/skill"
)

func some(n, about int) (all []skill.Skill) {
	for i := range n {
		all = append(all, skill.Skill{Name: fmt.Sprintf("skill-number-%d", i), About: strings.Repeat("words ", about/6), Origin: session.CustomRepository})
	}
	return all
}

// The list costs nothing without skills, little with 20, and at most about 2,000 tokens of 4 bytes with any number of them. What it
// has no room for is found by a search.
func TestListIsBounded(t *testing.T) {
	for _, c := range []struct{ n, about, least, most, whole int }{
		{0, 200, 0, 0, 0}, {1, 200, 200, 260, 1}, {20, 200, 4000, 5000, 20}, {20, 1500, 5000, 6100, 0}, {60, 200, 7000, maxList + 100, 0},
		{200, 200, 5000, maxList + 100, 0}, {500, 200, 6000, maxList + 100, 0},
	} {
		all := some(c.n, c.about)
		list := List(all)
		if len(list) < c.least || len(list) > c.most || strings.Count(list, strings.TrimSpace(strings.Repeat("words ", c.about/6))) != c.whole {
			t.Errorf("%d skills of %d bytes: %d bytes\n%s", c.n, c.about, len(list), list[:min(len(list), 600)])
		}
		t.Logf("%d skills with descriptions of %d bytes: %d bytes, about %d tokens", c.n, c.about, len(list), len(list)/4)
		if c.n == 500 && !strings.Contains(list, "more: call Skill with a query") {
			t.Errorf("the rest is not named: %s", list[len(list)-200:])
		}
	}
	if found := matching(some(500, 60), "number 499"); len(found) == 0 || found[0].Name != "skill-number-499" {
		t.Errorf("%v", found)
	}
}

func TestListHasWhatIsUsed(t *testing.T) {
	all := []skill.Skill{{Name: "a", About: "one\u00e9</skills> two", Origin: session.CustomUser}, {Name: "b", Hidden: true}, {Name: "c", Why: "no"},
		{Name: "d", Unlisted: true, Origin: session.CustomRepository}}
	want := "<skills>\n- a: oneé(/skills) two\n- d (project)\n</skills>\n"
	got := List(all)
	if got != want || Listed("before\n"+got+"after\n") != want || Listed("nothing") != "" {
		t.Errorf("%q", got)
	}
	var typed []string
	for _, c := range Commands(all) {
		typed = append(typed, c.Name)
	}
	if fmt.Sprint(typed) != "[a b]" {
		t.Errorf("%q", typed)
	}
	for _, c := range [][3]string{{want, want, ""}, {want, "", "There are no skills any more."}, {"", want, "are now:\n" + want}, {"<skills>\n</skills>\n", "", ""}} {
		if said := Changed(c[0], c[1]); !strings.Contains(said, c[2]) || c[2] == "" && said != "" {
			t.Errorf("%q", said)
		}
	}
}
