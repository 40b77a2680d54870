package permission

import (
	"runtime"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// argumentRules are rules with any arguments for programs that parley does not know, and for some that it knows.
var argumentRules = []string{"command mytool *", "command base64 *", "command npm run lint *", "command go run *", "command cargo *", "command git commit *", "command npx eslint *", "command pytest *"}

func TestArgumentsThatLeadOutsideAreAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := withRules(t, argumentRules...)
	for _, line := range []string{
		"mytool /etc/passwd", "base64 -w0 /etc/passwd", "mytool ~/x", "mytool ~", "mytool ../x", "mytool a=/etc/passwd", "mytool -I/etc", "mytool -vI/etc", "mytool file:///etc/passwd",
		"mytool FILE:///etc/passwd", "mytool a=file:///home/u/src/a.go", "mytool @/etc/passwd", "mytool .envrc", "mytool .git/config", "mytool sub/.envrc", "mytool /home/u/src/.git/config", "mytool /", "mytool ..",
		"mytool sub/../../x", "mytool -d..", "mytool -d../x", "mytool . /etc", "mytool --in=../x", "mytool --x=~/y", "mytool '~/x'", "mytool '~root/x'", "mytool a:/etc/passwd", "mytool a:b:/etc", "mytool a,/etc/passwd", "mytool a,b=/etc",
		"mytool out", "mytool out/passwd", "mytool -xout/passwd", "mytool --x=out/passwd", "mytool dangling", "mytool self", "mytool back/../x", "mytool 'load /etc/passwd'", "mytool 'load(\"/etc/passwd\")'", "mytool '[\"/etc\"]'",
		"mytool https://a.b/c,/etc/passwd", "mytool 'https://a.b /etc/passwd'", "mytool http:///etc/passwd", "mytool unix:///etc/x", "mytool x://etc//passwd", "mytool \"sub/$x\"", "mytool \"a$x\"", "mytool /home/u/src/../x",
		"mytool /home/u/src:/etc", "mytool /home/u/.ssh/id", "mytool /home/u/.bashrc", "mytool /dev/sda", "mytool /dev/fd/", "mytool /dev/null/../sda", "mytool /dev/fd/x", "mytool /proc/self/environ", "mytool -- /etc/passwd",
		"mytool sub /etc/passwd sub", "mytool -f - /etc/passwd", "timeout 5 mytool /etc/passwd", "nice mytool ../x", "mytool .github/workflows/x.yml", "mytool .vscode", "mytool .GIT/config", "mytool git~1/config", "cd sub && mytool ../x",
		"cd sub && mytool .envrc", "npm run lint /etc/passwd", "npm run lint -- /etc/passwd", "go run ./sub /etc/passwd", "go run ./sub out/passwd", "cargo test --manifest-dir=/etc/x", "git commit -m x /etc/passwd", "npx eslint /etc/passwd",
		"npx eslint ../x", "pytest /etc/x", "pytest --rootdir=../x", "mytool sub/a:../x", "mytool $'\\x2fetc'", "mytool {a,/etc/passwd}", "mytool /e''tc/passwd", "mytool \"/etc/passwd\"", "mytool \\/etc/passwd", "mytool -- -x/etc", "mytool =/etc",
	} {
		d := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line})
		if d.Ruling != Ask {
			t.Errorf("%q: %s by %v", line, d.Ruling, d.Rule)
		}
	}
	parts := p.Decide(toolview.Command, session.PermissionAsk{Command: "mytool a=/etc/passwd"}).Parts
	if len(parts) != 1 || parts[0].Why != "/etc/passwd is outside this session's directories" {
		t.Errorf("%+v", parts)
	}
}

func TestArgumentsWithinTheDirectoriesAreCovered(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := withRules(t, argumentRules...)
	for _, line := range []string{
		"mytool", "mytool x", "mytool update", "mytool config", "mytool HEAD", "mytool sub", "mytool sub/x", "mytool ./...", "mytool .", "mytool /home/u/src/a.go", "mytool /extra/x", "mytool back/x", "mytool /link/a.go", "mytool ~/src/a.go",
		"mytool --in=sub", "mytool --in=/home/u/src/sub", "mytool sub .", "mytool -Isub", "mytool -I/extra", "mytool https://example.com/etc/passwd", "mytool --url=http://a.b/../c", "mytool postgres://u@h/db", "mytool a@1.2.3", "mytool @scope/pkg", "mytool a:b",
		"mytool main..side", "mytool HEAD~2", "mytool a~b", "mytool -f -", "mytool --", "mytool -", "mytool --flag -v -x3", "mytool 12 3.5 -7", "mytool /dev/null", "mytool /dev/stdin", "mytool --x=/dev/stderr", "mytool /dev/fd/2", "mytool .gitignore",
		"mytool 'a text, in words.'", "mytool ''", "mytool /home/u/src/sub:/extra", "cd sub && mytool x", "cd sub && mytool ./x/y", "npm run lint -- --fix sub", "go run ./sub x", "cargo test --release", "git commit -m 'Say why: it is so'",
		"git commit -m 'Use /etc/hosts, and ~'", "git commit -m " + strings.Repeat("x", 400), "git commit -m '" + strings.Repeat("words ", 100) + "'", "npx eslint sub --fix", "pytest -k 'a and not b' sub/x.py::Test", "timeout 5 mytool sub/x",
	} {
		if d := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}); d.Ruling != Allow {
			t.Errorf("%q: %s %q %+v", line, d.Ruling, d.Reason, d.Parts)
		}
	}
}

