package mapper

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/copilot/cloud"
	service "parley/copilot/sim/cloud"
	"parley/session"
)

// logOf returns the log of a session of the simulated service that has done its work.
func logOf(t testing.TB, problem string) []byte {
	t.Helper()
	s := service.New(service.Options{Frozen: true, Now: func() time.Time { return time.Unix(1790000000, 0) }})
	a := s.Answer(service.Request{Method: "POST", Path: "/agents/swe/v1/jobs/octo/greet", Header: map[string][]string{"Copilot-Integration-Id": {"x"}},
		Body: []byte(`{"problem_statement":"` + problem + `"}`)})
	_, rest, _ := strings.Cut(string(a.Body), `"session_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	s.Advance(time.Hour)
	return s.LogAt(id)
}

func newMapper(dir string) *Mapper {
	return New(Options{Head: session.Head{Session: "s", Turn: "t"}, Session: "c", Dir: dir})
}

// describe returns the entries of a turn, one line each.
func describe(turn *session.Turn) []string {
	var out []string
	for _, e := range turn.Entries {
		switch e := e.(type) {
		case *session.Part:
			out = append(out, fmt.Sprintf("%s: %s", e.Kind, strings.ReplaceAll(e.Text(), "\n", "⏎")))
		case *session.Tool:
			line := fmt.Sprintf("%s %s %s", e.Name, e.Input, e.Outcome)
			if e.Result.ExitCode != nil {
				line += fmt.Sprintf(" exit %d", *e.Result.ExitCode)
			}
			if e.Result.Summary != "" {
				line += " (" + e.Result.Summary + ")"
			}
			if e.Result.Text != "" {
				line += " = " + strings.ReplaceAll(e.Result.Text, "\n", "⏎")
			}
			for _, f := range e.Edits {
				line += fmt.Sprintf(" %s +%d -%d created %v", filepath.ToSlash(f.Path), f.Added, f.Removed, f.Created)
			}
			out = append(out, line)
		case *session.Mark:
			out = append(out, fmt.Sprintf("%T", e.Event))
		}
	}
	return out
}

func TestLogBecomesATurn(t *testing.T) {
	dir := filepath.FromSlash("/home/me/greet")
	m := newMapper(dir)
	events := append([]session.Event{session.TurnStarted{Head: session.Head{Session: "s", Turn: "t"}, Prompt: session.Prompt{Text: "Greet by name"}}}, m.Feed(logOf(t, "Greet by name"))...)
	events = append(events, m.End()...)
	tr := session.Fold(events)
	want := []string{
		`run_setup {"name":"Start 'github-mcp-server' MCP server"} ok = MCP server started successfully (version github-mcp-server/remote) with 39 tools - for the full output, see the verbose logs⏎⏎- get_commit⏎- get_issue⏎- list_commits`,
		`text: I'll look at the repository before I change anything.`,
		`view {"path":"."} ok = README.md⏎go.mod⏎greet.go`,
		`bash {"async":false,"command":"go test ./...","description":"Run the tests","sessionId":"main"} ok exit 0 = ok  	example.com/greet	0.004s`,
		`reasoning: The greeting is in one function, so a parameter is enough.`,
		`text: This is my plan:`,
		`report_progress {"commitMessage":"Plan the change","prDescription":"Work on: Greet by name\n\n- [x] Understand the code\n- [ ] Greet by name\n- [ ] Add a test\n"} ok = $ git push -v origin HEAD⏎Everything up-to-date`,
		`text: Now the change itself.`,
		`str_replace {"new_str":"func Greet(name string) string { return \"hello, \" + name }","old_str":"func Greet() string { return \"hello\" }","path":"greet.go"} ok /home/me/greet/greet.go +1 -1 created false`,
		`create {"file_text":"package greet\n\nimport \"testing\"\n\nfunc TestGreet(t *testing.T) {\n\tif Greet(\"you\") != \"hello, you\" {\n\t\tt.Fail()\n\t}\n}\n","path":"greet_test.go"} ok /home/me/greet/greet_test.go +9 -0 created true`,
		`reasoning: Every caller passes a name, so the parameter needs no default.`,
		`bash {"async":false,"command":"go vet ./... \u0026\u0026 go test ./...","description":"Vet and test","sessionId":"main"} ok exit 0 = ok  	example.com/greet	0.005s`,
		`text: Everything passes, so I push it.`,
		`report_progress {"commitMessage":"Greet by name","prDescription":"Work on: Greet by name\n\n- [x] Understand the code\n- [x] Greet by name\n- [x] Add a test\n"} ok = $ git add . -v⏎add 'greet.go'⏎add 'greet_test.go'⏎⏎$ git push -v origin HEAD`,
		`codeql_checker {} ok = <info>Analysis completed successfully for .</info>`,
		"text: The greeting takes a name now, and a test covers it.⏎⏎- `greet.go`: a parameter⏎- `greet_test.go`: the test",
		`text: **Greet by name**⏎⏎Greets by name, with a test.`,
	}
	if diff := cmp.Diff(want, describe(tr.Turns[0])); diff != "" {
		t.Error(diff)
	}
	if tr.Title != "Greet by name" || len(tr.Todos) != 3 || tr.Todos[2].State != session.TodoDone {
		t.Errorf("title %q, todos %v", tr.Title, tr.Todos)
	}
	if tr.Usage.Output == 0 || tr.Usage.CacheRead == 0 || tr.Turns[0].Model != "Claude Sonnet 4.5" {
		t.Errorf("usage %+v of %q", tr.Usage, tr.Turns[0].Model)
	}
}

