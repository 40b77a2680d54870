package permission_test

import (
	"slices"
	"strings"
)

// hostileLine is a command line that tries to run "touch PWNED", to change a file, or to read one outside of its folder.
// Its folder has what [hostileFiles] lists; what it writes on its own is called WRITTEN.
type hostileLine struct{ family, text string }

// hostilePlace is what lines reach for outside of their folder: a directory with a file "canary", and that of the programs.
type hostilePlace struct{ outside, programs string }

// hostileFiles are the files of the folder in which a hostile line runs. "x" matches what the scripts of sed look for, and is
// a script for the shell; the others are scripts for other programs, or have names that are options.
var hostileFiles = map[string]string{
	"x": "touch/PWNED\np;s/,]\ntouch PWNED\n", "s": "1e touch PWNED\n", "k": "BEGIN { system(\"touch PWNED\") }\n",
	"m":         "a:;touch PWNED\n",
	"-oWRITTEN": "", "sub/y": "y\n",
}

// corpus collects distinct lines.
type corpus struct {
	hostilePlace
	lines []hostileLine
	seen  map[string]bool
}

func (c *corpus) add(family string, texts ...string) {
	for _, text := range texts {
		text = strings.NewReplacer("@OUT", c.outside, "@BIN", c.programs).Replace(text)
		if !c.seen[text] {
			c.seen[text] = true
			c.lines = append(c.lines, hostileLine{family, text})
		}
	}
}

// each adds every form with every text in the place of its first "%".
func (c *corpus) each(family string, forms []string, texts ...string) {
	for _, form := range forms {
		for _, text := range texts {
			c.add(family, strings.Replace(form, "%", text, 1))
		}
	}
}

// rows returns the lines of a text that are not empty; "\n" in them stands for the end of a line.
func rows(text string) []string {
	all := slices.DeleteFunc(strings.Split(text, "\n"), func(s string) bool { return s == "" })
	for i, s := range all {
		all[i] = strings.ReplaceAll(s, `\n`, "\n")
	}
	return all
}

// hostileCorpus returns all hostile lines, each once, always in the same order. It knows nothing of how they are judged.
func hostileCorpus(at hostilePlace) []hostileLine {
	c := &corpus{hostilePlace: at, seen: map[string]bool{}}
	c.knownLines()
	c.expansions()
	c.hereDocuments()
	c.integers()
	c.tests()
	c.starters()
	c.scriptsOfSed()
	c.programsOfAwk()
	c.interpreters()
	c.outsideFiles()
	c.writers()
	c.structures()
	c.variables()
	return c.lines
}

// knownLines are those that once ran unasked, by the hole that let them.
var knownLines = map[string]string{
	"known: expansion": `
echo "${x:-'$(touch PWNED)'}"
echo "${x-'$(touch PWNED)'}"
echo "${HOME+'$(touch PWNED)'}"
echo "${x+'$(touch PWNED)'}"
echo "${x:-'` + "`touch PWNED`" + `'}"
x="${x:-'$(touch PWNED)'}"
cat <<E\n${x:-'$(touch PWNED)'}\nE`,
	"known: here-document": `
echo $(cat <<'EOF'\nx\nEOF)\ntouch PWNED\nEOF\n)
echo ` + "`cat <<'EOF'\\nx`\\ntouch PWNED\\nEOF\\n`",
	"known: integer": `
RANDOM='a[$(touch PWNED)]'
RANDOM+='a[$(touch PWNED)]'
OPTIND='a[$(touch PWNED)]'
OPTIND+='a[$(touch PWNED)]'
HISTCMD+='a[$(touch PWNED)]'
BASHPID+='a[$(touch PWNED)]'
SRANDOM+='a[$(touch PWNED)]'
export RANDOM+='a[$(touch PWNED)]'
for RANDOM in 'a[$(touch PWNED)]'; do ls; done`,
	"known: test": `
test -f x -o -v 'a[$(touch PWNED)]'
[ -n x -a -v 'a[$(touch PWNED)]' ]`,
	"known: env": `
env --split-string='touch PWNED' ls
env -S'A=1 touch PWNED' ls
env -vSA=1' touch PWNED' ls
env -vS'A=1 touch PWNED' ls
nice env -S'A=1 touch PWNED' ls
timeout 5 env -S'A=1 touch PWNED' ls
timeout 5 env --split-string='touch PWNED' ls
env --chdir=@OUT cat canary
env -u=PATH ls
env -u=PATH cat @OUT/canary
env --unset=PATH ls
env --default-signal= ls
env --unset=PATH cat @OUT/canary
env --default-signal= cat @OUT/canary`,
	"known: sed": `
sed -n '/[/p;s,]/e touch PWNED #,x,' x
sed 's/[]/A/;s,]/ /e;#,y,' x
echo touch/PWNED | sed 's/[]/A/;s,]/ /e;#,y,'
sed -n '/[/p;s,]/w WRITTEN #,x,' x`,
	"known: deny": `
awk 'BEGIN{system("touch PWNED")}'
make -f - <<< 'a:;touch PWNED'`,
}

