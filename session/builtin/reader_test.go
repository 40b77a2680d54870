package builtin

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// A search neither lists nor shows what rules keep from being read.
func TestSearchLeavesOutWhatRulesHide(t *testing.T) {
	deny := map[string]permission.Ruling{"secret.txt": permission.Deny, filepath.Join("sub", "b.txt"): permission.Ask}
	for name, c := range map[string]struct {
		rulings map[string]permission.Ruling
		call    [3]string
		has     string
		hasNot  string
		left    string
	}{
		"list":          {deny, [3]string{"g", "Glob", `{"pattern":"**/*.txt"}`}, "open.txt", "secret.txt|b.txt", "left out 2 files"},
		"search":        {deny, [3]string{"g", "Grep", `{"pattern":"word","output_mode":"content"}`}, "open.txt:1:word", "secret|b.txt", "left out 2 files"},
		"nothing left":  {deny, [3]string{"g", "Grep", `{"pattern":"hidden"}`}, "No match.", "secret", "left out 2 files"},
		"no rules":      {nil, [3]string{"g", "Grep", `{"pattern":"word"}`}, "secret.txt", "left out", ""},
		"a place asked": {map[string]permission.Ruling{"sub": permission.Ask, filepath.Join("sub", "b.txt"): permission.Ask}, [3]string{"g", "Grep", `{"pattern":"word","path":"sub"}`}, "b.txt", "left out", ""},
		"a denied file in a place asked": {map[string]permission.Ruling{"sub": permission.Ask, filepath.Join("sub", "b.txt"): permission.Deny},
			[3]string{"g", "Grep", `{"pattern":"word","path":"sub"}`}, "No match.", "b.txt", "left out 1 file"},
		"a name like it": {deny, [3]string{"g", "Read", `{"file_path":"secret.md"}`}, "does not exist", "secret.txt", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, callsReply(c.call), says("done"))
			ch := openChat(t, s)
			ch.file("open.txt", "word\n")
			ch.file("secret.txt", "a hidden word\n")
			ch.file("sub/b.txt", "another word\n")
			if c.rulings != nil {
				ch.c.(*conversation).top.ws.Hidden = func(context.Context) func(path, real string) permission.Ruling {
					return func(path, _ string) permission.Ruling {
						rel, _ := filepath.Rel(ch.dir, path)
						if ruled, ok := c.rulings[rel]; ok {
							return ruled
						}
						return permission.Allow
					}
				}
			}
			ch.answerAll(session.Answer{Decision: session.Allow})
			ch.send("x")
			got := ch.ended()["g"].Result.Text
			if !strings.Contains(got, c.has) || !strings.Contains(got, c.left) {
				t.Errorf("%q", got)
			}
			for _, word := range strings.Split(c.hasNot, "|") {
				if strings.Contains(strings.ReplaceAll(got, "secret.md", ""), word) {
					t.Errorf("%q has %q", got, word)
				}
			}
		})
	}
}
