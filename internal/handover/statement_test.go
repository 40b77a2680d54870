package handover

import (
	"strings"
	"testing"

	"parley/session"
)

func transcript() *session.Transcript {
	h := session.Head{Session: "s", Turn: "t1"}
	h2 := session.Head{Session: "s", Turn: "t2"}
	return session.Fold([]session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "t1", Text: "Why does the upload\nflake?"}, Origin: session.OriginUser},
		session.PartReplaced{Head: h, Part: "p1", Kind: session.PartText, Text: "The clock."},
		session.ToolStarted{Head: h, Call: "c1", Name: "Edit"},
		session.ToolReady{Head: h, Call: "c1", Input: []byte(`{}`)},
		session.ToolEnded{Head: h, Call: "c1", Outcome: session.ToolOK, Edits: []session.FileEdit{{Path: "/project/app/up/load.go"}, {Path: "/else/where/deep/er.go"}}},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
		session.TurnStarted{Head: h2, Prompt: session.Prompt{ID: "t2", Text: "Fix it"}, Origin: session.OriginUser},
		session.PartReplaced{Head: h2, Part: "p2", Kind: session.PartReasoning, Text: "secret thoughts"},
		session.PartReplaced{Head: h2, Part: "p3", Kind: session.PartText, Text: "I would inject the clock."},
		session.TodosChanged{Head: h2, Todos: []session.Todo{{Text: "find it", State: session.TodoDone}, {Text: "mend it"}}},
		session.TurnEnded{Head: h2, Outcome: session.TurnCompleted},
	})
}

func TestStatement(t *testing.T) {
	const want = "Fix it\n\n## What was asked before\n\n- Why does the upload flake?\n\n## The last answer\n\nI would inject the clock.\n\n" +
		"## Tasks\n\n- [x] find it\n- [ ] mend it\n\n## Files that were changed\n\n- up/load.go\n- where/deep/er.go"
	if got := Statement(transcript(), "/project/app", ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Statement(transcript(), "/project/app", " and test it "); !strings.HasPrefix(got, "and test it\n\n## What was asked before\n\n- Why does the upload flake?\n- Fix it\n") {
		t.Errorf("with words: %s", got)
	}
	if got := Statement(&session.Transcript{}, "/project", ""); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	long := session.Fold([]session.Event{session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{ID: "t", Text: strings.Repeat("ä", 50000)}, Origin: session.OriginUser}})
	if got := Statement(long, "/project", "x"); len(got) > 2*maxWords || !strings.HasSuffix(got, "…") {
		t.Errorf("a long prompt gives %d bytes", len(got))
	}
}

func TestBranchName(t *testing.T) {
	for statement, want := range map[string]string{
		"# Fix the upload: it flakes!\nmore": "parley/fix-the-upload-it-flakes-ab12",
		"":                                   "parley/work-ab12",
		"Größe ändern":                       "parley/gr-e-ndern-ab12",
		"日本":                                 "parley/work-ab12",
		"a very long statement that goes on and on and on…": "parley/a-very-long-statement-that-goes-ab12",
		"../../etc/passwd .lock":                            "parley/etc-passwd-lock-ab12",
		"\x1b[2J":                                           "parley/2j-ab12",
		"\n\n  - a list":                                    "parley/a-list-ab12",
	} {
		got := branchName(statement, "ab12")
		if got != want || !isBranch(got) {
			t.Errorf("%q gives %q, not %q", statement, got, want)
		}
	}
}

func TestDraft(t *testing.T) {
	d := Draft{Target: session.RemoteTarget{Repository: "octo/app", Base: "main"}, Suffix: "x", Work: &Work{Unpushed: 2, Changed: []string{"a"}, New: []string{"b", "c"},
		Remotes: []Remote{{"origin", "octo/app"}, {"fork", "me/app"}}, Remote: "origin"}}
	if f, _ := d.Problem(); f != StatementField {
		t.Error("an empty statement is taken")
	}
	d.Statement = "# Mend it\n"
	if f, text := d.Problem(); f != NoField {
		t.Error(text)
	}
	if got := d.Missing(); got != "2 commits, 1 changed file, 2 new files" {
		t.Errorf("missing: %q", got)
	}
	all := d.Choices()
	if len(all) != 4 || all[0].Send != nil || d.At() != 0 || strings.Join(d.Names(), " ") != "a b c" {
		t.Fatalf("choices: %+v", all)
	}
	if _, pushes := d.Push(); pushes || d.Prompt("").Target.Base != "main" {
		t.Error("something is pushed unasked")
	}
	d.Send = all[2].Send
	p, pushes := d.Push()
	if !pushes || d.At() != 2 || p != (Push{"origin", "parley/mend-it-x", Changes, "Work in progress: Mend it"}) || strings.Join(d.Names(), " ") != "a" {
		t.Errorf("push %+v", p)
	}
	if got := d.Prompt(p.Branch); got.Target.Base != p.Branch || got.Text != "# Mend it" || d.Target.Base != "main" {
		t.Errorf("prompt %+v", got)
	}
	d.Target.Repository = "else/where"
	if f, _ := d.Problem(); f != WorkField {
		t.Error("a repository without a remote is taken")
	}
	d.Target.Repository = "noslash"
	if f, _ := d.Problem(); f != RepositoryField {
		t.Error("a bad repository is taken")
	}
	d.Target, d.Send = session.RemoteTarget{Repository: "o/r", Base: "a b"}, nil
	if f, _ := d.Problem(); f != BaseField {
		t.Error("a bad base is taken")
	}
	d.Work.Conflicts = []string{"z"}
	if len(d.Choices()) != 1 || d.Names()[0] != "z" {
		t.Error("conflicts can be pushed")
	}
}
