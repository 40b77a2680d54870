package permission

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// hostilePaths are paths whose edit no rule and no mode but bypass lets pass: outside, behind links, run by other programs.
func hostilePaths() []string {
	paths := []string{"", "/", ".", "..", "a.go", "./a.go", "../a.go", "~", "~/x", "~root/x", "/etc/passwd", "/etc", "/etc/cron.d/x", "/root/.bashrc", "/tmp/x", "/home/u", "/home/u/x", "/home/u/.bashrc", "/home/u/.ssh/authorized_keys",
		"/home/u/.config/x", "/home/u/.profile", "/home/u/.gitconfig", "/home/u/.local/bin/ls", "/home/u/other/x", "/home/u/srcery/x", "/home/u/src2", "/home/u/src.bak/x", "/home/u/SRC/a.go", "/home/u/src/../other/x", "/home/u/src/..",
		"/home/u/src/sub/../../x", "/home/u/src/sub/../a.go", "/home/u/src/./../x", "/home/u/src//../x", "/home/u/src/out", "/home/u/src/out/passwd", "/home/u/src/out/new", "/home/u/src/out/../x", "/home/u/src/dangling",
		"/home/u/src/dangling/x", "/home/u/src/self", "/home/u/src/self/x", "/home/u/src/a\x00.go", "/home/u/src/\x00", "\x00", "/proc/self/environ", "/dev/sda", "/dev/null/x", "/sys/x", "/run/x", "//etc/passwd", "/etc//passwd",
		"/home/u/src/out//passwd", "/link/out/passwd", "/link/dangling", "/link/.git/config", "/link/../x", "C:\\x", "\\\\server\\x", "file:///etc/passwd", "$HOME/x", "/home/u/src/../../../etc/passwd", "/home/./u/.ssh/x",
		"/usr/bin/ls", "/bin/sh", "/var/spool/cron/x", "/lib/x", "/opt/x", "/boot/x", "/srv/x", "/home/other/x", "/home/other/.ssh/x", "/Users/x/.ssh/y", "/extra/../etc/x", "/extrax/y", "/extra/.git/config", "/extra/.envrc"}
	for _, name := range guardedNames() {
		paths = append(paths, "/home/u/src/"+name, "/extra/"+name)
	}
	return paths
}

func TestHostilePathsAreAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	paths := hostilePaths()
	if len(paths) < 100 {
		t.Fatalf("only %d paths", len(paths))
	}
	p := withRules(t, "edit **", "edit /**", "edit ~/**", "edit /home/u/src/**", "edit /etc/**", "read /**", "read ~/**", "read **", "command tee *", "command rm *", "command cp *")
	for _, mode := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits} {
		p.Mode = mode
		for _, path := range paths {
			d := p.Decide(toolview.Edit, session.PermissionAsk{Tool: "Edit", Path: path})
			if d.Ruling != Ask || !strings.HasPrefix(d.Reason, "Always asked: ") {
				t.Errorf("%s: %q: %s %q", mode, path, d.Ruling, d.Reason)
			}
			if rules := p.SuggestRules(toolview.Edit, session.PermissionAsk{Tool: "Edit", Path: path}); len(rules) > 0 {
				t.Errorf("%q: %+v is offered", path, rules)
			}
			// Commands change no more than edits.
			if !filepath.IsAbs(path) || strings.ContainsAny(path, "\x00") {
				continue
			}
			quoted := "'" + strings.ReplaceAll(path, "'", `'"'"'`) + "'"
			for _, line := range []string{"echo x > " + quoted, "tee " + quoted, "rm -r " + quoted, "cp a.go " + quoted} {
				if got := rulingOn(p, line); got != Ask {
					t.Errorf("%s: %q: %s", mode, line, got)
				}
			}
		}
	}
}

