package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// runner is a program with subcommands, some of which run what the project or the network has. A rule for the program alone
// covers free ones; each of the others has to be named in the rule, and some are never covered.
type runner struct {
	names string
	// free are covered by a rule for the program, named only by one that has the subcommand too, and deep only by one that
	// has the word after it as well. Others are treated as named, or with strict never covered.
	free, named, deep, never string
	strict                   bool
	// long and letters are the options that start or write something, abbreviated or not; words begin other such arguments.
	long, letters, words string
	after                bool // what follows "--" goes to a program that is not known
}

func (t *runner) judge(name string, args []shell.Word) Use {
	u := Use{Known: true, Needs: 1}
	if len(args) == 0 {
		u.Needs = 2
		return u
	}
	sub := args[0]
	if !sub.Known {
		u.Asked = "what it does is computed"
		return u
	}
	in := func(list string) bool { return slices.Contains(strings.Fields(list), sub.Text) }
	switch {
	case in("--version -v -V --help") && len(args) == 1:
	case strings.HasPrefix(sub.Text, "-"), strings.HasPrefix(sub.Text, "+"):
		u.Asked = "the option " + sub.Text + " before its command"
		return u
	case in(t.never):
		u.Asked = name + " " + sub.Text + " runs what its arguments say"
		u.Launcher = true
		return u
	case in(t.free):
	case in(t.deep):
		return judgeDeep(t, name, args)
	case t.strict && !in(t.named):
		u.Asked = name + " " + sub.Text + " is not known"
		return u
	default:
		u.Needs = 2
	}
	u.Asked = t.suspicious(args[1:])
	return u
}

// judgeDeep judges calls such as "npm run lint" and "bundle exec rspec".
func judgeDeep(t *runner, name string, args []shell.Word) Use {
	u := Use{Known: true, Needs: 3}
	if len(args) < 2 {
		return u
	}
	inner := args[1]
	switch {
	case !inner.Known || inner.Text == "" || inner.Text[0] == '-' || strings.ContainsAny(inner.Text, "/@"), isLauncher(inner.Text):
		u.Asked = name + " " + args[0].Text + " runs what its arguments say"
		u.Launcher = true
		return u
	}
	if strings.HasPrefix(args[0].Text, "run-script") || name == "npm" || name == "yarn" || name == "pnpm" || name == "composer" {
		u.Asked = t.suspicious(args[2:])
		return u
	}
	u.Asked = Judge(args[1:]).Asked
	return u
}

// suspicious returns why arguments may start or write something, "" if they do not.
func (t *runner) suspicious(args []shell.Word) string {
	for i, w := range args {
		if w.Known && w.Text == "--" {
			if !t.after {
				continue
			}
			if slices.ContainsFunc(args[i:], func(w shell.Word) bool { return !w.Known }) {
				return "an argument may turn into an option"
			}
			return ""
		}
		if !w.Known && !w.Sure() {
			return "an argument may turn into an option"
		}
		if isBad(w.Text, t.long, t.letters) || slices.ContainsFunc(strings.Fields(t.words), func(p string) bool { return strings.HasPrefix(w.Text, p) }) {
			return "the argument " + w.Text + " may start or write something"
		}
	}
	return ""
}

// isBad reports whether a word is an option of a list: a long one, abbreviated or with a value, or a word of letters that
// has one of those. Programs with long options behind a single dash have them in long too.
func isBad(word, long, letters string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if name == "" {
		return false
	}
	double := strings.HasPrefix(word, "--")
	for _, bad := range strings.Fields(long) {
		if name == bad || double && strings.HasPrefix(bad, name) || strings.HasPrefix(name, bad) && strings.ContainsAny(name[len(bad):], ":.") {
			return true
		}
	}
	return !double && strings.ContainsAny(word[1:], letters) && letters != ""
}

