package program

// The manuals that the tables were read from.
const (
	coreutils = "coreutils 9.1, man1"
	utilLinux = "util-linux 2.38.1, man1"
	diffutils = "diffutils 3.8, man1"
)

// fileTables are programs that list and compare files.
var fileTables = []Table{
	{Names: "ls", From: coreutils, Operands: "file",
		Options: "-1 -a -A -b -B -c -C -d -f -F -g -G -h -i -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z --all" +
			" --almost-all --author --block-size=word --classify[=word] --color[=word] --context --directory --escape --file-type" +
			" --format=word --full-time --group-directories-first --hide=glob --human-readable --ignore=glob --ignore-backups" +
			" --indicator-style=word --inode --kibibytes --literal --no-group --numeric-uid-gid --quote-name --quoting-style=word" +
			" --recursive --reverse --show-control-chars --si --size --sort=word --time=word --time-style=word --width=num --zero"},
	{Names: "du", From: coreutils, Operands: "file",
		Options: "-0 -a -b -c -h -k -l -m -P -s -S -x -B:num -d:num -t:num --all --apparent-size --block-size=num --bytes --count-links" +
			" --exclude=glob --human-readable --inodes --max-depth=num --no-dereference --null --one-file-system --separate-dirs --si" +
			" --summarize --threshold=num --time[=word] --time-style=word --total"},
	{Names: "df", From: coreutils, Operands: "file",
		Options: "-a -h -H -i -k -l -m -P -T -v -B:num -t:word -x:word --all --block-size=num --exclude-type=word --human-readable" +
			" --inodes --local --no-sync --output[=word] --portability --print-type --si --total --type=word"},
	{Names: "stat", From: coreutils, Operands: "file",
		Options: "-f -L -t -c:text --dereference --file-system --format=text --printf=text --terse"},
	{Names: "file", From: "file 5.44, man1", Operands: "file",
		Options: "-0 -b -E -h -i -k -L -n -N -r -e:word -F:text --brief --dereference --exclude=word --extension --keep-going --mime" +
			" --mime-encoding --mime-type --no-buffer --no-dereference --no-pad --print0 --raw --separator=text"},
	{Names: "basename", From: coreutils, Operands: "text", Options: "-a -z -s:text --multiple --suffix=text --zero"},
	{Names: "dirname", From: coreutils, Operands: "text", Options: "-z --zero"},
	{Names: "realpath", From: coreutils, Operands: "file",
		Options: "-e -L -m -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --no-symlinks --physical --quiet" +
			" --relative-base=file --relative-to=file --strip --zero"},
	{Names: "readlink", From: coreutils, Operands: "file",
		Options: "-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent" +
			" --verbose --zero"},
	{Names: "cmp", From: diffutils, Operands: "file file offset", Most: 4,
		Options: "-b -l -s -i:word -n:offset --bytes=offset --ignore-initial=word --print-bytes --quiet --silent --verbose"},
	{Names: "diff", From: diffutils, Operands: "file", Most: 2, Deep: true, Adds: "--no-dereference",
		Options: "-a -b -B -c -d -e -E -i -n -N -p -q -r -s -t -T -u -w -y -Z -C:num -F:text -I:text -U:num -W:num -x:glob --brief" +
			" --color[=word] --context[=num] --ed --exclude=glob --expand-tabs --horizon-lines=num --ignore-all-space --ignore-blank-lines" +
			" --ignore-case --ignore-file-name-case --ignore-matching-lines=text --ignore-space-change --ignore-tab-expansion" +
			" --ignore-trailing-space --initial-tab --label=text --left-column --minimal --new-file --no-dereference" +
			" --no-ignore-file-name-case --normal --rcs --recursive --report-identical-files --show-c-function --show-function-line=text" +
			" --side-by-side --speed-large-files --strip-trailing-cr --suppress-blank-empty --suppress-common-lines --tabsize=num --text" +
			" --unidirectional-new-file --unified[=num] --width=num"},
	{Names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum", From: coreutils, Operands: "file",
		Options: "-b -t -z --binary --tag --text --zero"},
	{Names: "b2sum", From: coreutils, Operands: "file", Options: "-b -t -z -l:num --binary --length=num --tag --text --zero"},
	{Names: "cksum", From: coreutils, Operands: "file",
		Options: "-z -a:word -l:num --algorithm=word --length=num --tag --untagged --zero"},
	{Names: "sum", From: coreutils, Operands: "file", Options: "-r -s --sysv"},
	{Names: "shasum", From: "Digest::SHA 6.02, shasum(1)", Operands: "file",
		Options: "-0 -b -t -U -a:num --01 --UNIVERSAL --algorithm=num --binary --tag --text"},
	{Names: "md5", From: "macOS 10.14, md5(1)", Operands: "plain", NoEnd: true, Options: "-q -r"},
	{Names: "od", From: coreutils, Operands: "plain",
		Options: "-a -b -c -d -f -i -l -o -s -v -x -A:word -j:offset -N:offset -S:num -t:word -w[=num] --address-radix=word" +
			" --endian=word --format=word --output-duplicates --read-bytes=offset --skip-bytes=offset --strings[=num] --width[=num]"},
	{Names: "hexdump hd", From: utilLinux, Operands: "file",
		Options: "-b -c -C -d -o -v -x -e:text -n:offset -s:offset --canonical --format=text --length=offset --no-squeezing" +
			" --one-byte-char --one-byte-octal --skip=offset --two-bytes-decimal --two-bytes-hex --two-bytes-octal"},
	// @file would be read for arguments. A letter of xxd stands alone, what follows is not read: with -p, -ps 5 out would write out.
	{Names: "strings", From: "binutils 2.40, strings(1)", Operands: "plain", NoEnd: true,
		Options: "-a -d -f -o -w -e:word -n:num -t:word --all --bytes=num --data --encoding=word --include-all-whitespace" +
			" --print-file-name --radix=word"},
	{Names: "xxd", From: "xxd 2022-01-14, xxd(1)", Operands: "plain", NoEnd: true, Most: 1, Options: "-c:num -g:num -l:num -s:num"},
	// tree takes no value in the same word but for -L. -R writes 00Tree.html, -o a file.
	{Names: "tree", From: "tree 2.1.0, tree(1)", Operands: "plain", NoEnd: true, Deep: true,
		Options: "-a -A -c -C -d -D -f -F -g -h -i -J -n -N -p -q -Q -r -s -S -t -u -U -v -x -X -L:num -I:ignored -P:ignored" +
			" --charset=word --device --dirsfirst --du --filelimit=num --filesfirst --gitignore --ignore-case --inodes --matchdirs" +
			" --metafirst --noreport --prune --si --sort=word --timefmt=text"},
}

