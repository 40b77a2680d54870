package permission_test

import "strings"

// hostileRepository is a way in which a repository has git start a program. sh runs the setup in a copy of a repository with
// three commits; EVIL is the program, and WEB a server that wants a password. Plain git starts the program for the trigger.
type hostileRepository struct{ name, setup, trigger string }

// nestedSetup adds a repository in sub that the outer one has as a gitlink, without a file .gitmodules.
const nestedSetup = `git init -q --template= sub; cd sub; echo 1 >g; git add g; git commit -qm 1; cd ..
git add sub 2>/dev/null; git commit -qm link; cd sub; echo 2 >g; git commit -qam 2; echo 3 >>g; cd ..
`

// missingSetup makes o a remote from which git fetches objects that it lacks, and removes one.
const missingSetup = `
git config remote.o.promisor true; git config extensions.partialClone o; git config core.repositoryFormatVersion 1
rm -f .git/objects/$(git rev-parse HEAD~1:f | sed 's,^..,&/,')`

// signedSetup gives the last commit a signature of a kind.
const signedSetup = `
git reset -q --soft $(git cat-file commit HEAD |
	sed '/^committer/a gpgsig -----BEGIN KIND-----\n \n x\n -----END KIND-----' | git hash-object -t commit -w --stdin)`

func signed(kind, setup string) string {
	return setup + strings.ReplaceAll(signedSetup, "KIND", kind)
}

const gitmodules = `printf '[submodule "sub"]\npath = sub\nurl = ./sub\nignore = none\n' >.gitmodules
`

