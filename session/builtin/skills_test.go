package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions/skill"
)

// skilled gives a conversation the skills in its directory, as those of the user.
func skilled(o *Options, open *session.OpenOptions) {
	o.Skills = skill.New(skill.Options{ClaudeDir: filepath.Join(open.Dir, "own")})
}

// withSkills opens a conversation with skills by their names.
func withSkills(t *testing.T, s *fakeService, skills map[string]string, more ...chatOption) *chat {
	dir := t.TempDir()
	for name, content := range skills {
		path := filepath.Join(dir, "own", "skills", name, "SKILL.md")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return openChat(t, s, append([]chatOption{in(dir), skilled}, more...)...)
}

const tidy = "---\ndescription: tidies up\n---\nTidy $ARGUMENTS now.\n"

func TestSkillsAreListedAndLoaded(t *testing.T) {
	s := newService(t, callsReply([3]string{"k", "Skill", `{"skill":"tidy","args":"the desk"}`}), says("done"))
	ch := withSkills(t, s, map[string]string{"tidy": tidy, "own": "---\ndescription: for the user\ndisable-model-invocation: true\n---\nx\n"})
	ch.send("x")
	tools, system := sent(t, s.requests()[0])
	if !strings.Contains(strings.Join(tools, " "), "Skill") || !strings.Contains(system, `- tidy: tidies up\n\u003c/skills`) && !strings.Contains(system, `- tidy: tidies up\n</skills`) ||
		strings.Contains(system, "Tidy") || strings.Contains(system, "- own") {
		t.Errorf("%q\n%s", tools, system)
	}
	if got := ch.ended()["k"].Result.Text; !strings.HasPrefix(got, "Base directory for this skill: "+filepath.Join(ch.dir, "own", "skills", "tidy")) || !strings.HasSuffix(got, "Tidy the desk now.") {
		t.Errorf("%q", got)
	}
}

// A conversation without skills has no tool for them, until there are some.
func TestSkillsComeAndGo(t *testing.T) {
	s := newService(t, says("one"), says("two"), says("three"))
	ch := withSkills(t, s, nil)
	ch.send("x")
	ch.file("own/skills/tidy/SKILL.md", tidy)
	ch.send("y")
	if err := os.RemoveAll(filepath.Join(ch.dir, "own")); err != nil {
		t.Fatal(err)
	}
	ch.send("z")
	for i, want := range []bool{false, true, false} {
		tools, system := sent(t, s.requests()[i])
		if got := strings.Contains(strings.Join(tools, " "), "Skill"); got != want || strings.Contains(system, "skills") {
			t.Errorf("request %d: %q\n%s", i, tools, system)
		}
	}
	if all := s.requests()[2]; !strings.Contains(all, "The skills that the tool Skill loads are now:") || !strings.Contains(all, "There are no skills any more.") {
		t.Error(all)
	}
}

// A command whose output a skill begins with is asked about, and left out if it is refused.
func TestCommandsOfSkillsAreAsked(t *testing.T) {
	const text = "---\ndescription: d\n---\nFirst !`touch $0` then !`echo two-$0`\n"
	for name, c := range map[string]struct {
		answer  session.Answer
		want    string
		touched bool
	}{
		"allowed": {session.Answer{Decision: session.Allow}, "First  then two-a", true},
		"refused": {session.Answer{Decision: session.Deny}, "First (not run: the user refused it, or a rule does) then two-a", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, callsReply([3]string{"k", "Skill", `{"skill":"run","args":"a"}`}), says("done"))
			ch := withSkills(t, s, map[string]string{"run": text})
			ch.answerAll(c.answer)
			ch.send("x")
			if got := ch.ended()["k"].Result.Text; !strings.HasSuffix(got, c.want) {
				t.Errorf("%q", got)
			}
			asks := eventsOf[session.Asked](ch)
			if len(asks) != 1 || asks[0].Call != "k" || asks[0].Permission.Tool != "Bash" || asks[0].Permission.Command != "touch a" {
				t.Errorf("%+v", asks)
			}
			if _, err := os.Stat(filepath.Join(ch.dir, "a")); (err == nil) != c.touched {
				t.Errorf("touched: %v", err)
			}
		})
	}
}

