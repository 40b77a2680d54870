package uitest

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
)

// scene is one picture of the documentation: what it shows, in how many rows, and how it comes about.
type scene struct {
	name, title string
	rows        int
	config      func(t *testing.T) Config
	play        func(p *Program)
}

var scenes = []scene{
	{"greeting", "parley before the first prompt: three sessions to pick up, three things to try", 22, beginning, func(p *Program) { p.Settle() }},
	{"working", "parley at work: what the model thought, the files it read, a test that failed, and an answer that is being written", 33, upload, playWork},
	{"edit", "parley asks before it edits a file: the change with the words that differ, and the keys that answer", 33, upload, playEdit},
	{"models", "parley's list of models, with what they cost and how much they read", 17, upload, playModels},
	{"answer", "an answer in parley: headings, a table, a list and a warning", 29, upload, playAnswer},
	changed(),
	{"background", "parley's panel of what runs in the background: a build with its output, a subagent, and a command of the turn", 24, beginning, func(p *Program) {
		var asked []sessiontest.WorkRequest
		working(p, &asked, nil)
		p.Keys("alt+j")
	}},
}

// changed is the scene of the panel of what agents did to files.
func changed() scene {
	var r *record
	return scene{"changes", "parley's panel of changed files: two turns, what each did to which file, and the difference", 22, func(*testing.T) Config {
		r = &record{}
		return Config{Options: withChanges(r)}
	}, func(p *Program) {
		work(p, r)
		p.Type("/changes")
		p.Settle()
		p.Keys("down", "down")
	}}
}

// TestPictures draws the pictures of the documentation, dark and light.
func TestPictures(t *testing.T) {
	for _, s := range scenes {
		for _, light := range []bool{false, true} {
			name := s.name + "-dark"
			if light {
				name = s.name + "-light"
			}
			t.Run(name, func(t *testing.T) {
				s.run(t, light, func(p *Program) {
					s.play(p)
					p.Settle()
					p.Picture(name, s.title)
					alone(t, p.SVG(p.scheme, s.title), 60<<10)
				})
			})
		}
	}
}

// run plays f on the screen of a scene.
func (s scene) run(t *testing.T, light bool, f func(p *Program)) {
	c := s.config(t)
	c.Width, c.Height, c.Settings = 100, s.rows, opus
	set := c.Options
	c.Options = func(o *ui.Options) {
		if set != nil {
			set(o)
		}
		o.Light, o.Catalog = light, plan{}
	}
	Run(t, c, f)
}

// alone fails unless a picture is well-formed, has at most so many bytes and needs nothing else.
func alone(t *testing.T, svg string, most int) {
	t.Helper()
	if len(svg) > most {
		t.Errorf("the picture has %d bytes", len(svg))
	}
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range e.Attr {
			if a.Name.Local != "xmlns" && (strings.Contains(a.Value, "://") || strings.Contains(a.Value, "url(")) || a.Name.Local == "href" || a.Name.Local == "style" {
				t.Errorf("<%s %s=%q> points elsewhere", e.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
}

// TestPicturesAreShown looks for each picture in the documentation, in both schemes, and for each of its pictures on disk.
func TestPicturesAreShown(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"((?:docs/)?pictures/([^"]+))"`).FindAllStringSubmatch(string(text), -1) {
			shown[m[2]] = true
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	for _, s := range append(slices.Clone(scenes), film) {
		for _, name := range []string{s.name + "-dark.svg", s.name + "-light.svg"} {
			if !shown[name] {
				t.Errorf("no page shows %s", name)
			}
		}
	}
}

// plan is the login of the pictures: the models and the plan of a person.
type plan struct{}

func (plan) Models(context.Context) ([]session.Model, error) {
	efforts := []string{"low", "medium", "high"}
	return []session.Model{
		{ID: "claude-opus-4.8", Name: "Claude Opus 4.8", Vendor: "Anthropic", Category: "powerful", Purpose: "hard problems and long work", ContextWindow: 200000, MaxOutput: 64000, Efforts: efforts, Vision: true, Multiplier: 3},
		{ID: "claude-sonnet-5", Name: "Claude Sonnet 5", Vendor: "Anthropic", Category: "versatile", Purpose: "everyday work; fast enough to wait for", ContextWindow: 1000000, MaxOutput: 64000, Efforts: efforts, Vision: true, Multiplier: 1, Default: true},
		{ID: "claude-haiku-4.5", Name: "Claude Haiku 4.5", Vendor: "Anthropic", Category: "lightweight", Purpose: "quick answers and small edits", ContextWindow: 200000, MaxOutput: 64000, Vision: true, Multiplier: .33},
		{ID: "gpt-5.5", Name: "GPT-5.5", Vendor: "OpenAI", Category: "powerful", Purpose: "everyday work and hard problems", ContextWindow: 400000, MaxOutput: 128000, Efforts: []string{"none", "low", "high"}, Vision: true, Multiplier: 1,
			Notes: []string{"Half the price until the end of January."}},
		{ID: "gpt-5-mini", Name: "GPT-5 mini", Vendor: "OpenAI", Category: "lightweight", Purpose: "small edits and questions, at a low price", ContextWindow: 264000, MaxOutput: 64000, Efforts: efforts, Vision: true, Free: true},
		{ID: "gemini-3-pro", Name: "Gemini 3 Pro", Vendor: "Google", Category: "powerful", Preview: true, ContextWindow: 128000, MaxOutput: 64000, Vision: true, Multiplier: 1,
			Unusable: "a policy of your organization turns it off"},
	}, nil
}

