package permission_test

import "strings"

// scriptsOfSed hide commands of sed behind brackets, delimiters, labels and the ends of lines.
func (c *corpus) scriptsOfSed() {
	commands := []string{"e touch PWNED", "e", "w WRITTEN", "s/.*/touch PWNED/e", "s/x/x/w WRITTEN", "r @OUT/canary", "W WRITTEN",
		"R @OUT/canary"}
	regexps := []string{"[D]", "[]D]", "[^]D]", "[^D]", "[a-zD]", "[[:alpha:]D]", "[[:alnum:]]", "[[.].]D]", "[[=]=]D]", "[\\D]",
		"[D][D]*", "[]]", "[^]]", "[D\\]", "a\\D*", "\\[*", "[]D\\n]",
		"[[D]", "[D[]"}
	var scripts []string
	for _, command := range commands {
		for _, r := range regexps {
			for _, d := range []string{"/", ",", "|", ";"} {
				re := strings.ReplaceAll(r, "D", d)
				address := d + re + d
				if d != "/" {
					address = `\` + address
				}
				scripts = append(scripts, address+command, address+"!"+command, "1,"+address+command)
				if command == "e" { // the text that is left is run
					scripts = append(scripts, "s"+d+re+d+" "+d+"e", "s"+d+re+d+"touch PWNED"+d+"e", "s"+d+re+d+"&"+d+"2e")
				}
			}
		}
		scripts = append(scripts, command, "1"+command, "$"+command, "1,2"+command, "0~1"+command, "1!"+command, "1 ! "+command,
			"{"+command+"\n}", "p;"+command, "p\n"+command, "p ; "+command, ":a;"+command,
			"b\n"+command, "1a x\n"+command, "1i\\\nx\n"+command, "y/a/b/;"+command, "s/a/b/;"+command, "s/a/\\//;"+command,
			"s/a/\\\n/;"+command, "y/\\//b/;"+command, "#n\n"+command, "p # x\n"+command,
			"s/x/#/\n"+command, "s,/,;,g;"+command, "/a\\/b/!"+command, "/[/p;s,]/"+command+" #,x,",
			"s/[]/A/;s,]/ /;"+command+"\n#,y,", "\\a\\aaa!"+command, "\\n\\nn!"+command, "s/\\c//;s/\\//;"+command, "I;"+command)
	}
	scripts = append(scripts, splitSets(commands)...)
	forms := []string{"sed % x", "sed -n % x", "sed -e % x", "cat x | sed %", "sed --expression=% x", "sed -e p -e % x",
		"sed -E % x", "sed -ne % x", "sed x -e %", "sed -s -n -- % x"}
	for i, script := range scripts {
		quoted := "'" + script + "'"
		c.add("sed", strings.Replace(forms[0], "%", quoted, 1), strings.Replace(forms[1+i%(len(forms)-1)], "%", quoted, 1))
	}
	c.add("sed", sedLines...)
}

// splitSets returns scripts that are one command where a set holds the delimiter, and another where it ends there.
func splitSets(commands []string) (scripts []string) {
	delimiters := []string{"/", ",", "|", ";"}
	for _, a := range delimiters {
		open := a
		if a != "/" {
			open = `\\` + a
		}
		for _, b := range delimiters {
			if a == b {
				continue
			}
			for _, set := range []string{"[", "[^", "[x", "[]", "[^]", "[[:alpha:]", "[[.x.]"} {
				for _, command := range commands {
					scripts = append(scripts, open+set+a+"p;s"+b+"]"+a+command+" #"+b+"x"+b, open+set+a+"p;y"+b+"]"+a+command+" #"+b+"x"+b)
				}
				scripts = append(scripts, "s"+a+set+a+"A"+a+";s"+b+"]"+a+" "+a+"e;#"+b+"y"+b,
					"s"+a+set+a+"A"+a+";y"+b+"]"+a+"touch PWNED"+a+"e;#"+b+"y"+b,
					"s"+a+set+a+"A"+a+"\n#"+b+"]"+a+"touch PWNED"+a+"e")
			}
		}
	}
	return scripts
}

var sedLines = rows(`
sed -i s/t/u/ x
sed -n -i p x
sed -ni p x
sed --in-place p x
sed --in=.b s/t/u/ x
sed -i.b s/t/u/ x
sed -Ei s/t/u/ x
sed s/t/u/ -i x
sed s/t/u/ x -i
sed -f s x
sed -fs x
sed -nf s x
sed --file=s x
sed --fi s x
sed -n p @OUT/canary
sed '' ../canary
sed -e '' -- ../canary
sed -e 1e -e touch\ PWNED x
sed 1e\ touch\ PWNED x
sed "1e touch PWNED" x
sed $'1e touch PWNED' x
sed -n '1'e' touch PWNED' x
sed "s/.*/touch PWNED/""e" x
sed -e 'a\' -e 'e touch PWNED' x
sed -e 'p' -e'1e touch PWNED' x
sed 's/.*/touch PWNED/;s/a/a/e' x
sed --posix '1e touch PWNED' x
sed -z 's/.*/touch PWNED/e' x
sed '1{e touch PWNED' -e '}' x
sed -l 5e touch x
sed -s 'F;1e touch PWNED' x
sed 's/[/]/e/w WRITTEN' x
sed 's,[,],e,w WRITTEN' x`)

// programsOfAwk run, write and read files from within awk.
func (c *corpus) programsOfAwk() {
	forms := []string{"awk % x", "awk -F: % x", "awk -v a=1 % x", "cat x | awk %", "awk -- % x", "gawk % x", "mawk % x"}
	c.each("awk", forms, awkPrograms...)
	c.add("awk", "awk -f k", "awk -fk x", "awk --file=k x", "awk -f k -- x", "awk 1 ../canary", "awk 1 @OUT/canary",
		"awk 1 FS=x ../canary", "awk -v a=1 1 ../canary", "C='touch PWNED' awk 'BEGIN{system(ENVIRON[\"C\"])}'",
		"awk '{system($0)}' x", "awk '{print | \"sh\"}' x", "awk '{print $0 | \"cat 1>&2; touch PWNED\"}' x",
		"awk '{print > $1 \"WRITTEN\"}' x", "awk -e 'BEGIN{system(\"touch PWNED\")}'",
		"awk --source 'BEGIN{system(\"touch PWNED\")}'",
		"awk -W exec=k", "awk -i k 1", "awk -E k", "find . -exec awk -f k {} +", "awk -f <(cat k)", "awk \"$(cat k)\"", "awk \"`cat k`\"")
}

var awkPrograms = rows(`
'BEGIN{system("touch PWNED")}'
'BEGIN { system ( "touch PWNED" ) }'
'{system("touch PWNED")}'
'{ print | "touch PWNED" }'
'{ print > "WRITTEN" }'
'{ print >> "WRITTEN" }'
'{ printf "x" > "WRITTEN" }'
'{ printf("x") > "WRITTEN" }'
'{ print $1 > $2 "WRITTEN" }'
'BEGIN{ "touch PWNED" | getline }'
'BEGIN{ "touch PWNED" | getline a; print a }'
'BEGIN{ c="touch PWNED"; c | getline }'
'BEGIN{ c="touch PWNED"; system(c) }'
'BEGIN{ while (("touch PWNED" | getline a) > 0) print a }'
'BEGIN{ while ((getline a < "@OUT/canary") > 0) print a }'
'BEGIN{ while ((getline a < "../canary") > 0) print a }'
'BEGIN{ ARGV[1]="../canary" } 1'
'BEGIN{ ARGV[ARGC++]="../canary" } 1'
'/a/ || system("touch PWNED")'
'1;END{system("touch PWNED")}'
'function f(){system("touch PWNED")} BEGIN{f()}'
'{ print "touch PWNED" | "sh" }'
'BEGIN{ printf "" | "touch PWNED" }'
'/[/]/{system("touch PWNED")}1'
'/x/{}/"/{system("touch PWNED")}'
'BEGIN{a=1/2;system("touch PWNED");b=1/2}'
'BEGIN{print "\"";system("touch PWNED")}'
'# x\nBEGIN{system("touch PWNED")}'
"BEGIN{system(\"touch PWNED\")}"
$'BEGIN{system("touch PWNED")}'
'BEGIN{sys''tem("touch PWNED")}'
BEGIN{system\(\"touch\ PWNED\"\)}
'BEGIN{close("x");system("touch PWNED")}'
'$0 ~ system("touch PWNED")'
'BEGIN{system(ENVIRON["C"])}'`)

// interpreters run what an argument, a file or a pipe says. Rules that deny the program should hold for what they run.
func (c *corpus) interpreters() {
	c.each("interpreter", []string{"%", "ls; %", "env %", "nice %", "timeout 5 %", "(%)", "echo \"$(%)\"", "if true; then %; fi",
		"for f in a; do %; done", "! %", "ls && %", "ls | %", "command %"}, interpreterLines...)
}

var interpreterLines = rows(`
sh -c 'touch PWNED'
bash -c 'touch PWNED'
dash -c 'touch PWNED'
sh -ec 'touch PWNED'
bash -lc 'touch PWNED'
bash --norc -c 'touch PWNED'
sh -c 'exec touch PWNED'
sh -c '$0 PWNED' touch
sh -c '"$@"' - touch PWNED
sh -c "t''ouch PWNED"
sh -c 'eval "touch PWNED"'
bash <<< 'touch PWNED'
sh -s <<< 'touch PWNED'
eval 'touch PWNED'
eval touch PWNED
eval "$(echo touch PWNED)"
. ./x
source x
source ./x
sh x
sh ./x
sh < x
bash -s < x
cat x | sh
echo touch PWNED | sh
echo 'touch PWNED' | bash
printf 'touch PWNED' | sh
echo touch PWNED | xargs env
perl -e 'system("touch PWNED")'
perl -e 'exec "touch", "PWNED"'
perl -e '` + "`touch PWNED`" + `'
python3 -c 'import os; os.system("touch PWNED")'
make -f m
make -f - < m
make -f - <<< 'a:;touch PWNED'
make --eval='a:;touch PWNED' -f /dev/null
make --file=m a
awk 'BEGIN{system("touch PWNED")}'
awk -f k
sed -n '1e touch PWNED' x
sed -f s x
find . -maxdepth 0 -exec touch PWNED \;
xargs touch PWNED < x
echo PWNED | xargs touch
trap 'touch PWNED' EXIT
trap 'touch PWNED' 0
f() { touch PWNED; }; f
function f { touch PWNED; }; f
alias ls='touch PWNED'
coproc touch PWNED
source <(echo touch PWNED)
. /dev/stdin <<< 'touch PWNED'
git -c alias.x='!touch PWNED' x
git -c core.pager='touch PWNED' -p help -a
sort --compress-program=touch x
PS4='$(touch PWNED)' bash -xc ls
BASH_ENV=x bash -c ls
ENV=x sh -c ls
hash -p @BIN/touch ls; ls PWNED
printf '%s' 'touch PWNED' > WRITTEN; . ./WRITTEN`)
