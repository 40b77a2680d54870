package form

import (
	"encoding/json"
	"fmt"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Question asks the user questions.
var Question = &tool.Tool{
	Name: "AskUserQuestion", Kind: toolview.Ask,
	Description: "Asks the user one to four questions, each with two to four options, and gives the answers. Use it for what only " +
		"the user can decide and the files do not show: a preference, a choice between ways to go, an unclear request. The user " +
		"can always write an answer of their own, so offer no option such as \"Other\". Put the option that you recommend first and " +
		"end its label with \"(Recommended)\". With multiSelect several options can be chosen. A preview shows what an option would " +
		"look like, such as a sketch or a piece of code. Do not ask whether a plan is fine; ExitPlanMode does.",
	Schema: `{"type":"object","properties":{` +
		`"questions":{"type":"array","minItems":1,"maxItems":4,"items":{"type":"object","properties":{` +
		`"question":{"type":"string","description":"The whole question, clear and specific"},` +
		`"header":{"type":"string","description":"A label of at most 12 characters, such as \"Library\""},` +
		`"options":{"type":"array","minItems":2,"maxItems":4,"items":{"type":"object","properties":{` +
		`"label":{"type":"string","description":"The option in 1 to 5 words"},` +
		`"description":{"type":"string","description":"What it means, or what will happen"},` +
		`"preview":{"type":"string","description":"Markdown to look at while choosing; may be left out"}},` +
		`"required":["label","description"],"additionalProperties":false}},` +
		`"multiSelect":{"type":"boolean","description":"Several options may be chosen"}},` +
		`"required":["question","header","options","multiSelect"],"additionalProperties":false}}},` +
		`"required":["questions"],"additionalProperties":false}`,
	Prepare: prepareQuestion,
}

// The bounds of the questions in one call, as in the schema.
const (
	maxQuestions  = 4
	fewestOptions = 2
	maxOptions    = 4
)

// The texts that the model reads when the user does not answer.
const (
	unansweredSay = "The user did not answer the question and says: "
)

func prepareQuestion(_ *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Questions []struct {
			Question string                   `json:"question"`
			Header   string                   `json:"header"`
			Options  []session.QuestionOption `json:"options"`
			Multi    bool                     `json:"multiSelect"`
		} `json:"questions"`
	}
	if err := tool.DecodeInput(input, &in, "questions"); err != nil {
		return nil, err
	}
	if n := len(in.Questions); n == 0 || n > maxQuestions {
		return nil, tool.Errorf("A call asks 1 to %d questions, not %d.", maxQuestions, n)
	}
	ask := &session.QuestionAsk{}
	seen := map[string]bool{}
	for i, q := range in.Questions {
		one := session.Question{Text: q.Question, Header: q.Header, Options: q.Options, Multi: q.Multi, Free: true}
		if err := wrongQuestion(one); err != nil {
			return nil, tool.Errorf("Question %d %w", i+1, err)
		}
		if seen[one.Text] {
			return nil, tool.Errorf("Question %d is asked twice. Ask each question once.", i+1)
		}
		seen[one.Text] = true
		ask.Questions = append(ask.Questions, one)
	}
	return &tool.Job{Put: &tool.Form{Asked: session.Asked{Kind: session.AskQuestion, Question: ask},
		Settle: func(_ func(session.Answer) session.Mode, a session.Answer) tool.Outcome { return answered(ask, a) }}}, nil
}

// wrongQuestion returns what is wrong with a question, as the rest of a sentence that names it.
func wrongQuestion(q session.Question) error {
	switch n := len(q.Options); {
	case strings.TrimSpace(q.Text) == "":
		return tool.Errorf("has no text.")
	case strings.TrimSpace(q.Header) == "":
		return tool.Errorf("has no header.")
	case n < fewestOptions || n > maxOptions:
		return tool.Errorf("has %d options. Offer %d to %d; the user can always write an answer of their own.", n, fewestOptions, maxOptions)
	}
	seen := map[string]bool{}
	for _, o := range q.Options {
		switch {
		case strings.TrimSpace(o.Label) == "":
			return tool.Errorf("has an option without a label.")
		case seen[o.Label]:
			return tool.Errorf("has the option %q twice.", o.Label)
		}
		seen[o.Label] = true
	}
	return nil
}

// answered returns the outcome of questions. Without any answer or note they count as declined.
func answered(ask *session.QuestionAsk, a session.Answer) tool.Outcome {
	var b strings.Builder
	given := 0
	for _, q := range ask.Questions {
		answer, note := strings.TrimSpace(strings.Join(a.Choices[q.Text], ", ")), strings.TrimSpace(a.Notes[q.Text])
		if answer != "" || note != "" {
			given++
		}
		if answer == "" {
			answer = "(not answered)"
		}
		fmt.Fprintf(&b, "\n%s\nAnswer: %s\n", q.Text, answer)
		if note != "" {
			fmt.Fprintf(&b, "Note: %s\n", note)
		}
	}
	message := strings.TrimSpace(a.Message)
	if a.Decision != session.Allow || given == 0 {
		return tool.Declined(message, session.Unanswered, unansweredSay, "")
	}
	if message != "" {
		fmt.Fprintf(&b, "\nThe user also says: %s\n", message)
	}
	return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: "The user answered.\n" + b.String()}}
}