func (plan) Account(context.Context) (session.Account, error) {
	return session.Account{Login: "ada", Plan: "pro", Quotas: []session.Quota{premium}}, nil
}

var premium = session.Quota{Name: "premium_interactions", Unit: "requests", Entitlement: 1500, Remaining: 1214, Percent: 81}

// beginning is a chat in a directory with sessions to pick up.
func beginning(t *testing.T) Config {
	w, dir := sessiontest.NewWorld(), goProject(t)
	storePast(t, w, dir)
	return Config{World: w, Dir: dir}
}

func playModels(p *Program) {
	p.Type("/model")
	p.Keys("down", "down", "down")
}

// acme is the directory of the other scenes.
const acme = "/home/ada/acme"

// upload is an empty chat.
func upload(*testing.T) Config { return Config{Dir: acme} }

// begin sends the first prompt of a scene and returns its turn, after what it took so far.
func begin(p *Program, prompt string, used int64) *sessiontest.Turn {
	p.Type(prompt)
	turn := p.Turn()
	turn.Emit(session.ContextReported{Used: used, Window: 200000}, session.LimitReported{Quota: premium})
	return turn
}

// read plays a call that reads a file of the project.
func read(turn *sessiontest.Turn, name string, lines int) {
	in, _ := json.Marshal(map[string]string{"file_path": acme + "/" + name})
	turn.Tool("Read", string(in), strings.Repeat("line\n", lines))
}

func playWork(p *Program) {
	turn := begin(p, "why does the upload test flake on CI?", 41200)
	p.Pass(6 * time.Second)
	turn.Reasoning(6*time.Second, "The server may be closed before the last retry has been answered.")
	read(turn, "upload/upload_test.go", 214)
	read(turn, "upload/retry.go", 96)
	turn.Tool("Grep", `{"pattern":"NewTimer"}`, "upload/retry.go:43\nupload/retry.go:71\n")
	turn.Text("It could be a race between the server's shutdown and the last retry. I run the test often enough to see it.")
	run := turn.StartTool("Bash", `{"command":"go test -run TestUpload -count 50 ./upload"}`)
	p.Pass(12 * time.Second)
	turn.Emit(session.ToolEnded{Call: run, Outcome: session.ToolFailed, Duration: 12 * time.Second, Result: session.ToolResult{ExitCode: code(1),
		Text: "--- FAIL: TestUpload (0.02s)\n    upload_test.go:41: got 2 attempts, want 3\nFAIL\nFAIL\tacme/upload\t11.830s\n"}})
	turn.OpenPart(session.PartText, "Two of fifty runs fail, and `retry.go` says why: the timer starts **after** the response, so a slow machine "+
		"waits for the request *and* for the backoff.\n\n```go\nfor n := range c.Attempts {\n\tresp, err := c.Do(req)\n\tif err == nil && resp.StatusCode < 500 {\n\t\treturn resp, nil\n"+
		"\t}\n\ttimer := time.NewTimer(backoff(n)) // too late: the request has taken its time")
	p.Pass(3 * time.Second)
	p.Send("and add a test that")
	p.Settle()
}

func playEdit(p *Program) {
	turn := begin(p, "start the timer first, and stop it when the client is done", 46800)
	read(turn, "upload/retry.go", 96)
	turn.Text("The timer has to run while the request does. One function changes:")
	askEdit(turn)
	p.Pass(4 * time.Second)
}

func playAnswer(p *Program) {
	turn := begin(p, "which retries do we have, and which of them are safe?", 58300)
	turn.Tool("Grep", `{"pattern":"backoff|Retry"}`, strings.Repeat("upload/retry.go:43\n", 17))
	read(turn, "upload/retry.go", 97)
	turn.Text(`## Retries in acme

Three places try again, and they do not agree on **how long** to wait:

| where | attempts | waits | safe to repeat |
|---|---:|---|---|
| ` + "`upload/retry.go`" + ` | 3 | 1 s, 2 s, 4 s | yes: every part has a key |
| ` + "`mail/send.go`" + ` | 5 | 10 s each | **no**: may send twice |
| ` + "`cmd/sync`" + ` | forever | 30 s each | yes, it only reads |

### What I would do

1. Use one ` + "`Backoff`" + `, with jitter, in all three
2. Give ` + "`cmd/sync`" + ` an end: ten attempts, then say so

> [!WARNING]
> A mail that times out may have been sent. Ask the server by message id before trying again.
`)
	p.Pass(9 * time.Second)
	turn.End(session.TurnCompleted)
}
