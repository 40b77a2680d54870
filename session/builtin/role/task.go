package role

import (
	"context"
	"encoding/json"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Task starts a child agent.
var Task = &tool.Tool{
	Name: "Task", Kind: toolview.Agent,
	Description: List(builtin).about(),
	Schema:      List(builtin).schema(),
	Prepare:     prepareTask,
}

const (
	taskAbout = "Lets another agent do a task and gives you its final words. It starts with an empty conversation: it knows only " +
		"your prompt and the project, and it cannot ask you or the user. Use it where much has to be read to learn little, or for " +
		"several independent pieces of work: calls in one answer run at the same time. Do it yourself where you know the file, and do " +
		"not give two agents the same files to change. Say in the prompt what is wanted, what you know already, with paths, and what " +
		"the answer must contain. The user does not see the answer; tell them what matters of it. With run_in_background you go on at " +
		"once and read the answer when it has ended.\n\nKinds:"
	taskHead = `{"type":"object","properties":{` +
		`"description":{"type":"string","description":"The task in 3 to 6 words, for the user"},` +
		`"prompt":{"type":"string","description":"The whole task"},` +
		`"subagent_type":{"type":"string","enum":`
	taskTail = `,"description":"The kind of agent; general if left out"},` +
		`"model":{"type":"string","description":"The id of its model; leave it out unless the user asked for one"},` +
		`"run_in_background":{"type":"boolean","description":"Do not wait for it"}},` +
		`"required":["description","prompt"],"additionalProperties":false}`
)

// schema returns the schema of the tool's input for these kinds.
func (k List) schema() string {
	names, _ := json.Marshal(k.Names()) // texts always marshal
	return taskHead + string(names) + taskTail
}

// about returns the description of the tool for these kinds.
func (k List) about() string {
	var b strings.Builder
	b.WriteString(taskAbout)
	for _, r := range k {
		b.WriteString("\n- " + r.Name + ": " + r.about)
	}
	return b.String()
}

func prepareTask(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Description string `json:"description"`
		Prompt      string `json:"prompt"`
		Role        string `json:"subagent_type"`
		Model       string `json:"model"`
		Background  bool   `json:"run_in_background"`
	}
	if err := tool.DecodeInput(input, &in, "description", "prompt"); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Prompt) == "" {
		return nil, tool.Errorf("The prompt is empty. Say what the agent has to do, what you know already, and what its answer must contain.")
	}
	e := tool.Errand{Role: in.Role, Model: in.Model, Title: strings.TrimSpace(in.Description), Prompt: in.Prompt, Background: in.Background}
	return &tool.Job{Run: func(ctx context.Context, id session.CallID, _ func(string)) tool.Outcome {
		return w.Host.Delegate(ctx, id, e)
	}}, nil
}
