package permission_test

// outsideFiles read a file outside of the folder: programs, and ways to write its path.
func (c *corpus) outsideFiles() {
	programs := outsideReaders
	c.each("outside", programs, outsidePaths...)
	c.each("outside", outsideDirectories, "..", "../", "@OUT", "~", "out", "$HOME", "sub/../..", "./..", "../outside", "-")
}

var outsideReaders = rows(`
cat %
head %
head -n 5 %
tail %
wc -l < %
grep -e C %
grep -rn C %
sort %
uniq %
cut -c1-99 %
nl %
tac %
od -c %
sed -n p %
awk 1 %
diff x %
cmp x %
comm x %
cat < %
cat 0< %
cat x - < %
echo "$(cat %)"
echo "$(<%)"
grep -f % %
sort --files0-from=% x
while read -r l; do echo "$l"; done < %
for f in %; do cat "$f"; done
printf '%s' "$(cat %)"
base64 -w0 % | base64 -d
fold %
paste % x
rev %
jq -R . %
strings %
xxd %
file -f %
column %
pr %
expand %
diff --from-file=% x`)

var outsidePaths = rows(`
@OUT/canary
../canary
sub/../../canary
./../canary
..//canary
~/canary
"$HOME"/canary
$HOME/canary
"${HOME}/canary"
out/canary
out/../outside/canary
.*/canary
.?/canary
.[.]/canary
{..,.}/canary
"$(echo ..)"/canary
$(echo ..)/canary
../can*
../c[a]nary
"../canary"
'../canary'
\../canary
.\./canary
$'../canary'
"$OLDPWD"/../canary
"$PWD"/../canary
$PWD/../canary`)

var outsideDirectories = rows(`
cd %; cat canary
cd % && cat canary
cd % || cat canary
cd -P % && cat canary
cd -- % && cat canary
(cd %; cat canary)
{ cd %; }; cat canary
if cd %; then cat canary; fi
cd sub; cd %; cd %; cat canary
cd sub/%; cat canary
pushd %; cat canary
cd x || cat %/canary
cd sub; cat %/../canary
CDPATH=% && cd outside && cat canary
for f in %; do cd $f; done; cat canary
while cd %; do cat canary; break; done
cd "$(echo %)"; cat canary
grep -r C %
find % -name canary -exec cat {} +
ls % | xargs -I{} cat %/{}
cat %/*
head -v %/*
find % -type f | xargs cat`)

// writers change a file of the folder, or make one.
func (c *corpus) writers() {
	c.each("writer", []string{"%", "ls && %", "echo \"$(%)\"", "(%)", "if ls; then %; fi", "for f in x; do %; done", "! %",
		"ls | %", "cd sub; cd ..; %", "LC_ALL=C %"}, writerLines...)
}

var writerLines = rows(`
sort -o WRITTEN x
sort -oWRITTEN x
sort -uo WRITTEN x
sort x -o WRITTEN
sort --output=WRITTEN x
sort --outp=WRITTEN x
sort *
sort -- x -o
sort ./x *
uniq x WRITTEN
uniq -c x WRITTEN
tee WRITTEN < x
split x WRITTEN
csplit x 1 -f WRITTEN
xxd x WRITTEN
xxd -r x WRITTEN
tree -o WRITTEN
find . -fprint WRITTEN
cp x WRITTEN
mv x WRITTEN
ln x WRITTEN
rm x
dd if=x of=WRITTEN
mkdir WRITTEN
mktemp ./WRITTENXXX
install x WRITTEN
truncate -s 0 x
chmod 000 x
printf x > x
base64 x > WRITTEN
file -C -m x
patch x sub/y
ed x
ls > WRITTEN
ls >| WRITTEN
ls >> WRITTEN
ls &> WRITTEN
ls &>> WRITTEN
ls >& WRITTEN
ls 2> WRITTEN
ls 2>&1 > WRITTEN
ls 3> WRITTEN
ls {fd}> WRITTEN
ls <> WRITTEN
> WRITTEN
: > x
ls > "WRITTEN"
ls > $(echo WRITTEN)
ls > ${u:-WRITTEN}
ls > sub/../WRITTEN
ls | tee WRITTEN
cat x >WRITTEN 2>/dev/null
exec > WRITTEN
ls > ../WRITTEN
ls > @OUT/WRITTEN
ls > out/WRITTEN
ls > ~/WRITTEN`)