var hostileRepositories = []hostileRepository{
	{"core.fsmonitor", `git config core.fsmonitor $EVIL`, "git status"},
	{"core.fsmonitor in config.worktree", `git config extensions.worktreeConfig true; git config --worktree core.fsmonitor $EVIL`,
		"git status"},
	{"core.fsmonitor in an included file", `printf '[core]\nfsmonitor = %s\n' $EVIL >inc; git config include.path ../inc`, "git status"},
	{"core.fsmonitor for a directory", `printf '[core]\nfsmonitor = %s\n' $EVIL >inc; git config includeIf.gitdir:/.path ../inc`,
		"git status"},
	{"core.fsmonitor on a branch", `printf '[core]\nfsmonitor = %s\n' $EVIL >inc; git config "includeIf.onbranch:**.path" ../inc`,
		"git status"},
	{"core.fsmonitor, written oddly", `printf '[CORE] FsMonitor = "%s" ; x\n' $EVIL >>.git/config`, "git status"},
	{"core.fsmonitor over two lines",
		`printf '[core]\n\tbare = \\\nfalse\n\tfsmonitor=\\\n"%s"\n' $EVIL >.git/config`, "git ls-files -m"},
	{"core.hooksPath", `mkdir h; cp $EVIL h/post-index-change; git config core.hooksPath h`, "git status"},
	{"a hook", `mkdir .git/hooks; cp $EVIL .git/hooks/post-index-change`, "git status"},
	{"diff.external", `git config diff.external $EVIL`, "git diff"},
	{"diff driver, command", `echo '* diff=x' >.gitattributes; git config diff.x.command $EVIL`, "git diff"},
	{"diff driver, textconv", `echo '* diff=x' >.gitattributes; git config diff.x.textconv $EVIL`, "git log -p"},
	{"diff driver in info/attributes", `mkdir -p .git/info; echo '* diff=x' >.git/info/attributes
git config diff.x.textconv $EVIL`, "git show"},
	{"diff driver in core.attributesFile", `echo '* diff=x' >at
git config core.attributesFile at; git config diff.x.textconv $EVIL`, "git blame f"},
	{"filter clean", `echo '* filter=x' >.gitattributes; git config filter.x.clean $EVIL`, "git status"},
	{"filter process", `echo '* filter=x' >.gitattributes; git config filter.x.process $EVIL; git config filter.x.required true`,
		"git diff"},
	{"filters of odd names", `printf 'f filter=a.b\nk filter=c]d\n' >.gitattributes; git config filter.a.b.clean $EVIL
git config 'filter.c]d.clean' $EVIL`, "git diff HEAD"},
	{"core.pager", `git config core.pager $EVIL`, "git log"},
	{"pager of a command", `git config pager.log $EVIL; git config pager.diff $EVIL; git config pager.status $EVIL`, "git log -3"},
	{"an alias", `git config alias.st "!$EVIL"; git config alias.lg "!$EVIL"; git config alias.ll "!$EVIL"`, "git st"},
	{"gpg.program", signed("PGP SIGNATURE", `git config gpg.program $EVIL; git config log.showSignature true`), "git log"},
	{"gpg.program by format.pretty", signed("PGP SIGNATURE", `git config gpg.program $EVIL; git config format.pretty '%h %GG'`),
		"git log -1"},
	{"gpg.ssh.program", signed("SSH SIGNATURE", `git config gpg.ssh.program $EVIL
git config gpg.ssh.allowedSignersFile k; git config log.showSignature true`), "git show"},
	{"gpg.x509.program", signed("SIGNED MESSAGE", `git config gpg.x509.program $EVIL; git config log.showSignature true`), "git log"},
	{"missing objects, uploadpack", `git config remote.o.url "$PWD"; git config remote.o.uploadpack $EVIL` + missingSetup,
		"git show HEAD~1"},
	{"missing objects, ext", `git config remote.o.url "ext::$EVIL"; git config protocol.ext.allow always` + missingSetup, "git log -p"},
	{"missing objects, core.sshCommand", `git config remote.o.url h:x; git config core.sshCommand $EVIL` + missingSetup, "git log -p"},
	{"missing objects, core.gitProxy", `git config remote.o.url git://h/x; git config core.gitProxy $EVIL` + missingSetup, "git log -p"},
	{"missing objects, credential.helper", `git config remote.o.url $WEB
git config credential.helper $EVIL` + missingSetup, "git log -p"},
	{"missing objects, core.askPass", `git config remote.o.url $WEB
git config core.askPass $EVIL` + missingSetup, "git log -p"},
	{"missing objects, url.insteadOf", `git config remote.o.url x:y; git config "url.ext::$EVIL .insteadOf" x:
git config protocol.ext.allow always` + missingSetup, "git log -p"},
	{"gitlink, core.fsmonitor", nestedSetup + `git -C sub config core.fsmonitor $EVIL`, "git status"},
	{"gitlink, filter", nestedSetup + `echo 2 >sub/g
echo '* filter=x' >sub/.gitattributes; git -C sub config filter.x.clean $EVIL`, "git diff"},
	{"gitlink, hook", nestedSetup + `mkdir sub/.git/hooks; cp $EVIL sub/.git/hooks/post-index-change`, "git status -s"},
	{"gitlink, .git file", nestedSetup + `mkdir m; mv sub/.git m/s; echo "gitdir: ../m/s" >sub/.git
git config -f m/s/config core.worktree ../../sub
git config -f m/s/config core.fsmonitor $EVIL`, "git status"},
	{"gitlink, .git file outside", nestedSetup + `mv sub/.git ../s.git; echo "gitdir: ../../s.git" >sub/.git
git config -f ../s.git/config core.worktree "$PWD/sub"
git config -f ../s.git/config core.fsmonitor $EVIL`, "git status"},
	{"gitlink, linked directory", nestedSetup + `mkdir m; mv sub/.git m/s; ln -s ../m/s sub/.git
git config -f m/s/config core.fsmonitor $EVIL`, "git status"},
	{"gitlink in a directory", `mkdir d; cd d; ` + nestedSetup + `git -C sub config core.fsmonitor $EVIL; cd ..`, "git status"},
	{"submodule, core.fsmonitor", nestedSetup + gitmodules + `git -C sub config core.fsmonitor $EVIL`, "git status"},
	{"submodule, diff.submodule diff", nestedSetup + gitmodules + `git config diff.submodule diff
git -C sub config diff.external $EVIL; git -C sub config core.fsmonitor $EVIL`, "git diff"},
	{"submodule, status.submoduleSummary", nestedSetup + gitmodules + `git config status.submoduleSummary true
git -C sub config core.fsmonitor $EVIL`, "git status"},
	{"submodule in .git/modules", nestedSetup + gitmodules + `git submodule --quiet absorbgitdirs 2>/dev/null
git config -f .git/modules/sub/config core.fsmonitor $EVIL`, "git status"},
	{"a .git file", `mv .git g; echo "gitdir: g" >.git; git config core.worktree ..; git config core.fsmonitor $EVIL`, "git status"},
	{"a linked .git", `mv .git g; ln -s g .git; git config core.fsmonitor $EVIL`, "git status"},
	{"a bare repository in a folder", `git clone -q --bare --template= . b; cp .git/index b; git -C b config core.bare false
git -C b config core.worktree ..
git -C b config core.fsmonitor $EVIL`, "cd b && git status"},
	{"a bare repository, alone", `git clone -q --bare --template= . b; git -C b config diff.external $EVIL; echo x >b/f`,
		"cd b && git diff HEAD~1 HEAD --ext-diff"},
	{"the folder of a working tree", `git worktree add -q t; echo 9 >>t/f; git config core.fsmonitor $EVIL`, "cd t && git status"},
	{"a nested repository", nestedSetup + `git -C sub config core.fsmonitor $EVIL`, "cd sub && git status"},
}