// A rule that names the very argument covers it, alone and with what follows.
func TestRulesMayNameWhatIsOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	for rule, lines := range map[string]map[string]Ruling{
		"command mytool /etc/passwd":        {"mytool /etc/passwd": Allow, "mytool /etc/passwd x": Ask, "mytool /etc/group": Ask},
		"command mytool /etc/passwd *":      {"mytool /etc/passwd": Allow, "mytool /etc/passwd x": Allow, "mytool /etc/passwd /etc/group": Ask},
		"command mytool /etc/passwd | head": {"mytool /etc/passwd | head": Allow, "mytool /etc/passwd": Ask},
	} {
		p := withRules(t, "command mytool *", rule)
		for line, want := range lines {
			if got := rulingOn(p, line); got != want {
				t.Errorf("%q under %q: %s", line, rule, got)
			}
		}
	}
	p := withRules(t, "command mytool *")
	p.Base = ""
	for line, want := range map[string]Ruling{"mytool x": Allow, "mytool sub/x": Ask, "mytool ../x": Ask, "mytool /extra/x": Allow, "mytool .envrc": Ask} {
		if got := rulingOn(p, line); got != want {
			t.Errorf("%q where commands begin anywhere: %s", line, got)
		}
	}
}

// No program of the tables may be handed a file outside under a rule with any arguments, however the argument is written.
func TestKnownProgramsAreHandedNothingOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	begins := []string{"go test", "go build", "go vet", "go run ./sub", "go list", "npm run lint", "npm install", "npm test", "yarn add", "pip install", "cargo build", "cargo test --", "docker build", "docker run x", "kubectl apply", "make all",
		"mvn test", "gradle build", "bundle exec rspec", "npx eslint", "uv run pytest", "poetry install", "composer install", "gem list", "helm template", "bun test", "tar tf", "curl https://a.b", "wget https://a.b", "sqlite3 x.db", "psql", "rm", "cp a.go",
		"mv a.go", "touch", "mkdir", "chmod 644", "tee", "gzip", "gofmt", "truncate -s 0", "git add", "git commit", "git push origin", "git checkout", "git mv", "git stash push", "just x", "ninja", "cmake", "pytest", "rspec", "jest", "terraform plan",
		"sed p", "awk 1", "sort", "jq .", "find", "rg x", "grep x", "diff a.go", "cat", "head", "xxd", "timeout 5 mytool", "nice mytool"}
	var rules []string
	for _, begin := range begins {
		words := strings.Fields(begin)
		rules = append(rules, "command "+words[0]+" *", "command "+strings.Join(words, " ")+" *")
	}
	rules = append(rules, "command mytool *")
	p := withRules(t, rules...)
	for _, begin := range begins {
		for _, argument := range []string{"/etc/passwd", "../other/x", "sub/../../other", "~/other/x", "out/passwd", "@/etc/passwd", "--x=/etc/passwd", "-q/etc/passwd", "-q=../x", "file:///etc/passwd", "a:/etc/passwd", "/home/u/.ssh/id"} {
			for _, line := range []string{begin + " " + argument, begin + " " + argument + " a.go"} {
				literal := strings.HasPrefix(argument, "@") || strings.Contains(argument, ":") // the name of a file to programs that only read
				if d := p.Decide(toolview.Command, session.PermissionAsk{Command: line}); d.Ruling != Ask && !(literal && onlyReads(begin)) {
					t.Errorf("%q: %s by %v", line, d.Ruling, d.Rule)
				}
			}
		}
	}
}

func onlyReads(begin string) bool {
	return testPolicy(session.ModePlan).Decide(toolview.Command, session.PermissionAsk{Command: begin + " x"}).Ruling == Allow
}
