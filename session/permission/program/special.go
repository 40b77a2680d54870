package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// quiet has the tables of [quietPrograms] by name, and judges has how every known program is judged. Neither is ever changed.
var (
	quiet  map[string]*Table
	judges map[string]judge
)

func init() {
	quiet, judges = map[string]*Table{}, map[string]judge{}
	programForms["address"] = isWebAddress
	programForms["sent"] = func(text string) bool { return !strings.HasPrefix(text, "@") } // which names a file to send
	programForms["cookie"] = func(text string) bool { return strings.Contains(text, "=") }
	for i := range quietPrograms {
		for name := range strings.FieldsSeq(quietPrograms[i].Names) {
			quiet[name], judges[name] = &quietPrograms[i], quietPrograms[i].judge
		}
	}
	for _, t := range runners {
		for name := range strings.FieldsSeq(t.names) {
			judges[name] = t.judge
		}
	}
	for names, j := range special() {
		for name := range strings.FieldsSeq(names) {
			judges[name] = j
		}
	}
	for name, options := range versions {
		other := lookUp(name)
		judges[name] = func(name string, args []shell.Word) Use {
			if len(args) == 1 && args[0].Known && slices.Contains(strings.Fields(options), args[0].Text) {
				return Use{Known: true, Safe: true}
			}
			return other(name, args)
		}
	}
}

func special() map[string]judge {
	return map[string]judge{
		"test [": judgeTest, "cd": judgeCd, "find gfind": judgeFind, "git": judgeGit, "go": judgeGo, "command": judgeCommand, "env": judgeEnv,
		"tar gtar bsdtar": judgeTar, "wget": judgeWget, "curl": curl.covered, "make gmake bmake": judgeMake,
		"timeout gtimeout": (&starter{Table{Options: "-v -s:word -k:duration --preserve-status --foreground --verbose --signal=word --kill-after=duration"}, 1}).judge,
		"nice":             (&starter{Table{Options: "-n:num --adjustment=num", Number: true}, 0}).judge,
		"nohup":            (&starter{}).judge,
		"stdbuf":           (&starter{Table{Options: "-i:word -o:word -e:word --input=word --output=word --error=word"}, 0}).judge,
		"export":           asked("export changes what runs"),
		"alias unalias":    asked("an alias changes what runs"),
		"set shopt setopt unsetopt emulate enable hash unset unfunction autoload zmodload zle bindkey": asked("it changes how the shell reads on"),
		"declare typeset local readonly let read mapfile readarray getopts integer float vared":        asked("it sets variables that may change what runs"),
		"pushd popd dirs jobs bg fg disown suspend logout caller":                                      asked("where it leads is not known"),
		"function": asked("it defines a function"),
		"sqlite3":  judgeSqlite, "psql": judgePsql,
		"mkdir rmdir touch":                      writer{Table: Table{Options: "-p -v"}}.judge,
		"rm unlink":                              writer{Table: Table{Options: "-r -R -f -i -v -d -I"}, deep: true}.judge,
		"mv cp":                                  writer{Table: Table{Options: "-a -R -r -f -i -n -p -u -v -T -P -d -x -l"}, deep: true}.judge,
		"ln":                                     asked("a link can lead anywhere"),
		"chmod":                                  writer{Table: Table{Options: "-R -v -f -c"}, first: true, deep: true}.judge,
		"tee":                                    writer{Table: Table{Options: "-a -i -p"}}.judge,
		"truncate":                               writer{Table: Table{Options: "-c -s:text"}}.judge,
		"gzip gunzip bzip2 bunzip2 xz unxz zstd": writer{Table: Table{Options: "-d -k -f -v -q -t", Number: true}}.judge,
		"gofmt":                                  writer{Table: Table{Options: "-l -w -d -s"}}.judge,
		"scp sftp rsync rclone rdiff-backup unison dd install patch split csplit cpio pax ar zip unzip 7z 7za unrar shred mkfifo mknod sponge":             asked("it writes what its arguments or an archive say"),
		"less more most pg man info bat tig lazygit gitui gitk git-gui":                                                                                    asked("a pager or a viewer can run commands"),
		"cc gcc g++ c++ clang clang++ ld ld.lld as rustc javac kotlinc scalac tsc-watch convert magick mogrify ffmpeg latex pdflatex xelatex lualatex tex": asked("its options start programs and write files"),
		"iconv-out": asked("its second file is written"),
		"printenv":  asked("it prints the environment, which may hold secrets"),
		"chown chgrp chattr setfacl mount umount kill killall pkill shutdown reboot passwd useradd usermod visudo iptables nft ip ifconfig sysctl modprobe insmod": asked("it changes the system"),
		"npx pnpx bunx uvx": nested{words: 1}.judge,
	}
}

// covered judges a program that more than reads: a rule covers it with what its table has.
func (t *Table) covered(name string, args []shell.Word) Use {
	return Use{Known: true, Asked: t.judge(name, args).Asked}
}

// curl writes files, sends files, reads settings, and speaks with more than web servers. The table has none of that.
var curl = &Table{Names: "curl", From: "curl 7.88.1", Operands: "address", Options: "-s -S -f -L -I -i -k -v -g -4 -6 -# -X:word -H:sent -A:sent -m:num -e:sent -b:cookie -d:sent" +
	" --silent --show-error --fail --location --head --include --insecure --verbose --compressed --header=sent --request=word --user-agent=sent --max-time=num" +
	" --connect-timeout=num --retry=num --data=sent --data-raw=text --json=sent --fail-with-body --http1.1 --http2 --no-progress-meter --globoff --get --url=address"}

// writer is a program that changes the files that it is given.
type writer struct {
	Table
	first bool // the first argument is not a file
	deep  bool
}

func (p writer) judge(name string, args []shell.Word) Use {
	u := Use{Known: true, Changes: true, Deep: p.deep}
	c := &call{Table: &p.Table, name: name}
	if u.Asked = c.split(args); u.Asked != "" {
		return u
	}
	rest := c.operands
	if p.first && len(rest) > 0 {
		if !rest[0].Known {
			u.Asked = "an argument may turn into several"
			return u
		}
		rest = rest[1:]
	}
	u.Writes = slices.Clone(rest)
	return u
}

// nested is a program that runs the one that is named after its first words, such as npx eslint. A rule has to name it.
type nested struct{ words int }

func (p nested) judge(name string, args []shell.Word) Use {
	u := Use{Known: true, Needs: p.words + 1}
	at := p.words - 1
	if len(args) <= at {
		u.Launcher = true
		return u
	}
	inner := args[at]
	switch {
	case !inner.Known || inner.Text == "" || inner.Text[0] == '-' || strings.ContainsAny(inner.Text, " /:@"):
		u.Launcher = true
	default:
		in := Judge(args[at:])
		if in.Launcher || in.Asked != "" || in.Inner != nil {
			u.Asked = inner.Text + ": " + in.Asked
			if in.Inner != nil || in.Launcher {
				u.Launcher = true
			}
		}
		u.Reads, u.Writes = in.Reads, in.Writes
	}
	return u
}
