package builtin

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// keptRules returns an option with rules that are kept outside of the session, each with its ruling before its text.
func keptRules(t *testing.T, texts ...string) chatOption {
	t.Helper()
	var kept permission.Kept
	for i, text := range texts {
		ruling, rest, _ := strings.Cut(text, " ")
		r, err := permission.ParseRule(rest)
		if err != nil {
			t.Fatal(err)
		}
		r.Ruling, r.Origin, r.Number = permission.Ruling(ruling), permission.FromGlobal, i+1
		kept.Rules = append(kept.Rules, r)
	}
	return func(o *Options, _ *session.OpenOptions) {
		o.Rules = func(string) permission.Kept { return kept }
	}
}

// A rule that denies stops a call in every mode without asking, and the model reads which rule.
func TestDeniedByRule(t *testing.T) {
	for name, c := range map[string]struct {
		rule string
		call [3]string
	}{
		"command":  {"deny command rm *", [3]string{"x", "Bash", `{"command":"echo a && rm -r b"}`}},
		"edit":     {"deny edit new/**", [3]string{"x", anEdit[1], anEdit[2]}},
		"read":     {"deny read secret.txt", [3]string{"x", "Read", `{"file_path":"secret.txt"}`}},
		"search":   {"deny read secret.txt", [3]string{"x", "Grep", `{"pattern":"word","path":"secret.txt"}`}},
		"tool":     {"deny tool Glob", [3]string{"x", "Glob", `{"pattern":"*"}`}},
		"question": {"deny tool AskUserQuestion", [3]string{"x", aQuestion[1], aQuestion[2]}},
	} {
		for _, m := range session.Modes {
			s := newService(t, callsReply(c.call), says("done"))
			ch := openChat(t, s, mode(m), keptRules(t, c.rule))
			ch.file("secret.txt", "a word\n")
			ch.send("x")
			_, text, _ := strings.Cut(c.rule, " ")
			got := ch.ended()["x"]
			if got.Outcome != session.ToolDenied || !strings.Contains(got.Result.Text, text) && m != session.ModePlan {
				t.Errorf("%s, %s: %+v", name, m, got)
			}
			if n := len(eventsOf[session.Asked](ch)); n != 0 || ch.content("new/a.txt") == "hello\n" {
				t.Errorf("%s, %s: asked %d times", name, m, n)
			}
		}
	}
}

// What a rule keeps from being read appears in no search over the tree, in the mode that asks nothing, too.
func TestSearchUnderRules(t *testing.T) {
	for name, c := range map[string]struct {
		mode  session.Mode
		rules []string
		shows bool
	}{
		"denied":             {session.ModeDefault, []string{"deny read secret/**"}, false},
		"denied, bypass":     {session.ModeBypass, []string{"deny read secret/**"}, false},
		"denied by name":     {session.ModePlan, []string{"deny read **/*.key"}, false},
		"asked":              {session.ModeDefault, []string{"ask read secret/**"}, false},
		"asked, bypass":      {session.ModeBypass, []string{"ask read secret/**"}, true},
		"denied and allowed": {session.ModeDefault, []string{"allow read secret/**", "deny read secret/a.key"}, false},
		"other":              {session.ModeDefault, []string{"deny read other/**", "deny edit secret/**"}, true},
		"none":               {session.ModeDefault, nil, true},
	} {
		s := newService(t, callsReply([3]string{"grep", "Grep", `{"pattern":"word","output_mode":"content"}`},
			[3]string{"glob", "Glob", `{"pattern":"**/*"}`}), says("done"))
		ch := openChat(t, s, mode(c.mode), keptRules(t, c.rules...))
		ch.file("open.txt", "an open word\n")
		ch.file("secret/a.key", "a hidden word\n")
		ch.send("x")
		for _, id := range []session.CallID{"grep", "glob"} {
			text := ch.ended()[id].Result.Text
			if strings.Contains(text, filepath.Join("secret", "a.key")) != c.shows || strings.Contains(text, "left out 1 file") == c.shows || !strings.Contains(text, "open.txt") {
				t.Errorf("%s, %s: %q", name, id, text)
			}
		}
		if n := len(eventsOf[session.Asked](ch)); n != 0 {
			t.Errorf("%s: asked %d times", name, n)
		}
	}
}

// A rule that asks, and rules that cannot be read, are the reason that the user reads.
func TestAskedByRule(t *testing.T) {
	s := newService(t, callsReply([3]string{"x", "Bash", `{"command":"ls && pwd"}`}), says("done"))
	ch := openChat(t, s, keptRules(t, "ask command ls *"))
	ch.answerAll(session.Answer{Decision: session.Deny})
	ch.send("x")
	p := eventsOf[session.Asked](ch)[0].Permission
	if !strings.Contains(p.Reason, "command ls *") || len(p.Parts) < 2 {
		t.Errorf("%q %+v", p.Reason, p.Parts)
	}

	const broken = "The rules in permissions.yaml cannot be read: line 3."
	for i, call := range [][3]string{{"x", "Bash", `{"command":"ls"}`}, {"x", "Read", `{"file_path":"a"}`}, anEdit, {"x", "Bash", `{"command":"ls"}`}, anEdit} {
		in := session.ModeAcceptEdits
		if i > 2 {
			in = session.ModeBypass
		}
		s := newService(t, callsReply(call), says("done"))
		ch := openChat(t, s, mode(in), func(o *Options, _ *session.OpenOptions) {
			o.Rules = func(string) permission.Kept { return permission.Kept{Locked: broken} }
		})
		ch.answerAll(session.Answer{Decision: session.Deny})
		ch.send("x")
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || strings.Count(asked[0].Permission.Reason, broken) != 1 {
			t.Errorf("%s: %+v", call[1], asked)
		}
	}
}

// A rule that is kept while something is asked lets the ask pass; one that denies it refuses it.
func TestRuleKeptElsewhereWhileAsking(t *testing.T) {
	for ruling, want := range map[permission.Ruling]session.ToolOutcome{permission.Allow: session.ToolOK, permission.Deny: session.ToolDenied} {
		var kept permission.Kept
		s := newService(t, callsReply(anEdit), says("done"))
		ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) {
			o.Rules = func(string) permission.Kept { return kept }
		})
		ch.on = func(e session.Event) {
			if a, ok := e.(session.Asked); ok {
				r, _ := permission.ReadRule(a.Permission.Rules[0])
				r.Ruling = ruling
				kept.Rules = []permission.Rule{r}
			}
		}
		ch.send("x")
		settled := eventsOf[session.Settled](ch)
		if got := ch.ended()["e1"]; got.Outcome != want || len(settled) != 1 {
			t.Errorf("%s: %+v", ruling, got)
		} else if settled[0].Why != map[permission.Ruling]string{permission.Allow: session.WhyRuled, permission.Deny: session.WhyRefused}[ruling] {
			t.Errorf("%s: %+v", ruling, settled[0])
		}
	}
}

// The facts at the beginning count an untracked file that a rule hides, and do not name it.
func TestFactsNameNoHiddenFile(t *testing.T) {
	s := newService(t, says("done"))
	ch := openChat(t, s, keptRules(t, "deny read secret.txt"))
	ch.file(".git/HEAD", "ref: refs/heads/main\n")
	ch.file("open.txt", "a word")
	ch.file("secret.txt", "a hidden word")
	ch.send("x")
	if body := s.requests()[0]; !strings.Contains(body, "Untracked files here: 2 (open.txt and 1 more)") || strings.Contains(body, "secret.txt") {
		t.Errorf("%.200s", body[strings.Index(body, "Platform:"):])
	}
}
