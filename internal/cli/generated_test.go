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

	"github.com/spf13/cobra"
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
	generated(t, "docs/export.schema.json", headless.ExportSchema())
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

// TestHelpAndManualHaveEveryFlag wants every command in the help of its parent and in the manual page, and every flag once in the help
// of its command and in the command's part of the page.
func TestHelpAndManualHaveEveryFlag(t *testing.T) {
	page := strings.NewReplacer(`\-`, "-", `\e`, `\`).Replace(string(manPage(t)))
	commands, flags := 0, 0
	var walk func(a *app, help *bytes.Buffer, cmd *cobra.Command)
	walk = func(a *app, help *bytes.Buffer, cmd *cobra.Command) {
		help.Reset()
		manual.PrintHelp(a.out, cmd)
		text := help.String()
		part := page
		if _, after, ok := strings.Cut(page, "\n.SS "+cmd.CommandPath()); ok && cmd.HasParent() {
			part, _, _ = strings.Cut(after, "\n.S")
		} else if cmd.HasParent() && !cmd.HasAvailableSubCommands() && cmd.Name() != "help" {
			t.Errorf("%s is not in the manual page", cmd.CommandPath())
		}
		seen := func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" && cmd.HasParent() {
				return
			}
			flags++
			line := regexp.MustCompile(`(?m)^ +(-\w, )?--` + regexp.QuoteMeta(f.Name) + `( |$)`)
			if n := len(line.FindAllString(text, -1)); n != 1 {
				t.Errorf("%s: --%s stands %d times in the help", cmd.CommandPath(), f.Name, n)
			}
			if !strings.Contains(part, "--"+f.Name) {
				t.Errorf("%s: --%s is not in the manual page", cmd.CommandPath(), f.Name)
			}
		}
		if cmd.LocalNonPersistentFlags().VisitAll(seen); !cmd.HasParent() {
			cmd.PersistentFlags().VisitAll(seen)
		}
		for _, sub := range cmd.Commands() {
			if sub.Hidden {
				continue
			}
			commands++
			if !regexp.MustCompile(`(?m)^  ` + sub.Name() + ` +[A-Z]`).MatchString(text) {
				t.Errorf("%s is not in the help of %s", sub.CommandPath(), cmd.CommandPath())
			}
			walk(a, help, sub)
		}
	}
	var help bytes.Buffer
	a := newApp(Process{Out: &help, Err: io.Discard})
	walk(a, &help, rootCommand(a))
	if commands < 25 || flags < 50 {
		t.Errorf("found only %d commands and %d flags", commands, flags)
	}
}
