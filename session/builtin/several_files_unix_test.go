//go:build unix

package builtin

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/sessiontest"
)

// aPatch changes, adds and deletes a file below src.
func aPatch(id string, more string) [3]string {
	return [3]string{id, "apply_patch", inputJSON(obj{"input": "*** Begin Patch\n*** Update File: src/a\n-one\n+two\n*** Add File: src/b\n+new\n*** Delete File: src/c\n" + more + "*** End Patch"})}
}

func patchedChat(t *testing.T, s *fakeService, opts ...chatOption) *chat {
	ch := openChat(t, s, append([]chatOption{model("gpt-5", "")}, opts...)...)
	ch.file("src/a", "one\n")
	ch.file("src/c", "old\n")
	return ch
}

// A call that changes several files is asked about once, with all of its changes and with rules that cover them all.
func TestOneAskForSeveralFiles(t *testing.T) {
	tracker := &sessiontest.FileTracker{}
	s := newService(t, callsReply(aPatch("p", "*** Add File: top\n+x\n")), says("done"))
	ch := patchedChat(t, s, func(_ *Options, open *session.OpenOptions) { open.Files = tracker })
	ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
	ch.send("x")
	asked := eventsOf[session.Asked](ch)
	if len(asked) != 1 {
		t.Fatalf("asked %d times", len(asked))
	}
	p := asked[0].Permission
	var paths, rules []string
	for _, e := range append([]session.FileEdit{*p.Edit}, p.More...) {
		paths = append(paths, filepath.Base(e.Path))
	}
	for _, r := range p.Rules {
		rules = append(rules, r.Text)
	}
	if !slices.Equal(paths, []string{"a", "b", "c", "top"}) || !p.More[1].Deleted || !slices.Equal(rules, []string{"edit **"}) {
		t.Errorf("%q %q", paths, rules)
	}
	if calls := tracker.Calls(); len(calls) != 1 || len(calls[0].Paths) != 4 {
		t.Errorf("%+v", calls)
	}
	if ended := ch.ended()["p"]; len(ended.Edits) != 4 || ch.content("src/a") != "two\n" || ch.content("src/b") != "new\n" || ch.content("top") != "x\n" {
		t.Errorf("%+v", ended)
	}
}

// The strictest ruling on any of the files holds for the call.
func TestSeveralFilesAreJudgedOneByOne(t *testing.T) {
	outside := t.TempDir()
	for name, test := range map[string]struct {
		more  string
		rules []string
		asked int
		how   session.ToolOutcome
	}{
		"all within":     {"", nil, 0, session.ToolOK},
		"one outside":    {"*** Add File: " + outside + "/x\n+x\n", nil, 1, session.ToolDenied},
		"one denied":     {"*** Add File: secret/x\n+x\n", []string{"edit secret/**"}, 0, session.ToolDenied},
		"moved away":     {"*** Update File: src/d\n*** Move to: " + outside + "/d\n", nil, 1, session.ToolDenied},
		"through a link": {"*** Add File: src/out/x\n+x\n", nil, 1, session.ToolDenied},
		"guarded":        {"*** Add File: .git/hooks/pre-commit\n+x\n", nil, 1, session.ToolDenied},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, callsReply(aPatch("p", test.more)), says("done"))
			ch := patchedChat(t, s, mode(session.ModeAcceptEdits), func(o *Options, _ *session.OpenOptions) {
				o.Rules = func(string) permission.Kept {
					var out permission.Kept
					for _, text := range test.rules {
						r, err := permission.ParseRule(text)
						if err != nil {
							t.Fatal(err)
						}
						r.Ruling = permission.Deny
						out.Rules = append(out.Rules, r)
					}
					return out
				}
			})
			ch.file("src/d", "d\n")
			if err := os.Symlink(outside, filepath.Join(ch.dir, "src/out")); err != nil {
				t.Fatal(err)
			}
			ch.answerAll(session.Answer{Decision: session.Deny})
			ch.send("x")
			if n := len(eventsOf[session.Asked](ch)); n != test.asked || ch.ended()["p"].Outcome != test.how {
				t.Errorf("asked %d times, %+v", n, ch.ended()["p"])
			}
			if got := ch.content("src/a"); (got == "two\n") != (test.how == session.ToolOK) {
				t.Error(got)
			}
		})
	}
}

var toolName = regexp.MustCompile(`"name":"(Edit|MultiEdit|apply_patch)"`)

// GPT models are offered patches, others replacements. After a switch the history stays as it was, and a call of the other
// family's tool works.
func TestToolsFollowTheModel(t *testing.T) {
	edit := [3]string{"e", "Edit", `{"file_path":"src/a","old_string":"one","new_string":"two"}`}
	s := newService(t, callsReply([3]string{"r", "Read", `{"file_path":"src/a"}`}, edit), says("done"))
	ch := openChat(t, s, mode(session.ModeBypass))
	ch.file("src/a", "one\n")
	ch.file("src/c", "old\n")
	ch.send("x")
	for _, id := range []string{"gpt-5.4", "o3-mini", "codex-mini", "o4", "gpt-4o"} {
		if err := ch.c.Configure(t.Context(), session.Settings{Model: id, Mode: session.ModeBypass}); err != nil {
			t.Fatal(err)
		}
		before := len(s.requests())
		s.add(callsReply([3]string{"e" + id, "Edit", `{"file_path":"src/a","old_string":"two","new_string":"one"}`}), callsReply([3]string{"w" + id, "Edit", `{"file_path":"src/a","old_string":"one","new_string":"two"}`}), says("done"))
		ch.send("y")
		tools, _, _ := strings.Cut(s.requests()[before], `"messages":`)
		if got := toolName.FindAllString(tools, -1); !slices.Equal(got, []string{`"name":"apply_patch"`}) {
			t.Errorf("%s: %q", id, got)
		}
		if !strings.Contains(s.requests()[before], `"name":"Edit"`) {
			t.Error("the call before is gone from the history")
		}
	}
	if got := ch.content("src/a"); got != "two\n" {
		t.Error(got)
	}
	tools, _, _ := strings.Cut(s.requests()[0], `"messages":`)
	if got := toolName.FindAllString(tools, -1); !slices.Equal(got, []string{`"name":"Edit"`, `"name":"MultiEdit"`}) {
		t.Errorf("%q", got)
	}
}