// structures put the call where a reader may not look, and spell it so that a reader may not know it.
func (c *corpus) structures() {
	spellings := touchSpellings
	c.each("structure", append(structureForms, "echo `%`", "echo \"`%`\"", "echo `ls; %`", "echo $'a'\"$(%)\"", "cat <<E\n$(%)\nE",
		"cat <<E && %\nx\nE", "cat <<E\nx\nE\n%", "ls \\\n; %", "ls\r\n%", "ls\v; %", "ls;%", "ls|%", "ls\n\n\n%"), spellings...)
}

var touchSpellings = rows(`
touch PWNED
"touch" PWNED
'touch' PWNED
t''ouch PWNED
to"u"ch PWNED
\touch PWNED
t\ouch PWNED
tou\\nch PWNED
$'touch' PWNED
$'\x74ouch' PWNED
$'\164ouch' PWNED
$"touch" PWNED
{touch,PWNED}
$(echo touch) PWNED
` + "`echo touch`" + ` PWNED
"$(echo touch)" PWNED
${u:-touch} PWNED
${u-touch PWNED}
"${u:-touch}" PWNED
@BIN/touch PWNED
@BIN/t[o]uch PWNED
@BIN/../programs/touch PWNED
command touch PWNED
>/dev/null touch PWNED
</dev/null touch PWNED
2>&1 touch PWNED
A=1 touch PWNED
LC_ALL=C touch PWNED
LC_ALL=C TZ=x touch PWNED
x=touch; $x PWNED
x='touch PWNED'; $x
set -- touch PWNED; "$@"
set touch; $1 PWNED
IFS=x; y=touchxPWNED; $y
! ! touch PWNED`)

var structureForms = rows(`
%
ls; %
ls && %
ls || %
cat @NONE || %
ls | %
ls |& %
ls & %
ls\n%
ls # x\n%
echo a\\\n; %
(%)
((ls); %)
{ %; }
! %
if %; then ls; fi
if ls; then %; fi
if false; then ls; elif %; then ls; fi
if false; then ls; else %; fi
while %; do break; done
until %; do break; done
for f in a; do %; done
for f in $(%); do ls; done
for f in "$(%)"; do ls; done
select f in a; do %; done <x
case a in a) %;; esac
case a in b) ls;; *) %;; esac
case $(%) in a) ls;; esac
case a in $(%)) ls;; esac
echo $(%)
echo "$(%)"
echo "a $(ls; %) b"
echo $(echo $(%))
echo ${u:-$(%)}
echo "${u:-$(%)}"
echo <(%)
ls >(%)
cat < <(%)
x=$(%)
x=$(%) ls
LC_ALL=$(%) ls
x=(a $(%))
x[$(%)]=1
ls > $(%)
ls 2>"$(%)"
ls "$(%)"
ls -$(%)
$(%)
"$(%)"
ls $(%) x
[ "$(%)" ]
test -n "$(%)"
[[ -n $(%) ]]
[[ a == $(%) ]]
((x=$(%)))
echo $(($(%)))
{ ls; %; } | cat
ls | (cat; %)
ls | while read -r f; do %; done
time %
coproc %
f() { %; }; f
ls() { %; }; ls
f() ( % ); f
exec 3< <(%)
echo a | cat <(%) -
echo ~$(%)
echo {a,$(%)}
printf '%s' "$(%)"
cd "$(%)"
cd sub && %
trap "%" EXIT
ls ;\t%
ls\t&&\n%
true && { ls; } && %
[ -f x ] && %
test -d sub && ls && %
exit $(%)
wait; %
: $(%)
: "${u:=$(%)}"
true; %
false || %`)