// knownFamilies are the keys of knownLines in order.
func knownFamilies() (names []string) {
	for name := range knownLines {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (c *corpus) knownLines() {
	for _, family := range knownFamilies() {
		c.add(family, rows(knownLines[family])...)
	}
}

// expansions put a substitution into the word of a parameter expansion: operators, quotes and places.
func (c *corpus) expansions() {
	operators := strings.Fields("u:- u- u:= u= u:? u? HOME:+ HOME+ HOME# HOME## HOME% HOME%% HOME/ HOME// HOME/x/ HOME//x/ " +
		"HOME/#/ HOME/%x/ " +
		"HOME^ HOME^^ HOME, HOME,, HOME: HOME:1: HOME@ HOME~ u[ HOME[ @:- *:- 1:- 9- !:- ?:+ $:+ -:+ #:+ @: u:-${v:- HOME:+${HOME+ #u:- !u:-")
	inner := []string{"$(touch PWNED)", "`touch PWNED`"}
	quotes := []string{"'%'", `"%"`, "%", `\'%\'`, `'"%"'`, "$'%'", `"'%'"`, "a'b%c'd", `\"'%'\"`, "''%''"}
	places := []string{`echo "%"`, "echo %", "cat <<E\n%\nE", `x="%"`, "cat <<-E\n\t%\nE\n", `cat <<<"%"`,
		`for f in "%"; do echo "$f"; done`,
		`case "%" in a) ls;; esac`, `case a in "%") ls;; esac`, `[ -n "%" ]`, `[[ -n "%" ]]`, `[[ a == "%" ]]`, `LC_ALL="%" ls`,
		`ls 2>"%"`, `cat < "%"`,
		`echo "$(echo "%")"`, "echo \"`echo %`\"", `printf '%s' "a%b"`, `ls && grep "%" x`, `(echo "%") | cat`,
		`if echo "%"; then ls; fi`, `echo $"%"`,
		`x=("%")`, `git log --grep="%"`, `echo "a
%"`}
	for _, operator := range operators {
		end := strings.Repeat("}", strings.Count(operator, "{")+1)
		if strings.HasSuffix(operator, "[") {
			end = "]" + end
		}
		for i, quote := range quotes {
			for j, place := range places {
				if j > 2 && i > 0 { // the first places with all quotes, the others with single ones
					continue
				}
				for _, sub := range inner {
					word := "${" + operator + strings.Replace(quote, "%", sub, 1) + end
					c.add("expansion", strings.Replace(place, "%", word, 1))
				}
			}
		}
	}
}

// hereDocuments end earlier or later than they seem to: how the end is written, what stands before it, and around all of it.
func (c *corpus) hereDocuments() {
	ends := []string{"<<EOF", "<<'EOF'", `<<"EOF"`, `<<\EOF`, "<<E'O'F", "<<-EOF", "<<-'EOF'", "<< EOF", "<<$'EOF'", "<<E\\\nOF"}
	bodies := []string{"x\nEOF)\ntouch PWNED\nEOF\n", "x`\ntouch PWNED\nEOF\n", "x\n`\ntouch PWNED\n`\nEOF\n",
		"\tEOF\ntouch PWNED\nEOF\n",
		"EOF \ntouch PWNED\nEOF\n", " EOF\ntouch PWNED\nEOF\n", "EO\\\nF\ntouch PWNED\nEOF\n", "'\n)\ntouch PWNED\n'\nEOF\n",
		"\"\n)\ntouch PWNED\n\"\nEOF\n",
		"$(touch PWNED)\nEOF\n", "\\$(touch PWNED)\nEOF\n", "`touch PWNED`\nEOF\n", "\\`touch PWNED\\`\nEOF\n",
		"$((a[$(touch PWNED)]))\nEOF\n", "${x:-'$(touch PWNED)'}\nEOF\n",
		"x\nEOF\ntouch PWNED\n", "EOF;\ntouch PWNED\nEOF\n", "x\\\nEOF\ntouch PWNED\nEOF\n", "EOF\r\ntouch PWNED\nEOF\n",
		"E'O'F\ntouch PWNED\nEOF\n", "EOF`\ntouch PWNED\nEOF\n"}
	places := []string{"%", "echo $(%)", `echo "$(%)"`, "echo `%`", "echo \"`%`\"", "(%)", "{ %}", "if %then ls; fi",
		"x=$(%)", `git log --grep="$(%)"`,
		`echo "${u:-$(%)}"`, "echo $(echo $(%))", "for f in a; do %done"}
	for _, end := range ends {
		for _, body := range bodies {
			c.each("here-document", places, "cat "+end+"\n"+body)
		}
	}
	for _, body := range bodies {
		c.add("here-document", "cat <<A <<'EOF'\nA\n"+body, "cat <<'EOF' | cat\n"+body, "cat <<'EOF' && ls\n"+body,
			"cat <<'EOF' # x\n"+body,
			"cat <<'A'; cat <<'EOF'\nA\n"+body, "cat 3<<'EOF'\n"+body, "cat <<'EOF' >/dev/null\n"+body, "cat <<''\n"+body,
			"cat <<'E F'\nE F\ntouch PWNED\nE F\n")
	}
	c.add("here-string", "cat <<< $(touch PWNED)", `cat <<< "$(touch PWNED)"`, `cat <<<"${x:-'$(touch PWNED)'}"`,
		"cat <<<`touch PWNED`", "cat <<<a touch PWNED; touch PWNED",
		"cat <<< ${u:-`touch PWNED`}", "cat <<<$((a[$(touch PWNED)]))", "cat <<< 'a'$(touch PWNED)")
}

// integers assign to variables that a shell calculates with: names, ways to assign, and texts that a calculation runs.
func (c *corpus) integers() {
	names := strings.Fields("RANDOM OPTIND HISTCMD BASHPID SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME UID EUID PPID " +
		"COLUMNS LINES SHLVL " +
		"MAILCHECK HISTSIZE HISTFILESIZE BASH_SUBSHELL BASH_ARGC COMP_CWORD COMP_POINT COMP_TYPE FUNCNEST TMOUT READLINE_POINT " +
		"COPROC_PID ERRNO TTYIDLE KEYTIMEOUT SAVEHIST GID EGID TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT ZSH_SUBSHELL BAUD " +
		"DIRSTACKSIZE LISTMAX LOGCHECK")
	texts := []string{"'a[$(touch PWNED)]'", "'a[`touch PWNED`]'", `"a[\$(touch PWNED)]"`, `a[\$(touch\ PWNED)]`}
	forms := []string{"N=V", "N+=V", "N=V ls", "N+=V ls", "export N=V", "export N+=V", "for N in V; do ls; done",
		"readonly N=V", "declare N=V", "typeset -i N=V",
		"local N=V", "env N=V ls", "N=V; echo $N", "echo ${N:=V}", "read N <<<V", "printf -v N %s V", "(N=V)", "ls && N=V",
		"N[0]=V", "N=(V)", "let N=V", "((N=V))",
		"mapfile N <<<V", "select N in V; do ls; done", "while N=V; do break; done", "echo $((N=V))", "getopts V N",
		"unset N; N=V", "if N=V; then ls; fi"}
	for _, name := range names {
		for i, form := range forms {
			for j, text := range texts {
				if j > 0 && i > 1 {
					continue
				}
				c.add("integer", strings.NewReplacer("N", name, "V", text).Replace(form))
			}
		}
	}
	for _, text := range texts {
		c.each("calculation", calculations, text)
	}
}

var calculations = rows(`
echo $((%))
echo $[%]
((%))
let %
let x=%
declare -i x=%
typeset -i x; x=%
echo ${x[%]}
unset %
x[%]=1
echo ${HOME:%}
[[ % -eq 1 ]]
[[ -v % ]]
printf '%d' %
printf -v % y
read % <x
wait -n -p %
for ((i=%; i<1; i++)); do ls; done
test % -eq 1
[ -v % ]
test -R %
exit %
return %
shift %
head -n $((%)) x
x=%; echo $((x))
x=%; [[ x -gt 0 ]]
(x=%; ((x)))`)

// tests have more words than their first ones say.
func (c *corpus) tests() {
	forms := []string{"test %", "[ % ]", "! test %", "[ ! % ]", "command test %", "env test %", "builtin test %", "test ! %",
		"[[ % ]]", "if [ % ]; then ls; fi",
		"[ % ] && ls", "test % || ls", "ls | test %", "(test %)", "[ '(' % ')' ]", "\"test\" %"}
	for _, v := range []string{"'a[$(touch PWNED)]'", "'a[`touch PWNED`]'", `a[\$\(touch\ PWNED\)]`} {
		for _, e := range testExpressions {
			c.each("test", forms, strings.Replace(e, "%", v, 1))
		}
	}
}

var testExpressions = rows(`
-f x -o -v %
-f x -a -v %
-n x -o -v %
-n x -a -v %
-z x -o -v %
-z '' -a -v %
x -a -v %
x = x -a -v %
x = y -o -v %
! x -o -v %
-v %
! -v %
-R %
-o %
-t %
% -eq 1
1 -eq %
1 -lt %
% -ot x
-v % -a x
-f x -o x = y -o -v %
-v x -o -v %`)
