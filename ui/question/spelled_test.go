package question

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/ui/style"
)

func TestOddBlanksAreSpelledInQuestions(t *testing.T) {
	for _, r := range []rune{'\v', '\f', 0x85, 0xa0, 0xad, 0x1680, 0x180e, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009,
		0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x202f, 0x205f, 0x2060, 0x2800, 0x3000, 0x3164, 0x115f, 0xffa0, 0xfe0f, 0xfeff, 0xe0020} {
		odd, code := string(r), fmt.Sprintf("<U+%04X>", r)
		if got := style.Spell("ls" + odd + "x"); got != "ls"+code+"x" {
			t.Errorf("%U: %q", r, got)
		}
		asks := map[string]session.PermissionAsk{
			"a command": {Tool: "Bash", Command: "ls" + odd + "x"},
			"a path":    {Tool: "Write", Path: "/w/a" + odd, Input: []byte(`{"file_path":"/w/a` + strings.NewReplacer("\v", `\u000b`, "\f", `\u000c`).Replace(odd) + `b"}`)},
			"a reason":  {Tool: "X", Reason: "a" + odd + "b"},
			"a rule":    {Tool: "X", Rules: []session.Rule{{Label: "edits under a" + odd + "b"}}},
			"an input":  {Tool: "mcp__x__y", Input: []byte(`{"a":"` + strings.NewReplacer("\v", `\u000b`, "\f", `\u000c`).Replace(odd) + `b"}`)},
		}
		for name, a := range asks {
			p := New(&session.Ask{Asked: session.Asked{Kind: session.AskPermission, Permission: &a}}, Options{Dir: "/w"})
			text := p.Title + "\n" + p.Detail + "\n" + strings.Join(p.Body, "\n")
			text += "\n" + p.Permission.RuleText() + p.Permission.RuleAbout()
			for _, c := range p.Choices {
				text += "\n" + c.Label
			}
			if strings.Contains(text, odd) || !strings.Contains(text, code) && !strings.Contains(text, `\u00`) {
				t.Errorf("%U in %s: %q", r, name, text)
			}
		}
	}
	for _, plain := range []string{"ls -la", "a\tb", "größe 東京 naïve", "e\u0301"} {
		if got := style.Spell(plain); got != style.Visible(plain) {
			t.Errorf("%q: %q", plain, got)
		}
	}
}
