package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// gitSettings win over every configuration, also in nested repositories. Each names a program to nobody, for one that some
// configuration may name; filters, whose names are free, are added to them.
var gitSettings = strings.Fields("core.fsmonitor=false core.hooksPath=/dev/null core.pager=cat core.askPass= core.sshCommand=false core.gitProxy=" +
	" core.alternateRefsCommand= credential.helper= gpg.program=false gpg.ssh.program=false gpg.x509.program=false log.showSignature=false" +
	" log.diffMerges=separate diff.submodule=short status.submoduleSummary=false submodule.recurse=false safe.bareRepository=explicit protocol.allow=never")

// gitEnvironment is for what no setting closes.
var gitEnvironment = []shell.Setting{{Name: "GIT_NO_LAZY_FETCH", Value: shell.Lit("1")}, {Name: "GIT_ALLOW_PROTOCOL", Value: shell.Lit("none")},
	{Name: "GIT_OPTIONAL_LOCKS", Value: shell.Lit("0")}, {Name: "GIT_TERMINAL_PROMPT", Value: shell.Lit("0")}}

// GitFilter returns the settings that let no program of a filter of git run.
func GitFilter(name string) []string {
	return []string{"filter." + name + ".clean=", "filter." + name + ".smudge=", "filter." + name + ".process=", "filter." + name + ".required=false"}
}

// GitQuietly returns the arguments of git, before its command, and the environment with which it starts nothing by itself.
func GitQuietly() (args, environ []string) {
	args = []string{"--no-pager"}
	for _, s := range gitSettings {
		args = append(args, "-c", s)
	}
	for _, s := range gitEnvironment {
		environ = append(environ, s.Name+"="+s.Value.Text)
	}
	return args, environ
}

// gitTables has the tables of [gitQuiet] by command.
var gitTables = map[string]*Table{}

func init() {
	for i := range gitQuiet {
		for name := range strings.FieldsSeq(gitQuiet[i].Names) {
			gitTables[name] = &gitQuiet[i]
		}
	}
}

// gitShows are the commands that show what files contain, whatever their options.
var gitShows = strings.Fields("diff show log grep blame cat-file stash diff-tree whatchanged reflog")

// gitChanges are the commands of git that a rule covers, with options that start or write nothing but the work of git.
var gitChanges = &runner{strict: true,
	free:  "add commit checkout switch restore branch tag stash merge reset mv rm cherry-pick revert clean push pull fetch rebase",
	named: "init worktree clone remote",
	long: "output ext-diff textconv open-files-in-pager upload-pack receive-pack exec template separate-git-dir config recurse-submodules" +
		" pathspec-from-file git-dir work-tree no-index show-signature strategy strategy-option edit interactive edit-todo server-option reference reference-if-able origin shared bare" +
		" mirror file trailer gpg-sign local-user patch edit-description reedit-message reuse-message filter sparse bundle-uri index-filter" +
		" repo tool extcmd submit sign signed dissociate local", letters: "OxieSFs",
	words: "ext:: fd:: / ~ .. file: ssh: git: http:"}

// judgeGit judges calls of git. Options before the command change where git looks and what it runs.
func judgeGit(name string, args []shell.Word) Use {
	u := Use{Known: true, Git: true, Needs: 1}
	var at []shell.Word
	for len(args) > 0 && args[0].Known {
		if slices.Contains([]string{"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs"}, args[0].Text) {
			args = args[1:]
			u.Needs++
			continue
		}
		if args[0].Text != "-C" || len(args) < 2 || !args[1].Known || at != nil {
			break
		}
		at, args = args[:2], args[2:]
		u.Reads = append(u.Reads, at[1])
	}
	switch {
	case len(args) == 0:
		if at != nil {
			u.Asked = "the option -C before the command of git"
		}
		return u
	case !args[0].Known:
		u.Asked = "what git does is computed"
		return u
	case strings.HasPrefix(args[0].Text, "-"):
		if args[0].Text != "--version" || len(args) > 1 || at != nil {
			u.Asked = "the option " + args[0].Text + " before the command of git"
		}
		u.Safe = u.Asked == ""
		u.Git = !u.Safe
		return u
	}
	u.Needs = 1
	read, reads := judgeGitRead(args[0].Text, args[1:])
	if read.Asked == "" {
		before, _ := GitQuietly()
		words := append([]shell.Word{shell.Lit(name)}, literals(before[:1])...)
		words = append(append(words, at...), literals(before[1:])...)
		read.Words, read.Filters, read.Set = append(words, read.Words...), len(words), gitEnvironment
		read.Git, read.Needs, read.Reads, read.At = true, 1, append(u.Reads, read.Reads...), at
		return read
	}
	switch {
	case at != nil:
		u.Asked = "the option -C before the command of git"
		return u
	case reads && !slices.Contains([]string{"branch", "tag", "remote"}, args[0].Text):
		u.Asked = read.Asked
		return u
	}
	changes := gitChanges.judge(name, args)
	changes.Git = true
	if changes.Asked == "" && slices.ContainsFunc(args, func(w shell.Word) bool {
		return strings.Contains(w.Text, "::") || strings.Contains(w.Text, "@{") && !w.Known || strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "https://")
	}) {
		changes.Asked = "an address names a program"
	}
	changes.Asked = moreOfGit(args[0].Text, args[1:], changes.Asked)
	if slices.Contains([]string{"push", "pull", "fetch"}, args[0].Text) {
		at := slices.IndexFunc(args[1:], func(w shell.Word) bool { return !strings.HasPrefix(w.Text, "-") })
		if at >= 0 {
			changes.Remote = args[1+at].Text
		}
	}
	return changes
}

