package permission

import (
	"testing"

	"parley/session"
)

func TestOnlyReads(t *testing.T) {
	for _, mode := range session.Modes {
		p := testPolicy(mode)
		for _, text := range []string{"command touch *", "command ls *"} {
			r, err := ParseRule(text)
			if err != nil {
				t.Fatal(err)
			}
			p.Rules = append(p.Rules, r)
		}
		p.Rules[len(p.Rules)-1].Ruling = Deny
		for line, want := range map[string]bool{
			"ls -l": true, "cat a.go | wc -l": true, "touch a": false, "ls > a": false, "sed -i s/a/b/ c": false, "$X": false, "(": false,
		} {
			if got := p.OnlyReads(line); got != want {
				t.Errorf("%s: %q: %t", mode, line, got)
			}
		}
	}
}
