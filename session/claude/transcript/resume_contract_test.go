//go:build contract

package transcript_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/claude/transcript"
)

// plainly runs the runtime as a user does in a script and returns what it answers.
func (c *cabin) plainly(t *testing.T, argv []string, more ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := c.command(ctx, argv, append([]string{"-p", "--setting-sources=", "--strict-mcp-config", "--model", "claude-sonnet-4-6"}, more...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", more, err, out, stderr.Bytes())
	}
	return strings.TrimSpace(string(out))
}

// TestContractForkResumed has a session made by the runtime alone, with no parley near, listed, replayed and copied, and
// the copy continued by the runtime alone.
func TestContractForkResumed(t *testing.T) {
	eachRuntime(t, func(_, version string, argv []string) {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := newCabin(t)
			c.plainly(t, argv, "--session-id", c.id, "say hello")
			c.plainly(t, argv, "--resume", c.id, "say it again")
			a := archive.New(c.config)
			metas, err := a.Sessions(t.Context())
			if err != nil || len(metas) != 1 || metas[0].First != "say hello" || metas[0].Dir != c.project || metas[0].Model != "claude-sonnet-4.6" {
				t.Fatalf("listed %+v, %v", metas, err)
			}
			turns := replayed(t, a, metas[0].ID)
			if len(turns) != 2 || turns[0].Prompt.Text != "say hello" || turns[1].Prompt.Text != "say it again" {
				t.Fatalf("replayed %d turns", len(turns))
			}
			fork, err := a.Fork(t.Context(), metas[0].ID, turns[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(replayed(t, a, fork)); n != 1 {
				t.Errorf("the copy has %d turns", n)
			}
			if got := c.plainly(t, argv, "--resume", string(fork), "say it again"); got != "Hello again." {
				t.Errorf("the copy went on with %q", got)
			}
			again := replayed(t, a, fork)
			if len(again) != 2 || again[1].Prompt.Text != "say it again" || again[1].Outcome != session.TurnCompleted {
				t.Errorf("then the copy has %d turns", len(again))
			}
			if n := len(replayed(t, a, metas[0].ID)); n != 2 {
				t.Errorf("the original has %d turns now", n)
			}
		})
	})
}

func replayed(t *testing.T, a *archive.Archive, id session.ID) []*session.Turn {
	t.Helper()
	events, err := a.Replay(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return session.Fold(events).Turns
}

// TestContractSlug compares our names of project folders with those the runtimes make.
func TestContractSlug(t *testing.T) {
	eachRuntime(t, func(_, version string, argv []string) {
		for _, name := range []string{"plain_dir-1.x", "mit Ümläut", "日本語 😀", strings.Repeat("long-é", 36)} {
			t.Run(version+"/"+name[:5], func(t *testing.T) {
				t.Parallel()
				c := newCabin(t)
				c.project = filepath.Join(c.project, name)
				if err := os.MkdirAll(c.project, 0o755); err != nil {
					t.Fatal(err)
				}
				c.plainly(t, argv, "--session-id", c.id, "say hello")
				want := filepath.Join(c.config, "projects", transcript.Slug(c.project), c.id+".jsonl")
				if _, err := os.Stat(want); err != nil {
					made, _ := filepath.Glob(filepath.Join(c.config, "projects", "*"))
					t.Errorf("of %q: no %s, but %v", c.project, filepath.Base(filepath.Dir(want)), made)
				}
			})
		}
	})
}
