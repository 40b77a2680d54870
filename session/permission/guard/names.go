package guard

// Who runs by itself what a file says. The lists hold what is run without a user naming the file: at the start of a program,
// when a directory is entered or opened, at a commit, at a push. What a user runs by name, such as a Makefile or the scripts
// of a package.json, is not among it.
const (
	byGit    = "git"
	byHook   = "a git hook"
	byAgent  = "a coding agent"
	byEditor = "an editor"
	byCI     = "the service that builds this project"
	byShell  = "a shell"
	byEnter  = "a tool that sets up the directory when a shell enters it"
	byTool   = "the program that reads it at its start"
)

// runBy are names of files and directories that some program runs or obeys.
type runBy struct {
	// who is the program, as the beginning of a sentence has it; where documents that it does so.
	who, where string
	// names are in lower case, with blanks between them.
	names string
}

// gitHooks are the hooks of git, which it finds in a directory that any configuration may name.
var gitHooks = []string{
	"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg",
	"post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive",
	"post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate",
	"fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit", "post-index-change",
}

// guardedFolders are directories and all that is in them, and files of that name.
var guardedFolders = []runBy{
	{byHook, "https://typicode.github.io/husky/", ".husky"},
	{byHook, "https://git-scm.com/docs/git-config#Documentation/git-config.txt-corehooksPath",
		".githooks .git-hooks githooks git-hooks git_hooks"},
	{"Mercurial", "https://www.mercurial-scm.org/doc/hgrc.5.html", ".hg"},
	{"Subversion", "https://svnbook.red-bean.com/en/1.7/svn.advanced.confarea.html", ".svn"},
	{"Jujutsu", "https://docs.jj-vcs.dev/latest/config/", ".jj"},
	{"Bazaar", "http://doc.bazaar.canonical.com/bzr.dev/en/user-reference/configuration-help.html", ".bzr"},
	{byAgent, "docs/permissions.md and docs/agents.md", ".parley"},
	{byAgent, "https://code.claude.com/docs/en/hooks", ".claude .claude-plugin"},
	{byAgent, "https://cursor.com/docs/agent/hooks", ".cursor"},
	{byAgent, "https://developers.openai.com/codex/config-reference", ".codex"},
	{byAgent, "https://google-gemini.github.io/gemini-cli/docs/get-started/configuration.html", ".gemini"},
	{byAgent, "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference", ".copilot"},
	{byAgent, "https://docs.windsurf.com/windsurf/cascade/hooks", ".windsurf"},
	{byAgent, "https://docs.continue.dev/customize/deep-dives/configuration", ".continue"},
	{byAgent, "https://kiro.dev/docs/hooks/", ".kiro"},
	{byAgent, "https://docs.roocode.com/features/custom-instructions", ".roo"},
	{byAgent, "https://opencode.ai/docs/plugins/", ".opencode"},
	{byAgent, "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-mcp-configuration.html", ".amazonq"},
	{byAgent, "https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings/", ".qwen"},
	{byAgent, "https://docs.factory.ai/cli/configuration/hooks-guide", ".factory"},
	{byAgent, "https://www.jetbrains.com/help/junie/project-settings.html", ".junie"},
	{byAgent, "https://docs.trae.ai/ide", ".trae"},
	{byAgent, "https://docs.augmentcode.com/cli/rules", ".augment"},
	{byAgent, "https://docs.cline.bot/customization/hooks", ".cline .clinerules"},
	{byAgent, "https://github.com/charmbracelet/crush/blob/main/docs/config/README.md", ".crush"},
	{byAgent, "https://docs.openhands.dev/openhands/usage/customization/repository", ".openhands"},
	{byAgent, "https://github.com/aaif-goose/goose/pull/9471", ".agents .goose"},
	{byAgent, "https://kilo.ai/docs/automate/mcp/using-in-kilo-code", ".kilo .kilocode"},
	{byAgent, "https://antigravity.google/docs/rules-workflows", ".agent"},
	{byAgent, "https://docs.qoder.com/cli/using-cli", ".qoder"},
	{byAgent, "https://pi.dev/docs/latest/security", ".pi"},
	{byEditor, "https://code.visualstudio.com/docs/editing/workspaces/workspace-trust", ".vscode"},
	{byEditor, "https://www.jetbrains.com/help/idea/project-security.html", ".idea .fleet .run"},
	{byEditor, "https://zed.dev/docs/worktree-trust", ".zed"},
	{byEditor, "https://containers.dev/implementors/json_reference/", ".devcontainer"},
	{byEditor, "https://neovim.io/doc/user/options.html", ".vim .nvim"},
	{byEditor, "https://www.gnu.org/software/emacs/manual/html_node/emacs/Init-File.html", ".emacs.d"},
	{byEditor, "https://docs.helix-editor.com/languages.html", ".helix"},
	{byEditor, "https://learn.microsoft.com/en-us/cpp/build/tasks-vs-json-schema-reference-cpp", ".vs"},
	{byEditor, "https://firebase.google.com/docs/studio/customize-workspace", ".idx"},
	{byEditor, "https://codesandbox.io/docs/learn/devboxes/task", ".codesandbox"},
	{byEditor, "https://help.eclipse.org/latest/topic/org.eclipse.platform.doc.user/concepts/concepts-exttools.htm",
		".externaltoolbuilders"},
	{byCI, "https://circleci.com/docs/configuration-reference/", ".circleci"},
	{byCI, "https://buildkite.com/docs/pipelines/configure/defining-steps", ".buildkite"},
	{byCI, "https://www.jetbrains.com/help/teamcity/kotlin-dsl.html", ".teamcity"},
	{byCI, "https://docs.semaphoreci.com/reference/pipeline-yaml", ".semaphore"},
	{byCI, "https://woodpecker-ci.org/docs/usage/workflows", ".woodpecker"},
	{byCI, "https://forgejo.org/docs/latest/user/actions/overview/", ".forgejo"},
	{byCI, "https://pipelinesascode.com/docs/guides/authoringprs/", ".tekton"},
	{byCI, "https://learn.microsoft.com/en-us/azure/devops/pipelines/yaml-schema/", ".azure-pipelines"},
	{byCI, "https://man.sr.ht/builds.sr.ht/#gitsrht", ".builds"},
	{byCI, "https://sourcecraft.dev/portal/docs/en/sourcecraft/ci-cd-ref/", ".sourcecraft"},
	{byCI, "https://buddy.works/docs/pipelines/yaml", ".buddy"},
	{byCI, "https://zuul-ci.org/docs/zuul/latest/project-config.html", ".zuul.d zuul.d"},
	{byCI, "https://developer.apple.com/documentation/xcode/writing-custom-build-scripts", "ci_scripts"},
	{byCI, "https://docs.aws.amazon.com/elasticbeanstalk/latest/dg/ebextensions.html", ".ebextensions .platform"},
	{"ssh", "https://man.openbsd.org/ssh_config", ".ssh"},
	{"gpg", "https://www.gnupg.org/documentation/manuals/gnupg/GPG-Configuration.html", ".gnupg"},
	{byShell, "https://mise.jdx.dev/hooks.html", ".mise .rtx"},
	{byShell, "https://direnv.net/man/direnv.1.html", ".direnv"},
	{byEnter, "https://flox.dev/docs/concepts/activation/", ".flox"},
	{byEnter, "https://shopify.github.io/shadowenv/", ".shadowenv.d"},
	{"cargo", "https://doc.rust-lang.org/cargo/reference/config.html", ".cargo"},
	{"Maven", "https://maven.apache.org/configure.html", ".mvn"},
	{"bundler", "https://bundler.io/man/bundle-config.1.html", ".bundle"},
	{"Python", "https://ipython.readthedocs.io/en/stable/config/intro.html", ".ipython .jupyter"},
	{"Python, or an editor that starts it,", "https://code.visualstudio.com/docs/python/environments", ".venv"},
}

