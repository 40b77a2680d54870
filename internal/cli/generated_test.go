package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"parley/config"
	"parley/internal/cli/headless"
	"parley/internal/cli/manual"
	"parley/session"
	"parley/session/rules"
	"parley/session/runtimes"
	"parley/ui/keymap"
	questions "parley/ui/question/view"
)

var update = flag.Bool("update", false, "rewrite generated documentation")

// TestGeneratedDocumentationIsFresh compares the parts of the documentation that follow from tables in the code.
func TestGeneratedDocumentationIsFresh(t *testing.T) {
	generated(t, "docs/config.schema.json", config.Schema())
	generated(t, "docs/permissions.schema.json", rules.Schema())
	generated(t, "docs/policy.schema.json", rules.PolicySchema())
	generated(t, "docs/stream-json.schema.json", headless.StreamSchema())
	generated(t, "docs/parley.1", manPage(t))
	within(t, "docs/configuration.md", "keys", config.Markdown())
	within(t, "docs/configuration.md", "tested", fmt.Appendf(nil, "Tested are Claude Code %s, and Copilot %s.\n", versions("claude"), versions("copilot")))
	within(t, "docs/keys.md", "keys", []byte(keymap.Markdown()))
	within(t, "docs/keys.md", "asks", []byte(questions.Markdown()))
}

// versions lists the tested versions of a runtime.
func versions(name string) string {
	tested := runtimes.Tested(name)
	last := len(tested) - 1
	if last == 1 {
		return tested[0] + " and " + tested[1]
	}
	return strings.Join(tested[:last], ", ") + " and " + tested[last]
}

func manPage(t *testing.T) []byte {
	t.Helper()
	old := version
	version = "parley" // the page must not change with every build
	defer func() { version = old }()
	var b bytes.Buffer
	a := newApp(Process{Out: io.Discard, Err: io.Discard})
	if err := manual.WritePage(&b, rootCommand(a)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// generated compares a whole file, or with -update writes it.
func generated(t *testing.T, name string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(filepath.Join(sources, filepath.FromSlash(name)), want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(sources, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: run make docs", name)
	}
}

// within compares the part of a file between two marks, or with -update writes it.
func within(t *testing.T, name, mark string, want []byte) {
	t.Helper()
	begin, end := "<!-- generated: "+mark+" -->\n", "<!-- end: "+mark+" -->\n"
	text, err := os.ReadFile(filepath.Join(sources, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part between %q and %q", name, begin, end)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(sources, filepath.FromSlash(name)), []byte(before+begin+string(want)+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != string(want) {
		t.Errorf("%s is stale: run make docs", name)
	}
}

// TestManPageHasNoDate keeps the page equal on every day, whatever month cobra would print.
func TestManPageHasNoDate(t *testing.T) {
	page := string(manPage(t))
	if want := `.TH "PARLEY" "1" "" "parley" "parley manual"`; !strings.Contains(page, want) {
		t.Errorf("the page lacks the title %s", want)
	}
	if date := regexp.MustCompile(`(?m)\b[12]\d{3}\b|^\d+-[A-Z]|Auto generated`).FindString(page); date != "" {
		t.Errorf("the page carries a date: %q", date)
	}
}

// TestHeadlessDocumentationNamesEveryEvent keeps the description of stream-json complete.
func TestHeadlessDocumentationNamesEveryEvent(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(sources, "docs", "headless.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range session.EventTypes() {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/headless.md does not describe %s", name)
		}
	}
}

// TestHelpAndManualHaveEveryFlag finds each flag of the root once in its help and in the manual page: one that is in no group
// there can be given, and nobody knows.
func TestHelpAndManualHaveEveryFlag(t *testing.T) {
	var help bytes.Buffer
	a := newApp(Process{Out: &help, Err: io.Discard})
	root := rootCommand(a)
	manual.PrintHelp(a.out, root)
	page := strings.ReplaceAll(string(manPage(t)), `\-`, "-")
	seen := 0
	look := func(f *pflag.Flag) {
		seen++
		flag := regexp.MustCompile(`(?m)^ +(-\w, )?--` + regexp.QuoteMeta(f.Name) + `( |$)`)
		if n := len(flag.FindAllString(help.String(), -1)); n != 1 {
			t.Errorf("--%s stands %d times in the help", f.Name, n)
		}
		if !strings.Contains(page, "--"+f.Name) {
			t.Errorf("--%s is not in the manual page", f.Name)
		}
	}
	root.Flags().VisitAll(look)
	root.PersistentFlags().VisitAll(look)
	if seen < 20 {
		t.Errorf("the root has only %d flags here", seen)
	}
}
