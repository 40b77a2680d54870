package export

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"parley/session"
)

const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// conversation is one with everything that an export treats differently: hostile texts, a secret that came in two deltas, reasoning,
// a result, a change, a child, an interrupt.
func conversation() []session.Event {
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	child := h
	child.Child = "c1"
	return []session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "why <b>?\nsecond \x1b[2J\u202eline", Attachments: []session.Attachment{
			{Kind: session.AttachImage, MediaType: "image/png", Data: []byte("png")}, {Kind: session.AttachImage, MediaType: "text/html\" x", Data: []byte("evil")}}}},
		session.PartStarted{Head: h, Part: "r", Kind: session.PartReasoning},
		session.PartDelta{Head: h, Part: "r", Text: "thoughts of mine"},
		session.PartEnded{Head: h, Part: "r", Opaque: json.RawMessage(`"sealed"`)},
		session.PartStarted{Head: h, Part: "p", Kind: session.PartText},
		session.PartDelta{Head: h, Part: "p", Text: "# Answer\n\n<script>alert(1)</script>\n\n[x](javascript:alert) <img src=x onerror=alert(1)> ![pic](https://tracker.example/p.png)\n\n```go\nfunc f() {}\n```\n\ntoken " + secret[:12]},
		session.PartDelta{Head: h, Part: "p", Text: secret[12:] + " end\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"},
		session.PartEnded{Head: h, Part: "p"},
		session.ToolStarted{Head: h, Call: "c", Name: "Bash"},
		session.ToolReady{Head: h, Call: "c", Input: json.RawMessage(`{"command":"echo '</pre><script>'"}`)},
		session.ToolEnded{Head: h, Call: "c", Outcome: session.ToolFailed, Result: session.ToolResult{Text: "result </pre><script>x</script>"}},
		session.ToolStarted{Head: h, Call: "e", Name: "Edit"},
		session.ToolReady{Head: h, Call: "e", Input: json.RawMessage(`{"file_path":"/p/main.go"}`)},
		session.ToolEnded{Head: h, Call: "e", Outcome: session.ToolOK, Edits: []session.FileEdit{{Path: "/p/main.go", Added: 1, Removed: 1,
			Patch: "@@ -1 +1 @@\n-var a = \"<old>\"\n+var a = 2\n"}}},
		session.ChildStarted{Head: h, ID: "c1", Name: "explore", Description: "look"},
		session.PartReplaced{Head: child, Part: "q", Kind: session.PartText, Text: "child's words"},
		session.ChildEnded{Head: h, ID: "c1", Outcome: session.TurnCompleted, Summary: "summed up"},
		session.TurnEnded{Head: h, Outcome: session.TurnCancelled},
	}
}

