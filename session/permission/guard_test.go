package permission

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// guardedNames are paths below a session's directory that another program runs by itself, and what is called so that a
// disk may take it for one.
func guardedNames() []string {
	return []string{
		"HEAD", "config", "objects/x", "refs/x", "refs/heads/main", "objects/ab/cdef", "hooks/pre-commit", "hooks/post-index-change",
		"packed-refs", "info/attributes", "info/exclude", "commondir", "gitdir", "config.worktree", "index", "modules/x/config",
		"worktrees/x/gitdir", "objects", "sub/HEAD", "sub/config", "sub/new/objects/x", "head", "CONFIG", "Objects/x", "sub/Refs/x",
		".git", ".git/config", ".GIT/hooks/x", "sub/.git", ".g\u200cit/config", "git~1/config", ".git. /config", ".git::$INDEX_ALLOCATION/config",
		".gitattributes", ".gitmodules", ".gitconfig", ".gitlab-ci.yml", ".gitpod.yml", ".gitea/workflows/x.yml", "sub/.gitattributes",
		".claude/settings.json", ".claude/settings.local.json", ".CLAUDE/Settings.Local.json", ".claude/agents/x.md", ".claude/hooks/x.sh",
		"sub/.claude/settings.json", ".mcp.json", ".MCP.json", "sub/.mcp.json", ".cursor/mcp.json", ".codex/config.toml",
		".vscode/tasks.json", ".vscode/settings.json", ".vscode/launch.json", ".v\u017fcode/tasks.json", "x.code-workspace", ".idea/workspace.xml",
		".devcontainer/devcontainer.json", ".devcontainer.json", ".nvimrc", ".exrc", ".dir-locals.el", ".zed/tasks.json",
		".envrc", ".ENVRC", "sub/.envrc", ".envrc.", ".envrc ", ".envrc:stream", ".en\u200dvrc", ".mise.toml", "mise.local.toml", ".autoenv",
		".husky/pre-commit", ".husky/_/husky.sh", ".githooks/pre-push", "scripts/pre-commit", "scripts/commit-msg", "scripts/pre-push.exe",
		"lefthook.yml", ".lefthook-local.yml", ".pre-commit-config.yaml", ".lintstagedrc.json", ".hu\ufe0fsky/pre-commit",
		".github/workflows/ci.yml", ".GitHub/Workflows/ci.yml", ".github/actions/x/action.yml", ".circleci/config.yml", "Jenkinsfile", ".travis.yml",
		".bashrc", ".zshrc", ".profile", ".bash_profile", ".zshenv", "dotfiles/.bashrc", "dotfiles/.config/fish/config.fish", ".ssh/config",
		".\u00df" + "h/config", "con\ufb01g", ".\u212airo/x", ".npmrc", ".yarnrc.yml", ".yarn/releases/yarn.cjs", ".cargo/config.toml", "sitecustomize.py",
		"lib/x.pth", ".Rprofile", ".gdbinit", "rust-toolchain.toml", "CLAUDE~1/settings.json", "SETTIN~1.JSO",
		".github/agents/x.agent.md", ".github/prompts/x.prompt.md", ".github/mcp.json", ".GitHub/Lsp.json", ".github/copilot-instructions.md",
		".helix/languages.toml", ".qwen/settings.json", ".factory/hooks.json", ".junie/guidelines.md", ".trae/mcp.json", ".augment/rules/x.md",
		".crush.json", "crush.json", ".clinerules", ".clinerules/hooks/PreToolUse", ".cursorrules", "sub/.windsurfrules", ".agents/plugins/x/.mcp.json",
		".pi/extensions/x.ts", ".openhands/setup.sh", ".claude-plugin/plugin.json", ".config/opencode/opencode.json", ".config/parley/config.yaml",
		".tool-versions", ".rtx.toml", "mise/config.toml", "flake.nix", "sub/shell.nix", "devbox.json", "devenv.nix", "bunfig.toml", ".flox/env/manifest.toml",
		"githooks/x", "git-hooks/x", ".simple-git-hooks.cjs", "simple-git-hooks.json", ".huskyrc.js", "captainhook.json", "hk.pkl", "prek.toml",
		".idx/dev.nix", ".replit", "replit.nix", ".codesandbox/tasks.json", ".vs/tasks.vs.json", "tasks.vs.json", ".ycm_extra_conf.py", ".hgrc",
		".ipython/profile_default/startup/x.py", ".tekton/push.yaml", ".azure-pipelines/x.yml", "codemagic.yaml", "bitrise.yml", "circle.yml",
		"wercker.yml", "netlify.toml", "vercel.json", ".readthedocs.yaml", ".builds/x.yml", ".zuul.d/x.yaml", "ci_scripts/ci_post_clone.sh",
		".venv/bin/python", "pyvenv.cfg", ".python-version", ".pnp.cjs", ".iex.exs", ".ghci", "tools/bazel", ".bazelversion", "ansible.cfg", ".Renviron",
	}
}

