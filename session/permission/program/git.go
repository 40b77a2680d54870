package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// gitReads are the commands of git that only read, each with the options that keep them so. All else is a
// revision or a file.
var gitReads = map[string]*reader{
	"status": {files: readsAll, flags: "sbv", long: "--short --branch --porcelain --long --ignored --show-stash"},
	"diff":   {files: readsAll, flags: "bpswu", valued: "U", long: gitShows},
	"log":    {files: readsAll, flags: "bpsw", valued: "n", numbers: true, long: gitShows + gitLogs},
	"show":   {files: readsAll, flags: "bpsw", long: gitShows + " --oneline --format= --pretty="},
	"rev-parse": {files: readsAll, flags: "q", long: "--short --short= --abbrev-ref --verify --show-toplevel --git-dir --is-inside-work-tree --show-prefix --show-cdup" +
		" --is-bare-repository --symbolic-full-name --absolute-git-dir"},
	"ls-files": {files: readsAll, flags: "cdmosuktz", long: "--cached --deleted --modified --others --ignored --stage --exclude-standard --full-name --error-unmatch"},
	"ls-tree":  {files: readsAll, flags: "drtlz", long: "--name-only --name-status --full-name --full-tree"},
	"blame":    {files: readsAll, flags: "lsewftb", valued: "L", long: "--porcelain --line-porcelain --date="},
	"describe": {files: readsAll, long: "--tags --always --dirty --all --long --abbrev= --exact-match"},
	"shortlog": {files: readsAll, flags: "nse", long: "--summary --numbered --email"},
	"branch":   {files: noFiles, flags: "avr", long: "--all --remotes --show-current --list --verbose --no-color"},
	"tag":      {files: noFiles, flags: "l", long: "--list --sort="},
	"remote":   {files: noFiles, flags: "v", long: "--verbose"},
	"rev-list": {files: readsAll, valued: "n", long: "--count --all --max-count= --since= --until= --oneline --no-merges"},
	"grep":     {files: readsAll, flags: "niIlLcwEFGPhHqv", valued: "eABC", long: "--line-number --ignore-case --count --files-with-matches --name-only --word-regexp --cached"},
	"show-ref": {files: readsAll, long: "--heads --tags --head --hash"}, "merge-base": {files: readsAll, flags: "a", long: "--all --is-ancestor --fork-point"},
	"version": {files: noFiles}, "check-ignore": {files: readsAll, flags: "qv"}, "count-objects": {files: noFiles, flags: "vH"},
	"cat-file": {files: readsAll, flags: "tspe"}, "name-rev": {files: readsAll, long: "--name-only --tags"},
}

const gitShows = "--stat --shortstat --numstat --summary --name-only --name-status --staged --cached --patch --no-patch --no-color --no-ext-diff --no-textconv" +
	" --word-diff --minimal --relative --unified= --diff-filter= --no-renames --find-renames --ignore-all-space --ignore-space-change --color=" +
	" --merge-base --raw --compact-summary"

const gitLogs = " --oneline --graph --decorate --all --reverse --merges --no-merges --first-parent --follow --since= --until= --author= --max-count= --after= --before=" +
	" --grep= --format= --pretty= --date= --abbrev-commit --no-decorate --branches --tags --remotes --topo-order --date-order --skip="

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
	for len(args) > 0 && args[0].Known && slices.Contains([]string{"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs"}, args[0].Text) {
		args = args[1:]
		u.Needs++
	}
	switch {
	case len(args) == 0:
		return u
	case !args[0].Known:
		u.Asked = "what git does is computed"
		return u
	case strings.HasPrefix(args[0].Text, "-"):
		if args[0].Text != "--version" || len(args) > 1 {
			u.Asked = "the option " + args[0].Text + " before the command of git"
		}
		u.Safe = u.Asked == ""
		return u
	}
	u.Needs = 1
	if r := gitReads[args[0].Text]; r != nil {
		read := r.judge(name, args[1:])
		if read.Asked == "" {
			read.Git, read.Needs = true, 1
			read.Safe = true
			if args[0].Text == "grep" {
				read.Reads = nil
				if slices.ContainsFunc(args, func(w shell.Word) bool {
					return !w.Known || strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "..")
				}) {
					read.Asked = "its arguments are not known to be safe"
				}
			}
			return read
		}
		if args[0].Text != "branch" && args[0].Text != "tag" && args[0].Text != "remote" {
			u.Asked = read.Asked
			return u
		}
	}
	changes := gitChanges.judge(name, args)
	changes.Git = true
	if changes.Asked == "" && slices.ContainsFunc(args, func(w shell.Word) bool {
		return strings.Contains(w.Text, "::") || strings.Contains(w.Text, "@{") && !w.Known || strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "https://")
	}) {
		changes.Asked = "an address names a program"
	}
	changes.Asked = moreOfGit(args[0].Text, args[1:], changes.Asked)
	return changes
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
