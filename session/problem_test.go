package session

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
)

// allKinds returns every kind that problem.go declares.
func allKinds(t *testing.T) []Kind {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []Kind
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == 1 && strings.HasPrefix(v.Names[0].Name, "Kind") && len(v.Values) == 1 {
			s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, Kind(s))
		}
		return true
	})
	return kinds
}

// TestProblemOfEveryKind pins how each kind of error is told.
func TestProblemOfEveryKind(t *testing.T) {
	kinds := allKinds(t)
	if len(kinds) < 20 {
		t.Fatalf("found %d kinds", len(kinds))
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var b strings.Builder
	for _, k := range kinds {
		p := ProblemOf(&Error{Op: "do it", Kind: k, Err: errors.New("the reason")}, at)
		if _, ok := wordings[k]; !ok || p.Kind != k || p.Next == "" || !strings.Contains(p.What, "the reason") {
			t.Errorf("%s: %+v", k, p)
		}
		fmt.Fprintf(&b, "%s\n  %s\n  %s\n  retry %v\n", k, p.What, p.Next, p.Retry)
	}
	golden(t, "problems.txt", b.String())
}

type numbered struct{ error }

func (numbered) RequestID() string { return "REQ:1" }

func TestProblemOf(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if ProblemOf(nil, at) != nil {
		t.Error("nil is not a problem")
	}
	inner := &Error{Op: "copilot messages", Kind: KindRateLimit, Status: 429, RetryAfter: 90 * time.Minute, Err: numbered{errors.New("weekly limit\nreached.")}}
	p := ProblemOf(fmt.Errorf("turn: %w", &Error{Op: "send", Kind: KindInternal, Err: inner}), at)
	want := Problem{Kind: KindRateLimit, What: "Copilot asks to slow down: weekly limit reached.",
		Next: "Try again in 90 min, or choose another model.", Status: 429, RequestID: "REQ:1", RetryAt: at.Add(90 * time.Minute), Retry: true}
	if *p != want {
		t.Errorf("got  %+v\nwant %+v", *p, want)
	}
	for _, c := range []struct {
		err  error
		kind Kind
	}{
		{context.Canceled, KindCancelled},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), KindStalled},
		{errors.New("x"), KindInternal},
		{&Error{Op: "a", Kind: KindDisk, Err: &Error{Op: "b", Kind: KindNetwork, Err: errors.New("x")}}, KindDisk},
		{&Error{Op: "a", Kind: "from the future", Err: errors.New("x")}, "from the future"},
	} {
		if p := ProblemOf(c.err, at); p.Kind != c.kind || p.What == "" || p.Next == "" {
			t.Errorf("%v: %+v", c.err, p)
		}
	}
	refused := &Error{Op: "ask Copilot", Kind: KindAuth, Err: errors.New("unauthorized: no: the token in GH_TOKEN cannot be used: it has expired; set another")}
	if p := ProblemOf(refused, at); p.What != "GitHub did not accept the sign-in: the token in GH_TOKEN cannot be used: it has expired." || p.Next != "Set another." {
		t.Errorf("a refused token: %s %s", p.What, p.Next)
	}
	for why, what := range map[string]string{
		"Sorry, you have exceeded your rate limit. Please wait a moment and try again.": "Copilot asks to slow down: you have exceeded your rate limit.",
		"Please wait a moment.": "Copilot asks to slow down.",
		"Weekly limit reached. Please wait. Your plan has 0 left.": "Copilot asks to slow down: Weekly limit reached. Please wait. Your plan has 0 left.",
	} {
		if p := ProblemOf(&Error{Op: "ask Copilot", Kind: KindRateLimit, Err: errors.New(why)}, at); p.What != what {
			t.Errorf("%q: %q, want %q", why, p.What, what)
		}
	}
	long := ProblemOf(errors.New(strings.Repeat("x y ", 1000)), at)
	if displaywidth.String(long.What) > maxWhy+60 {
		t.Errorf("too long: %d", len(long.What))
	}
}

func TestProblemHidesSecrets(t *testing.T) {
	for _, secret := range []string{
		"gho_" + strings.Repeat("a1", 18), "ghp_abcdefghijkl", "ghu_abcdefghijkl", "github_pat_11ABCDEFG0abcdefgh_xyz",
		"sk-ant-REDACTED", "eyJhbGciOiJI.eyJzdWIiOi.abc-def", "tid=abcdef;exp=1:9f",
		"Bearer 0123456789abcdef.session", "bearer: 0123456789abcdef", "token=0123456789abcdef",
	} {
		p := ProblemOf(fmt.Errorf("request with %s refused", secret), time.Now())
		value := secret[strings.LastIndexAny(secret, " =")+1:]
		if strings.Contains(p.What, value) || !strings.Contains(p.What, "***") || !strings.Contains(p.What, "refused") {
			t.Errorf("%s: %s", secret, p.What)
		}
	}
	if p := ProblemOf(errors.New("the token is missing; bearer expected"), time.Now()); strings.Contains(p.What, "***") {
		t.Errorf("hides too much: %s", p.What)
	}
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		200 * time.Millisecond: "1 s", 90 * time.Second: "90 s", 5 * time.Minute: "5 min", 5*time.Hour + 1: "6 h", 52 * time.Hour: "2 d 4 h",
	} {
		if got := roughly(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; run with -update and look at the difference. Got:\n%s", path, got)
	}
}
