package agentfiles

import (
	"strings"
	"testing"
	"unicode/utf8"

	"parley/session/agentfiles/head"
)

// Any file is an agent within its bounds, or has a fault with a line of the file.
func FuzzAgent(f *testing.F) {
	for _, s := range []string{"---\nname: a\ndescription: d\ntools: [x]\n---\np", "---\n&a [*a]\n---\n", "---\na: b: c\n---", "\n\n---\r\n---\r\n",
		"---\nmcp-servers:\n- a\n- b: {c: d}\n---\n", "---\n? [a]\n: b\n---\np", "---\ndescription: !!binary x\n---\np"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, faults := agentOf([]byte(text), "name")
		lines := strings.Count(text, "\n") + 1
		for _, fault := range faults {
			if fault.Line < 0 || fault.Line > lines+1 || fault.What == "" {
				t.Errorf("a fault in line %d of %d: %q", fault.Line, lines, fault.What)
			}
		}
		switch {
		case a == nil && len(faults) > 0 && !head.Deadly(faults):
			t.Errorf("not used for no reason: %+v", faults)
		case a != nil && (head.Deadly(faults) || !isName(a.Name) || a.About == "" || len(a.About) > 4<<10 || len(a.Tools) > 512):
			t.Errorf("used: %+v %+v", a, faults)
		case a != nil && utf8.ValidString(text) && !utf8.ValidString(a.About):
			t.Errorf("cut within a letter: %q", a.About)
		}
		if p, faults := promptOf([]byte(text), "name"); p == nil && !head.Deadly(faults) {
			t.Errorf("no prompt and no reason: %+v", faults)
		}
	})
}
