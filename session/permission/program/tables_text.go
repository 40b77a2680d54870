package program

// textTables are programs that print texts in another form.
var textTables = []Table{
	{Names: "cat", From: coreutils, Operands: "file",
		Options: "-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-nonprinting --show-tabs" +
			" --squeeze-blank"},
	{Names: "head", From: coreutils, Operands: "file", Number: true,
		Options: "-q -v -z -c:num -n:num --bytes=num --lines=num --quiet --silent --verbose --zero-terminated"},
	{Names: "tail", From: coreutils, Operands: "file", Number: true,
		Options: "-q -v -z -c:num -n:num --bytes=num --lines=num --quiet --silent --verbose --zero-terminated"},
	{Names: "wc", From: coreutils, Operands: "file", Options: "-c -l -L -m -w --bytes --chars --lines --max-line-length --words"},
	{Names: "cut", From: coreutils, Operands: "file",
		Options: "-n -s -z -b:list -c:list -d:text -f:list --bytes=list --characters=list --complement --delimiter=text --fields=list" +
			" --only-delimited --output-delimiter=text --zero-terminated"},
	{Names: "tr", From: coreutils, Operands: "text", Most: 2,
		Options: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1"},
	{Names: "sort", From: coreutils, Operands: "file",
		Options: "-b -c -C -d -f -g -h -i -m -M -n -r -R -s -u -V -z -k:word -t:text --check[=word] --debug --dictionary-order" +
			" --field-separator=text --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks" +
			" --ignore-nonprinting --key=word --merge --month-sort --numeric-sort --parallel=num --random-sort --reverse --sort=word" +
			" --stable --unique --version-sort --zero-terminated"},
	{Names: "uniq", From: coreutils, Operands: "file", Most: 1,
		Options: "-c -d -D -i -u -z -f:num -s:num -w:num --all-repeated[=word] --check-chars=num --count --group[=word] --ignore-case" +
			" --repeated --skip-chars=num --skip-fields=num --unique --zero-terminated"},
	{Names: "nl", From: coreutils, Operands: "file",
		Options: "-p -b:text -d:text -f:text -h:text -i:num -l:num -n:word -s:text -v:num -w:num --body-numbering=text" +
			" --footer-numbering=text --header-numbering=text --join-blank-lines=num --line-increment=num --no-renumber" +
			" --number-format=word --number-separator=text --number-width=num --section-delimiter=text --starting-line-number=num"},
	{Names: "tac", From: coreutils, Operands: "file", Options: "-b -r -s:text --before --regex --separator=text"},
	{Names: "rev", From: utilLinux, Operands: "file"},
	{Names: "fold", From: coreutils, Operands: "file", Number: true, Options: "-b -s -w:num --bytes --spaces --width=num"},
	{Names: "column", From: utilLinux, Operands: "file",
		Options: "-J -L -t -x -c:num -N:text -o:text -R:text -s:text --fillrows --json --keep-empty-lines --output-separator=text" +
			" --output-width=num --separator=text --table --table-columns=text --table-right=text"},
	{Names: "paste", From: coreutils, Operands: "file", Options: "-s -z -d:text --delimiters=text --serial --zero-terminated"},
	{Names: "comm", From: coreutils, Operands: "file", Most: 2,
		Options: "-1 -2 -3 -z --check-order --nocheck-order --output-delimiter=text --total --zero-terminated"},
	{Names: "join", From: coreutils, Operands: "file", Most: 2,
		Options: "-i -z -1:num -2:num -a:num -e:text -j:num -o:word -t:text -v:num --check-order --header --ignore-case --nocheck-order" +
			" --zero-terminated"},
	{Names: "expand", From: coreutils, Operands: "file", Options: "-i -t:word --initial --tabs=word"},
	{Names: "unexpand", From: coreutils, Operands: "file", Options: "-a -t:word --all --first-only --tabs=word"},
	{Names: "fmt", From: coreutils, Operands: "file",
		Options: "-c -s -t -u -g:num -p:text -w:num --crown-margin --goal=num --prefix=text --split-only --tagged-paragraph" +
			" --uniform-spacing --width=num"},
	{Names: "base64 base32", From: coreutils, Operands: "file", Most: 1, Options: "-d -i -w:num --decode --ignore-garbage --wrap=num"},
	{Names: "tsort", From: coreutils, Operands: "file", Most: 1},
	{Names: "factor", From: coreutils, Operands: "num"},
	{Names: "sed gsed", From: "sed 4.9, sed(1); BusyBox 1.35; FreeBSD 14 sed(1)", Operands: "script file", Pattern: "-e --expression",
		Options: "-E -n -r -s -u -z -e:script --debug --expression=script --null-data --posix --quiet --regexp-extended --sandbox" +
			" --separate --silent --unbuffered"},
	{Names: "awk gawk mawk nawk original-awk", From: "mawk 1.3.4, mawk(1); POSIX awk", Operands: "awk plain", Options: "-F:text -v:assign"},
	// jq refuses -- before the filter, and its one-letter options take no value.
	{Names: "jq", From: "jq 1.6, jq(1)", Operands: "jq plain", NoEnd: true,
		Options: "-a -c -C -e -j -M -n -r -R -s -S --ascii-output --color-output --compact-output --exit-status --indent=num" +
			" --join-output --monochrome-output --null-input --raw-input --raw-output --slurp --sort-keys --tab"},
}

// searchTables are programs that look for texts and names below directories.
var searchTables = []Table{
	{Names: "grep egrep fgrep", From: "grep 3.8, grep(1)", Operands: "text file", Number: true, Deep: true, Pattern: "-e --regexp",
		Options: "-a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -r -s -T -U -v -w -x -y -z -Z -A:num -B:num -C:num -e:text -m:num" +
			" --after-context=num --basic-regexp --before-context=num --binary --binary-files=word --byte-offset --color[=word]" +
			" --colour[=word] --context=num --count --exclude=glob --exclude-dir=glob --extended-regexp --files-with-matches" +
			" --files-without-match --fixed-strings --group-separator=text --ignore-case --include=glob --initial-tab --invert-match" +
			" --label=text --line-buffered --line-number --line-regexp --max-count=num --no-filename --no-group-separator --no-ignore-case" +
			" --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --regexp=text --silent --text" +
			" --with-filename --word-regexp"},
	{Names: "rg", From: "ripgrep 13.0 to 14.1, rg(1)", Operands: "text file",
		Adds: "--no-config", Deep: true, Pattern: "-e --regexp", None: "--files --type-list",
		Options: "-0 -a -b -c -F -H -i -I -l -n -N -o -p -P -q -s -S -u -U -v -w -x -A:num -B:num -C:num -e:text -E:word -g:glob -j:num" +
			" -m:num -M:num -r:text -t:word -T:word --after-context=num --before-context=num --binary --block-buffered --byte-offset" +
			" --case-sensitive --color=word --colors=word --column --context=num --context-separator=text --count --count-matches --crlf" +
			" --debug --encoding=word --engine=word --field-context-separator=text --field-match-separator=text --files" +
			" --files-with-matches --files-without-match --fixed-strings --glob=glob --glob-case-insensitive --heading --hidden" +
			" --iglob=glob --ignore-case --include-zero --invert-match --json --line-buffered --line-number --line-regexp" +
			" --max-columns=num --max-columns-preview --max-count=num --max-depth=num --max-filesize=num --mmap --multiline" +
			" --multiline-dotall --no-column --no-config --no-context-separator --no-filename --no-heading --no-ignore --no-ignore-dot" +
			" --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs" +
			" --no-line-number --no-messages --no-mmap --no-require-git --no-unicode --null --null-data --one-file-system --only-matching" +
			" --passthru --path-separator=word --pcre2 --pretty --quiet --regexp=text --replace=text --smart-case --sort=word" +
			" --sortr=word --stats --stop-on-nonmatch --text --threads=num --trim --type=word --type-list --type-not=word --unrestricted" +
			" --vimgrep --with-filename --word-regexp"},
	// -x, -X and -l start programs, -L leads elsewhere.
	{Names: "fd fdfind", From: "fd 8.6 to 10.2, fd(1)", Operands: "text file", Deep: true,
		Options: "-0 -1 -a -F -g -H -i -I -p -s -u -c:word -d:num -e:word -E:glob -j:num -S:word -t:word --absolute-path --and=text" +
			" --case-sensitive --changed-before=text --changed-within=text --color=word --exact-depth=num --exclude=glob --extension=word" +
			" --fixed-strings --full-path --glob --hidden --ignore-case --max-depth=num --max-results=num --min-depth=num --no-ignore" +
			" --no-ignore-parent --no-ignore-vcs --one-file-system --owner=word --print0 --prune --regex --show-errors --size=word" +
			" --threads=num --type=word --unrestricted"},
}
