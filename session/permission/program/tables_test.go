package program

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kinds names the kinds of values without a form. text is anything, file a file or directory that is read,
// plain a file whose name does not begin with -, + or @ and has no =, glob a pattern that the program itself matches, rev a
// revision or path of git, path a path of git.
var kinds = strings.Fields("text file plain glob rev path")

// specForm is the form of one option of a table.
var specForm = regexp.MustCompile(`^(?:-[A-Za-z0-9](?::[a-z]+|\[=[a-z]+\])?|--[A-Za-z0-9][A-Za-z0-9-]*(?:=[a-z]+|\[=[a-z]+\])?)$`)

func specParts(spec string) (name, kind string) {
	at := strings.IndexAny(spec, ":=[")
	if at < 0 {
		return spec, ""
	}
	return spec[:at], strings.Trim(spec[at:], ":[=]")
}

func isKind(kind string) bool {
	return slices.Contains(kinds, kind) || forms[kind] != nil || programForms[kind] != nil
}

func TestTablesHaveTheirForm(t *testing.T) {
	for what, tables := range map[string][]Table{"programs": quietPrograms, "git": gitQuiet} {
		names := map[string]bool{}
		for _, table := range tables {
			if table.From == "" || table.Names == "" || table.Builtin && table.Deep {
				t.Errorf("%s %q: it has no name, or no manual", what, table.Names)
			}
			for _, name := range strings.Fields(table.Names) {
				if names[name] {
					t.Errorf("%s: %s stands in two tables", what, name)
				}
				names[name] = true
			}
			options := map[string]bool{}
			for _, spec := range strings.Fields(table.Options) {
				name, kind := specParts(spec)
				if !specForm.MatchString(spec) || options[name] || kind != "" && !isKind(kind) {
					t.Errorf("%s %s: the option %s is wrong, there twice or of no kind", what, table.Names, spec)
				}
				options[name] = true
			}
			for _, kind := range strings.Fields(table.Operands) {
				if !isKind(kind) {
					t.Errorf("%s %s: operands of no kind: %s", what, table.Names, kind)
				}
			}
			for _, name := range strings.Fields(table.Pattern + " " + table.None) {
				if !options[name] {
					t.Errorf("%s %s: %s is not among its options", what, table.Names, name)
				}
			}
			if table.Pattern+table.None != "" && len(strings.Fields(table.Operands)) != 2 {
				t.Errorf("%s %s: an option replaces one operand of two", what, table.Names)
			}
		}
	}
	for test, kind := range findQuiet {
		if kind != "" && !isKind(kind) {
			t.Errorf("find %s: no kind %s", test, kind)
		}
	}
	for _, table := range goQuiet {
		if table.From == "" || strings.Contains(table.Options, "-w") || strings.Contains(table.Options,
			"-http") || !isKind(table.Operands) && table.Operands != "" {
			t.Errorf("go %s: %+v", table.Names, table)
		}
	}
}

// never are options that write, start programs or read files that no word names, per program.
var never = map[string]string{
	"sort": "-o --output --compress-program -T --temporary-directory --files0-from --random-source", "uniq": "-o", "wc": "--files0-from",
	"du": "--files0-from -X --exclude-from -L -D", "tree": "-o -R -H -l --fromfile --fromtabfile --infofile --gitfile --info",
	"rg":   "--pre --pre-glob --hostname-bin -f --file -z --search-zip --ignore-file -L --follow",
	"fd":   "-x --exec -X --exec-batch -l -L --search-path",
	"grep": "-f --file --exclude-from -R --dereference-recursive -d -D",
	"file": "-m -C -z -Z -f -S -p -s --magic-file --compile --uncompress --files-from",
	"xxd":  "-r -p -i -n", "tail": "-f -F -s --follow --retry --pid", "date": "-s --set -f --file",
	"diff": "-l -X -D -S --to-file --from-file --paginate --exclude-from",
	"sed":  "-i -f -l --in-place --file --follow-symlinks", "awk": "-f -W -i -e -l -E",
	"jq":     "-f -L --from-file --slurpfile --rawfile --argfile --arg --args",
	"md5sum": "-c --check", "sha256sum": "-c --check", "b2sum": "-c --check", "cksum": "-c --check", "shasum": "-c --check",
	"hexdump": "-f --format-file",
	"strings": "-T --target", "hostname": "-F -b --file", "df": "--sync", "nl": "-o", "cmp": "-o",
	"git status": "-v --verbose --pathspec-from-file", "git diff": "-O -o --output --ext-diff --textconv --no-index --submodule",
	"git log":  "-O -o -L --output --ext-diff --textconv --show-signature --remerge-diff --stdin --submodule --ignore-submodules",
	"git show": "-O --output --ext-diff --textconv --show-signature --remerge-diff", "git stash-show": "--output --ext-diff --textconv",
	"git grep":   "-O -f --open-files-in-pager --no-index --textconv --recurse-submodules",
	"git blame":  "-S --contents --ignore-revs-file --textconv --reverse",
	"git branch": "-d -D -m -M -c -C -f -u --edit-description", "git branch--l": "-d -D -m -M -c -C -f -u",
	"git tag": "-a -d -s -u -m -F -f -v", "git tag--l": "-a -d -f -v -m -F",
	"git ls-files": "-X --exclude-from --recurse-submodules", "git cat-file": "--textconv --filters --batch",
	"git symbolic-ref": "-d -m --delete",
	"git describe":     "--broken", "git rev-parse": "--parseopt --sq-quote",
	"git diff-tree": "--stdin --output --ext-diff --textconv --show-signature", "git reflog": "--output --expire",
}

