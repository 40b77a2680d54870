package clienttools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"parley/session"
)

// Ask asks the user a question.
var Ask = session.ClientTool{
	Name: "ask_user",
	Description: "Asks the user one question and gives the answer. Use it for what only the user can decide and the files do not show: " +
		"a preference, a choice between ways to go, an unclear request. Offer two to six options where there are some; the user can " +
		"always write an answer of their own. Put the option that you recommend first and end it with \"(Recommended)\". A subagent " +
		"may use it too. Where there is a tool AskUserQuestion, prefer that.",
	Schema: []byte(`{"type":"object","properties":{` +
		`"question":{"type":"string","description":"The whole question, clear and specific"},` +
		`"options":{"type":"array","maxItems":6,"items":{"type":"string"},"description":"Answers to choose from, each in 1 to 8 words"},` +
		`"multiple":{"type":"boolean","description":"Several options may be chosen"}},` +
		`"required":["question"],"additionalProperties":false}`),
	Reads: true,
	Call:  ask,
}

// maxOptions bounds the options of a question.
const maxOptions = 6

func ask(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
	var in struct {
		Question string   `json:"question"`
		Options  []string `json:"options"`
		Multiple bool     `json:"multiple"`
	}
	if err := decode(c.Input, &in); err != nil {
		return session.ToolResult{}, err
	}
	q := session.Question{Text: in.Question, Multi: in.Multiple && len(in.Options) > 1, Free: true}
	seen := map[string]bool{}
	for _, o := range in.Options {
		if o = strings.TrimSpace(o); o != "" && !seen[o] {
			seen[o] = true
			q.Options = append(q.Options, session.QuestionOption{Label: o})
		}
	}
	switch {
	case strings.TrimSpace(q.Text) == "":
		return session.ToolResult{}, errors.New("question is empty: write the whole question")
	case len(q.Options) > maxOptions:
		return session.ToolResult{}, fmt.Errorf("there are %d options: offer at most %d", len(q.Options), maxOptions)
	}
	a := c.Ask(ctx, session.QuestionAsk{Questions: []session.Question{q}})
	return session.ToolResult{Text: answered(q.Text, a)}, nil
}

// The texts that the model reads when the user does not answer.
const (
	unansweredSay = "The user did not answer the question and says: "
)

// answered returns what the model reads of the answer to a question.
func answered(question string, a session.Answer) string {
	text, note := strings.TrimSpace(strings.Join(a.Choices[question], ", ")), strings.TrimSpace(a.Notes[question])
	message := strings.TrimSpace(a.Message)
	if a.Decision != session.Allow || text == "" && note == "" {
		if message != "" {
			return unansweredSay + message
		}
		return session.Unanswered
	}
	lines := []string{"The user answered: " + text}
	if note != "" {
		lines = append(lines, "Note: "+note)
	}
	if message != "" {
		lines = append(lines, "The user also says: "+message)
	}
	return strings.Join(lines, "\n")
}

// decode reads the input of a call. Its error is for the model.
func decode(input []byte, into any) error {
	if len(input) == 0 {
		input = []byte("{}")
	}
	if err := json.Unmarshal(input, into); err != nil {
		return fmt.Errorf("the input does not fit the schema: %w", err)
	}
	return nil
}
