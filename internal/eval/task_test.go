package eval

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const small = `category: c
about: a
prompt: p
only: [a.txt]
check:
  - {file: a.txt, contains: [x, y]}
solution: [Done.]
-- repo/a.txt --
x
-- repo/run.sh --
#!/bin/sh
-- check/b.txt --
later
`

// The suite is large enough, covers what it should, and tells its tasks apart by their prompts.
func TestSuite(t *testing.T) {
	all, err := Tasks()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 58 {
		t.Errorf("%d tasks", len(all))
	}
	subjects, categories, free := map[string]string{}, map[string]bool{}, 0
	for _, task := range all {
		for _, step := range slices.Concat(task.steps(), task.steered(), task.Children) {
			subject := strings.ToLower(step.subject())
			if subject == "/compact" {
				continue
			}
			for other, name := range subjects {
				if strings.Contains(subject, other) || strings.Contains(other, subject) {
					t.Errorf("%s and %s have prompts that contain each other", task.Name, name)
				}
			}
			if strings.HasPrefix(subject, "/") {
				t.Errorf("%s: the prompt would be a pattern", task.Name)
			}
			subjects[subject] = task.Name
		}
		categories[task.Category] = true
		if len(task.Needs) == 0 || slices.Equal(task.Needs, []string{"go"}) {
			free++
		}
	}
	for _, want := range []string{"background", "bug fix", "cause elsewhere", "compaction", "command output", "configuration", "documentation", "failing test", "feature", "generated file",
		"huge file", "line ends", "long log", "misleading instruction", "monorepo", "multi-file", "notebook", "plain text", "question", "refactor", "rename",
		"language server", "large repository", "plan", "same text often", "secrets", "several prompts", "specification", "steering", "subagents",
		"to be asked about", "unicode"} {
		if !categories[want] {
			t.Errorf("no task of the category %q", want)
		}
	}
	if free*2 < len(all) {
		t.Errorf("only %d of %d tasks need nothing but Go", free, len(all))
	}
	if _, err := Script(all); err != nil {
		t.Error(err)
	}
}

func TestBrokenTasks(t *testing.T) {
	for _, tc := range []struct{ old, new, says string }{
		{"category: c\n", "", "category"},
		{"about:", "abuot:", "abuot"},
		{"solution: [Done.]\n", "", "solution"},
		{", contains: [x, y]", "", "says nothing"},
		{"file: a.txt", "file: a.txt, answer: x", "exactly one"},
		{"contains: [x, y]", "matches: '('", "check 1"},
		{"check:", "then: [{prompt: q}]\ncheck:", "then, children and steer"},
		{"check:", "steer: {after: 2, solution: [Done.]}\ncheck:", "then, children and steer"},
		{"repo/a.txt", "a.txt", "neither"},
	} {
		if _, err := Parse("t", []byte(strings.Replace(small, tc.old, tc.new, 1))); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q: %v", tc.new, err)
		}
	}
	if _, err := Match([]Task{{Name: "a"}}, "["); err == nil {
		t.Error("a broken glob matches")
	}
	if _, err := Match([]Task{{Name: "a"}}, "b*"); err == nil {
		t.Error("nothing matches and no error")
	}
}

// What a run did to files is found, and each check says what is wrong.
func TestChecks(t *testing.T) {
	task, err := Parse("t", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorkspace(t.TempDir(), task)
	if err != nil {
		t.Fatal(err)
	}
	judge := func(s said) string { return strings.Join(checker{}.judge(t.Context(), task, w, s), "; ") }
	if got := judge(said{}); got != `a.txt lacks "y"` {
		t.Error(got)
	}
	write := func(name, text string) {
		t.Helper()
		if err := w.write(parseFiles("-- " + name + " --\n" + text)); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "x\ny\n")
	if got := judge(said{}); got != "" {
		t.Error(got)
	}
	write("new/c.txt", "c\n")
	write("run.sh", "changed\n")
	write("__pycache__/x.pyc", "c\n")
	if got := judge(said{}); got != "changed files that it should not have: b.txt, new/c.txt, run.sh" { // b.txt was laid over it before
		t.Error(got)
	}
	task.Only = nil
	no := "x\n"
	task.Check = []Check{{File: "a.txt", Equals: &no}, {File: "a.txt", Missing: true}, {File: "gone", Lacks: texts{"x"}}, {File: "a.txt", Lacks: texts{"x"}},
		{File: "a.txt", Matches: "^z"}, {Answer: "yes"}, {Avoids: "secret"}, {Uses: "^read$", Times: 2}}
	if got := checkers(task, w, said{last: "no", all: "a SECRET", calls: []string{"Read"}}); got != len(task.Check) {
		t.Errorf("%d of %d checks fail", got, len(task.Check))
	}
	if filepath.Base(w.dir)[:2] != "t-" {
		t.Error(w.dir)
	}
}

// checkers returns how many checks fail.
func checkers(task Task, w *workspace, s said) (n int) {
	for _, c := range task.Check {
		if c.holds(w.dir, s) != nil {
			n++
		}
	}
	return n
}

func TestReportSums(t *testing.T) {
	r := newReport([]*Run{
		{Task: "a", Category: "x", Agent: "b", Used: "m", Passed: true, Requests: 2, NanoAIU: 1e9, MS: 1000},
		{Task: "b", Category: "y", Agent: "b", Used: "m", Requests: 4, NanoAIU: 3e9, MS: 3000},
		{Task: "c", Category: "y", Agent: "b", Skipped: "node is not installed"},
		nil,
	})
	if len(r.Totals) != 1 || len(r.Categories) != 2 || len(r.Runs) != 3 {
		t.Fatalf("%+v", r)
	}
	if got := strings.Join(r.Compared().Rows[0], "|"); got != "b|m|1/2 (1 skipped)|9-91 %|3.0|0|-|0|0|2.000|2.0 s" {
		t.Error(got)
	}
	if got := fmt.Sprint(r.ByCategory()); got != "{[CATEGORY b m] [[x 1/1] [y 0/1 (1 skipped)]]}" {
		t.Error(got)
	}
}

func parseFiles(text string) []txtar.File { return txtar.Parse([]byte(text)).Files }
