package permission_test

import "strings"

// hostileGitLines try to start a program, to write or to read a file outside, in a repository that does nothing by itself.
func hostileGitLines(at hostilePlace) []hostileLine {
	c := &corpus{hostilePlace: at, seen: map[string]bool{}}
	reads := []string{"status", "diff", "log -p", "show", "blame f", "grep x", "ls-files", "branch", "log --format=%GG"}
	keys := []string{"core.fsmonitor", "core.pager", "pager.log", "pager.diff", "diff.external", "core.sshCommand",
		"core.hooksPath", "gpg.program", "alias.status", "core.editor", "core.attributesFile",
		"include.path", "core.worktree", "filter.x.clean", "diff.x.textconv", "credential.helper", "core.askPass", "core.gitProxy",
		"log.showSignature", "difftool.x.cmd", "sequence.editor"}
	for _, key := range keys {
		for _, read := range reads {
			c.add("git, setting", "git -c "+key+"='touch PWNED' "+read, "git -c "+key+"=@BIN/touch "+read,
				"C='touch PWNED' git --config-env="+key+"=C "+read,
				"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="+key+" GIT_CONFIG_VALUE_0='touch PWNED' git "+read,
				`GIT_CONFIG_PARAMETERS="'`+key+`=touch PWNED'" git `+read,
				"git config "+key+" 'touch PWNED'; git "+read, "git config "+key+" 'touch PWNED' && git "+read,
				"git --config-env "+key+"=HOME "+read)
		}
	}
	for _, name := range strings.Fields("GIT_PAGER PAGER GIT_EXTERNAL_DIFF GIT_EDITOR GIT_SSH_COMMAND GIT_SSH GIT_ASKPASS " +
		"GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_DIR GIT_WORK_TREE GIT_CONFIG_GLOBAL " +
		"GIT_CONFIG_SYSTEM GIT_CONFIG GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_TRACE " +
		"GIT_TRACE2 GIT_TRACE_SETUP GIT_TEMPLATE_DIR GIT_ATTR_SOURCE LESSOPEN HOME XDG_CONFIG_HOME") {
		for _, read := range reads {
			c.add("git, variable", name+"='touch PWNED' git "+read, "export "+name+"='touch PWNED'; git "+read,
				"env "+name+"='touch PWNED' git "+read, name+"=$PWD/WRITTEN git "+read, name+"=@OUT git "+read)
		}
	}
	for _, option := range gitOptions {
		for _, read := range []string{"status", "diff", "log", "log -p", "show", "blame", "grep C", "ls-files", "branch",
			"diff HEAD", "shortlog", "reflog", "stash show", "cat-file", "rev-list HEAD", "describe"} {
			c.add("git, option", "git "+read+" "+option, "git "+read+" "+option+" f", "git "+read+" HEAD "+option)
		}
	}
	for _, global := range gitGlobals {
		for _, read := range reads {
			c.add("git, global option", "git "+global+" "+read, "git -P "+global+" "+read)
		}
	}
	c.each("git, command", []string{"%", "git status; %", "git log && %", "echo \"$(%)\""}, gitCommands...)
	return c.lines
}

var gitOptions = rows(`
--output=WRITTEN
--output WRITTEN
--outp=WRITTEN
--ext-diff
--textconv
--show-signature
--format=%GG
--pretty='%G?'
--remerge-diff
-O@OUT/canary
--no-index f @OUT/canary
--no-index f ../canary
--submodule=diff
--contents @OUT/canary
--open-files-in-pager=touch
-Otouch
-f@OUT/canary
--ignore-revs-file=@OUT/canary
--exclude-from=@OUT/canary
-X@OUT/canary
--pathspec-from-file=@OUT/canary
"$(echo --output=WRITTEN)"
$(echo --output=WRITTEN)
$x
"$x"
--upload-pack='touch PWNED'
-- ../canary
@OUT/canary
--stdin < @OUT/canary`)

var gitGlobals = rows(`
-C @OUT
-C ..
-C sub
--git-dir=sub
--git-dir sub
--work-tree=@OUT
--exec-path=.
--exec-path=@BIN
-p
--paginate
--namespace=x
--super-prefix=x/
--attr-source=HEAD
--bare`)

var gitCommands = rows(`
git bisect run touch PWNED
git submodule foreach 'touch PWNED'
git rebase -x 'touch PWNED' HEAD~1
git filter-branch --tree-filter 'touch PWNED' HEAD
git difftool -x touch -y
git mergetool -y
git grep -Otouch x
git ls-remote 'ext::touch PWNED'
git fetch 'ext::touch PWNED'
git clone . WRITTEN
git archive -o WRITTEN HEAD
git archive HEAD --output=WRITTEN
git bundle create WRITTEN HEAD
git format-patch -1
git diff > WRITTEN
git commit -am x
git commit --allow-empty -m x
git add f
git rm f
git mv f g
git checkout f
git checkout -b new
git switch -c new
git restore f
git reset --hard
git clean -fdx
git stash
git stash push
git stash pop
git stash drop
git branch new
git branch -D main
git branch -m a b
git branch --set-upstream-to=x
git branch --edit-description
git branch -f new HEAD
git tag new
git tag -d new
git tag -a x -m x
git remote add x y
git remote set-url x y
git remote update
git remote show x
git remote prune x
git config user.name x
git config --edit
git config --add x.y z
git config --unset user.name
git config -f WRITTEN x.y z
git config --file=@OUT/canary --list
git config -l -f ../canary
git worktree add WRITTEN
git worktree prune
git notes add -m x
git reflog expire --all
git reflog delete HEAD@{0}
git symbolic-ref HEAD refs/heads/x
git update-ref refs/heads/new HEAD
git hash-object -w x
git hash-object @OUT/canary
git gc
git prune
git repack
git init WRITTEN
git apply x
git am x
git cherry-pick HEAD
git revert HEAD
git merge HEAD
git pull
git push . HEAD:new
git send-email x
git daemon
git instaweb
git help log
git show --output=WRITTEN
git cat-file --batch < @OUT/canary
git mailinfo WRITTEN WRITTEN2 < f
git rev-parse --parseopt -- x < @OUT/canary
git diff --no-index /dev/null @OUT/canary
git diff --no-index -- f ../canary
git diff f ../canary
git diff @OUT/canary f
git grep --no-index C ..
git grep --no-index C @OUT
git grep C -- ..
git blame --contents ../canary f
git shortlog < @OUT/canary
git interpret-trailers @OUT/canary
git stripspace < @OUT/canary
git column < @OUT/canary
git patch-id < @OUT/canary
git check-ignore --stdin < ../canary
git sparse-checkout set x
git maintenance run
git fsmonitor--daemon start
git credential fill < f
git var GIT_EDITOR; touch PWNED
git log $(touch PWNED)
git log "$(touch PWNED)"
git log --grep="${x:-'$(touch PWNED)'}"
git log --since="` + "`touch PWNED`" + `"
git log | xargs touch
git log -1 --format='%s' | sh
git show HEAD:x | sh
git touch
git PWNED
git 'status;touch PWNED'
git -c`)
