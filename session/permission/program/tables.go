package program

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Table describes the arguments of a program that only reads. An option that is not listed, and a value of another kind, is asked.
type Table struct {
	// Names are the program's names, separated by blanks.
	Names string
	// From is the program's version and manual from which the table was read.
	From string
	// Options lists the options that may stand before the operands: "-l" and "--long" alone, "-n:num" with a value in the same or the next
	// word, "--lines=num" likewise, "--color[=word]" with a value behind = or none, "-u[=word]" with one in the same word or none.
	Options string
	// Operands are the kinds of the operands in order, of which the last repeats; "" for none.
	Operands string
	// Number reports whether -20 is an option, Most bounds the operands (0: any number).
	Number bool
	Most   int
	// NoEnd reports that "--" does not end the options.
	NoEnd bool
	// Adds are options that are printed in any case.
	Adds string
	// Builtin reports whether every shell does it itself.
	Builtin bool
	// Deep reports that the program reads what is below a directory (its operands or, with none, the current one).
	Deep bool
	// Pattern are the options in place of the first operand (grep's -e), None those with which there is no first operand (rg --files).
	Pattern, None string
}

// quietPrograms has the programs that only read. Each name stands in one of them. It is never changed.
var quietPrograms = slices.Concat(fileTables, systemTables, textTables, searchTables)