// runners are the programs with subcommands.
var runners = []*runner{
	{names: "npm pnpm yarn", words: "fix", free: "ls list ll la view info show outdated why explain root prefix bin ping whoami help licenses audit",
		deep: "run run-script rum urn", never: "exec x dlx explore edit config c set get create init innit node node-gyp env workspace workspaces global" +
			" pkg store patch patch-commit deploy setup self-update completion npm cache policies plugin unplug import bugs docs repo home xmas hook",
		long: "script-shell prefix node-options userconfig globalconfig globalprefix cache shell viewer editor call git cwd dir modules-folder" +
			" use-yarnrc registry package install-directory global location ignore-scripts scripts-prepend-node-path init-module require pnpmfile global-pnpmfile" +
			" link-folder mutex preferred-cache-folder cache-folder global-folder config", letters: "Cgc", after: true},
	{names: "bun", free: "pm", deep: "run", never: "x exec create init upgrade repl build --eval -e", long: "preload require cwd config env-file eval shell inspect" +
		" define loader plugin tsconfig-override global outdir outfile", letters: "rcegip", after: true},
	{names: "pip pip3 pip2", free: "list show freeze check help", never: "config cache debug", strict: true, named: "install uninstall download wheel index hash inspect search",
		long: "target prefix root python config-settings global-option build-option install-option log cache-dir src editable requirement constraint" +
			" index-url extra-index-url find-links proxy cert client-cert dest wheel-dir report user keyring-provider trusted-host no-index pre",
		letters: "teirfcdwC", words: "git+ hg+ svn+ bzr+ file: http: https: . / ~"},
	{names: "uv", free: "tree version", deep: "run", never: "x tool python pip venv init self cache", long: "python config-file directory project cache-dir with with-editable" +
		" with-requirements env-file index default-index index-url extra-index-url find-links module script", letters: "pmsif"},
	{names: "poetry pipenv rye hatch pdm", free: "show check version", deep: "run", never: "shell config self env plugin new init open script", long: "directory project cwd config",
		letters: "C"},
	{names: "cargo", free: "check build test clippy doc bench tree metadata fmt verify-project locate-project pkgid search version help b c t d", strict: true,
		named: "run r update add remove rm fetch clean vendor generate-lockfile nextest audit deny outdated",
		long: "config open manifest-path target-dir out-dir artifact-dir lockfile-path unit-graph timings registry index path git fix edit profile-rustflags" +
			" message-format-config runner target", letters: "ZC", words: "+"},
	{names: "rustup", free: "show check", strict: true, never: "run default override toolchain set component target update self install"},
	{names: "gem", free: "list search info which environment env outdated contents dependency", named: "install update", strict: true,
		long: "install-dir bindir config-file source build-root document user-install trust-policy editor", letters: "oinges"},
	{names: "bundle bundler", free: "list show info outdated check platform", deep: "exec e", named: "install update add lock", strict: true,
		long: "path gemfile standalone binstubs shebang retry-config keep-file-descriptors", letters: "P"},
	{names: "rake", long: "rakefile require execute execute-print execute-continue libdir rakelibdir eval rules-file system directory", letters: "frepEIRgNC"},
	{names: "composer", free: "show info outdated licenses validate why depends prohibits status diagnose", deep: "run run-script", named: "install update require remove dump-autoload",
		strict: true, never: "exec global config create-project self-update init", long: "working-dir dev-mode repository plugins scripts", letters: "d"},
	{names: "gradle gradlew", long: "init-script build-file settings-file project-dir gradle-user-home include-build project-cache-dir system-prop write-verification-metadata" +
		" export-keys write-locks profile scan project-prop console-config configuration-cache-path", letters: "IbcpgDPM"},
	{names: "mvn mvnd mvnw", long: "file settings global-settings toolchains global-toolchains log-file define builder encrypt-password encrypt-master-password", letters: "fstlDPb",
		words: "exec: antrun: dependency: org. com. io. groovy: gmavenplus: wrapper: archetype: deploy release: scm:"},
	{names: "sbt ant bazel bazelisk buck buck2 pants meson ninja cmake ctest scons waf lerna nx turbo grunt gulp just task mage tox nox invoke", long: "script file buildfile lib" +
		" main logger listener inputhandler propertyfile bazelrc output_base output_user_root run_under script_path config define action_env shell_executable" +
		" build-and-test command chdir directory justfile working-directory set shell shell-arg taskfile dir root cwd gulpfile gruntfile require plugin eval" +
		" install-prefix toolchain host_jvm_args test-command submit overwrite ctest-script extra-submit conf workdir preload tasks output", letters: "DfCPESBHLcdIJKMQTUWXYZOpr",
		words: "set eval +"},
	{names: "docker podman nerdctl", free: "ps images version info logs inspect top stats port history search events diff", strict: true,
		named: "pull stop start restart rm rmi kill pause unpause tag network volume build",
		never: "run exec create compose cp save load import export commit context plugin config swarm service stack buildx builder system machine login push attach update container image unshare",
		long: "host config context tls tlscacert tlscert tlskey log-level output file secret ssh build-arg add-host iidfile metadata-file cidfile format-file security-opt driver opt options" +
			" build-context cgroup-parent network allow isolation", letters: "Hcof", words: "prune create connect / ~ .."},
	{names: "kubectl oc", free: "get describe logs version explain api-resources api-versions cluster-info top", strict: true,
		named: "apply delete scale rollout label annotate create patch wait expose cordon drain",
		never: "exec cp run debug attach proxy port-forward plugin edit config replace kustomize certificate auth set diff",
		long: "kubeconfig token server as as-group cluster user context client-key client-certificate certificate-authority cache-dir filename kustomize template output" +
			" log-file profile profile-output raw patch-file overrides insecure-skip-tls-verify password username", letters: "sfokp"},
	{names: "helm terraform tofu pulumi aws gcloud az gh glab heroku fly vercel netlify wrangler sam cdk serverless firebase doctl hcloud", long: unknownLong,
		never:   "alias extension plugin exec run ssh shell console codespace api configure config local apply destroy completion dev deploy cp ext eval sso",
		letters: "ofec", words: "alias extension exec ssh"},
	{names: "apt apt-get aptitude dpkg yum dnf rpm pacman apk zypper brew port nix nix-env nix-store emerge choco scoop winget conda mamba", strict: true,
		free: "list search show info policy depends rdepends outdated deps leaves", long: "option config-file config root installroot rcfile setopt eval expr", letters: "oceErCD"},
}