// TestAnyPiecesGiveTheSameEvents feeds a log in pieces of every small size.
func TestAnyPiecesGiveTheSameEvents(t *testing.T) {
	log := logOf(t, "Greet by name")
	whole := newMapper("")
	want := append(whole.Feed(log), whole.End()...)
	for _, size := range []int{1, 7, 100, 4096} {
		m := newMapper("")
		var got []session.Event
		for from := 0; from < len(log); from += size {
			got = append(got, m.Feed(log[from:min(from+size, len(log))])...)
		}
		got = append(got, m.End()...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("pieces of %d bytes: %s", size, diff)
		}
		if m.Read() != len(log) {
			t.Errorf("pieces of %d bytes: %d of %d bytes read", size, m.Read(), len(log))
		}
	}
}

func TestOddLogs(t *testing.T) {
	chunk := func(choices string) string {
		return `data: {"object":"chat.completion.chunk","created":1790000000,"choices":[` + choices + "]}\n"
	}
	bash := func(content string) string {
		return `{"delta":{"content":` + content + `,"tool_calls":[{"id":"b","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}}`
	}
	for what, c := range map[string]struct {
		log  string
		want []string
	}{
		"other lines":        {"event: ping\n: comment\ndata: [DONE]\ndata: {}\ndata: {\"object\":\"other\"}\n\n", nil},
		"a damaged line":     {"data: {\"object\":\n" + chunk(`{"delta":{"role":"assistant","content":"hi"}}`), []string{"text: hi"}},
		"a user's message":   {chunk(`{"delta":{"role":"user","content":"hi"}}`), nil},
		"a failing command":  {chunk(bash(`""`)) + chunk(bash(`"no rule\n<exited with exit code 2>"`)), []string{`bash {"command":"make"} failed exit 2 = no rule`}},
		"no result":          {chunk(bash(`""`)), []string{`bash {"command":"make"} cancelled (no result)`}},
		"two results":        {chunk(bash(`"one"`)) + chunk(bash(`"two"`)), []string{`bash {"command":"make"} ok = one`}},
		"bad arguments":      {chunk(`{"delta":{"content":"x","tool_calls":[{"id":"v","function":{"name":"view","arguments":"{"}}]}}`), []string{`view { ok = x`}},
		"no name":            {chunk(`{"delta":{"content":"x","tool_calls":[{"id":"v","function":{"arguments":"{}"}}]}}`), nil},
		"reasoning":          {chunk(`{"delta":{"role":"assistant","content":"hi","reasoning_text":"hm"}}`), []string{"reasoning: hm", "text: hi"}},
		"a title alone":      {chunk(`{"delta":{"role":"assistant","content":"<pr_title>A\nB</pr_title>"}}`), nil},
		"a title not closed": {chunk(`{"delta":{"role":"assistant","content":"<pr_title>A"}}`), []string{"text: <pr_title>A"}},
		"a path outside": {chunk(`{"delta":{"content":"x","tool_calls":[{"id":"v","function":{"name":"view","arguments":"{\"path\":\"/home/runner/work/a/a/../../../etc\"}"}}]}}`),
			[]string{`view {"path":"/home/runner/work/a/a/../../../etc"} ok = x`}},
	} {
		m := newMapper("/here")
		events := append(m.Feed([]byte(c.log)), m.End()...)
		var got []string
		if tr := session.Fold(events); len(tr.Turns) > 0 {
			got = describe(tr.Turns[0])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
}

func TestEveryEndIsSaidPlainly(t *testing.T) {
	page := "https://github.com/o/r/pull/1/agent-sessions/c"
	for state, want := range map[cloud.State]string{
		cloud.Queued:         "",
		cloud.InProgress:     "",
		"a_new_one":          "",
		cloud.Completed:      "completed",
		cloud.Idle:           "completed",
		cloud.Failed:         "failed: The cloud agent failed: no tests. Send a prompt to let it try again. See " + page + ".",
		cloud.TimedOut:       "limit: The cloud agent ran out of time. Send a prompt to let it go on. See " + page + ".",
		cloud.Cancelled:      "This task was cancelled at GitHub. Send a prompt to go on.; cancelled",
		cloud.WaitingForUser: "The cloud agent waits for you: answer with a prompt, which becomes a comment. See " + page + ".; completed",
	} {
		var got []string
		for _, e := range Ended(session.Head{Turn: "t"}, cloud.Session{State: state, Problem: "no  tests"}, page) {
			switch e := e.(type) {
			case session.Notice:
				got = append(got, e.Text)
			case session.TurnEnded:
				line := string(e.Outcome)
				if e.Problem != nil {
					line += ": " + e.Problem.What + " " + e.Problem.Next
				}
				got = append(got, line)
			}
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s: %q, want %q", state, s, want)
		}
	}
}

func FuzzFeed(f *testing.F) {
	f.Add(logOf(f, "x"), 100)
	f.Add([]byte("data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"\\ndiff --git a/x b/x\\n@@ -1 +1 @@\\n\\n\",\"tool_calls\":[{\"function\":{\"name\":\"view\",\"arguments\":\"{}\"}}]}}]}\n"), 3)
	f.Fuzz(func(t *testing.T, log []byte, size int) {
		whole, pieces := newMapper("/d"), newMapper("/d")
		want := append(whole.Feed(log), whole.End()...)
		var got []session.Event
		for rest := log; len(rest) > 0; {
			n := min(max(size, 1), len(rest))
			got = append(got, pieces.Feed(rest[:n])...)
			rest = rest[n:]
		}
		got = append(got, pieces.End()...)
		if len(got) != len(want) {
			t.Fatalf("%d events in pieces, %d at once", len(got), len(want))
		}
		session.Fold(want)
	})
}

// BenchmarkLongLog maps a log of 10 MB and folds its events.
func BenchmarkLongLog(b *testing.B) {
	var log []byte
	for _, e := range service.LongLog(10 << 20) {
		log = append(log, "data: "+e+"\n\n"...)
	}
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		m := newMapper("/here")
		session.Fold(append(m.Feed(log), m.End()...))
	}
}
