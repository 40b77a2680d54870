package permission

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

const plainConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n" +
	"[remote \"origin\"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n"

// put writes files below a directory. Names that end with a slash are directories.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if name[len(name)-1] == '/' {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGitIsQuietWhereNothingChanged(t *testing.T) {
	plain := map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/config": plainConfig, ".git/objects/": "", ".git/refs/": "", "sub/x": ""}
	for name, c := range map[string]struct {
		began, then map[string]string
		dir         string
		before      bool // quiet at the start
		after       bool
	}{
		"nothing changes":       {plain, nil, ".", true, true},
		"from a directory in":   {plain, nil, "sub", true, true},
		"a commit":              {plain, map[string]string{".git/HEAD": "1234", ".git/refs/heads/main": "1", "x.go": ""}, ".", true, true},
		"the config":            {plain, map[string]string{".git/config": plainConfig + "[core]\n\tfsmonitor = ./x\n"}, ".", true, false},
		"a harmless setting":    {plain, map[string]string{".git/config": plainConfig + "[user]\n\tname = x\n"}, ".", true, false},
		"another config":        {plain, map[string]string{".git/config.worktree": "[core]\n"}, ".", true, false},
		"a hook":                {plain, map[string]string{".git/hooks/post-index-change": ""}, ".", true, false},
		"a submodule":           {plain, map[string]string{".gitmodules": ""}, ".", true, false},
		"a repository below":    {plain, map[string]string{"sub/.git/HEAD": "", "sub/.git/config": plainConfig}, "sub", true, false},
		"a bare one below":      {plain, map[string]string{"sub/HEAD": "", "sub/config": "", "sub/objects/": "", "sub/refs/": ""}, "sub", true, false},
		"no repository":         {map[string]string{"x": ""}, nil, ".", false, false},
		"one that appears":      {map[string]string{"x": ""}, plain, ".", false, false},
		"a bare one":            {map[string]string{"HEAD": "", "config": plainConfig, "objects/": "", "refs/": ""}, nil, ".", false, false},
		"a config that runs":    {map[string]string{".git/config": "[core]\nfsmonitor=./x"}, nil, ".", false, false},
		"a config without end":  {map[string]string{".git/config/": ""}, nil, ".", false, false},
		"a .git of nothing":     {map[string]string{".git": "x"}, nil, ".", false, false},
		"a worktree":            {map[string]string{"wt/.git": "gitdir: ../main/.git/worktrees/wt\n", "main/.git/worktrees/wt/commondir": "../..\n", "main/.git/config": plainConfig}, nil, "wt", true, true},
		"a worktree that turns": {map[string]string{"wt/.git": "gitdir: ../main/.git/worktrees/wt\n", "main/.git/worktrees/wt/commondir": "../..\n", "main/.git/config": plainConfig}, map[string]string{"main/.git/config": "[alias]\nx=y"}, "wt", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			put(t, root, c.began)
			w := WatchGit(t.Context(), filepath.Join(root, c.dir))
			if got := w.Quiet(t.Context()); got != c.before {
				t.Errorf("at first: %v", got)
			}
			put(t, root, c.then)
			if got := w.Quiet(t.Context()); got != c.after {
				t.Errorf("then: %v", got)
			}
		})
	}
}

func TestNothingIsQuietWithoutTime(t *testing.T) {
	root := t.TempDir()
	put(t, root, map[string]string{".git/config": plainConfig})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if WatchGit(ctx, root).Quiet(t.Context()) || WatchGit(t.Context(), root).Quiet(ctx) {
		t.Error("quiet without a look")
	}
}

func TestHarmlessConfigurations(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, plainConfig: true, "# note\n; note\n\n[core]\r\n\tbare = false\r\n": true, "[CORE]\n\tBare\n": true, "[core]\n\tfsmonitor = ./x": false,
		"[core] fsmonitor = ./x": false, "[core]\nhooksPath = x": false, "[core]\n\tbare = \\\n\tfsmonitor = x": false, "[core\n]": false,
		"[include]\n\tpath = x": false, "[includeIf \"gitdir:x\"]\n\tpath = x": false, "[filter \"x\"]\n\tclean = x": false, "[diff]\n\texternal = x": false,
		"[diff \"x\"]\n\ttextconv = x": false, "[alias]\n\tstatus = !x": false, "[core]\n\tpager = x": false, "[core]\n\tsshCommand = x": false,
		"[core]\n\tworktree = x": false, "[gpg]\n\tprogram = x": false, "[remote \"x\"]\n\tpromisor = true": false, "[core \"x\"]\n\tbare = 1": true,
		"[core.x]\nbare = 1": false, "bare = true": false, "[core]\n\tbare = 1\n\x00fsmonitor = x": false, "\ufeff[core]\n": false, "[remote \"a]b\"]\n": false,
		"[branch \"x\"]\n\tmergeoptions = x": false, "[core]\nbare = 1\rfsmonitor = x": false,
	} {
		if got := harmlessConfig(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
