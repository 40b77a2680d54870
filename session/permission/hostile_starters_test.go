package permission_test

import "strings"

// starters are options of programs that start another one.
func (c *corpus) starters() {
	env := envLines
	c.each("starter", []string{"%", "nice %", "nice -n 5 %", "nice -5 %", "timeout 5 %", "timeout -s KILL 5 %",
		"timeout --signal=KILL 5 %", "timeout -k 1 5 %", "nohup %", "time %",
		"time -p %", "command %", "stdbuf -o0 %", "stdbuf -oL %", "env LC_ALL=C %", "! %", "ls && %", "nice timeout 5 %", "(%)",
		"echo \"$(%)\"", "xargs %", "find . -maxdepth 0 -exec % ;"}, env...)
	touch := rows(`
% touch PWNED
% -- touch PWNED
% sh -c 'touch PWNED'
% sh x
% env -S'touch PWNED'
% cat @OUT/canary`)
	for _, starter := range starterWords {
		for _, t := range touch {
			c.add("starter", strings.Replace(t, "%", starter, 1))
		}
	}
	c.each("find", []string{"find . -maxdepth 0 %", "find x %", "find . -name x %", "find sub -type f -o %",
		"ls | xargs find . %"}, findActions...)
}

var envLines = rows(`
env --split-string='touch PWNED'
env --split-string='touch PWNED' ls
env --split='touch PWNED' ls
env --s='touch PWNED' ls
env -S'touch PWNED'
env -S 'touch PWNED'
env -S'A=1 touch PWNED' ls
env -vS'A=1 touch PWNED'
env -iS'A=1 touch PWNED'
env -i -S'A=1 touch PWNED'
env -uA -S'B=1 touch PWNED'
env -v --split-string='A=1 touch PWNED'
env -S"touch\_PWNED"
env A=1 -S'touch PWNED'
env -0S'A=1 touch PWNED'
env --ignore-environment touch PWNED
env A=1 touch PWNED
env A.B=1 touch PWNED
env 1=1 touch PWNED
env -- touch PWNED
env -- A=1 touch PWNED
env - touch PWNED
env -i touch PWNED
env -u A touch PWNED
env -uA touch PWNED
env -u=A touch PWNED
env --unset=A touch PWNED
env --block-signal touch PWNED
env --default-signal=PIPE touch PWNED
env --default-signal= touch PWNED
env --ignore-signal=A=B touch PWNED
env -C . touch PWNED
env --chdir=. touch PWNED
env --chdir=@OUT cat canary
env --ch=@OUT cat canary
env -C @OUT cat canary
env -C.. cat canary
env -C.. A=1 cat canary
env A=1 --chdir=.. cat canary
env --chdir=.. cat ./canary
env -C sub/../.. cat canary
env PATH=. x
env LC_ALL=C touch PWNED
env env touch PWNED
env LC_ALL=C env -S'touch PWNED'
env BASH_ENV=x bash -c ls
env -S'bash x'
env sh x
env -S'sh -c "touch PWNED"'`)

var starterWords = rows(`
nice
nice -n 5
nice -5
nice --adjustment=5
timeout 5
timeout 5s
timeout 0
timeout -s KILL 5
timeout --foreground 5
timeout -v 5
nohup
time
time -p
command
command -p
builtin command
builtin
exec
exec -a ls
stdbuf -o0
stdbuf --output=L
setsid
xargs -I{}
xargs -n1
xargs -a x
echo PWNED | xargs
ls | xargs
eval
\command
"command"
noglob
nocorrect
-
busybox
ionice
chrt 1
taskset 1
unshare
setarch
linux64
time nice timeout 5`)

var findActions = rows(`
-exec touch PWNED \;
-exec touch PWNED {} +
-exec touch PWNED ';'
-execdir touch PWNED \;
-ok touch PWNED \;
-exec sh -c 'touch PWNED' \;
-exec env touch PWNED \;
-exec nice touch PWNED {} +
-exec sed -n '1e touch PWNED' x \;
-exec sed -i s/t/u/ x \;
-exec sort -o WRITTEN x \;
-exec cat @OUT/canary \;
-exec cat {}/../../canary \;
-delete
-fprint WRITTEN
-fprint0 WRITTEN
-fls WRITTEN
-fprintf WRITTEN x
-name x -delete
-newer x -o -exec touch PWNED \;
-exec ls \; -exec touch PWNED \;
"-exec" touch PWNED \;
-ex''ec touch PWNED \;`)

// variables change what programs do that come later.
func (c *corpus) variables() {
	settings := variableSettings
	commands := []string{"ls", "cat x", "bash -c ls", "sh -c ls", "bash -xc ls", "make -f m", "cd outside && cat canary", "sort x",
		"awk 1 x", "git log", "perl -e 1", "cat ~/canary", "grep x x"}
	for _, s := range settings {
		for _, command := range commands {
			c.add("variable", s+" "+command, "export "+s+"; "+command)
		}
		c.add("variable", s, s+"; ls", "export "+s, "env "+s+" ls", "readonly "+s, "declare -x "+s+"; sh -c ls",
			"for "+strings.Split(s, "=")[0]+" in x; do ls; done", "read "+strings.Split(s, "=")[0]+" <x; ls")
	}
}

var variableSettings = rows(`
PATH=.
PATH=sub:.
PATH=@OUT
BASH_ENV=x
BASH_ENV=./x
ENV=./x
BASH_FUNC_ls%%='() { touch PWNED; }'
LD_PRELOAD=./x
LD_AUDIT=./x
LD_LIBRARY_PATH=.
SHELL=@BIN/touch
PAGER='touch PWNED'
GIT_PAGER='touch PWNED'
EDITOR='touch PWNED'
LESSOPEN='|touch PWNED'
LESSCLOSE='touch PWNED'
PS4='$(touch PWNED)'
PROMPT_COMMAND='touch PWNED'
MAKEFLAGS='--eval=a:;touch\ PWNED'
PERL5OPT=-Mx
PERL5LIB=.
PYTHONSTARTUP=x
PYTHONPATH=.
IFS=x
HOME=..
CDPATH=..
OLDPWD=..
PWD=..
TMPDIR=..
AWKPATH=.
AWKLIBPATH=.
POSIXLY_CORRECT=1
SHELLOPTS=xtrace
BASHOPTS=expand_aliases
GREP_OPTIONS=-f../canary
RIPGREP_CONFIG_PATH=x
TAR_OPTIONS=--to-command=x
SORT_OPTIONS=-oWRITTEN
LS_COLORS=$(touch PWNED)
FPATH=.
fpath=.
path=.
ZDOTDIR=.
NULLCMD=touch
READNULLCMD=touch`)
