package uitest

import (
	"encoding/json"
	"testing"
	"time"

	"parley/session"
)

// askMoments are the moments of plans, questions and forms.
var askMoments = []moment{
	{"plan-asked", upload, func(p *Program) { playPlan(p) }},
	{"plan-editing", upload, playPlanEditing},
	{"plan-changed", upload, func(p *Program) {
		playPlanEditing(p)
		p.Keys("esc")
	}},
	{"several-files", upload, playSeveralFiles},
	{"options", upload, func(p *Program) { playOptions(p) }},
	{"options-preview", upload, func(p *Program) {
		playOptions(p)
		p.Answer("p")
	}},
	{"options-note", upload, func(p *Program) {
		playOptions(p)
		p.Keys("down")
		p.Answer("n")
		p.Send("only the exported names")
	}},
	{"options-review", upload, playOptionsReview},
	{"fields", upload, func(p *Program) { playFields(p) }},
	{"fields-unknown", upload, func(p *Program) {
		playFields(p)
		p.Keys("tab")
		p.Send("team=web")
	}},
	{"fields-review", upload, func(p *Program) {
		playFields(p)
		p.Keys("tab", "tab", "tab")
	}},
}

// TestAskMoments draws what is asked at three sizes on a dark and a light background.
func TestAskMoments(t *testing.T) { testMoments(t, askMoments) }

// playSeveralFiles asks about a call that changes, adds and deletes a file.
func playSeveralFiles(p *Program) {
	turn := begin(p, "start the timer before the request", 21000)
	patch := "*** Begin Patch\n*** Update File: upload/retry.go\n*** Add File: upload/timer.go\n*** Delete File: upload/old.go\n*** End Patch"
	input, _ := json.Marshal(map[string]string{"input": patch}) // it cannot fail
	call := turn.StartTool("apply_patch", string(input))
	at := func(name string) string { return acme + "/upload/" + name }
	turn.Ask(session.Asked{Call: call, Permission: &session.PermissionAsk{Tool: "apply_patch", Input: input, Path: at("retry.go"),
		Edit: &session.FileEdit{Path: at("retry.go"), Added: 2, Removed: 1,
			Patch: "@@ -11,4 +11,5 @@ func (c *Client) retry() {\n \tfor {\n-\t\tres, err := c.send()\n+\t\tt := start(c.limit)\n+\t\tres, err := c.send(t)\n \t\tif err == nil {\n"},
		More: []session.FileEdit{
			{Path: at("timer.go"), Created: true, Added: 3, Patch: "@@ -0,0 +1,3 @@\n+package upload\n+\n+type timer struct{}\n"},
			{Path: at("old.go"), Deleted: true, Removed: 1, Patch: "@@ -1 +0,0 @@\n-package upload\n"}},
		Rules: []session.Rule{{Text: "edit upload/**", Label: "edits under ./upload"}}}})
	p.Pass(4 * time.Second)
}

const timerPlan = `# Start the timer first

The upload test fails when the server is slow, because the timer starts **after** the answer.

1. In ` + "`upload/retry.go`" + `, start the timer before the request is sent.
2. Stop it when the client is done, also after an error.
3. Run the test a hundred times:

` + "```sh\ngo test -race -run TestUpload -count 100 ./upload\n```\n"

func playPlan(p *Program) {
	turn := begin(p, "plan the fix for the upload test", 21000)
	read(turn, "upload/retry.go", 96)
	turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: timerPlan}})
	p.Pass(4 * time.Second)
}

func playPlanEditing(p *Program) {
	playPlan(p)
	p.Answer("e")
	p.Pass(time.Second)
	p.Keys("down", "down", "down", "down", "down", "end")
	p.Send(" Use a deadline that 遅い機械 can keep, and say so in the comment of `do`.")
	p.Keys("enter")
	p.Send("3. Say in CHANGES.md what was wrong.")
}

// errorStyles is a question whose options have previews.
var errorStyles = session.Question{Header: "Errors", Text: "How should the package report errors?", Free: true, Options: []session.QuestionOption{
	{Label: "Typed", Description: "one type with a kind", Preview: "A type with a **kind**:\n\n```go\nvar e *upload.Error\nif errors.As(err, &e) && e.Kind == upload.Timeout {\n\tretry()\n}\n```\n\n- callers can tell kinds apart\n- one type to document"},
	{Label: "Sentinels", Description: "one value per failure", Preview: "```go\nif errors.Is(err, upload.ErrTimeout) {\n\tretry()\n}\n```"},
	{Label: "Strings", Description: "as it is"}}}

func playOptions(p *Program) {
	turn := begin(p, "make the errors of the upload package useful", 31000)
	read(turn, "upload/errors.go", 40)
	turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{errorStyles,
		{Header: "Tests", Text: "What should be tested?", Multi: true, Options: []session.QuestionOption{{Label: "timeouts"}, {Label: "refusals"}, {Label: "retries", Description: "takes a minute"}}}}}})
	p.Pass(4 * time.Second)
}

func playOptionsReview(p *Program) {
	playOptions(p)
	p.Keys("down")
	p.Answer("n")
	p.Send("only the exported names")
	p.Keys("enter", "enter")
	p.Keys("tab")
}

const deploySchema = `{"type":"object","required":["host","port"],"properties":{
 "host":{"type":"string","title":"Host","description":"where the service runs","pattern":"^[a-z][a-z0-9.-]*$","maxLength":60},
 "port":{"type":"integer","title":"Port","minimum":1,"maximum":65535,"default":8080},
 "mail":{"type":"string","title":"Contact","format":"email"},
 "regions":{"type":"array","title":"Regions","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"eu","title":"Europe"},{"const":"us","title":"United States"},{"const":"ap","title":"アジア"}]}},
 "labels":{"type":"object","title":"Labels","description":"as key=value"},
 "window":{"type":"string","title":"Window","pattern":"^(?!.*friday)"}}}`

func playFields(p *Program) {
	turn := begin(p, "deploy the service", 12000)
	turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "deployer", Message: "Where does the service run?", Schema: []byte(deploySchema)}})
	p.Pass(4 * time.Second)
	p.Keys("f2")
	p.Send("Build Host")
	p.Keys("tab", "tab")
	p.Send("ada at example.com")
	p.Keys("tab")
	for _, digit := range []string{"1", "2", "3"} {
		p.Answer(digit)
	}
	p.Keys("enter")
}
