package permission

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// broadRules are rules as broad as users write them.
var broadRules = []string{"command git *", "command find *", "command npm *", "command python3 *", "command go *", "command go test *", "command sh *",
	"command bash *", "command env *", "command xargs *", "command sudo *", "command tar *", "command ssh *", "command sed *", "command awk *", "command make *",
	"command cargo *", "command pip *", "command yarn *", "command docker *", "command kubectl *", "command sort *", "command curl *", "command wget *",
	"command rg *", "command grep *", "command less *", "command man *", "command vim *", "command psql *", "command sqlite3 *", "command busybox *",
	"command node *", "command perl *", "command ruby *", "command npx *", "command bundle *", "command mvn *", "command gradle *", "command timeout *",
	"command nice *", "command nohup *", "command eval *", "command exec *", "command . *", "command source *", "command command *", "command builtin *",
	"command rm *", "command cp *", "command mv *", "command touch *", "command mkdir *", "command tee *", "command mytool *", "command rsync *", "command scp *",
	"command python3.12 *", "command gawk-5 *", "command gdb *", "command watch *", "command parallel *", "command script *", "command strace *", "command flock *",
	"command setsid *", "command at *", "command crontab *", "command systemd-run *", "command perf *", "command entr *", "command toybox *", "command php8.2 *",
	"command ls *", "command cat *", "command echo *", "command head *", "command jq *", "command diff *", "command date *", "command printf *", "command test *",
	"command uv *", "command poetry *", "command composer *", "command gem *", "command rake *", "command bun *", "command pnpm *", "command helm *",
	"command export *", "command alias *", "command trap *", "command set *", "command read *", "command cd *", "command time *", "command stdbuf *",
	"command uniq *", "command lua5.4 *", "command node20 *", "command pypy3 *", "command ruby3.2 *", "command perl5.36 *", "command ./x *", "command /home/u/src/x *",
	"command dd *", "command chmod *", "command xxd *", "command ln *", "command pytest *", "command eslint *", "command ninja *", "command cmake *", "command just *"}

// hostileLines are lines that no rule of broadRules lets pass in any shell.
func hostileLines() []string {
	return slices.Concat(hostileSyntax(), hostileBlanks(), hostilePrograms(), hostileTools(), hostileFiles())
}

func TestHostileLinesAreAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	lines := hostileLines()
	if len(lines) < 300 {
		t.Fatalf("only %d lines", len(lines))
	}
	for _, name := range shells {
		p := withRules(t, broadRules...)
		p.Shell = name
		for _, line := range lines {
			if d := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}); d.Ruling != Ask {
				t.Errorf("%s: %q: %s by %v", name, line, d.Ruling, d.Rule)
			}
		}
	}
}

// Each offer for a line lets this very line pass, and is a rule that can be read back and is not void.
func TestOffersForHostileLines(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	for _, line := range hostileLines() {
		checkOffers(t, testPolicy(session.ModeDefault), line)
	}
}

func checkOffers(t *testing.T, p Policy, line string) {
	t.Helper()
	ask := session.PermissionAsk{Tool: "Bash", Command: line}
	for _, offer := range p.SuggestRules(toolview.Command, ask) {
		rules := ReadRules(offer)
		if len(rules) == 0 || !Offer(rules...).Is(offer) || slices.ContainsFunc(rules, func(r Rule) bool { return r.Void() != "" }) {
			t.Errorf("%q: %q is offered: %+v", line, offer.Text, rules)
			continue
		}
		if !p.Covers(rules, toolview.Command, ask) {
			t.Errorf("%q: %q is offered, and does not cover it", line, offer.Text)
		}
		if strings.HasSuffix(offer.Text, " *") && strings.ContainsAny(line, ";|&\n") && p.Covers(rules, toolview.Command, session.PermissionAsk{Command: line + "; evil"}) {
			t.Errorf("%q: %q covers more", line, offer.Text)
		}
	}
}