func TestTablesLeaveOutWhatWritesOrStarts(t *testing.T) {
	found := map[string]bool{}
	check := func(prefix string, tables []Table) {
		for _, table := range tables {
			for _, name := range strings.Fields(table.Names) {
				found[prefix+name] = true
				for _, spec := range strings.Fields(table.Options) {
					if option, _ := specParts(spec); slices.Contains(strings.Fields(never[prefix+name]), option) {
						t.Errorf("%s%s has %s", prefix, name, option)
					}
				}
			}
		}
	}
	check("", quietPrograms)
	check("git ", gitQuiet)
	for name := range never {
		if !found[name] {
			t.Errorf("%s has no table", name)
		}
	}
	for name, most := range map[string]int{"uniq": 1, "xxd": 1, "date": 1, "comm": 2, "join": 2} {
		if i := slices.IndexFunc(quietPrograms, func(table Table) bool { return table.Names == name }); i < 0 || quietPrograms[i].Most != most {
			t.Errorf("%s has more than %d operands", name, most)
		}
	}
	for _, name := range strings.Fields("less more man bat ps printenv env xargs tee find python3 ssh yarn cargo rustc zcat") {
		if found[name] {
			t.Errorf("%s has a table", name)
		}
	}
	for _, name := range strings.Fields("stash config symbolic-ref-m submodule bisect var hash-object") {
		if found["git "+name] {
			t.Errorf("git %s has a table", name)
		}
	}
	for _, name := range strings.Fields("cargo rustc rustup yarn pnpm") {
		if versions[name] != "" {
			t.Errorf("%s starts what the project names", name)
		}
	}
	for _, test := range strings.Fields("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from -L -H -follow") {
		if _, ok := findQuiet[test]; ok {
			t.Errorf("find has %s", test)
		}
	}
}

