package uitest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/ui"
)

// moment is a state of the program, with how to get there.
type moment struct {
	name   string
	config func(t *testing.T) Config
	play   func(p *Program)
}

// moments are the moments of the first minute and of a working day, each a golden screen in every size, dark and light.
var moments = []moment{
	{"greeting", beginning, func(p *Program) { p.Settle() }},
	{"working", upload, playWork},
	{"question", upload, playFirstQuestion},
	{"command", upload, playCommand},
	{"answer", upload, playAnswer},
	{"tools", upload, playTools},
	{"background", upload, playBackground},
	{"palette", upload, func(p *Program) { p.Send("/") }},
	{"models", upload, playModels},
	{"resume", beginning, func(p *Program) { p.Type("/resume") }},
	{"help", upload, func(p *Program) { p.Keys("?") }},
}

// momentSizes are the sizes of the moments, in columns and rows.
var momentSizes = [][2]int{{80, 24}, {120, 40}, {40, 12}}

// TestMoments draws each moment at three sizes on a dark and a light background.
func TestMoments(t *testing.T) { testMoments(t, moments) }

// testMoments draws moments at three sizes, dark and light, or with -short at the first one in the dark.
func testMoments(t *testing.T, moments []moment) {
	// Of sizes and backgrounds only the look differs, which has no races.
	sizes, lights := momentSizes[:repeat.Times(1, 3, 3)], []bool{false, true}[:repeat.Times(1, 2, 2)]
	for _, l := range moments {
		for _, s := range sizes {
			for _, light := range lights {
				name := fmt.Sprintf("moment-%s-%dx%d-dark", l.name, s[0], s[1])
				if light {
					name = fmt.Sprintf("moment-%s-%dx%d-light", l.name, s[0], s[1])
				}
				t.Run(name, func(t *testing.T) {
					c := l.config(t)
					c.Width, c.Height, c.Settings = s[0], s[1], opus
					c.Options = func(o *ui.Options) { o.Light, o.Catalog, o.Explained = light, plan{}, func() {} }
					Run(t, c, func(p *Program) {
						l.play(p)
						p.Settle()
						p.Golden(name)
					})
				})
			}
		}
	}
}

// playFirstQuestion stops at the first question of a user, which explains its keys.
func playFirstQuestion(p *Program) { playEdit(p) }

// playCommand stops at the question about a command, while a second one waits.
func playCommand(p *Program) {
	turn := begin(p, "is the fix enough?", 51000)
	turn.Text("I run the test a hundred times with the race detector.")
	for _, line := range []string{"go test -race -run TestUpload -count 100 ./upload | tail -n 20 > out.txt", "git diff --stat"} {
		in, _ := json.Marshal(map[string]string{"command": line, "description": "Run the upload test often"})
		call := turn.StartTool("Bash", string(in))
		a := &session.PermissionAsk{Tool: "Bash", Input: in, Command: line}
		if test, _, ok := strings.Cut(line, " | "); ok {
			a.Parts = []session.CommandPart{part(line, test, false, "no rule allows go"), part(line, "tail -n 20", true, "only reads"),
				part(line, "> out.txt", false, "writes a file")}
			a.Rules = []session.Rule{{Text: "command go test *", Label: "go test *"}, {Text: "command " + line, Label: "exactly this line"}}
		}
		turn.Ask(session.Asked{Call: call, Permission: a})
	}
	p.Pass(4 * time.Second)
}

// part returns the part of a command line with the given words.
func part(line, words string, allowed bool, why string) session.CommandPart {
	at := strings.Index(line, words)
	return session.CommandPart{Start: at, End: at + len(words), Allowed: allowed, Why: why}
}

// playTools shows calls of many kinds: reads and searches in a row, a failure, reasoning that is open, a change that was made.
func playTools(p *Program) {
	turn := begin(p, "find what waits without a limit", 30500)
	turn.Reasoning(8*time.Second, "Every wait needs a limit or a context. First the clients, then the servers.")
	for _, name := range []string{"upload/retry.go", "upload/upload_test.go", "mail/send.go"} {
		read(turn, name, 3)
	}
	turn.Tool("Grep", `{"pattern":"time.Sleep"}`, "mail/send.go:12\n")
	turn.Tool("Glob", `{"pattern":"**/*_test.go"}`, "upload/upload_test.go\n")
	turn.Text("Only one sleeps.")
	missing := turn.StartTool("Read", `{"file_path":"`+acme+`/mail/limits.go"}`)
	turn.Emit(session.ToolEnded{Call: missing, Outcome: session.ToolFailed, Result: session.ToolResult{Text: "no such file"}})
	edit := session.FileEdit{Path: acme + "/mail/send.go", Added: 2, Removed: 1, Patch: "@@ -10,3 +10,4 @@\n func send(m Message) error {\n-\ttime.Sleep(time.Minute)\n+\tctx, cancel := context.WithTimeout(m.Context(), time.Minute)\n+\tdefer cancel()\n \treturn deliver(ctx, m)\n"}
	call := turn.StartTool("Edit", `{"file_path":"`+acme+`/mail/send.go"}`)
	turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "ok"}, Edits: []session.FileEdit{edit}})
	turn.Text("`send` has a limit of a minute now.")
	turn.End(session.TurnCompleted)
	p.Settle()
	p.Keys("alt+a")
}

// playBackground shows a command that ended in the background while the agent went on.
func playBackground(p *Program) {
	turn := begin(p, "build the release while you look", 22000)
	build := turn.StartTool("Bash", `{"command":"make release","run_in_background":true}`)
	turn.Emit(session.ToolEnded{Call: build, Result: session.ToolResult{Background: true}})
	turn.Text("The release is being built. Until it is done I read what changed.")
	read(turn, "CHANGES.md", 48)
	p.Pass(41 * time.Second)
	turn.Emit(session.ToolEnded{Call: build, Outcome: session.ToolFailed, Duration: 41 * time.Second,
		Result: session.ToolResult{Text: "make: *** [release] Error 1", ExitCode: code(2)}})
	turn.Text("It failed at the last step.")
	p.Pass(3 * time.Second)
}
