package uitest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/gitrun"
	"parley/session"
	"parley/session/worktree"
	"parley/ui"
)

// fakeGit answers as git does in a repository with one commit.
type fakeGit struct{ dir string }

func (g fakeGit) Run(_ context.Context, c gitrun.Call) (string, error) {
	switch said := strings.Join(c.Args, " "); {
	case strings.Contains(said, "--show-toplevel"):
		return g.dir + "\n\n" + filepath.Join(g.dir, ".git"), nil
	case strings.Contains(said, "--git-common-dir"):
		return filepath.Join(g.dir, ".git") + "\n", nil
	case strings.Contains(said, "worktree add"):
		return "", os.MkdirAll(c.Args[len(c.Args)-2], 0o755)
	case strings.Contains(said, "worktree remove"):
		return "", os.RemoveAll(c.Args[len(c.Args)-1])
	case strings.HasPrefix(said, "status"):
		if _, err := os.Stat(filepath.Join(c.Dir, "b.go")); err == nil {
			return "?? b.go\x00", nil
		}
	case strings.HasPrefix(said, "show-ref") && !strings.HasSuffix(said, " HEAD"):
		return "", os.ErrNotExist
	case said == "branch --show-current":
		return "parley/" + filepath.Base(c.Dir), nil
	case strings.Contains(said, "rev-list"):
		return "0", nil
	}
	return "", nil
}

// A tree in which a session works that is not shown is not removed.
func TestWorktreeOfAnotherTab(t *testing.T) {
	top := t.TempDir()
	trees := &worktree.Trees{Git: fakeGit{filepath.Join(top, "acme")}, Home: filepath.Join(top, "trees")}
	Run(t, Config{Width: 100, Height: 30, Options: func(o *ui.Options) { o.Trees = trees }}, func(p *Program) {
		for _, typed := range []string{"/worktree retry", "mend it"} {
			p.Type(typed)
			p.Pass(time.Second)
		}
		turn := p.Turn()
		for _, typed := range []string{"/worktree other", "/worktree rm retry"} {
			p.Type(typed)
			p.Pass(time.Second)
		}
		if !p.Has("In use by a session in /tabs: retry") {
			t.Error(p.Text())
		}
		turn.End(session.TurnCompleted)
	})
}

// A session begins in a working tree of its own, which is listed, and removed after a question if something would be lost.
func TestWorktree(t *testing.T) {
	top := t.TempDir()
	trees := &worktree.Trees{Git: fakeGit{filepath.Join(top, "acme")}, Home: filepath.Join(top, "trees")}
	Run(t, Config{Width: 100, Height: 30, Options: func(o *ui.Options) { o.Trees = trees }}, func(p *Program) {
		says := func(typed, want string) {
			t.Helper()
			p.Type(typed)
			if p.Pass(time.Second); !p.Has(want) {
				t.Errorf("%s does not say %q:\n%s", typed, want, p.Text())
			}
		}
		says("/worktree", "No worktrees yet")
		p.Keys("esc")
		says("/worktree ../x", "is no name for a worktree")
		says("/worktree a b c", "Write /worktree NAME")
		says("/worktree retry", "On branch parley/retry")
		p.Type("mend it")
		turn := p.Turn()
		in := turn.Conversation().Options.Dir
		if filepath.Base(in) != "retry" || filepath.Dir(filepath.Dir(in)) != trees.Home {
			t.Errorf("the session works in %s", in)
		}
		if err := os.WriteFile(filepath.Join(in, "b.go"), []byte("new\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		says("/worktree rm retry", "This session works in retry")
		says("/worktree other", "On branch parley/other")
		says("/worktree", "1 changed file")
		p.Keys("down")
		p.Golden("worktrees")
		p.Keys("ctrl+x")
		p.Pass(time.Second)
		p.Golden("worktree-remove")
		p.Keys("down", "enter")
		if p.Pass(time.Second); !p.Has("Removed worktree retry") {
			t.Errorf("it is not removed:\n%s", p.Text())
		}
		p.Keys("esc")
		says("/worktree rm retry", "No worktree retry")
		if _, err := os.Stat(in); err == nil {
			t.Error("it is still there")
		}
	})
}