// gitReads are commands of git that only read, in a repository that starts nothing.
var gitReads = rows(`
git status
git status -s
git status --porcelain=v2 --branch
git status -uno
git status -v
git status --ignored
git diff
git diff --stat
git diff HEAD
git diff --cached
git diff HEAD~1 HEAD
git diff --name-only
git diff --submodule=log
git diff -- f
git log
git log -1
git log -3 -p
git log --stat
git log --oneline --graph
git log -Sx
git log --format='%h %s'
git log -m -p -2
git log -- f
git show
git show HEAD~1
git show --stat
git show HEAD~1:f
git blame f
git grep x
git grep x HEAD
git ls-files
git ls-files -m
git ls-tree -r HEAD
git rev-parse HEAD
git describe --always --dirty
git branch -vv
git tag -l
git stash list
git reflog
git shortlog -sn HEAD
git cat-file -p HEAD~1:f
git remote -v
git worktree list
git submodule status
git diff-index HEAD
git diff-files
git for-each-ref
git whatchanged -1
git -P log -p
git --no-pager diff
git --no-optional-locks status
git st
cd sub && git status
cd b && git status
cd b && git log -p
cd t && git diff
git status && git diff | cat
for f in f k; do git blame $f; done
git status | head -3
git log -p | grep x`)

// gitSecrets show the content of secret/key, which no rule lets them read.
var gitSecrets = rows(`
git show HEAD:secret/key
git show :secret/key
git show HEAD:./secret/key
git show HEAD~1:secret/key
git show @:secret/key
git show main:secret/key
git show HEAD^{tree}:secret/key
git show HEAD:secret/../secret/key
git show HEAD:"secret/key"
git show "HEAD:secret"/key
git show :0:secret/key
git show
git show HEAD
git show HEAD -- secret
git show HEAD~0
git show --root HEAD
git log -p
git log -p -1
git log -p -- secret
git log -u
git log --patch-with-stat
git log -G7261 -p
git log -S7261 --format=%h -p
git log -L1,1:secret/key
git diff
git diff HEAD
git diff HEAD~1
git diff HEAD~1 HEAD
git diff HEAD~1 -- secret/key
git diff --cached HEAD~1
git diff HEAD:secret/key HEAD:f
git diff-tree -p HEAD
git diff-index -p HEAD
git diff-files -p
git grep CANARY
git grep CANARY HEAD
git grep -h CANARY HEAD -- secret
git grep --cached CANARY
git blame secret/key
git blame HEAD -- secret/key
git annotate secret/key
git cat-file -p HEAD:secret/key
git cat-file blob HEAD:secret/key
git cat-file -p :secret/key
git whatchanged -p
git stash show -p
git reflog -p
git rev-list --objects HEAD | git cat-file --batch
git archive HEAD
git ls-files -s secret | cut -c8-47 | git cat-file --batch
cd secret && git show HEAD:./key
cd secret && git show :./key
cd secret && git diff HEAD~1 -- key
git -P show HEAD:secret/key
git --no-pager log -p
git show HEAD:secret/key | cat
(git show HEAD:secret/key)
echo "$(git show HEAD:secret/key)"
git status -vv
cat secret/key
cat sec*/key
grep -r CANARY .
grep -r CANARY secret`)

// hostileRuled are lines that a rule with a star seems to cover, and that do more than it says.
var hostileRuled = []struct{ rule, lines string }{
	{"command terraform plan *", `
terraform plan -out=x
TF_CLI_ARGS=-out=x terraform plan
TF_CLI_ARGS_plan=-out=x terraform plan
env TF_CLI_ARGS=-out=x terraform plan`},
	{"command coverage report *", `
COVERAGE_PROCESS_START=x coverage report
COVERAGE_RCFILE=x coverage report`},
	{"command npm *", `
npm audit fix
npm audit fix --force
npm audit --json fix
npm --silent audit fix`},
	{"command git push *", `
git push evil HEAD
git push ./evil HEAD
git push --repo=evil
git push "evil" HEAD`},
	{"command git fetch *", `
git fetch evil
git fetch ./evil main
git fetch --multiple evil`},
	{"command git pull *", `
git pull evil main`},
}