// systemTables are programs that print a text, a time or what the machine is, and those that every shell does itself.
var systemTables = []Table{
	{Names: "pwd", From: "POSIX, pwd", Options: "-L -P", Builtin: true},
	{Names: "echo", From: "POSIX, echo", Operands: "text", NoEnd: true, Builtin: true},
	{Names: "printf", From: "POSIX, printf; bash 5.2, zsh 5.9", Operands: "format text", NoEnd: true, Builtin: true},
	{Names: "true false :", From: "POSIX", Operands: "text", NoEnd: true, Builtin: true},
	{Names: "exit return break continue shift", From: "POSIX", Operands: "num", Most: 1, NoEnd: true, Builtin: true},
	{Names: "wait times umask", From: "POSIX", Builtin: true},
	{Names: "type", From: "POSIX, type; bash 5.2", Operands: "word", Options: "-a -t", Builtin: true},
	{Names: "which", From: "debianutils 5.7, which(1)", Operands: "word", Options: "-a"},
	{Names: "sleep", From: coreutils, Operands: "duration"},
	{Names: "seq", From: coreutils, Operands: "float", Most: 3,
		Options: "-w -f:word -s:text --equal-width --format=word --separator=text"},
	{Names: "expr", From: coreutils, Operands: "text"},
	{Names: "date", From: coreutils + "; FreeBSD date(1) for -j", Operands: "date", Most: 1,
		Options: "-j -R -u -d:text -r:file -I[=word] --date=text --debug --iso-8601[=word] --reference=file --resolution" +
			" --rfc-3339=word --rfc-email --universal --utc"},
	{Names: "whoami arch logname", From: coreutils},
	{Names: "tty", From: coreutils, Options: "-s --quiet --silent"},
	{Names: "uptime", From: "procps-ng 4.0.2, uptime(1)", Options: "-p -s --pretty --since"},
	{Names: "free", From: "procps-ng 4.0.2, free(1)",
		Options: "-b -g -h -k -l -m -t -v -w --bytes --gibi --giga --human --kibi --lohi --mebi --mega --si --total --wide"},
	{Names: "groups", From: coreutils, Operands: "user"},
	{Names: "id", From: coreutils, Operands: "user", Options: "-a -g -G -n -r -u -z --group --groups --name --real --user --zero"},
	{Names: "nproc", From: coreutils, Options: "--all --ignore=num"},
	{Names: "uname", From: coreutils,
		Options: "-a -i -m -n -o -p -r -s -v --all --hardware-platform --kernel-name --kernel-release --kernel-version --machine" +
			" --nodename --operating-system --processor"},
	{Names: "hostname", From: "hostname 3.23, hostname(1)",
		Options: "-d -f -i -I -s --all-ip-addresses --domain --fqdn --ip-address --long --short"},
}
