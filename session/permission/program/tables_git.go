package program

// gitManual names the manual from which the tables of git were read.
const gitManual = "git 2.39.5, git-*(1)"

// gitQuiet has the commands of git that only read. A name of two words is joined with -: stash-list is "git stash list", tag--l
// "git tag -l", and their operands are what follows. What git finds is judged besides: rev and path are its words. Not listed
// is what starts programs (--ext-diff, --textconv, -O, --show-signature, status -v: textconv), writes (--output, remerge) or
// reads elsewhere (--no-index, --contents, -f, --exclude-from, --pathspec-from-file, -S of blame).
var gitQuiet = []Table{
	{Names: "status", From: gitManual, Operands: "path", Adds: "--ignore-submodules=all",
		Options: "-b -s -z -u[=word] --ahead-behind --branch --column[=word] --find-renames[=word] --ignored[=word] --long" +
			" --no-ahead-behind --no-column --no-renames --porcelain[=word] --renames --short --show-stash --untracked-files[=word]"},
	{Names: "diff", From: gitManual, Operands: "rev", Adds: gitNoDrivers, Options: gitDiffs + " --cached --exit-code --merge-base" +
		" --quiet --staged"},
	{Names: "log whatchanged", From: gitManual, Operands: "rev", Adds: gitNoDrivers + " --no-show-signature", Number: true,
		Options: gitDiffs + gitCommits},
	{Names: "show", From: gitManual, Operands: "rev", Adds: gitNoDrivers + " --no-show-signature", Number: true,
		Options: gitDiffs + gitCommits},
	{Names: "reflog", From: gitManual, Adds: gitNoDrivers + " --no-show-signature", Number: true, Options: gitDiffs + gitCommits},
	{Names: "reflog-show", From: gitManual, Operands: "rev", Adds: gitNoDrivers + " --no-show-signature", Number: true,
		Options: gitDiffs + gitCommits},
	{Names: "stash-list", From: gitManual, Adds: gitNoDrivers + " --no-show-signature", Number: true, Options: gitDiffs + gitCommits},
	{Names: "stash-show", From: gitManual, Operands: "rev", Most: 1, Adds: "--stat " + gitNoDrivers,
		Options: gitDiffs + " --include-untracked --only-untracked"},
	{Names: "diff-tree", From: gitManual, Operands: "rev", Adds: gitNoDrivers, Options: gitDiffs + " -c -m -r -t -v --always --cc" +
		" --combined-all-paths --format[=pretty] --merge-base --no-commit-id --oneline --pretty[=pretty] --root"},
	{Names: "rev-list", From: gitManual, Operands: "rev", Number: true, Options: gitRevs + " --children --count --objects --parents" +
		" --timestamp --format[=pretty] --oneline --pretty[=pretty] --abbrev-commit --no-commit-header --date=text --graph"},
	{Names: "shortlog", From: gitManual, Operands: "rev", Number: true,
		Options: "-c -e -n -s -w[=word] --all --author=text --branches[=glob] --committer --date=text --email --first-parent" +
			" --format[=pretty] --grep=text --group=word --max-count=num --merges --no-merges --numbered --remotes[=glob] --since=text" +
			" --skip=num --summary --tags[=glob] --until=text"},
	{Names: "cherry", From: gitManual, Operands: "rev", Most: 3, Options: "-v --abbrev[=num]"},
	{Names: "blame", From: gitManual, Operands: "rev", Adds: "--no-textconv",
		Options: "-b -c -e -f -l -n -p -s -t -w -C[=num] -L:lines -M[=num] --abbrev[=num] --color-by-age --color-lines --date=text" +
			" --first-parent --ignore-rev=rev --incremental --line-porcelain --porcelain --root --score-debug --show-email --show-name" +
			" --show-number --show-stats"},
	{Names: "grep", From: gitManual, Operands: "text rev", Adds: "--no-textconv", Number: true, Pattern: "-e",
		Options: "-a -c -E -F -G -h -H -i -I -l -L -n -o -p -P -q -r -v -w -W -z -A:num -B:num -C:num -e:text -m:num" +
			" --after-context=num --all-match --and --basic-regexp --before-context=num --break --cached --color[=word] --column" +
			" --context=num --count --exclude-standard --extended-regexp --files-with-matches --files-without-match --fixed-strings" +
			" --full-name --function-context --heading --ignore-case --invert-match --line-number --max-count=num --max-depth=num" +
			" --name-only --no-color --no-recursive --null --only-matching --or --perl-regexp --quiet --recursive --show-function --text" +
			" --threads=num --untracked --word-regexp"},
	{Names: "rev-parse", From: gitManual, Operands: "rev", NoEnd: true,
		Options: "-q --abbrev-ref[=word] --absolute-git-dir --all --branches[=glob] --git-common-dir --git-dir --is-bare-repository" +
			" --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --quiet --remotes[=glob] --short[=num] --show-cdup" +
			" --show-object-format[=word] --show-prefix --show-superproject-working-tree --show-toplevel --symbolic --symbolic-full-name" +
			" --tags[=glob] --verify"},
	{Names: "ls-files", From: gitManual, Operands: "path",
		Options: "-c -d -f -i -k -m -o -s -t -u -v -z -x:glob --abbrev[=num] --cached --debug --deduplicate --deleted --directory --eol" +
			" --error-unmatch --exclude=glob --exclude-standard --format=text --full-name --ignored --killed --modified" +
			" --no-empty-directory --others --sparse --stage --unmerged --with-tree=rev"},
	{Names: "ls-tree", From: gitManual, Operands: "rev",
		Options: "-d -l -r -t -z --abbrev[=num] --format=text --full-name --full-tree --long --name-only --name-status --object-only"},
	{Names: "describe", From: gitManual, Operands: "rev",
		Options: "--abbrev[=num] --all --always --candidates=num --contains --debug --dirty[=text] --exact-match --exclude=glob" +
			" --first-parent --long --match=glob --tags"},
	{Names: "name-rev", From: gitManual, Operands: "rev",
		Options: "--all --always --exclude=glob --name-only --no-undefined --refs=glob --tags"},
	{Names: "merge-base", From: gitManual, Operands: "rev", Options: "-a --all --fork-point --independent --is-ancestor --octopus"},
	{Names: "show-ref", From: gitManual, Operands: "rev",
		Options: "-d -q -s --abbrev[=num] --dereference --hash[=num] --head --heads --quiet --tags --verify"},
	{Names: "for-each-ref", From: gitManual, Operands: "glob", Options: gitRefs + " --count=num --format=refs --perl --python" +
		" --shell --tcl"},
	{Names: "branch", From: gitManual, Options: gitBranches},
	{Names: "branch--l branch---list", From: gitManual, Operands: "glob", Options: gitBranches},
	{Names: "tag", From: gitManual, Options: gitTags},
	{Names: "tag--l tag---list", From: gitManual, Operands: "glob", Options: gitTags},
	{Names: "remote", From: gitManual, Options: "-v --verbose"},
	{Names: "remote-get-url", From: gitManual, Operands: "user", Most: 1, Options: "--all --push"},
	{Names: "worktree-list", From: gitManual, Options: "-v -z --porcelain --verbose"},
	{Names: "version", From: gitManual, Options: "--build-options"},
	{Names: "check-ignore", From: gitManual, Operands: "path", Options: "-n -q -v --non-matching --quiet --verbose"},
	{Names: "count-objects", From: gitManual, Options: "-H -v --human-readable --verbose"},
	{Names: "cat-file", From: gitManual, Operands: "rev", Most: 1, Options: "-e -p -s -t"},
	{Names: "cat-file-blob cat-file-tree cat-file-commit cat-file-tag", From: gitManual, Operands: "rev", Most: 1},
	{Names: "symbolic-ref", From: gitManual, Operands: "word", Most: 1, Options: "-q --quiet --short"},
}

