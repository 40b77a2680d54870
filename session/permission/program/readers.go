package program

import "strings"

// readers are the programs that only read, with the options that keep them so. The list is strict: what another option
// does, nothing here knows.
var readers = []*reader{
	{names: "pwd", files: noFiles, flags: "LP", builtin: true},
	{names: "echo", files: texts, builtin: true}, // judged by [judgeEcho]
	{names: "ls", files: readsAll, flags: "1aAbBcCdFghGiklmnopqQrRsStuUvxX"},
	{names: "cat", files: readsAll, flags: "AbeEnstTuv"},
	{names: "head", files: readsAll, flags: "qvz", valued: "nc", numbers: true, long: "--lines= --bytes="},
	{names: "tail", files: readsAll, flags: "qvz", valued: "nc", numbers: true, long: "--lines= --bytes="},
	{names: "wc", files: readsAll, flags: "clLmw", long: "--lines --words --bytes --chars"},
	{names: "du", files: readsAll, flags: "achkmsx", valued: "d", long: "--max-depth= --summarize --human-readable"},
	{names: "df", files: readsAll, flags: "ahHiklmPT"},
	{names: "stat", files: readsAll, flags: "tx", valued: "c", long: "--format= --printf= --terse"},
	{names: "file", files: readsAll, flags: "biN", long: "--brief --mime --mime-type"},
	{names: "basename", files: texts, flags: "az", valued: "s"},
	{names: "dirname", files: texts, flags: "z"},
	{names: "realpath", files: readsAll, flags: "emqsz"},
	{names: "readlink", files: readsAll, flags: "efmnqsz"},
	{names: "cut", files: readsAll, flags: "sn", valued: "dfbc", long: "--delimiter= --fields= --complement --output-delimiter="},
	{names: "tr", files: texts, flags: "cCdst"},
	{names: "sort", files: readsAll, flags: "bdfghiMnrRVcCmsuz", valued: "kt", long: "--numeric-sort --reverse --unique --key= --field-separator="},
	{names: "uniq", files: readsTo1, flags: "cdDiuz", valued: "fsw", long: "--count"},
	{names: "nl", files: readsAll, flags: "p", valued: "bdfhilnsvw"},
	{names: "tac", files: readsAll, flags: "br"},
	{names: "rev", files: readsAll},
	{names: "fold", files: readsAll, flags: "bs", valued: "w"},
	{names: "column", files: readsAll, flags: "tx", valued: "sc"},
	{names: "paste", files: readsAll, flags: "sz", valued: "d"},
	{names: "comm", files: readsAll, flags: "123z"},
	{names: "join", files: readsAll, flags: "i", valued: "12ajeotv"},
	{names: "cmp", files: readsAll, flags: "bls", valued: "n"},
	{names: "diff", files: readsAll, flags: "abBcdEipqstTuwyZ", valued: "UC",
		long: "--unified= --unified --brief --color= --stat --ignore-all-space --ignore-blank-lines --strip-trailing-cr"},
	{names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum", files: readsAll, flags: "bt"},
	{names: "md5 shasum", files: readsAll, flags: "bqr", valued: "a"},
	{names: "od hexdump", files: readsAll, flags: "bcCdovx", valued: "AjNtns"},
	{names: "strings", files: readsAll, flags: "a", valued: "n"},
	{names: "tree", files: readsAll, flags: "acCdDfFghinpsStuv", valued: "LIP", deep: true, long: "--noreport --dirsfirst"},
	{names: "grep egrep fgrep", files: pattern, flags: "abcEFGhHiIlLnoPqrsTUvwxyz", valued: "ABCem", numbers: true, deep: true, takes: "e --regexp",
		long: "--include= --exclude= --exclude-dir= --color --color= --colour= --line-number --ignore-case --count --recursive --no-messages " +
			"--files-with-matches --files-without-match --word-regexp --extended-regexp --fixed-strings --perl-regexp --only-matching " +
			"--invert-match --with-filename --no-filename --max-count= --context= --after-context= --before-context= --regexp= --quiet"},
	{names: "rg", files: pattern, flags: "cFHiIlnNopPqsSuUvwx0", valued: "ABCegmMtT", deep: true, takes: "e --regexp", only: "--files --type-list",
		long: "--files --type-list --hidden --no-ignore --no-heading --heading --line-number --no-line-number --ignore-case --smart-case --count " +
			"--files-with-matches --files-without-match --word-regexp --fixed-strings --only-matching --invert-match --multiline --column " +
			"--no-filename --with-filename --glob= --iglob= --type= --type-not= --max-count= --max-depth= --context= --after-context= " +
			"--before-context= --regexp= --color= --colors= --sort= --stats --json --trim --vimgrep --no-config --no-messages --debug --quiet --replace="},
	{names: "true false", files: texts, builtin: true},
	{names: ":", files: texts, builtin: true},
	{names: "sleep seq", files: texts},
	{names: "expr", files: texts},
	{names: "whoami tty arch uptime groups logname", files: noFiles},
	{names: "nproc", files: noFiles, long: "--all"},
	{names: "uname", files: noFiles, flags: "asnrvmpio"},
	{names: "hostname", files: noFiles, flags: "sfd"},
	{names: "id", files: texts, flags: "ugGnr"},
	{names: "which", files: texts, flags: "a"},
	{names: "type", files: texts, flags: "at", builtin: true},
}

// judges has the programs of the tables by name. It is never changed.
var judges map[string]judge

func init() {
	judges = map[string]judge{}
	for _, r := range readers {
		for _, name := range strings.Fields(r.names) {
			judges[name] = r.judge
		}
	}
	for _, t := range runners {
		for _, name := range strings.Fields(t.names) {
			judges[name] = t.judge
		}
	}
	for names, j := range special() {
		for _, name := range strings.Fields(names) {
			judges[name] = j
		}
	}
}

func special() map[string]judge {
	return map[string]judge{
		"echo": judgeEcho, "printf": judgePrintf, "test": judgeTest, "[": judgeTest, "date": judgeDate, "cd": judgeCd,
		"exit return break continue shift": judgeFlow, "wait times umask": judgeFlow,
		"sed gsed": judgeSed, "awk gawk mawk nawk original-awk": judgeAwk, "find gfind": judgeFind, "jq": judgeJq,
		"git": judgeGit, "go": judgeGo, "tar gtar bsdtar": judgeTar, "wget": judgeWget, "curl": judgeCurl, "make gmake bmake": judgeMake,
		"timeout gtimeout": wrapper{flags: "v", valued: "sk", long: "--preserve-status --foreground --verbose", skip: 1}.judge,
		"nice":             wrapper{valued: "n", numbers: true}.judge,
		"nohup":            wrapper{}.judge,
		"time":             wrapper{flags: "p"}.judge,
		"stdbuf":           wrapper{valued: "ioe"}.judge,
		"command":          judgeCommand,
		"env":              judgeEnv,
		"export":           asked("export changes what runs"),
		"alias unalias":    asked("an alias changes what runs"),
		"set shopt setopt unsetopt emulate enable hash unset unfunction autoload zmodload zle bindkey": asked("it changes how the shell reads on"),
		"declare typeset local readonly let read mapfile readarray getopts integer float vared":        asked("it sets variables that may change what runs"),
		"pushd popd dirs jobs bg fg disown suspend logout caller":                                      asked("where it leads is not known"),
		"function": asked("it defines a function"),
		"sqlite3":  judgeSqlite, "psql": judgePsql,
		"mkdir rmdir touch":                      writer{flags: "pv"}.judge,
		"rm unlink":                              writer{flags: "rRfivdI", deep: true}.judge,
		"mv cp":                                  writer{flags: "aRrfinpuvTPdxl", deep: true}.judge,
		"ln":                                     asked("a link can lead anywhere"),
		"chmod":                                  writer{flags: "Rvfc", first: true, deep: true}.judge,
		"tee":                                    writer{flags: "aip"}.judge,
		"truncate":                               writer{flags: "c", valued: "s"}.judge,
		"gzip gunzip bzip2 bunzip2 xz unxz zstd": writer{flags: "dkfvq123456789t"}.judge,
		"gofmt":                                  writer{flags: "lwds"}.judge,
		"scp sftp rsync rclone rdiff-backup unison dd install patch split csplit cpio pax ar zip unzip 7z 7za unrar shred mkfifo mknod sponge":             asked("it writes what its arguments or an archive say"),
		"less more most pg man info bat tig lazygit gitui gitk git-gui":                                                                                    asked("a pager or a viewer can run commands"),
		"cc gcc g++ c++ clang clang++ ld ld.lld as rustc javac kotlinc scalac tsc-watch convert magick mogrify ffmpeg latex pdflatex xelatex lualatex tex": asked("its options start programs and write files"),
		"xxd iconv-out": asked("its second file is written"),
		"printenv":      asked("it prints the environment, which may hold secrets"),
		"chown chgrp chattr setfacl mount umount kill killall pkill shutdown reboot passwd useradd usermod visudo iptables nft ip ifconfig sysctl modprobe insmod": asked("it changes the system"),
		"npx pnpx bunx uvx": nested{words: 1}.judge,
	}
}