// Keys, settings, devices and what links hide are read by no rule.
func TestHostileReadsAreAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := withRules(t, "read /**", "read ~/**", "read **", "read /home/u/.ssh/**", "read ~/.ssh/id", "command cat *")
	for _, path := range []string{"/home/u/.ssh/id", "/home/u/.ssh", "/home/u/.aws/credentials", "/home/u/.bashrc", "/home/u/.config/gh/hosts.yml", "/home/other/.ssh/id", "/root/.ssh/id", "/proc/self/environ", "/proc/1/mem", "/dev/sda",
		"/dev/tcp/x", "/sys/x", "/run/secrets/x", "/home/u/src/dangling", "/home/u/src/self", "/home/u/src/../.ssh/id", "/etc/../home/u/.ssh/id", "/etc/.pwd.lock", "a.go", "~/.ssh/id", "/home/u/src/a\x00"} {
		if d := p.Decide(toolview.Read, session.PermissionAsk{Path: path}); d.Ruling != Ask {
			t.Errorf("%q: %s by %v", path, d.Ruling, d.Rule)
		}
	}
	for path, want := range map[string]Ruling{"/etc/passwd": Allow, "/home/u/other/x": Allow, "/home/u/src/out/passwd": Allow, "/home/u/src/.env": Allow} {
		if d := p.Decide(toolview.Read, session.PermissionAsk{Path: path}); d.Ruling != want {
			t.Errorf("%q: %s", path, d.Ruling)
		}
	}
	// A relative rule names nothing outside, wherever links lead.
	q := withRules(t, "read **", "read out/**")
	if d := q.Decide(toolview.Read, session.PermissionAsk{Path: "/home/u/src/out/passwd"}); d.Ruling != Ask {
		t.Errorf("a relative rule reads outside: %+v", d)
	}
	home := withRules(t, "read **")
	home.Dirs = []string{"/home/u"}
	if d := home.Decide(toolview.Read, session.PermissionAsk{Path: "/home/u/.ssh/id"}); d.Ruling != Ask {
		t.Errorf("keys of a session in the home directory: %+v", d)
	}
}

func TestGlobs(t *testing.T) {
	for pattern, names := range map[string]map[string]bool{
		"**":          {"a": true, "a/b/c": true, "": true},
		"src/**":      {"src": true, "src/a": true, "src/a/b": true, "srcs": false, "a/src/b": false},
		"**/x.go":     {"x.go": true, "a/x.go": true, "a/b/x.go": true, "x.goo": false, "ax.go": false},
		"a/**/b":      {"a/b": true, "a/x/b": true, "a/x/y/b": true, "a/bb": false, "b": false},
		"*.go":        {"a.go": true, ".go": true, "a/b.go": false, "a.gox": false},
		"a?c":         {"abc": true, "a\u00fcc": true, "ac": false, "abbc": false, "a/c": false},
		"a*b*c":       {"abc": true, "axxbyyc": true, "acb": false, "ab/c": false},
		"**/a/**/b/*": {"a/b/c": true, "x/a/y/b/c": true, "a/b": false, "b/c": false},
	} {
		for name, want := range names {
			if got := globMatches(pattern, name); got != want {
				t.Errorf("%q and %q: %v", pattern, name, got)
			}
		}
	}
}