// gitNoDrivers have git start nothing that its attributes or submodules name.
const gitNoDrivers = "--no-ext-diff --no-textconv --ignore-submodules=all --submodule=short"

// gitDiffs are the options of what shows differences. -S, -G and -I have their text in the same word only: git log does not
// know -iS, and would take the word behind it, such as --output=x, for an option.
const gitDiffs = "-a -b -p -R -s -u -w -W -z -B[=word] -C[=word] -M[=word] -G[=text] -I[=text] -l:num -S[=text] -U[=num] --abbrev[=num]" +
	" --anchored=text --binary --break-rewrites[=word] --check --color[=word] --color-moved[=word] --color-moved-ws=word" +
	" --color-words[=text] --compact-summary --cumulative --diff-algorithm=word --diff-filter=word --dirstat[=word]" +
	" --find-copies[=word] --find-copies-harder --find-object=word --find-renames[=word] --full-index --function-context --histogram" +
	" --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --ignore-matching-lines=text --ignore-space-at-eol" +
	" --ignore-space-change --indent-heuristic --inter-hunk-context=num --irreversible-delete --ita-invisible-in-index" +
	" --line-prefix=text --minimal --name-only --name-status --no-color --no-color-moved --no-ext-diff --no-indent-heuristic" +
	" --no-patch --no-prefix --no-relative --no-renames --no-textconv --numstat --output-indicator-context=text" +
	" --output-indicator-new=text --output-indicator-old=text --patch --patch-with-raw --patch-with-stat --patience --pickaxe-all" +
	" --pickaxe-regex --raw --relative[=path] --rename-empty --shortstat --src-prefix=text --dst-prefix=text --stat[=word] --summary" +
	" --text --unified[=num] --word-diff[=word] --word-diff-regex=text --ws-error-highlight=word"