func TestForms(t *testing.T) {
	for kind, words := range map[string]struct{ yes, no []string }{
		"num":     {[]string{"1", "-5", "+10", "100k", "2M", "1MiB"}, []string{"", "x", "1;", "1\n2", "-", "1.5"}},
		"word":    {[]string{"1,3-5", "never", "2,2nr"}, []string{"", "$x", "a b", "a;b", "x=1", "a\nb", "-x", "--pre"}},
		"date":    {[]string{"+%F", "+%Y-%m-%d %H"}, []string{"", "0101", "-s", "+%F\n1"}},
		"format":  {[]string{`%s\n`, `a %-10s|%%`, `\033[1m%s`, `x--`}, []string{`-v`, `%d`, `%n`, `%*s`, `%(%F)T`, `\c`, `%`, ``}},
		"figures": {[]string{`%d\n`, `%05.2f`}, []string{`%n`, `%*d`, `-x`}},
		"pretty": {[]string{"oneline", "%h %s", "format:%H%n%an <%ae>", "tformat:%C(auto)%d %x00", "%+s%-b", "%<(20,trunc)%an", ""},
			[]string{"mine", "%G?", "%h %GG", "%+GG", "%-G?", "% GK", "%(trailers)", "%(describe)", "%C(%GG)", "format:%GS", "%%%GG"}},
		"refs": {[]string{"%(refname:short) %(objectname)", "%(committerdate:format:%Y)%0a", "%(if)%(HEAD)%(then)*%(end)"},
			[]string{"%(signature)", "%(*signature:key)", "%(x)"}},
		"merges":  {[]string{"first-parent", "off"}, []string{"remerge", "r"}},
		"lines":   {[]string{"1,10", ":main", "5,+3"}, []string{"/x/", ":a:../x", "1;"}},
		"assign":  {[]string{"n=5", "FS=:", "x="}, []string{"5", "ENVIRON=x", "n", `n=\x`, "ARGV=1"}},
		"ignored": {[]string{"node_modules", "*.go", "a|b", "build"}, []string{"o", "onion", "dist", "", "a;b", "../x/"}},
		"perm":    {[]string{"644", "-u+x", "/222", "u=rwx,g=rx"}, []string{"", "x;", "$x"}},
		"script": {[]string{"1,20p", "$p", "/a b/,/c/p", "5q", "1~2d", "s/a/b/g", `s|a/b|c\/d|`, `s/[0-9][^a-z]*/<&>/gI`, "/^func/,/^}/p",
			"1p;3p", "1p\n3p", "/a/!d", "$=",
			`s/\//x/`, "/x/{p;q}", "y/abc/ABC/", "s/[[:space:]]*$//", "s#a#b#; s,c,d,p", "10,+5p", "/a/I,/b/Ip", "N;P", "s@a@b@"},
			[]string{"", "e", "1e date", "w x", "s/a/b/w x", "s/a/b/e", "s/a/b/ge", "r x", "R x", "W x", "a x", "i\\\nx", "c x", "b", ":a;ba",
				"t", "p;w x", "1,2w x", "s/a/b\n/", `s/a/b\`,
				`\c/c`, "F", "z", "s/[/]/x/", "s/[]a]/x/", "s/[^]a]/x/", "s/[[]/x/", `s/[\/]/x/`, "s/a/é/", "p # x", "{p;w x}", "p}", "D", "0e",
				"s/a/b/m", "s1a1b1", "v", "l 1;e x"}},
	} {
		for _, w := range words.yes {
			if !forms[kind]().MatchString(w) {
				t.Errorf("%s: %q is refused", kind, w)
			}
		}
		for _, w := range words.no {
			if forms[kind]().MatchString(w) {
				t.Errorf("%s: %q is taken", kind, w)
			}
		}
	}
}

// bracketAttacks end a bracket where one sed does and another does not, so that e and w are commands for one of them.
var bracketAttacks = []string{"/[/p;s,]/e touch PWNED #,x,", "/[/p;s,]/w PWNED", "s/[]/A/;s,]/ /e;#,y,", "/[^]/p;s,]/e touch PWNED #,x,",
	"/[/w PWNED", "s/[/]/e touch PWNED;#/x/",
	"s,[,],e touch PWNED #,", "s/x/[/;s,a,]/e touch PWNED #,", "/[[:a/p;s,]/e touch PWNED #,x,", "s:[[:a:]:e touch PWNED:",
	"/[a[:b]/p;s,]/w PWNED #,x,", `/[\]/p;s,]/w PWNED #,x,`,
	"y/[/]/;s,]/w PWNED/;#,x,", "/\xe3\x82\\/p;s,/w PWNED #,x,", `s/\c\/w PWNED/x/`}

func TestScriptsLeaveOutBrackets(t *testing.T) {
	for _, script := range bracketAttacks {
		if forms["script"]().MatchString(script) {
			t.Errorf("%q is taken", script)
		}
	}
}

func TestTestsOnlyLook(t *testing.T) {
	seen := map[string]bool{}
	for _, tests := range [][]string{testFiles, testTexts, testEqual, testNumbers, testTimes} {
		for _, test := range tests {
			if seen[test] || slices.Contains(strings.Fields("-v -R -a -o -t ! ( ) < >"), test) {
				t.Errorf("%s is there twice, or joins tests, or reads variables", test)
			}
			seen[test] = true
		}
	}
	if len(seen) == 0 {
		t.Error("there are no tests")
	}
}