// TestHTML shows everything of a conversation. Nothing in the page runs or loads.
func TestHTML(t *testing.T) {
	events := conversation()
	meta := session.Meta{Title: "A <talk>", Agent: "builtin", Dir: "/p"}
	got := written(t, meta, session.Fold(events), nil, Options{Format: "html", Reasoning: true, Output: true})
	body := got[strings.Index(got, "<body>"):]
	for _, bad := range []string{"<script", "javascript:", "<img src=x", secret, secret[12:], "\x1b", "\u202e", "evil", "<old>", "<b>"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
	if strings.Contains(got, "<link") || strings.Contains(got, "src=\"http") {
		t.Error("the page loads something")
	}
	for _, want := range []string{`<span class=kd>func</span>`, `class="line added"`, "<details class=tool>", "<details class=reasoning>", "thoughts of mine", "<th>a</th>",
		"data:image/png;base64,cG5n", "result &lt;/pre&gt;", "child's words", "interrupted", `<a href="https://tracker.example/p.png">`} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in\n%s", want, body)
		}
	}
	p := newPage("/p", Options{})
	if p.turn(&session.Turn{}); p.b.Len() > 0 {
		t.Errorf("what has no words takes room: %q", p.take())
	}
	if strings.Count(body, "<details") != strings.Count(body, "</details>") || strings.Count(body, "<pre") != strings.Count(body, "</pre>") {
		t.Error("an element is open")
	}
	for _, want := range []string{"prefers-color-scheme: dark", "@media print", "pre .kd"} {
		if !strings.Contains(got, want) {
			t.Errorf("the style lacks %q", want)
		}
	}
	if file := os.Getenv("PARLEY_EXPORT_HTML"); file != "" { // to look at it in a browser
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestChosen exports with and without reasoning, results and secrets in every format.
func TestChosen(t *testing.T) {
	events := conversation()
	tr := session.Fold(events)
	for _, format := range Formats {
		for _, tc := range []struct {
			o        Options
			has, not []string
		}{
			{Options{Reasoning: true, Output: true, Secrets: true}, []string{"thoughts of mine", "result "}, []string{"***"}},
			{Options{Output: true}, []string{"result ", "***"}, []string{"thoughts of mine", "sealed", secret, secret[12:]}},
			{Options{Reasoning: true}, []string{"thoughts of mine", "echo", "***"}, []string{"result ", secret[12:]}},
		} {
			tc.o.Format = format
			got := written(t, session.Meta{Agent: "builtin"}, tr, events, tc.o)
			for _, want := range tc.has {
				if !strings.Contains(got, want) {
					t.Errorf("%+v: %q is missing", tc.o, want)
				}
			}
			for _, bad := range tc.not {
				if strings.Contains(got, bad) {
					t.Errorf("%+v: has %q", tc.o, bad)
				}
			}
			if format == "json" && !json.Valid([]byte(got)) {
				t.Errorf("%+v: no JSON", tc.o)
			}
		}
	}
}

// What is exported as JSON folds to the same words again.
func TestJSONFoldsAgain(t *testing.T) {
	var got struct{ Events []json.RawMessage }
	if err := json.Unmarshal([]byte(written(t, session.Meta{}, nil, conversation(), NewOptions("json"))), &got); err != nil {
		t.Fatal(err)
	}
	var events []session.Event
	for _, line := range got.Events {
		e, err := new(session.Decoder).Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	o := NewOptions("md")
	want := written(t, session.Meta{}, session.Fold(conversation()), nil, o)
	if back := written(t, session.Meta{}, session.Fold(events), nil, o); back != want {
		t.Errorf("got\n%s\nwant\n%s", back, want)
	}
}

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		secret:                                       "***",
		"x " + secret + ".":                          "x ***.",
		"github_pat_0123456789abcdefgh":              "***",
		"sk-ant-api03-abcdefghijkl_mnop-q":           "***",
		"AKIAIOSFODNN7EXAMPLE":                       "***",
		"Authorization: Bearer abc.def123456":        "Authorization: Bearer ***",
		"https://me:pass-word@host/x":                "https://me:***@host/x",
		"postgres://app:s3cretpw@db/x":               "postgres://app:***@db/x",
		"GITHUB_TOKEN=abcdefgh":                      "GITHUB_TOKEN=***",
		"DB_PASSWORD='abcdefgh'":                     "DB_PASSWORD='***'",
		`{"api_key": "abc123def456"}`:                `{"api_key": "***"}`,
		`"{\"password\":\"hunter2222\"}"`:            `"{\"password\":\"***\"}"`,
		"--password hunter2hunter2hunter2":           "--password ***",
		"eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl": "***",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest": "***\nrest",
		`"-----BEGIN PRIVATE KEY-----\nMIIE\n","next"`:                               `"***","next"`,
		"ran `echo " + secret[:19] + "…`":                                            "ran `echo ***`", // a title that was cut off
		"ran `mask sk-…`":                                                            "ran `mask ***`",
		// Words, code and figures stay.
		"the task-…":                          "the task-…",
		"Bearer tokens are secrets":           "Bearer tokens are secrets",
		"token := strings.TrimSpace(text)":    "token := strings.TrimSpace(text)",
		"the token limit is 200000":           "the token limit is 200000",
		"TOKEN=$(gh auth token)":              "TOKEN=$(gh auth token)",
		"password: required":                  "password: required",
		`"inputTokens":123456789`:             `"inputTokens":123456789`,
		"see https://host:8080/path":          "see https://host:8080/path",
		"skip-the-first-of-the-tests":         "skip-the-first-of-the-tests",
		"cat secret /etc/passwd-2024-01-01-x": "cat secret /etc/passwd-2024-01-01-x",
	} {
		if got := mask(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for args, want := range map[string]struct {
		name string
		o    Options
	}{
		"":                                   {"", Options{Format: "md", Output: true}},
		"my talk.HTML":                       {"my talk.HTML", Options{Format: "html", Output: true}},
		"a.htm --reasoning":                  {"a.htm", Options{Format: "html", Output: true, Reasoning: true}},
		"a.json":                             {"a.json", Options{Format: "json", Output: true, Reasoning: true}},
		"a.json --reasoning=false --secrets": {"a.json", Options{Format: "json", Output: true, Secrets: true}},
		"--tool-output=false":                {"", Options{Format: "md"}},
		"notes.txt":                          {"notes.txt", Options{Format: "md", Output: true}},
	} {
		if name, o, err := Parse(args); err != nil || name != want.name || o != want.o {
			t.Errorf("%q: %q %+v %v", args, name, o, err)
		}
	}
	for _, args := range []string{"a.md --all", "a.md --secrets=maybe"} {
		if _, _, err := Parse(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
