package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// planning is the model's side of conversations about plans and questions.
const planning = `
rules:
  - when: {prompt: plan it, offers: ExitPlanMode, round: 0}
    reply:
      - tool: ExitPlanMode
        input: {plan: "1. Make a.txt"}
  - when: {prompt: ask me, offers: AskUserQuestion, round: 0}
    reply:
      - tool: AskUserQuestion
        input: {questions: [{question: "Which one?", header: One, multiSelect: false, options: [{label: a, description: x}, {label: b, description: y}]}]}
  - when: {prompt: make it, round: 0}
    reply:
      - tool: Write
        input: {file_path: "{{dir}}/a.txt", content: "made"}
  - when: {result: true}
    reply: "Told: {{tool_result}}"
  - reply: "You said {{last_user}}"
`

// planNotes reports which of the requests to the model said that plan mode is on.
func (w *world) planNotes() (notes []bool) {
	for _, r := range w.sim.Requests() {
		if r.Messages != nil {
			notes = append(notes, bytes.Contains(r.Body, []byte("Plan mode is on")))
		}
	}
	return notes
}

// Where no user can answer, neither plans nor questions are offered, and the plan is the answer.
func TestPlansAndQuestionsUnattended(t *testing.T) {
	for name, args := range map[string][]string{
		"plan":               {"-p", "--permission-mode", "plan", "plan it"},
		"question":           {"-p", "ask me"},
		"question in a plan": {"-p", "--permission-mode", "plan", "ask me"},
		"a plan of GPT":      {"-p", "-m", "gpt-5-mini", "--permission-mode", "plan", "plan it"},
		"a question of GPT":  {"-p", "-m", "gpt-5-mini", "ask me"},
		"question in bypass": {"-p", "--permission-mode", "bypassPermissions", "ask me"},
	} {
		w := newWorld(t).signIn(planning)
		if out := w.mustRun(args...); !strings.HasPrefix(out, "You said ") {
			t.Errorf("%s: %q", name, out)
		}
		body := string(w.sim.Requests()[len(w.sim.Requests())-1].Body)
		if planned := strings.Contains(body, "your last answer is the whole plan"); planned != slices.Contains(args, "plan") ||
			strings.Contains(body, "ExitPlanMode") || strings.Contains(body, "AskUserQuestion") || !strings.Contains(body, "Nobody is there") {
			t.Errorf("%s: %s", name, body)
		}
	}
}

// A note about the mode is not the user's: the service counts the request with it as one of the agent.
func TestANoteOfTheModeIsNoPrompt(t *testing.T) {
	for _, model := range []string{"claude-sonnet-4.6", "gpt-5-mini"} {
		w := newWorld(t).signIn(planning)
		w.run("-p", "-m", model, "--permission-mode", "plan", "make it")
		var by []string
		for _, r := range w.sim.Requests() {
			if r.Method == "POST" {
				by = append(by, r.Header.Get("X-Initiator"))
			}
		}
		if strings.Join(by, " ") != "user agent" {
			t.Errorf("%s: requests of %v", model, by)
		}
	}
}

// A session stays in plan mode when it is continued, and the model reads so; another mode is read, too.
func TestPlanModeStaysWithItsSession(t *testing.T) {
	w := newWorld(t).signIn(planning)
	if out := w.run("-p", "--permission-mode", "plan", "make it").out; !strings.Contains(out, "Told: Refused: in plan mode") {
		t.Error(out)
	}
	w.run("-p", "-c", "make it")
	if _, err := os.Stat(filepath.Join(w.dir, "a.txt")); err == nil {
		t.Error("a file was made in plan mode")
	}
	w.mustRun("-p", "-c", "--permission-mode", "acceptEdits", "make it")
	if text, err := os.ReadFile(filepath.Join(w.dir, "a.txt")); err != nil || string(text) != "made" {
		t.Errorf("%q, %v", text, err)
	}
	want := []bool{true, true, true, true, false, false}
	if got := w.planNotes(); len(got) != len(want) {
		t.Errorf("%v", got)
	} else {
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("requests in plan mode: %v, want %v", got, want)
				break
			}
		}
	}
	last := w.sim.Requests()[len(w.sim.Requests())-1]
	if !bytes.Contains(last.Body, []byte("Plan mode is off.")) {
		t.Errorf("the model does not know that plan mode is off: %s", last.Body)
	}
}
