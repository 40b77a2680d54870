package permission

// hostilePrograms start something else with options and arguments of programs that rules allow.
func hostilePrograms() []string {
	return []string{
		// shells, interpreters and launchers, with their versions
		"sh x", "sh -c ls", "bash -c 'ls'", "bash x.sh", "bash", "sh", "python3 x.py", "python3 -c 'x'", "python3 -m http.server", "python3.12 x.py", "pypy3 x.py", "ruby3.2 x", "lua5.4 x", "node20 x.js",
		"perl5.36 -e x", "gawk-5 x", "php8.2 -r x", "node -e x", "perl -e x", "ruby -e x", "busybox sh", "busybox ls", "busybox wget x", "toybox sh", "env sh", "env -i ls", "env -S 'ls x'", "env X=1 evil",
		"env PATH=. ls", "env", "env -u X ls", "env -C /etc cat passwd", "xargs ls", "xargs", "ls | xargs rm", "ls | xargs -I{} sh -c {}", "sudo ls", "sudo -u x ls", "timeout 5 evil", "timeout -s KILL 5 sh x",
		"timeout --foreground 5 bash", "timeout $x ls", "timeout 5 $x", "nice evil", "nice -n 5 sh", "nohup evil", "nohup sh x &", "stdbuf -o0 evil", "stdbuf -oL sh", "time sh x", "setsid ls", "setsid evil",
		"watch ls", "watch 'evil'", "parallel ls", "parallel evil ::: a", "script -c evil", "script x", "strace ls", "strace -o x ls", "flock x ls", "flock x -c evil", "entr ls", "at now", "crontab x", "crontab -e",
		"systemd-run ls", "perf record ls", "gdb -ex 'shell ls'", "gdb a", "ssh host ls", "ssh -o ProxyCommand=evil x", "ssh -oLocalCommand=evil x", "vim -c '!evil'", "vim a.go", "less a.go", "less +!evil a.go",
		"man -P evil ls", "man ls", "exec evil", "eval evil", "command evil", "command -- evil", "builtin command evil", "source x", ". x", "npx evil", "npx -c evil", "npx eslint", "npx --package=x evil",
		"mytool sh", "mytool bash -c x", "mytool python3 x", "mytool --exec evil", "mytool --exec=evil", "mytool -exec evil", "mytool --command=x", "mytool --cmd x", "mytool --run x", "mytool --eval x", "mytool -e x",
		"mytool -c x", "mytool -o x", "mytool -ox", "mytool --output=/etc/x", "mytool --out x", "mytool --output-file=x", "mytool --config=x", "mytool --conf x", "mytool --plugin=x", "mytool --require=x",
		"mytool --load x", "mytool --script=x", "mytool --shell=x", "mytool --pager=x", "mytool --editor=x", "mytool --exe=x", "mytool --outp=x", "mytool --post-hook=x", "mytool --pre-exec=x", "mytool --in-place x",
		"mytool 'x; evil'", "mytool 'x | evil'", "mytool '$(evil)'", "mytool '`evil`'", "mytool --log-file=x", "mytool --working-dir --cwd=/", "mytool /bin/sh", "mytool a /usr/bin/python3.12 x", "pytest -c x", "pytest -o x=y",
		"eslint --config x", "eslint --rulesdir x", "eslint -c x", "eslint --output-file x", "eslint --plugin x", "./x", "./x a", "/home/u/src/x a", "sub/x", "x/../y", "../x",
		// find and its like
		"find . -exec rm {} +", "find . -exec evil {} \\;", "find . -execdir evil {} +", "find . -ok evil \\;", "find . -okdir evil \\;", "find . -delete", "find . -fprint x", "find . -fprintf x y", "find . -fls x",
		"find . -fprint0 x", "find / -name x", "find ../ -name x", "find -L . -name x", "find -H out", "find out -name x", "find ~ -name x", "find . -files0-from x", "find -files0-from x", "find . -unheard-of",
		"find $x", "find . -newer /etc/passwd", "find ! -delete", "find ( -delete )", "find . , -delete", "find . -name x -o -delete", "find . -name -exec -exec evil \\;",
		// text tools
		"sed -i s/a/b/ a.go", "sed -i.bak p a.go", "sed --in-place p a.go", "sed -n 'w x' a.go", "sed 's/a/b/w x' a.go", "sed 's/a/b/e' a.go", "sed e a.go", "sed '1e evil' a.go", "sed 'e evil' a.go", "sed -f x a.go",
		"sed --file=x a.go", "sed 'r /etc/passwd' a.go", "sed '1!G;h;$!d;w x' a.go", "sed -e p -e 'w x' a.go", "sed 's/x/y/;w x' a.go", "sed 's,a,b,e' a.go", "sed 's/[/]/e/w x' a.go", "sed 'y/a/b/;e' a.go", "sed '$e' a.go",
		"sed '/x/e' a.go", "sed '/a\\/b/w x' a.go", "sed 's/a/b/gw x' a.go", "sed 's/a/b/ew x' a.go", "sed 'p\nw x' a.go", "sed '{w x\n}' a.go", "sed p /etc/passwd", "sed -s p ../x", "sed -n $x a.go", "sed 's/a\\/b/c/e' a.go",
		"sed -ne 'w x'", "sed -nie p a.go", "sed --expression='w x' a.go", "sed 's a b w' a.go", "sed 's\\a\\b\\w' a.go", "sed 'p;;w x' a.go", "sed 'p # w x' a.go", "sed 'R x' a.go", "sed 'W x' a.go",
		"awk 'BEGIN{system(\"evil\")}'", "awk '{print > \"x\"}' a.go", "awk '{print >> \"x\"}' a.go", "awk '{print | \"evil\"}' a.go", "awk '\"evil\" | getline' a.go", "awk -f x a.go", "awk -i inplace 1 a.go",
		"awk --file=x", "awk -v x=1 -f y", "awk '@load \"x\"'", "awk 'BEGIN{getline < \"/etc/passwd\"}'", "awk 'BEGIN{ARGV[1]=\"/etc/passwd\"}1' a.go", "awk 1 /etc/passwd", "awk -e 1", "awk -E x", "awk \"$x\" a.go",
		"awk 'BEGIN{f=\"system\";@f(\"evil\")}'", "awk -l x 1", "awk '{print |& \"evil\"}'", "awk 1 FS=x /etc/passwd", "awk 'BEGIN{print ENVIRON[\"X\"]}'", "awk -o x 1", "awk -d 1", "awk -p 1",
		"sort -o x a.go", "sort -ox a.go", "sort -uo x a.go", "sort --output=x a.go", "sort --outp=x a.go", "sort --compress-program=evil a.go", "sort --comp=evil a.go", "sort -T /etc a.go", "sort --files0-from=x",
		"sort a.go -o x", "uniq a.go x", "uniq -c a.go x", "grep -f /etc/passwd x", "grep x /etc/passwd", "grep -r x /", "grep -R x .", "grep --file=x y", "grep -e x /etc/passwd", "grep x ../y", "grep -rf x y", "grep -Dx y /etc/x",
		"rg --pre evil x", "rg --pre=evil x", "rg --pr=evil x", "rg --hostname-bin=evil x", "rg -z x", "rg --search-zip x", "rg -f x y", "rg -L x", "rg --follow x", "rg x /etc", "rg --files /etc", "rg --ignore-file=/etc/x y",
		"diff -l a.go a.go", "diff --paginate a.go x", "diff a.go /etc/passwd", "diff -r . out", "diff --from-file=/etc/x a.go", "cat /etc/passwd", "cat out/passwd", "cat ../x", "cat ~/.ssh/id_rsa", "cat ~/x", "head -c", "head /etc/passwd",
		"tail -f a.go", "tail -F a.go", "tail --follow=name a.go", "wc --files0-from=/etc/passwd", "du --files0-from=x", "du -L out", "pwd x", "tree -o x", "tree -l", "tree /", "file -C", "file -m x a.go", "file -f /etc/passwd", "file -z x",
		"date -s x", "date 0101", "date --set=x", "date -f /etc/passwd", "jq -f /etc/x .", "jq 'import \"x\" as y; .' a", "jq -L x .", "jq --rawfile a /etc/passwd .", "jq env a", "jq '$ENV' a", "jq . /etc/passwd",
		"ls /", "ls /etc", "ls out", "ls out/passwd", "ls dangling", "ls ../other", "ls sub/../..", "ls ..", "ls -L out", "stat /etc/passwd", "md5sum -c x", "sha256sum /etc/passwd", "xxd a.go x", "printenv", "env | cat",
		"hostname evil", "test -f /etc/passwd && evil", "tr a b | evil", "tee /etc/x", "tee x | evil", "tee ../x", "tee .git/hooks/pre-commit", "tee -a .envrc", "tee out/x", "tee $x", "tee *",
	}
}