func hostileSyntax() []string {
	return []string{
		"", " ", ";", " ; ", "\n", "ls\r", "ls\rrm x", "ls\x00", "ls \x1b[2J", "ls \x7f", "l?", "*", "LS", "./ls", "/bin/ls x", "ls; evil", "ls && evil", "ls || evil",
		"ls | sh", "ls|sh", "ls & evil", "ls `evil`", "ls $(evil)", "ls ${x:-y}", "cat $HOME", "ls > /etc/passwd", "ls >x", "ls >>x", "ls <(evil)", "ls 2>&1>x",
		"ls >/dev/null; touch /etc/x", "ls &>x", "ls >& x", "ls >|x", "ls <>x", "ls 3>x", "ls {fd}>x", "ls > $x", "ls > *", "ls >/dev/tcp/x/1", "cat </dev/tcp/x/1",
		"cat < /etc/shadow", "cat <out/passwd", "{ ls; } >x", "(ls) >x", "if ls; then evil; fi", "while evil; do ls; done", "for x in a; do evil; done",
		"case a in a) evil;; esac", "case $(evil) in a) ls;; esac", "select x in a; do ls; done", "f() { ls; }; f", "function f { ls; }", "ls() { evil; }; ls", "coproc ls",
		"! evil", "time evil", "exec ls", "eval ls", "eval 'ls'", "eval \"$x\"", ". ./a.go", "source a.go", "trap 'evil' EXIT", "trap evil 0", "alias ls=evil", "alias", "set -o x", "set -- x",
		"shopt -s expand_aliases", "enable -f x y", "hash -p evil ls", "export PATH=.", "export X", "export -f f", "declare x=1", "declare -n x=PATH", "typeset x", "local x=1",
		"readonly PATH", "let x=1", "echo $((x))", "echo $((1+1))", "echo $[1]", "read x", "read PATH", "mapfile x", "readarray x", "printf -v PATH x", "printf \"$x\" y", "getopts a b",
		"PATH=. ls", "PATH=/tmp ls", "LD_PRELOAD=x.so ls", "LD_LIBRARY_PATH=. ls", "DYLD_INSERT_LIBRARIES=x ls", "GIT_DIR=x git status", "GIT_SSH_COMMAND=evil git fetch",
		"GIT_EXTERNAL_DIFF=evil git diff", "GIT_PAGER=evil git log", "GIT_CONFIG_COUNT=1 git log", "PAGER=evil git log", "EDITOR=evil git commit", "VISUAL=evil git commit",
		"BASH_ENV=x ls", "ENV=x ls", "IFS=x ls", "PS4='$(evil)' ls", "PROMPT_COMMAND=evil ls", "PYTHONPATH=. ls", "PYTHONSTARTUP=x ls", "NODE_OPTIONS=--require=x npm ls",
		"PERL5OPT=-Mx ls", "PERL5LIB=. ls", "RUBYOPT=-rx ls", "JAVA_TOOL_OPTIONS=x ls", "MAKEFLAGS=--eval=x make", "GOFLAGS=-toolexec=x go test", "GOFLAGS=-exec=sh go vet ./...",
		"CGO_CFLAGS=x go test", "GOROOT=. go test", "GOPATH=x go test", "GOTOOLCHAIN=x go test", "CC=evil go test", "RUSTC_WRAPPER=evil cargo check", "LESSOPEN='|evil' ls", "MANPAGER=evil ls",
		"TAR_OPTIONS=--to-command=x ls", "RIPGREP_CONFIG_PATH=x rg x", "npm_config_script_shell=evil npm ls", "HOME=. ls", "CDPATH=/ ls", "TMPDIR=x ls", "SHELL=evil make", "path=. ls",
		"x=(1 2)", "a[0]=1 ls", "a[$(evil)]=1", "x=$(evil)", "x=`evil` ls", "ls ${x:=evil}", "ls ${x@P}", "ls ${!x}", "ls ${x[$(evil)]}", "ls \"${x//a/$(evil)}\"", "echo \"$(evil)\"", "echo \"`evil`\"",
		"echo `ls \\`evil\\``", "$x", "$x ls", "\"$x\" a", "$(echo ls)", "`echo ls`", "l$x", "{evil,x}", "~/ls", "cat a?", "cat [ab]", "cat *", "cat -- *", "ls *", "git log *", "go test *",
		"rm *", "mytool $x", "mytool *", "go test $x", "git log $x", "git log $(cat a.go)", "make \"$x\"", "npm ls $x", "sh <<E\nevil\nE", "bash <<<evil", "python3 <<E\nx\nE", "cat <<E | sh\nevil\nE",
		"cat <<E\n$(evil)\nE", "cat <<E\n`evil`\nE", "mytool <<E\nx\nE", "cat <<\"E$x\"\nx\nE$x", "cat <<E", "ls 'a", "ls \"a", "ls $(", "ls `", "if ls", "ls )", "ls ;; ls", "ls |", "ls &&", "[[ -v x ]]",
		"[[ a -eq b ]]", "[ -v 'a[$(evil)]' ]", "test -v x", "test \"$x\" -eq 1", "cd / && ls x", "cd ..; cat x", "cd out; cat passwd", "cd; ls x", "cd -; cat x", "cd $x; cat x", "cd ~; cat x", "pushd sub; ls x",
		"for x in a; do cd sub; cat y; done", "cd dangling; ls x", "ls; cat ~root/x", "cat x=~/y; evil", "builtin eval ls", "command eval ls", "command -p evil",
		"command . a.go", "\\evil", "e''vil", "\"evil\" x", "e\\vil x", "ls \\\n; evil", "ls # x\nevil", "ls #\n evil", "echo a\\\n; evil", "wait; evil", "jobs -x evil", "bind -x x", "complete -C evil ls",
		"compgen -C evil", "fc -s", "history -s x", "type -p ls; evil", "unset -f ls; evil", "ulimit -f 0; evil", "kill -9 1", "exit; evil", "echo x |& evil", "ls &! evil", "=ls", "ls =evil | =evil",
		"ls >(evil)", "diff <(ls) <(evil)", "@(ls)", "!(x)", "function ls() { evil; }", "ls;evil", "ls\nevil", "ls&evil", "ls|evil", "{ evil; }", "(evil)", "( (evil) )", "! ! evil", "if true; then ls; else evil; fi",
		"until ls; do evil; done", "ls 2> >(evil)", "exec 3>x", "exec >x", "ls 1>x 2>&1", "noglob evil", "- evil", "nocorrect evil", "repeat 3 evil", "foreach x (a) evil; end", "env -i sh", "printf '%d' 'a[$(evil)]'",
	}
}

// hostileBlanks have characters that look like blanks, or like nothing, or that shells and locales take for different things.
func hostileBlanks() []string {
	var lines []string
	for _, r := range []rune{'\v', '\f', 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0xa0, 0xad, 0x1680, 0x180e, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
		0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x2066, 0x2800, 0x3000, 0x3164,
		0x115f, 0xffa0, 0xfeff, 0xe0020} {
		blank := string(r)
		lines = append(lines, "ls"+blank+"/../../../../bin/sh run.txt", "go"+blank+"test", "ls sub"+blank, blank+"ls", "go test"+blank+"-exec sh", "echo '"+blank+"'")
	}
	for r := rune(0x80); r < 0x250; r += 7 {
		lines = append(lines, "ls a"+string(r)+"b", string(r)+"ls")
	}
	return append(lines, "ls \xff", "ls \xc2", "ls \xe2\x80", "ls \xed\xa0\x80", "ls '\xff'")
}