func literals(list []string) []shell.Word {
	words := make([]shell.Word, len(list))
	for i, text := range list {
		words[i] = shell.Lit(text)
	}
	return words
}

// judgeGitRead judges a command of git by its table. It reports false for one that has none. Words are those from the command on.
func judgeGitRead(command string, args []shell.Word) (u Use, known bool) {
	names := []string{command}
	t := gitTables[command]
	if len(args) > 0 && args[0].Known && gitTables[command+"-"+args[0].Text] != nil {
		t, names, args = gitTables[command+"-"+args[0].Text], append(names, args[0].Text), args[1:]
	}
	if t == nil {
		return refuse("git " + command + " is not known to only read"), false
	}
	var paths []shell.Word
	if end := slices.IndexFunc(args, func(w shell.Word) bool { return w.Known && w.Text == "--" }); end >= 0 {
		args, paths = args[:end], args[end:]
	}
	c := &call{Table: t, name: command, single: strings.HasPrefix(t.Options, gitDiffs)} // git log would read on behind -iG
	if why := c.split(args); why != "" {
		return refuse(why), true
	}
	kinds := strings.Fields(t.Operands)
	if len(kinds) == 0 || !slices.Contains([]string{"rev", "path"}, kinds[len(kinds)-1]) { // no revision and no file
		words, why := c.print()
		if why != "" || len(paths) > 0 {
			return refuse("its arguments are not known to be safe"), true
		}
		return Use{Known: true, Safe: true, Deep: slices.Contains(gitShows, command), Reads: c.reads, Words: append(literals(names), words...)}, true
	}
	operands := c.operands
	u = Use{Known: true, Safe: true, Words: append(literals(names), literals(strings.Fields(t.Adds))...)}
	u.Words = append(u.Words, c.options...)
	if t.Most > 0 && len(operands) > t.Most || len(paths) > 0 && t.NoEnd {
		return refuse("its arguments are not known to be safe"), true
	}
	if kinds[0] == "text" && !c.replaced && len(operands) > 0 { // the pattern of grep
		if operands[0].Splits() {
			return refuse("an argument may turn into several"), true
		}
		u.Words, operands = append(u.Words, shell.Lit("-e"), operands[0]), operands[1:]
	}
	computed := false
	for _, w := range operands {
		switch {
		case w.Splits() || w.Home || strings.HasPrefix(w.Text, "-"):
			return refuse("an argument may turn into an option"), true
		case !w.Known && w.Text == "" && !slices.Contains(gitComputed, command):
			return refuse("an argument is computed"), true
		case !w.Known && w.Text == "":
			computed = true
		default:
			u.Reads = append(u.Reads, fileOf(w))
		}
	}
	if computed {
		u.Words = append(u.Words, shell.Lit("--end-of-options"))
	}
	u.Words = append(append(u.Words, operands...), paths...)
	u.Reads = append(u.Reads, paths[min(1, len(paths)):]...)
	u.Reads = append(u.Reads, c.reads...)
	u.Deep = slices.Contains(gitShows, command)
	return u, true
}

// gitComputed are the commands that take no file outside of the repository for an operand, and heed --end-of-options.
var gitComputed = strings.Fields("log show rev-list")

// fileOf returns the file that an operand may name: what follows the colon of REV:PATH, else the operand.
func fileOf(w shell.Word) shell.Word {
	rev, file, ok := strings.Cut(w.Text, ":")
	if !ok || file == "" {
		return w
	}
	if rev == "" && len(file) > 2 && file[1] == ':' && strings.IndexByte("0123", file[0]) >= 0 { // :0:PATH
		return w.Cut(3)
	}
	return w.Cut(len(rev) + 1)
}

// moreOfGit returns why arguments of some commands are asked about.
func moreOfGit(command string, args []shell.Word, asked string) string {
	var rest []string
	for _, w := range args {
		if w.Text == "" || w.Text[0] != '-' {
			rest = append(rest, w.Text)
		}
	}
	remote := func(name string) bool {
		return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
	}
	switch {
	case asked != "":
	case (command == "push" || command == "pull" || command == "fetch") && len(rest) > 0 && !remote(rest[0]):
		return "the address " + rest[0] + " is not the name of a remote"
	case slices.Contains([]string{"add", "commit", "checkout", "restore", "reset", "stash"}, command) &&
		slices.ContainsFunc(args, func(w shell.Word) bool { return isBad(w.Text, "", "p") }):
		return "it chooses changes with an editor"
	case (command == "clone" || command == "commit") && slices.ContainsFunc(args, func(w shell.Word) bool { return isBad(w.Text, "", "uc") }):
		return "an option may start something"
	case command == "clone" && (len(rest) == 0 || !strings.HasPrefix(rest[0], "https://")):
		return "it clones from an address that is not https"
	case command == "remote" && len(rest) > 0 && rest[0] != "show" && rest[0] != "get-url" && rest[0] != "prune":
		return "it changes where git connects to"
	case command == "stash" && len(rest) > 0 && !slices.Contains([]string{"list", "push", "pop", "apply", "drop", "show"}, rest[0]):
		return "git stash " + rest[0] + " is not known"
	case command == "worktree" && (len(rest) == 0 || rest[0] != "list"):
		return "it makes another working tree"
	}
	return asked
}