// hostileFiles change files that no rule may change.
func hostileFiles() []string {
	return []string{
		"rm -rf /", "rm -rf .", "rm -rf ~", "rm -rf /home/u/src", "rm -rf ..", "rm /etc/passwd", "rm out/passwd", "rm -rf .git", "rm .git/config", "rm --no-preserve-root /", "rm -rf $x", "rm -rf \"$x\"/", "rm -- -x ../y",
		"cp a.go /etc/x", "cp a.go .git/hooks/pre-commit", "cp a.go .envrc", "cp a.go .vscode/tasks.json", "cp /etc/passwd a.go", "cp a.go ~/.bashrc", "cp -t /etc a.go", "cp --target-directory=/etc a.go", "cp a.go out", "cp -S x a b",
		"mv a.go /etc/x", "mv a.go .git/config", "mv a.go HEAD", "mv -t .git a.go", "mv sub/hooks .git/", "mv a.go dangling", "touch .envrc", "touch .github/workflows/x.yml", "touch /etc/x", "touch ~/.bashrc", "touch -r /etc/x y",
		"mkdir .husky", "mkdir /etc/x", "mkdir -m 777 x", "ln -s /etc x", "ln a.go .envrc", "chmod +x /etc/x", "chmod 777 .git/hooks/x", "chmod --reference=/etc/x y", "dd of=x", "dd if=a of=/etc/x", "echo x > .git/config",
		"echo x > .envrc", "echo x > ../y", "echo x > ~/.bashrc", "echo x >> /etc/passwd", "cat a.go > out/x", "ls > dangling", "ls > .claude/settings.json", "> .git/HEAD", "> a.go; evil", ": > /etc/x", "cd sub; echo x > ../.git/x",
	}
}
