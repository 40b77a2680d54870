//go:build unix

package cli

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/cli/command"
)

// TestFileChangesOnATerminal holds one conversation that changes files in every way, looks at the changes, and takes them
// back. The contract test of the same name holds it with the real runtimes and wants the same screens.
func TestFileChangesOnATerminal(t *testing.T) {
	t.Parallel()
	newChanging(t, "builtin").converse()
}

// changing is a conversation that changes files, on a terminal.
type changing struct {
	*approvals
	was  []map[string]string // the project before each prompt
	mine map[string]string   // the project with the first turn and the user's own line
}

// project is what the project contains at first: a committed part, unstaged work in one.txt, and files that git ignores.
var project = []projectFile{
	{"greeting.txt", "good morning\nto all\n", 0o644},
	{"notes.txt", "all is english\nbut the tea\n", 0o600},
	{"one.txt", "1\n", 0o644},
	{"two.txt", "2\r\n", 0o640},
	{"tools/old.sh", "#!/bin/sh\nexit 0\n", 0o755},
	{"build/out.bin", "\x00\x01", 0o644},
	{".gitignore", "build/\n", 0o644},
}

func newChanging(t *testing.T, agent string) *changing {
	c := &changing{approvals: scripted(t, "changes", agent, project)}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "begin"}} {
		cmd := exec.Command("git", append([]string{"-C", c.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	c.write("one.txt", "1\nmy work that is not staged\n")
	return c
}

// tree returns every file of the project with its mode and content.
func (c *changing) tree() map[string]string {
	c.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(c.dir, path)
		if d.IsDir() {
			files[rel+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		files[rel] = info.Mode().String() + " " + string(data)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return files
}

// now returns the tree as it should be once steps of the panel are done.
func (c *changing) isNow(what string, want map[string]string) {
	c.t.Helper()
	if got := c.tree(); !maps.Equal(got, want) {
		c.t.Errorf("%s: the project is\n%q\nand should be\n%q", what, got, want)
	}
}

// say sends a prompt, lets every command run that is asked about, and waits for the answer.
func (c *changing) say(prompt, answer string) {
	c.t.Helper()
	c.was = append(c.was, c.tree())
	c.tm.send(prompt + "\r")
	asks := func(s string) bool { return strings.Contains(s, "❯ y") || strings.Contains(s, "❯ n") }
	for {
		s := c.tm.until(answer, func(s string) bool { return strings.Contains(s, answer) || asks(s) })
		if strings.Contains(s, answer) {
			return
		}
		c.asked("y")
		_, question, _ := strings.Cut(c.tm.screen(), "╶")
		c.tm.send("y")
		c.tm.until("an end of the question", func(s string) bool {
			_, now, _ := strings.Cut(s, "╶")
			return strings.Contains(s, answer) || !asks(s) || now != question
		})
	}
}

// converse holds the conversation, looks at the changes, and takes them back on the screen and by commands.
func (c *changing) converse() {
	c.t.Helper()
	c.begin()
	c.tm.send(backTab)
	c.tm.shows("Accept edits mode")
	c.say("greet in italian", "Both are Italian now.")
	c.say("add a list", "The list is there.")
	c.write("notes.txt", "all is italian\nbut the tea\nand my own line\n")
	c.say("remove the old tool", "The old tool is gone.")
	c.say("rewrite three", "All three are new.")
	end := c.tree()
	c.compare("conversation")
	c.look()
	c.takeBack(end)
	c.leave()
	c.byCommand()
}

// look opens the panel and looks at the changes in every way.
func (c *changing) look() {
	c.t.Helper()
	c.tm.send("/changes\r")
	c.tm.shows("by turn")
	c.compare("by-turn")
	c.tm.send("s")
	c.compare("by-turn-split")
	c.tm.send("s\t")
	c.tm.shows("by file")
	c.compare("by-file")
	c.tm.send("\t\x1b[H") // home
	c.tm.shows("by turn")
}

// takeBack undoes turn after turn, the newest first.
func (c *changing) takeBack(end map[string]string) {
	c.t.Helper()
	step := func(key, shows string) {
		c.t.Helper()
		c.tm.send(key)
		c.tm.shows(shows)
	}
	step("u", "↶ Turn 4")
	c.isNow("the command is undone", c.was[3])
	step("r", "● Turn 4")
	c.isNow("the command is redone", end)
	step("u", "↶ Turn 4")
	c.isNow("the command is undone again", c.was[3])
	c.tm.send("n")
	step("u", "↶ Turn 3")
	c.isNow("the removal is undone", c.was[2])
	c.tm.send("n")
	step("u", "↶ Turn 2")
	c.mine = maps.Clone(c.was[0])
	c.mine["greeting.txt"], c.mine["notes.txt"] = c.was[2]["greeting.txt"], c.was[2]["notes.txt"]
	c.isNow("the new file is undone", c.mine)
	c.tm.send("n")
	step("u", "leave everything as it is")
	c.compare("loss")
	step("\x1b", "● Turn 1")
	c.isNow("the user keeps the own line", c.mine)
	step("a", "✓ Turn 1")
	c.compare("accepted")
	step("\x1b", "edits without asking")
}

// golden compares what a command prints with what was written down.
func (c *changing) golden(name, got string) {
	c.t.Helper()
	for _, d := range []struct{ pattern, with string }{{`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`, "ID"}, {`/\S*/acme\b`, "~/acme"}} {
		got = regexp.MustCompile(d.pattern).ReplaceAllString(got, d.with)
	}
	path := filepath.Join(sources, "internal", "cli", "testdata", c.goldens, name+".out")
	if *update && c.agent == "builtin" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	if got != string(want) {
		c.t.Errorf("%s printed\n%s\nand not\n%s", name, got, want)
	}
}

// byCommand looks at what is left and takes it back by commands, with what the user wrote between.
func (c *changing) byCommand() {
	c.t.Helper()
	c.golden("diff", c.mustRun("sessions", "diff"))
	c.golden("stat", c.mustRun("sessions", "diff", "--stat"))
	if out := c.run("sessions", "undo", "--turn", "1"); out.code != int(command.ExitUsage) {
		c.t.Errorf("an undo that nothing confirms: %+v", out)
	}
	c.isNow("nothing was confirmed", c.mine)
	c.golden("undo", c.mustRun("sessions", "undo", "--turn", "1", "--yes"))
	c.isNow("everything is undone", c.was[0])
	c.mustRun("sessions", "undo", "--redo", "--yes")
	c.isNow("the user's line is back", c.mine)
}