// gitRevs are the options that choose commits.
const gitRevs = " -E -F -g -i -P -n:num --after=text --all --all-match --ancestry-path[=rev] --author=text --author-date-order" +
	" --basic-regexp --before=text --bisect --boundary --branches[=glob] --cherry --cherry-mark --cherry-pick --committer=text" +
	" --date-order --dense --do-walk --exclude=glob --extended-regexp --first-parent --fixed-strings --full-history --glob=glob" +
	" --grep=text --grep-reflog=text --ignore-missing --invert-grep --left-only --left-right --max-count=num --max-parents[=num]" +
	" --merge --merges --min-parents[=num] --no-max-parents --no-merges --no-min-parents --no-walk[=word] --not --perl-regexp" +
	" --reflog --regexp-ignore-case --remotes[=glob] --remove-empty --reverse --right-only --show-pulls --simplify-by-decoration" +
	" --simplify-merges --since=text --single-worktree --skip=num --sparse --tags[=glob] --topo-order --until=text --walk-reflogs"

// gitCommits are the further options of the commands that show commits.
const gitCommits = gitRevs + " -c -m -t --abbrev-commit --cc --children --clear-decorations --combined-all-paths --date=text" +
	" --decorate[=word] --decorate-refs=glob --decorate-refs-exclude=glob --diff-merges=merges --encoding=word --expand-tabs[=num]" +
	" --follow --format[=pretty] --full-diff --graph --log-size --mailmap --no-abbrev-commit --no-decorate --no-diff-merges" +
	" --no-expand-tabs --no-mailmap --no-notes --notes[=word] --oneline --parents --pretty[=pretty] --relative-date --root" +
	" --show-linear-break[=text] --source --use-mailmap"

// gitRefs are the options of what lists branches, tags and other references.
const gitRefs = "--color[=word] --contains=rev --ignore-case --merged[=rev] --no-contains=rev --no-merged[=rev] --points-at=rev" +
	" --sort=key"

const gitBranches = gitRefs + " -a -i -l -r -v --abbrev[=num] --all --column[=word] --format=refs --list --no-abbrev --no-color" +
	" --no-column --remotes --show-current --verbose"

const gitTags = gitRefs + " -i -l -n[=num] --column[=word] --format=refs --list --no-column"