// guardedPairs are files and directories that count in a directory of a certain name only.
var guardedPairs = []runBy{
	{byCI, "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax", ".github/workflows .github/actions"},
	{byAgent, "https://docs.github.com/en/copilot/reference/hooks-configuration", ".github/hooks"},
	{byAgent, "docs/agents.md", ".github/agents .github/prompts"},
	{byAgent, "https://docs.github.com/en/copilot/concepts/customizations",
		".github/mcp.json .github/lsp.json .github/copilot .github/skills .github/extensions .github/plugin " +
			".github/chatmodes"},
	{byAgent, "https://docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions",
		".github/instructions .github/copilot-instructions.md"},
	{byAgent, "docs/configuration.md", ".config/parley"},
	{byAgent, "https://opencode.ai/docs/config/", ".config/opencode .config/crush .config/goose"},
	{byShell, "https://mise.jdx.dev/configuration.html", ".config/mise mise/config.toml mise/config.local.toml"},
	{byShell, "https://fishshell.com/docs/current/language.html#configuration-files", ".config/fish"},
	{byShell, "https://direnv.net/man/direnv.toml.1.html", ".config/direnv"},
	{byEditor, "https://docs.helix-editor.com/configuration.html", ".config/nvim .config/helix .config/zed"},
	{byGit, "https://git-scm.com/docs/git-config#FILES", ".config/git"},
	{"yarn", "https://yarnpkg.com/configuration/yarnrc#yarnPath", ".yarn/releases .yarn/plugins"},
	{"bazel", "https://github.com/bazelbuild/bazelisk#readme", "tools/bazel"},
	{byShell, "https://specifications.freedesktop.org/basedir-spec/latest/", ".local/bin"},
	{"the system", "https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html", ".config/systemd .config/autostart"},
}