func TestWhatOtherProgramsRunIsAlwaysAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	edit := func(p Policy, name string) (Ruling, []session.Rule, string) {
		ask := session.PermissionAsk{Tool: "Edit", Path: filepath.Join("/home/u/src", name)}
		if strings.HasSuffix(name, " ") || strings.HasSuffix(name, ".") {
			ask.Path = "/home/u/src/" + name
		}
		ruling := p.Decide(toolview.Edit, ask).Ruling
		return ruling, p.SuggestRules(toolview.Edit, ask), p.Guarded(ask.Path)
	}
	for _, name := range guardedNames() {
		for which, p := range map[string]Policy{
			"accept edits":  testPolicy(session.ModeAcceptEdits),
			"edits under .": testPolicy(session.ModeDefault, session.Rule{Tool: "Edit", Pattern: "/home/u/src"}),
			"all edits":     testPolicy(session.ModeAcceptEdits, session.Rule{Tool: "Edit"}),
			"no directory":  {Mode: session.ModeAcceptEdits, Rules: readRules([]session.Rule{{Tool: "Edit", Pattern: "/home/u/src"}}), Disk: testPolicy("").Disk},
		} {
			ruling, rules, why := edit(p, name)
			if ruling != Ask || len(rules) > 0 || !strings.HasPrefix(why, "Always asked: ") {
				t.Errorf("%s, %q: %s, %+v offered, %q", which, name, ruling, rules, why)
			}
		}
		if got, _, _ := edit(testPolicy(session.ModeBypass), name); got != Allow {
			t.Errorf("bypass, %q: %s", name, got)
		}
	}
	for _, name := range []string{"a.go", "README.md", "src/hooks/useThing.ts", "src/objects/Player.js", "info/page.html", "config.go", "config/app.yaml",
		"configs/x", "update.go", "pre-commit.md", "heads", "package.json", "Makefile", ".gitignore", ".env", ".editorconfig", ".github/CODEOWNERS",
		".prettierrc", ".nvmrc", "agents/x.md", "AGENTS.md", "tools/bazel.md", "bazel", "mise/tasks.go", "src/flake.go", "..data/x", "sub/.newrc",
		".github/ISSUE_TEMPLATE/bug.md", "docs/github/workflows/x.md", "vscode/tasks.json", "claude/settings.json", "envrc", "profile", "new/deep/x"} {
		if ruling, rules, why := edit(testPolicy(session.ModeAcceptEdits), name); ruling != Allow || len(rules) == 0 || why != "" {
			t.Errorf("%q: %s, %+v, %q", name, ruling, rules, why)
		}
	}
}

func TestDirectoriesAboveTheSessionGuardNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeAcceptEdits)
	p.Disk.Resolve = func(path string) (string, error) { return path, nil }
	for dir, want := range map[string]string{"/x/.claude/worktrees/one": "", "/x/hooks/one": "", "/x/.vscode": byEditor, "/x/.github": byCI} {
		p.Dirs = []string{"/x", dir}
		why := p.Guarded(dir + "/workflows/thing")
		if (why == "") != (want == "") || !strings.Contains(why, want) {
			t.Errorf("%s: %q", dir, why)
		}
	}
}

// A link with a harmless name changes nothing.
func TestLinksToWhatOtherProgramsRunAreAsked(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(root, "work")
	for _, dir := range []string{"work/.vscode", "work/repo/objects", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".envrc", ".vscode/tasks.json", "repo/HEAD"} {
		if err := os.WriteFile(filepath.Join(work, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if os.Symlink(".envrc", filepath.Join(work, "notes.txt")) != nil || os.Symlink(".vscode", filepath.Join(work, "code")) != nil ||
		os.Symlink(work, filepath.Join(root, "link")) != nil {
		return // this system makes no links
	}
	for _, dirs := range [][]string{{work}, {filepath.Join(root, "link")}, {filepath.Join(root, "link"), filepath.Join(root, "elsewhere")}} {
		p := Policy{Mode: session.ModeAcceptEdits, Dirs: dirs}.OnDisk(os.Environ())
		for name, want := range map[string]Ruling{"notes.txt": Ask, "code/tasks.json": Ask, "code/new.json": Ask, "plain.txt": Allow,
			"repo/objects/pack/x.idx": Ask, "repo/x.txt": Allow, "other/objects/pack/x.idx": Allow} {
			for _, in := range []string{work, filepath.Join(root, "link")} {
				if got := p.Decide(toolview.Edit, session.PermissionAsk{Tool: "Edit", Path: filepath.Join(in, name)}).Ruling; got != want {
					t.Errorf("%s in %s, session in %q: %s", name, in, dirs, got)
				}
			}
		}
	}
}

func FuzzGuardedNames(f *testing.F) {
	for _, name := range guardedNames() {
		f.Add(name, byte(0))
	}
	p := testPolicy(session.ModeAcceptEdits)
	p.Disk.Resolve = func(path string) (string, error) { return path, nil }
	f.Fuzz(func(t *testing.T, name string, how byte) {
		guarded := slices.Contains(guardedNames(), name)
		if !guarded || how == 0 {
			p.Guarded("/home/u/src/" + name) // anything may be asked about
			return
		}
		letters := []byte(name)
		for i, c := range letters { // another case is the same name
			if how>>(i%8)&1 == 1 && c >= 'a' && c <= 'z' {
				letters[i] = c - 'a' + 'A'
			}
		}
		if p.Guarded("/home/u/src/"+string(letters)) == "" {
			t.Fatalf("%q is free", letters)
		}
	})
}