// What a skill would like to be allowed is put to the user, and holds until the turn ends.
func TestAllowedToolsAreAskedAbout(t *testing.T) {
	const text = "---\ndescription: d\nallowed-tools: Bash(touch *), Bash\n---\nNow.\n"
	touch := func(id, name string) [3]string {
		return [3]string{id, "Bash", fmt.Sprintf(`{"command":"touch %s"}`, name)}
	}
	for choice, asked := range map[string]int{grantTurn: 1, grantEach: 2} {
		s := newService(t, callsReply([3]string{"k", "Skill", `{"skill":"make"}`}), callsReply(touch("b", "one")), says("done"), callsReply(touch("c", "two")), says("done"))
		ch := withSkills(t, s, map[string]string{"make": text})
		ch.listen(func(e session.Event) {
			if a, ok := e.(session.Asked); ok {
				answer := session.Answer{Decision: session.Allow}
				if a.Question != nil {
					answer.Choices = map[string][]string{a.Question.Questions[0].Text: {choice}}
				}
				if err := ch.c.Answer(a.Ask, answer); err != nil {
					t.Error(err)
				}
			}
		})
		ch.send("x")
		if asks := eventsOf[session.Asked](ch); len(asks) != asked || asks[0].Question == nil || !strings.HasSuffix(asks[0].Question.Questions[0].Text, "without asking: command touch *") {
			t.Errorf("%s: %+v", choice, asks)
		}
		ch.send("y")
		if asks := eventsOf[session.Asked](ch); len(asks) != asked+1 {
			t.Errorf("%s: the rules hold after the turn: %+v", choice, asks)
		}
	}
	s := newService(t, callsReply([3]string{"k", "Skill", `{"skill":"make"}`}), callsReply(touch("b", "one")), says("done"))
	ch := withSkills(t, s, map[string]string{"make": text}, func(o *Options, _ *session.OpenOptions) { o.Unattended = true })
	ch.answerAll(session.Answer{Decision: session.Deny, Message: session.UnattendedReason})
	ch.send("x")
	if got := ch.ended()["b"].Outcome; got != session.ToolDenied {
		t.Errorf("nobody there: %v", got)
	}
}

func TestTypedSkills(t *testing.T) {
	s := newService(t, says("one"), callsReply([3]string{"k", "Skill", `{"skill":"fork","args":"a"}`}), says("child's answer"), says("two"), says("three"))
	ch := withSkills(t, s, map[string]string{"tidy": tidy, "mine": "---\ndescription: d\nuser-invocable: false\n---\nx\n",
		"fork": "---\ndescription: d\ncontext: fork\ndisable-model-invocation: true\n---\nDo $0 alone\n"})
	ch.send("/tidy the desk")
	if got := s.requests()[0]; !strings.Contains(got, "Tidy the desk now.") || !strings.Contains(got, "/tidy the desk") {
		t.Error(got)
	}
	ch.send("/fork a")
	if got := ch.ended()["k"]; got.Result.Text != "child's answer" {
		t.Errorf("%+v", got)
	}
	if got := s.requests()[2]; !strings.Contains(firstMessage(got), "Do a alone") || strings.Contains(got, "Tidy") {
		t.Error(got)
	}
	ch.send("/mine")
	if got := s.requests()[4]; strings.Contains(got, "the command /mine") {
		t.Error(got)
	}
}