// forms are the literals that kinds of values are, matched as a whole; awk and jq are the functions in programForms. Other kinds:
// text is anything, file a file or directory that is read, plain a file without a leading -, + or @ and without =, glob a pattern
// that the program itself matches, rev a revision or path of git, path a path of git.
var forms = map[string]func() *regexp.Regexp{
	"num":      form(`^[-+]?[0-9]+(?:[kKmMGT](?:i?B)?|[bcw])?$`),
	"float":    form(`^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$`),
	"duration": form(`^(?:[0-9]+\.?[0-9]*|\.[0-9]+)[smhd]?$`),
	"offset":   form(`^[-+]?(?:0x[0-9a-fA-F]+|[0-9]+)(?:[kKMG]B?|b)?$`),
	// word does not begin with -: ripgrep 13 takes --engine without a value, and reads the word behind it as an option.
	"word": form(`^[A-Za-z0-9_.,:%+@/][A-Za-z0-9_.,:%+@/-]*$`),
	"list": form(`^[0-9,-]+$`),
	// user is a name or number, never an option or a file.
	"user": form(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`),
	"perm": form(`^[-/+]?(?:[0-7]+|[ugoa]*[-+=][rwxXstugo]*(?:,[ugoa]*[-+=][rwxXstugo]*)*)$`),
	"date": form(`^\+[^\n]*$`),
	// format is printf's with texts. zsh calculates what it prints as a number, so such formats are figures, which take literals.
	"format":  form(printfFormat("sbc")),
	"figures": form(printfFormat("sbcdiouxXeEfgG")),
	"script":  sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(sedScript()) }),
	// assign is a variable of awk: -v x=1.
	"assign": form(`^(?:[a-z][A-Za-z0-9_]*|OFS|ORS|FS|RS)=[^\\\n]*$`),
	// ignored is a pattern for tree, which takes no value in the same word: a letter that tree does not know ends a word like -Pb.
	"ignored": form(`^[A-Za-z0-9_.*?|-]*[_.*?|0-9bejkmwyzBEGKMVWYZ][A-Za-z0-9_.*?|-]*$`),
	// pretty is a format of git log. %G has gpg run, with a sign before the letter too. A text without % is a name, which the
	// configuration may give another format.
	"pretty": form(
		`^(?:oneline|short|medium|full|fuller|reference|email|raw|t?format:(?:[^%]|` + gitPercent + `)*|[^%]*(?:` +
			gitPercent + `)(?:[^%]|` + gitPercent + `)*)?$`),
	// refs is a format of git for-each-ref. %(signature) has gpg run.
	"refs":   form(`^(?:[^%]|%%|%[0-9a-fA-F]{2}|%\(\*?(?:` + gitAtoms + `)(?::[^()]*)?\))*$`),
	"merges": form(`^(?:off|none|on|first-parent|1|separate|m|combined|c|dense-combined|cc)$`),
	"key":    form(`^-?[A-Za-z][A-Za-z0-9:_.-]*$`),
	"lines":  form(`^(?:[0-9]+|:[A-Za-z0-9_.*]+)?(?:,[-+]?[0-9]+)?$`),
}

// form returns the expression of a text, which is compiled once it is needed: all of them take 8 ms.
func form(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// programForms are the kinds that a function recognises.
var programForms = map[string]func(string) bool{"awk": awkOnlyReads, "jq": jqOnlyReads}

// printfFormat returns the form of a format with these conversions. * takes a number, and a first - is an option.
func printfFormat(conversions string) string {
	one := `%%|%[-+ #0]*[0-9]*(?:\.[0-9]*)?[` + conversions + `]|\\(?:[abefnrtv\\"']|0?[0-7]{1,3}|x[0-9a-fA-F]{1,2})`
	return `^(?:` + one + `|[^%\\-])(?:` + one + `|[^%\\])*$`
}

// gitPercent are the placeholders of git log that only print.
const gitPercent = `%%|%[-+ ]?(?:[HhTtPpdDSesfBbNmn]|[ac][nNeElLdDrtiIsh]|g[DdnNeEs]|x[0-9a-fA-F]{2}|C(?:red|green|blue|reset)` +
	`|(?:C|w|[<>]|>>|><|<\||>\||>>\||><\|)\([^()%]*\))`

// gitAtoms are the fields of git for-each-ref that only print.
const gitAtoms = `refname|objecttype|objectsize|objectname|upstream|push|HEAD|symref|worktreepath|tree|parent|numparent|object|type|tag` +
	`|author(?:name|email|date)?|committer(?:name|email|date)?|tagger(?:name|email|date)?|creator(?:date)?|subject|body|contents` +
	`|color|align|if|then|else|end`

// oneOf returns the set of printable characters and tabs without some. Others are left out because in some locales the second
// byte of a character is a backslash.
func oneOf(without string) string {
	var set strings.Builder
	for c := ' '; c <= '~'; c++ {
		if !strings.ContainsRune(without, c) {
			fmt.Fprintf(&set, `\x%02x`, c)
		}
	}
	return `[\t` + set.String() + `]`
}

// between returns what may stand between two delimiters: characters, escapes and brackets. In a bracket is no delimiter, no
// backslash and no bracket, and its first character is not ^: programs disagree where such a bracket ends.
func between(delimiter string) string {
	plain, class := oneOf(`[]\`+delimiter), `\[:[a-z]+:\]`
	first, more := oneOf(`[]\^`+delimiter), plain
	if delimiter != ":" {
		first, more = first+`|`+class, more+`|`+class
	}
	return `(?:` + plain + `|\\` + oneOf("c") + `|\[\^?(?:` + first + `)(?:` + more + `)*\])`
}

// sedScript returns the form of the scripts of sed that GNU, BusyBox and BSD read alike, or refuse: addresses with p, d, q, =,
// l, s, y and the commands of the two spaces, and one level of braces. There is no loop and nothing that names a file.
func sedScript() string {
	address := `(?:[0-9]+(?:~[0-9]+)?|\$|/` + between("/") + `*/I?)`
	at := `(?:` + address + `(?:,[ \t]*(?:[+~][0-9]+|` + address + `))?)?[ \t]*!?[ \t]*`
	command := `[pdhHgGxPnN=l]|[qQ][ \t]*[0-9]*|y/` + oneOf(`[]\/`) + `+/` + oneOf(`[]\/`) + `+/`
	for _, d := range []string{"/", "|", ",", "#", ":", "@", "%"} {
		q := regexp.QuoteMeta(d)
		command += `|s` + q + between(d) + `*` + q + between(d) + `*` + q + `[gpiI0-9]*`
	}
	one, next := at+`(?:`+command+`)`, `[ \t]*[;\n][;\n \t]*`
	one = `(?:` + one + `|` + at + `\{[; \t\n]*` + one + `(?:` + next + one + `)*[; \t\n]*\})`
	return `^[ \t\n]*` + one + `(?:` + next + one + `)*[; \t\n]*$`
}

// findQuiet are the tests and actions of find (findutils 4.9.0, find(1)) that only look, with the kind of their value, "" for
// none. -exec and its like are judged, and -L, -H and -follow lead elsewhere.
var findQuiet = map[string]string{
	"!": "", "(": "", ")": "", ",": "", "-a": "", "-and": "", "-o": "", "-or": "", "-not": "", "-true": "", "-false": "", "-P": "",
	"-depth": "", "-d": "", "-mount": "", "-xdev": "", "-daystart": "", "-noleaf": "", "-warn": "", "-nowarn": "", "-ignore_readdir_race": "",
	"-empty": "", "-executable": "", "-readable": "", "-writable": "", "-nouser": "", "-nogroup": "",
	"-print": "", "-print0": "", "-ls": "", "-prune": "", "-quit": "", "-printf": "text",
	"-maxdepth": "num", "-mindepth": "num", "-size": "num", "-links": "num", "-inum": "num", "-uid": "num", "-gid": "num", "-used": "float",
	"-amin": "float", "-cmin": "float", "-mmin": "float", "-atime": "float", "-ctime": "float", "-mtime": "float",
	"-name": "glob", "-iname": "glob", "-path": "glob", "-ipath": "glob", "-wholename": "glob", "-iwholename": "glob",
	"-lname": "glob", "-ilname": "glob", "-regex": "glob", "-iregex": "glob", "-regextype": "word",
	"-type": "word", "-xtype": "word", "-fstype": "word", "-user": "user", "-group": "user",
	"-perm": "perm", "-newer": "file", "-anewer": "file", "-cnewer": "file", "-samefile": "file",
	"-newermt": "text", "-newerat": "text", "-newerct": "text", "-newerBt": "text",
}

// testFiles and testTexts are the tests with one operand, testEqual, testNumbers and testTimes those between two: texts,
// literal numbers (zsh calculates others) and files. From POSIX test(1) and coreutils 9.1. Never -v, -R, -a, -o, -t.
var (
	testFiles   = strings.Fields("-b -c -d -e -f -g -G -h -k -L -O -p -r -s -S -u -w -x")
	testTexts   = strings.Fields("-n -z")
	testEqual   = strings.Fields("= == !=")
	testNumbers = strings.Fields("-eq -ne -lt -le -gt -ge")
	testTimes   = strings.Fields("-nt -ot -ef")
)

// goQuiet are the commands of go that are free. An option has one dash and is a whole word. As today go list is not among
// them: it may run cgo and write the module cache.
var goQuiet = []Table{
	{Names: "version", From: "go 1.26, go help version"},
	{Names: "env", From: "go 1.26, go help env", Operands: "user", Options: "-json -changed"},
	{Names: "doc", From: "go 1.26, go help doc", Operands: "word", Options: "-all -c -cmd -short -src -u"},
}

// versions are programs with the options that, alone, print a version and start nothing. Not among them: rustc, cargo and
// rustup (rust-toolchain.toml names the program that runs), yarn and pnpm (so does the project), kubectl and terraform (network).
var versions = map[string]string{
	"node": "-v --version", "npm": "-v --version", "python": "-V --version", "python3": "-V --version", "pip": "-V --version",
	"pip3": "-V --version", "gcc": "--version -dumpversion -dumpmachine", "g++": "--version -dumpversion -dumpmachine",
	"cc": "--version", "c++": "--version", "clang": "--version", "clang++": "--version", "make": "-v --version",
	"gmake": "-v --version", "cmake": "--version", "ninja": "--version", "docker": "-v --version", "podman": "-v --version",
	"java": "-version --version", "javac": "-version --version", "ruby": "--version", "perl": "-v --version", "lua": "-v",
	"deno": "-V --version", "uv": "-V --version", "gh": "--version", "git": "--version", "curl": "-V --version", "wget": "-V --version",
	"psql": "-V --version", "sqlite3": "-version --version", "ssh": "-V", "tar": "--version", "bash": "--version", "zsh": "--version",
	"rg": "-V --version", "fd": "-V --version", "jq": "-V --version", "sed": "--version", "grep": "-V --version", "find": "--version",
	"ls": "--version", "tree": "--version", "shellcheck": "-V --version", "golangci-lint": "--version", "hugo": "version",
}