func TestPagesThatRulesAllow(t *testing.T) {
	p := withRules(t, "fetch example.com", "fetch *.wild.org", "fetch 10.0.0.1", "fetch [::1]", "fetch b\u00fccher.de")
	for url, want := range map[string]bool{
		"https://example.com": true, "https://example.com/a?b#c": true, "http://EXAMPLE.com./x": true, "https://example.com:443/": true, "http://example.com:80": true, "https://wild.org/": true, "https://a.b.wild.org/": true,
		"http://10.0.0.1/": true, "http://[::1]/": true, "https://xn--bcher-kva.de/": true, "https://b\u00fccher.de/": true, "HTTPS://example.com": true,
		"https://example.com:8443/": false, "http://example.com:443/": false, "https://user@example.com/": false, "https://example.com@evil.org/": false, "https://evil.org/example.com": false, "https://evil.org?example.com": false,
		"https://evil.org#example.com": false, "https://example.com.evil.org": false, "https://sub.example.com": false, "https://evilexample.com": false, "https://evil.org\\@example.com": false, "https://example.com\\@evil.org": false,
		"https://example.com\t.evil.org": false, "https://evil.org\n@example.com/": false, "//example.com/": false, "example.com": false, "ftp://example.com/": false, "file://example.com/": false, "javascript:example.com": false,
		"https:example.com": false, "https:/example.com": false, "https:///example.com": false, "https://example%2ecom/": false, "https://%65xample.com/": false, "https://ex\u0430mple.com/": false, "https://example\u3002com/x": true,
		"https://xwild.org": false, "http://167772161/": false, "http://0x0a000001/": false, "http://10.1/": false, "http://[::1%25eth0]/": false, "http://[::ffff:10.0.0.1]/": true, "https://": false, "": false, "https://example.com /": false,
		"https://example.com:/": true, "https://example.com:0443/": false, "https://example..com": false, "https://example.com..": false,
	} {
		in, err := json.Marshal(map[string]string{"url": url})
		if err != nil {
			t.Fatal(err)
		}
		if d := p.Decide(toolview.Fetch, session.PermissionAsk{Tool: "WebFetch", Input: in}); (d.Ruling == Allow) != want {
			t.Errorf("%q: %s", url, d.Ruling)
		}
	}
	for _, in := range []string{`{"url":"https://example.com","url":"https://evil.org"}`, `{"url":"https://example.com","URL":"https://evil.org"}`, `{"url":7}`, `[]`, `7`, ``, `{"url":["https://example.com"]}`, `{"x":{"url":"https://example.com"}}`} {
		if d := p.Decide(toolview.Fetch, session.PermissionAsk{Tool: "WebFetch", Input: json.RawMessage(in)}); d.Ruling != Ask {
			t.Errorf("%s: %s", in, d.Ruling)
		}
	}
}

// FuzzPathsOnDisk writes what the policy lets be edited, and looks whether anything outside has changed.
func FuzzPathsOnDisk(f *testing.F) {
	root, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	work, away := filepath.Join(root, "project"), filepath.Join(root, "away")
	for _, dir := range []string{filepath.Join(work, "sub", "deep"), filepath.Join(work, ".git"), filepath.Join(away, "dir")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			f.Fatal(err)
		}
	}
	_ = os.WriteFile(filepath.Join(away, "file"), []byte("untouched"), 0o600)
	for name, to := range map[string]string{"out": away, "up": "..", "gone": filepath.Join(away, "new"), "loop": "loop", "in": "sub", "sub/back": "../..", "file": filepath.Join(away, "file"), "git": ".git", "sub/deep/out": "../../out"} {
		if os.Symlink(to, filepath.Join(work, name)) != nil {
			f.Log("this system makes no links: only plain paths are tried")
			break
		}
	}
	for _, seed := range []string{"a", "sub/a", "out/file", "out/x", "up/away/file", "gone", "loop/x", "in/x", "sub/back/away/x", "file", "git/config", "git/hooks/pre-commit", "sub/deep/out/x", "in/../out/x", "sub//x", "./a", "out/../../x",
		"in/deep/out/dir/y", ".git/config", "sub/.GIT/config", "new/er/x", "up", "sub/back/project/up/away/x", "a\x00b", "..", "../away/x"} {
		f.Add(seed)
	}
	p := Policy{Mode: session.ModeAcceptEdits, Dirs: []string{work}, Home: filepath.Join(root, "home")}.OnDisk(os.Environ())
	outside := func() string {
		var all strings.Builder
		for _, dir := range []string{root, away, filepath.Join(away, "dir"), filepath.Join(work, ".git")} {
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				data, _ := os.ReadFile(filepath.Join(dir, e.Name()))
				fmt.Fprintf(&all, "%s/%s %q\n", dir, e.Name(), data)
			}
		}
		return all.String()
	}
	before := outside()
	f.Fuzz(func(t *testing.T, name string) {
		path := work + string(filepath.Separator) + name
		if len(name) > 200 || p.Decide(toolview.Edit, session.PermissionAsk{Path: path}).Ruling != Allow {
			return
		}
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		_ = os.WriteFile(path, []byte("written"), 0o600) // a directory of that name is no harm
		if after := outside(); after != before {
			t.Fatalf("%q writes outside:\n%s\nwas\n%s", name, after, before)
		}
	})
}
