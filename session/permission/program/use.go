package program

import (
	"path"
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// Use describes the effects of a call beyond its own program.
type Use struct {
	// Known reports whether the tables have the program.
	Known bool
	// Safe reports that the call only reads, and only what Reads names: it needs no rule.
	Safe bool
	// Builtin reports that every shell does it itself and looks for no program.
	Builtin bool
	// Needs is the number of words that a rule with any arguments must have to cover the call, at least 1.
	Needs int
	// Asked is the reason why such a rule does not cover the call, as the rest of a sentence; "" if it does.
	Asked string
	// Outward reports that the call changes something outside of this machine, or what nothing takes back. Beyond is why a rule with a
	// star does not cover it then; one with exactly its words does.
	Outward bool
	Beyond  string
	// Removes reports that it takes away there, where nothing brings it back.
	Removes bool
	// Launcher reports that the program runs what its arguments or their files say, so that a rule for it says nothing.
	Launcher bool
	// Reads and Writes are the files and directories that the call reads and writes, as the call names them.
	Reads, Writes []shell.Word
	// Deep reports whether the call also reads what is below the directories.
	Deep bool
	// Changes reports whether the program exists to change files.
	Changes bool
	// Words are the call as it is printed where it is safe, nil for the words as they are. In a call of git the filters of the
	// repository go before Words[Filters].
	Words   []shell.Word
	Filters int
	// At has the arguments that choose the directory in which git runs: nil, or -C and a directory.
	At []shell.Word
	// Set are the variables that the call gets where it is safe.
	Set []shell.Setting
	// Inner is the call that the program makes in its own place, nil for none.
	Inner []shell.Word
	// Remote is the address that git connects to, "" for none or for that of its configuration.
	Remote string
	// Git reports whether the program is git, which reads what a repository has it run.
	Git bool
	// Cd reports whether the shell goes to the directory in Reads.
	Cd bool
}

// Print returns the words of a safe call as they are printed: words themselves where it has no others.
func (u Use) Print(words []shell.Word) []shell.Word {
	if u.Words != nil {
		return u.Words
	}
	return words
}

// judge is how the tables know a program. args are the words after its name.
type judge func(name string, args []shell.Word) Use

// Judge returns what a call does. words are its name, which must be known, and its arguments.
func Judge(words []shell.Word) Use {
	name, args := words[0].Text, words[1:]
	u := lookUp(name)(name, args)
	u.Needs = max(u.Needs, 1)
	if !u.Safe && u.Inner == nil {
		out := judgeOutward(path.Base(name), args)
		u.Outward, u.Removes, u.Beyond = out.words > 0, out.removes, out.beyond
		u.Needs = max(u.Needs, out.words) // "gh pr *" merges nothing
	}
	if u.Asked != "" || u.Launcher {
		u.Safe = false
	}
	if u.Launcher && u.Asked == "" {
		u.Asked = name + " runs what its arguments say"
	}
	return u
}

// lookUp finds the judge of a program. A program with a directory is judged by its name, and never safe.
func lookUp(name string) judge {
	if base := path.Base(name); base != name {
		inner := lookUp(base)
		return func(_ string, args []shell.Word) Use {
			u := inner(base, args)
			u.Safe, u.Builtin = false, false
			return u
		}
	}
	if j, ok := judges[name]; ok {
		return j
	}
	if isLauncher(name) {
		return launch
	}
	return unknown
}

// isLauncher reports whether a program runs what its arguments or their files say, with any version in its name:
// shells, interpreters, editors, and programs that start others.
func isLauncher(name string) bool {
	name = path.Base(strings.ToLower(name))
	name = strings.TrimSuffix(name, ".exe")
	if slices.Contains(launchers, name) {
		return true
	}
	stem := strings.TrimRight(name, "0123456789.-_")
	stem = strings.TrimSuffix(stem, "-")
	if slices.Contains(launchers, stem) {
		return true
	}
	// python3.12m, python3-config, perl5.36-x86_64-linux-gnu
	for _, l := range versioned {
		if rest, ok := strings.CutPrefix(name, l); ok && (rest == "" || rest[0] >= '0' && rest[0] <= '9' || strings.IndexByte("-_.", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

func launch(string, []shell.Word) Use { return Use{Known: true, Launcher: true} }

// asked returns a judge of a program that no rule with any arguments covers. why completes "asked: ".
func asked(why string) judge {
	return func(string, []shell.Word) Use { return Use{Known: true, Asked: why} }
}

// versioned are the launchers whose names are followed by versions and systems.
var versioned = []string{"python", "pypy", "perl", "ruby", "node", "lua", "luajit", "php", "gawk", "mawk", "bash", "zsh", "ksh", "tclsh", "wish", "guile",
	"ghc", "runghc", "java", "gdb", "lldb", "perf", "vim", "nvim", "emacs", "qemu", "rscript", "julia", "erl", "clang-repl", "ocaml", "deno", "pwsh",
	"valgrind", "strace", "busybox", "toybox", "jruby", "racket", "sbcl"}

// launchers are the programs that run what their arguments or the files of those say.
var launchers = strings.Fields(`
 sh bash rbash dash ash zsh ksh ksh93 rksh mksh lksh pdksh oksh yash fish csh tcsh rc es elvish nu xonsh osh ysh hush posh pwsh powershell cmd
 python pypy jython micropython ipython perl ruby irb jruby truffleruby node nodejs deno qjs lua luajit php tclsh wish expect guile racket scheme sbcl clisp
 ecl gcl chicken csi ghc ghci runghc runhaskell stack ocaml erl escript elixir iex julia r rscript octave java jshell groovy scala kotlin
 clojure clj lein bb dotnet mono wine nix-shell osascript swift crystal nim dart v zig tcc rustscript cling gforth forth awk-cgi m4 dc bc
 env xargs gxargs sudo doas su pkexec runuser setpriv gosu su-exec nohup nice ionice chrt taskset numactl timeout gtimeout time stdbuf setsid unbuffer
 script scriptreplay watch parallel sem entr watchexec nodemon flock lockf systemd-run systemd-nspawn at batch crontab ssh autossh mosh sshpass slogin rsh
 chroot unshare nsenter proot fakeroot fakechroot firejail bwrap strace ltrace truss dtruss dtrace bpftrace perf valgrind rr gdb gdbserver lldb
 docker-run npx pnpx bunx uvx pipx xvfb-run dbus-run-session dbus-launch x11vnc screen tmux byobu zellij reptyr daemonize start-stop-daemon supervisord
 runit chpst softlimit envdir setuidgid s6-setuidgid tini dumb-init catchsegv ld.so ld-linux-x86-64.so.2 linux32 linux64 setarch i386 x86_64 uname26
 exec eval source . trap builtin command coproc busybox toybox noglob nocorrect repeat - fc bind complete compgen
 ed ex vi vim view vimdiff nvim neovim emacs emacsclient nano pico micro joe mcedit kak hx helix code codium subl
 make-run direnv mise asdf rbenv pyenv nvm foreach hyperfine chronic ts errno ifne pee sponge-exec retry run-parts run-one
 socat nc ncat netcat telnet ftp lftp tftp expect-run dialog whiptail fzf sk zenity xdg-open open start gio kde-open xterm gnome-terminal konsole
 alacritty kitty wezterm gpg-agent ssh-agent keychain launchctl systemctl service initctl rc-service osqueryi mysql mariadb mongo mongosh redis-cli
 sqlplus isql cqlsh influx ansible ansible-playbook ansible-console puppet chef-client salt fab invoke capistrano pssh pdsh clush dsh
 gcc-run criu checkinstall debuild pbuilder sbuild mock fakeroot-ng apptainer singularity vagrant lxc lxc-attach lxc-execute incus machinectl
 prlimit faketime heaptrack cgexec rlwrap dtach abduco tsx ts-node volta fnm corepack rtx reflex air gow modd zrun vipe vidir anacron stap
 nsjail minijail0 capsh sg newgrp runcon uv-run conda-run flatpak snap cscript wscript mshta rundll32 regsvr32 wsl bash.exe cmd.exe`)

// Interprets reports whether a program runs what texts in its arguments say, in a language of its own.
func Interprets(name string) bool {
	return slices.Contains(strings.Fields("awk gawk mawk nawk original-awk sed gsed make gmake bmake"), path.Base(strings.ToLower(name)))
}

// setters are the builtins that set the variables that their arguments name, and so may run what stands in these.
var setters = strings.Fields("printf read mapfile readarray getopts let declare typeset local export readonly integer float vared zparseopts zstat zformat strftime print")

// Sets reports whether a call may set any variable.
func Sets(name string, u Use) bool { return !u.Safe && slices.Contains(setters, name) }

// Starts reports whether a program runs a command that stands in its arguments. after lists the arguments behind which it
// stands; with nil it may stand anywhere.
func Starts(name string) (starts bool, after []string) {
	base := path.Base(strings.ToLower(name))
	if after, ok := startsAfter[base]; ok {
		return true, strings.Fields(after)
	}
	return isLauncher(name), nil
}

var startsAfter = map[string]string{
	"find": "-exec -execdir -ok -okdir", "gfind": "-exec -execdir -ok -okdir", "fd": "-x -X --exec --exec-batch", "fdfind": "-x -X --exec --exec-batch",
	"git": "foreach run -x --exec", "go": "-exec -toolexec -vettool run", "npm": "exec x -- -c --call", "pnpm": "exec dlx --", "yarn": "exec dlx", "bun": "x exec", "uv": "run -- x",
	"bundle": "exec", "poetry": "run", "pipenv": "run", "cargo": "--", "docker": "-- sh bash -c", "kubectl": "-- -c", "tar": "--to-command -I", "make": "--eval",
	"rsync": "-e --rsh", "scp": "-S", "rg": "--pre", "sort": "--compress-program", "man": "-P",
}