func TestSkillsThatAreNotThere(t *testing.T) {
	s := newService(t, callsReply([3]string{"a", "Skill", `{"skill":"tidi"}`}, [3]string{"b", "Skill", `{"query":"tidies"}`}, [3]string{"c", "Skill", `{"skill":"own"}`},
		[3]string{"d", "Skill", `{}`}, [3]string{"e", "Skill", `{"query":"nothing"}`}), says("done"))
	ch := withSkills(t, s, map[string]string{"tidy": tidy, "own": "---\ndescription: for the user\ndisable-model-invocation: true\n---\nx\n"})
	ch.send("x")
	for id, want := range map[session.CallID]string{"a": `Did you mean "tidy"?`, "b": "- tidy: tidies up\n", "c": `Ask them to type /own`, "d": "Name a skill", "e": "No skill matches"} {
		if got := ch.ended()[id].Result.Text; !strings.Contains(got, want) {
			t.Errorf("%s: %q", id, got)
		}
	}
}

// A file that a skill mentions is read by the rules of the conversation.
func TestMentionedFiles(t *testing.T) {
	s := newService(t, callsReply([3]string{"k", "Skill", `{"skill":"read"}`}), says("done"))
	ch := withSkills(t, s, map[string]string{"read": "---\ndescription: d\n---\nSee @notes.txt and @gone.txt\n"})
	ch.file("notes.txt", "the notes\n")
	ch.send("x")
	if got := ch.ended()["k"].Result.Text; !strings.Contains(got, "<file path=\"notes.txt\">") || !strings.Contains(got, "the notes") || strings.Contains(got, "path=\"gone") {
		t.Errorf("%q", got)
	}
}

// The model and the effort of a skill hold until the turn ends, typed or loaded; the session's stay what they are.
func TestASkillHasAModelUntilTheTurnEnds(t *testing.T) {
	skills := map[string]string{
		"plainly": "---\ndescription: d\nmodel: plain\neffort: low\n---\nBe brief.\n", "hard": "---\ndescription: d\neffort: high\n---\nThink.\n",
		"gone": "---\ndescription: d\nmodel: no-such-model\neffort: max\n---\nGo on.\n",
	}
	loads := func(name string) reply {
		return callsReply([3]string{"k-" + name, "Skill", `{"skill":"` + name + `"}`})
	}
	const usual, high, plain = `"model":"claude-test"`, `"effort":"high"`, `"model":"plain"`
	for name, c := range map[string]struct {
		prompts []string
		replies []reply
		want    [][2]string // of each request: what it has, and what it has not
	}{
		"typed":       {[]string{"/plainly", "x"}, []reply{says("a"), says("b")}, [][2]string{{plain, "effort"}, {usual, "effort"}}},
		"loaded":      {[]string{"x", "y"}, []reply{loads("plainly"), says("a"), says("b")}, [][2]string{{usual, plain}, {plain, "effort"}, {usual, plain}}},
		"effort":      {[]string{"/hard", "x"}, []reply{says("a"), says("b")}, [][2]string{{high, plain}, {usual, high}}},
		"unknown":     {[]string{"/gone"}, []reply{says("a")}, [][2]string{{usual, `"effort":"max"`}}},
		"the last":    {[]string{"/plainly"}, []reply{loads("hard"), says("a")}, [][2]string{{plain, high}, {plain, high}}},
		"one by one":  {[]string{"/hard"}, []reply{loads("gone"), says("a")}, [][2]string{{high, plain}, {usual, `"effort":"max"`}}},
		"of the kept": {[]string{"x"}, []reply{loads("hard"), says("a")}, [][2]string{{usual, high}, {high, plain}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, c.replies...)
			ch := withSkills(t, s, skills)
			for _, p := range c.prompts {
				ch.send(p)
			}
			all := s.requests()
			if len(all) != len(c.want) {
				t.Fatalf("%d requests", len(all))
			}
			for i, w := range c.want {
				if !strings.Contains(all[i], w[0]) || strings.Contains(all[i], `"output_config":{"`+strings.Trim(w[1], `"`)) || w[1] != "effort" && strings.Contains(all[i], w[1]) {
					t.Errorf("request %d: %.300s", i, all[i])
				}
			}
			if now := ch.c.(*conversation).current(); now.Model == "plain" || now.Effort != "" {
				t.Errorf("the session's: %+v", now)
			}
		})
	}
}
