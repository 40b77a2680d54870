package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// retired are wordings that nobody understood, with a part of what stands in their place, "" for nothing. Places in braces and the names
// of what is meant are left out, so that a text is found whatever is put into it.
var retired = []struct{ was, is string }{
	{"allows it once, s what the rule covers", "Yes, and "},
	{"Keys count after a pause", ""},
	{"edits of any file of this project", "any file in this project"},
	{"this is asked each time", "parley can't remember this one"},
	{"yes, and say…", "Yes, and "},
	{"not accepted (", ""},
	{"file not accepted", "file changed"},
	{"which does not confirm it", "Not there? Allow OSC 52"},
	{"No agent here works at a service", "The cloud agent isn't available in the demo"},
	{"there is nothing to decide about", "Nothing to review in this directory"},
	{"no runtime of Claude Code is on this machine", "is not installed"},
	{"Agent of a new session", "New session with"},
	{"let a custom agent hold", "use or create a custom agent"},
	{"parley models asks again", "`parley models` refreshes the list"},
	{"find the session: ", "no session matches"},
	{"the `MODE`:", "`MODE` permission mode"},
	{"another `DIR` that tools may use", "also let tools use `DIR`"},
	{"if you accept that; --redo", "Later changes to these files are lost (you are asked first)"},
	{"Generate the autocompletion script", "Print the completion script"},
	{"parley can sign in without", "without it, sign in by setting"},
	{"none of your own", ""},
	{"runs what a project contains", "executes project code"},
	{"Another process uses it", "This session is open in another window"},
	{"Files in directories below are read", "AGENTS.md files in subdirectories load when the agent first opens a file there"},
	{"Free until it is summarised", "Free before auto-compact"},
	{"came from the cache of the service", "of the input was cached"},
	{"The model is simulated, all else is real", "files, commands and questions are real"},
	{"In this scratch directory lies", ""},
	{"so this stands in my script", ""},
	{"This is what I was told", ""},
	{"A question needs 40 by 10", "Make the window"},
	{"no command /x", "No command /"},
	{"renamed to ", "Renamed to "},
	{"exported to ", "Exported to "},
	{"through the proxy's translation", ""},
	{"by a rule that you can edit first", ""},
	{"a prompt stays in its draft until the session has it on disk", ""},
	{"an agent that you allow to run gh auth token still gets", "an agent that you allow to run"},
	{"a word with capitals minds them", "capitals make a word"},
	{"Something that is left without a key", "parley warns at start about actions without a"},
	{"What names nothing is sent as words", "is plain text"},
	{"says how to mend", "says how to fix what it finds"},
	{"those that shall", "those that should"},
	{"until it is mended", "until this is fixed"},
	{"mend its permissions", "fix the permissions"},
	{"Not noticed are, for commands", "For commands, parley does not notice"},
	{"that a running call is at", "a file that a running call is changing"},
	{"put back for certain", "can't be put back safely"},
	{"but for those that surely only read", "known only to read"},
	{"in a mode that can be had", ""},
	{"where it cannot be told whether", "cannot know whether one does"},
	{"The turn has used its limit", "The run has used its limit of "},
	{"put in what was cut last", ""},
	{"drive the Copilot runtime as an agent", "the official Copilot runtime"},
	{"gets Claude Code (", "Tip: /install adds"},
	{"Press shift+tab until the first row says so", "`/plan fix the hours` turns it on"},
	{"The task goes on at GitHub", "The task continues on GitHub"},
}

// TestRetiredWordingsStayAway looks for retired wordings in what users read: pages, texts in the code and scripts. What stands in their
// place is there.
func TestRetiredWordingsStayAway(t *testing.T) {
	texts := readTexts(t)
	for _, w := range retired {
		found := w.is == ""
		for path, text := range texts {
			if strings.Contains(text, w.was) {
				t.Errorf("%s: %q is back", path, w.was)
			}
			found = found || strings.Contains(text, w.is)
		}
		if !found {
			t.Errorf("nothing says %q in the place of %q", w.is, w.was)
		}
	}
}

// readTexts returns what users read, by file: pages of the documentation, the strings of the program, the scripts of the demo.
func readTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && slices.Contains([]string{".git", "testdata", "uitest", "eval"}, d.Name()):
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		case d.IsDir() || strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "AGENTS.md":
			return nil
		case strings.HasSuffix(path, ".md"), strings.HasSuffix(path, ".yaml"):
			text, err := os.ReadFile(path)
			texts[path] = strings.Join(strings.Fields(string(text)), " ")
			return err
		case strings.HasSuffix(path, ".go"):
			text, err := stringsOf(path)
			texts[path] = text
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 500 {
		t.Fatalf("only %d files have texts", len(texts))
	}
	return texts
}

// stringsOf returns the strings of a file of Go, a line for each; what is joined with + is one.
func stringsOf(path string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	end := token.NoPos
	ast.Inspect(f, func(n ast.Node) bool {
		if _, is := n.(*ast.ImportSpec); is {
			return false
		}
		lit, is := n.(*ast.BasicLit)
		if !is || lit.Kind != token.STRING {
			return true
		}
		if lit.Pos()-end > 12 { // no more than a quote, a plus, a break and some tabs
			b.WriteByte('\n')
		}
		if s, err := strconv.Unquote(lit.Value); err == nil {
			b.WriteString(s)
		}
		end = lit.End()
		return true
	})
	return b.String(), nil
}

// TestReadmeIsShort counts the lines of the README, and looks up what it tells a newcomer to run in a clone.
func TestReadmeIsShort(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(readme), "\n"); lines > 100 {
		t.Errorf("the README has %d lines, at most 100 are read", lines)
	}
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, line := range strings.Split(string(readme), "\n") {
		if target, is := strings.CutPrefix(line, "make "); is {
			found++
			if target, _, _ = strings.Cut(target, " "); !strings.Contains(string(makefile), "\n"+target+":") {
				t.Errorf("the README says %q, which the Makefile lacks", line)
			}
		}
	}
	if found == 0 || !strings.Contains(string(readme), "**Why?**") {
		t.Error("the README says neither why nor how to install")
	}
}
