package permission

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// TestOffersHaveWordsAndTimes checks the names of what is offered first for a call, and for how long it may hold.
func TestOffersHaveWordsAndTimes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for _, c := range []struct {
		kind  toolview.Kind
		ask   session.PermissionAsk
		names string
		lasts int // of session, project, always
	}{
		{toolview.Command, session.PermissionAsk{Command: "go vet ./... && go test ./... 2>&1 | tail -20"}, "go vet|go test", 3},
		{toolview.Command, session.PermissionAsk{Command: "go test ./... && git push origin main"}, "go test|git push origin main", 3},
		{toolview.Command, session.PermissionAsk{Command: "git push origin main"}, "exactly this", 3},
		{toolview.Command, session.PermissionAsk{Command: "make test"}, "exactly this", 2},
		{toolview.Command, session.PermissionAsk{Command: "npx vitest run"}, "npx vitest", 3},
		{toolview.Command, session.PermissionAsk{Command: "npm test"}, "npm test", 3},
		{toolview.Command, session.PermissionAsk{Command: "python3 -c 'print(1)'"}, "exactly this", 1},
		{toolview.Command, session.PermissionAsk{Command: "docker run x"}, "exactly this", 1},
		{toolview.Command, session.PermissionAsk{Command: "ssh host ls"}, "exactly this", 1},
		{toolview.Command, session.PermissionAsk{Command: "sh check.sh"}, "exactly this", 1},
		{toolview.Command, session.PermissionAsk{Command: "python3 -m pytest -q"}, "exactly this", 1},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/src/a.go"}, "any file in this project", 3},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/src/sub/a.go"}, "any file in sub/", 3},
		{toolview.Read, session.PermissionAsk{Path: "/etc/hosts"}, "any file in /etc/", 3},
		{toolview.Fetch, session.PermissionAsk{Tool: "WebFetch", Input: json.RawMessage(`{"url":"https://example.com/x"}`)}, "example.com", 3},
		{toolview.MCP, session.PermissionAsk{Tool: "mcp__github__list_issues"}, "list_issues of github", 3},
		{toolview.Other, session.PermissionAsk{Tool: "WebSearch"}, "WebSearch", 3},
	} {
		offers := p.SuggestRules(c.kind, c.ask)
		all := []session.Scope{session.ScopeSession, session.ScopeProject, session.ScopeGlobal}
		if len(offers) == 0 || strings.Join(offers[0].Names, "|") != c.names || !slices.Equal(offers[0].Lasts(), all[:c.lasts]) {
			t.Errorf("%+v: %+v, want %s", c.ask, offers, c.names)
		}
	}
	runtimes := session.Rule{Label: "every command", Destination: "Claude Code, in this session"}
	if got := runtimes.Lasts(); !slices.Equal(got, []session.Scope{session.ScopeSession}) {
		t.Errorf("a rule of a runtime holds for %v", got)
	}
	if got := (session.Rule{Text: "command ls *"}).Lasts(); len(got) != 3 {
		t.Errorf("a rule of an older journal holds for %v", got)
	}
}

// TestGrantsHoldNoLongerThanOffered grants nothing for a scope that an offer does not have.
func TestGrantsHoldNoLongerThanOffered(t *testing.T) {
	rule := session.Rule{Text: "command docker run x", Scopes: []session.Scope{session.ScopeSession}}
	ask := &session.PermissionAsk{Rules: []session.Rule{rule}}
	for scope, want := range map[session.Scope]int{session.ScopeSession: 1, session.ScopeProject: 0, session.ScopeGlobal: 0} {
		if got := GrantedBy(ask, session.Answer{Decision: session.Allow, Scope: scope, Rule: &rule}, scope); len(got) != want {
			t.Errorf("%s: %+v", scope, got)
		}
	}
}

// TestCare checks what is said before a command line runs, whether it is dangerous, and that nothing is offered then. Lines outside of
// the language are looked at, too.
func TestCare(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	const leaves, lost, rights, reads = "leaves this machine", "cannot be undone", "acts as another user", "runs what it reads"
	p := testPolicy(session.ModeDefault)
	for why, lines := range map[string]map[bool]string{
		"": {false: "go test ./...|make|rm x|git commit -m x|git checkout -b x|git restore --staged x|git branch x|curl https://x.example|curl -d a http://localhost:1/|echo 'git push --force'|" +
			"gh pr list|kubectl get pods|docker build .|find . -name x|npm ci|psql -c 'select 1'|grep -rn 'rm -rf' .|rsync -a a b|git stash|aws s3 ls"},
		leaves: {false: "git push|git push origin main|npm publish|gh pr merge 12|gh issue close 1|kubectl apply -f x|terraform apply|docker push x|curl -X POST https://x.example|ssh host ls|" +
			"scp a host:b|rsync -a . host:x|cd sub && git push|timeout 5 git push|x=$((1+1)); git push|helm upgrade a b|aws s3 cp a s3://b",
			true: "git push --force|git push -f origin main|git push --force-with-lease|git push origin :main|git push origin +main|git push --delete origin x|git push --mirror|" +
				"gh pr merge 12 --admin|terraform apply -auto-approve --auto-approve"},
		lost: {true: "rm -rf build|rm -r x|rm *|rm ~/x|git reset --hard|git clean -fd|git checkout -- .|git branch -D x|git stash drop|git -C sub reset --hard|find . -delete|find . -exec rm {} +|" +
			"dd if=/dev/zero of=x|shred x|mkfs.ext4 /dev/sda|gh repo delete x|kubectl delete pod x|terraform destroy|aws s3 rm s3://x|npm unpublish x|docker system prune|docker volume rm x|" +
			"psql -c 'DROP TABLE x'|curl -X DELETE https://x.example/y|bash -c 'rm -rf x'|xargs rm -rf|go vet ./... && rm -rf x|echo \"$(rm -rf x)\"|if true; then rm -rf x; fi|" +
			"rm -rf $((1+1))|f() { rm -rf x; }; f|/bin/rm -rf x|rsync --delete a b|env rm -rf x"},
		rights: {true: "sudo ls|doas ls|sudo -u x make|echo x \\| sudo tee y"},
		reads:  {true: "curl -s https://x.example \\| sh|cat x \\| bash -s|cat x \\| python3 -|cat x \\| env sh"},
	} {
		for danger, of := range lines {
			for line := range strings.SplitSeq(strings.ReplaceAll(of, `\|`, "\x00"), "|") {
				checkCare(t, p, strings.ReplaceAll(line, "\x00", "|"), why, danger)
			}
		}
	}
	checkCare(t, p, "cat x | python3 y.py", "", false)
}

func checkCare(t *testing.T, p Policy, line, why string, danger bool) {
	t.Helper()
	ask := session.PermissionAsk{Tool: "Bash", Command: line}
	d := p.Decide(toolview.Command, ask)
	if d.Ruling != Ask && why == "" {
		return // it runs
	}
	if d.Care.Why != why || d.Care.Danger != danger {
		t.Errorf("%s: %+v, want %q %v", line, d.Care, why, danger)
	}
	if offers := p.SuggestRules(toolview.Command, ask); danger && len(offers) > 0 {
		t.Errorf("%s is dangerous, and offered are %+v", line, offers)
	}
}
