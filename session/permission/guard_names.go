package permission

// Who runs by itself what a file says. The lists hold what is run without anybody naming the file: at the start of a
// program, when a directory is entered or opened, at a commit, at a push. What a user runs by name, such as a Makefile or
// the scripts of a package.json, is not among it.
const (
	byGit    = "git"
	byHook   = "a git hook"
	byAgent  = "a coding agent"
	byEditor = "an editor"
	byCI     = "the service that builds this project"
	byShell  = "a shell"
	byTool   = "the program that reads it at its start"
)

// gitHooks are the hooks of git, which it finds in a directory that any configuration may name.
var gitHooks = []string{
	"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg",
	"post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive",
	"post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate",
	"fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit", "post-index-change",
}

// runByFolder is about directories and all that is in them, and about files of that name.
var runByFolder = map[string]string{
	".husky": byHook, ".githooks": byHook, ".git-hooks": byHook, ".hg": "Mercurial", ".svn": "Subversion", ".jj": "Jujutsu", ".bzr": "Bazaar",
	".claude": byAgent, ".cursor": byAgent, ".codex": byAgent, ".gemini": byAgent, ".copilot": byAgent, ".windsurf": byAgent,
	".continue": byAgent, ".kiro": byAgent, ".roo": byAgent, ".opencode": byAgent, ".amazonq": byAgent, ".parley": byAgent,
	".vscode": byEditor, ".idea": byEditor, ".fleet": byEditor, ".zed": byEditor, ".devcontainer": byEditor, ".vim": byEditor,
	".nvim": byEditor, ".emacs.d": byEditor, ".run": byEditor,
	".circleci": byCI, ".buildkite": byCI, ".teamcity": byCI, ".semaphore": byCI, ".woodpecker": byCI, ".forgejo": byCI,
	".ssh": "ssh", ".gnupg": "gpg", ".mise": byShell, ".direnv": byShell, ".cargo": "cargo", ".mvn": "Maven", ".bundle": "bundler",
}

// runByFile is about files.
var runByFile = map[string]string{
	"head": byGit, "config": byGit, "config.worktree": byGit, "packed-refs": byGit, "commondir": byGit, "gitdir": byGit, "index": byGit,
	"orig_head": byGit, "fetch_head": byGit, "merge_head": byGit, "shallow": byGit, "objects": byGit, "refs": byGit, "hooks": byGit,

	".pre-commit-config.yaml": byHook, ".pre-commit-config.yml": byHook, ".overcommit.yml": byHook, ".huskyrc": byHook,

	".mcp.json": byAgent, ".claude.json": byAgent, "claude_desktop_config.json": byAgent, ".aider.conf.yml": byAgent,
	"opencode.json": byAgent, "opencode.jsonc": byAgent,

	".devcontainer.json": byEditor, "devcontainer.json": byEditor, ".exrc": byEditor, ".nvimrc": byEditor, ".nvim.lua": byEditor,
	".vimrc": byEditor, ".gvimrc": byEditor, ".lvimrc": byEditor, ".dir-locals.el": byEditor, ".dir-locals-2.el": byEditor, ".emacs": byEditor,

	".travis.yml": byCI, ".drone.yml": byCI, ".cirrus.yml": byCI, ".cirrus.star": byCI, ".woodpecker.yml": byCI, ".woodpecker.yaml": byCI,
	".appveyor.yml": byCI, "appveyor.yml": byCI, "azure-pipelines.yml": byCI, "bitbucket-pipelines.yml": byCI, "jenkinsfile": byCI,
	"cloudbuild.yaml": byCI, "cloudbuild.yml": byCI, "buildspec.yml": byCI,

	".envrc": "direnv, when a shell enters the directory,", ".autoenv": byShell, ".autoenv.zsh": byShell, ".bashrc": byShell,
	".bash_profile": byShell, ".bash_login": byShell, ".bash_logout": byShell, ".bash_aliases": byShell, ".profile": byShell,
	".zshrc": byShell, ".zshenv": byShell, ".zprofile": byShell, ".zlogin": byShell, ".zlogout": byShell, ".kshrc": byShell,
	".mkshrc": byShell, ".cshrc": byShell, ".tcshrc": byShell, ".login": byShell, ".logout": byShell, ".inputrc": byShell,
	"config.fish": byShell, ".xprofile": byShell, ".xinitrc": byShell, ".xsession": byShell, ".xsessionrc": byShell, ".pam_environment": byShell,
	"profile.ps1": byShell, "microsoft.powershell_profile.ps1": byShell, ".screenrc": byShell, ".tmux.conf": byShell,
	"autorun.inf": byShell, "desktop.ini": byShell,

	".npmrc": "npm", ".yarnrc": "yarn", ".yarnrc.yml": "yarn", ".pnpmfile.cjs": "pnpm", "rust-toolchain": "cargo",
	"rust-toolchain.toml": "cargo", ".bazelrc": "bazel", ".buckconfig": "buck", "sitecustomize.py": "Python", "usercustomize.py": "Python",
	".pdbrc": "Python", ".pythonrc.py": "Python", ".pythonstartup": "Python", ".pypirc": "Python", "pip.conf": "pip",
	".irbrc": "Ruby", ".pryrc": "Ruby", ".rprofile": "R", ".octaverc": "Octave",
	".gdbinit": byTool, ".lldbinit": byTool, ".psqlrc": byTool, ".sqliterc": byTool, ".curlrc": byTool, ".wgetrc": byTool, ".netrc": byTool, ".ripgreprc": byTool,
}

// runByPair is about files and directories that count in a directory of a certain name only.
var runByPair = map[string]string{
	".github/workflows": byCI, ".github/actions": byCI, ".github/hooks": byAgent, ".config/mise": byShell, ".config/fish": byShell,
	".config/nvim": byEditor, ".config/git": byGit, ".config/direnv": byShell, ".yarn/releases": "yarn", ".yarn/plugins": "yarn",
	".local/bin": byShell, ".config/systemd": "the system", ".config/autostart": "the system",
}
