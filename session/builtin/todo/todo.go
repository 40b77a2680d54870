package todo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Most is the longest list of tasks.
const Most = 100

// Tool replaces the list of tasks that the user sees.
var Tool = &tool.Tool{
	Name: "TodoWrite", Kind: toolview.Plan,
	Description: "Replaces your list of tasks, which the user sees while you work. Use it for work of three or more steps, or when " +
		"the user gives several tasks; not for a single step or a question. Give the whole list each time, in order. Keep exactly one " +
		"task in_progress while you work, mark it completed as soon as it is done and not before, and remove what is no longer " +
		"needed. A task that failed or is blocked stays open.",
	Schema: `{"type":"object","properties":{"todos":{"type":"array","items":{"type":"object","properties":{` +
		`"content":{"type":"string","description":"The task, as an order: Run the tests"},` +
		`"status":{"type":"string","enum":["pending","in_progress","completed"]},` +
		`"activeForm":{"type":"string","description":"The task while it is worked on: Running the tests"}},` +
		`"required":["content","status"],"additionalProperties":false}}},` +
		`"required":["todos"],"additionalProperties":false}`,
	Prepare: prepare,
}

func prepare(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Todos []struct {
			Content string             `json:"content"`
			Status  session.TodoStatus `json:"status"`
			Active  string             `json:"activeForm"`
		} `json:"todos"`
	}
	if err := tool.DecodeInput(input, &in, "todos"); err != nil {
		return nil, err
	}
	if len(in.Todos) > Most {
		return nil, tool.Errorf("The list has %d tasks; %d are the most. Summarise them.", len(in.Todos), Most)
	}
	todos := make([]session.Todo, 0, len(in.Todos))
	active := 0
	for i, t := range in.Todos {
		text := strings.Join(strings.Fields(t.Content), " ")
		if text == "" {
			return nil, tool.Errorf("Task %d has no content.", i+1)
		}
		switch t.Status {
		case session.TodoActive:
			active++
		case session.TodoPending, session.TodoDone:
		default:
			return nil, tool.Errorf("Task %d has the status %q. Use pending, in_progress or completed.", i+1, t.Status)
		}
		todos = append(todos, session.Todo{Text: text, Active: strings.Join(strings.Fields(t.Active), " "), State: t.Status})
	}
	return &tool.Job{Run: func(_ context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		w.Host.SetTodos(todos)
		text := fmt.Sprintf("The list is up to date: %d of %d done.", doneOf(todos), len(todos))
		if active > 1 {
			text += fmt.Sprintf(" %d tasks are in_progress; keep it at one.", active)
		}
		return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: text,
			Summary: fmt.Sprintf("%d of %d done", doneOf(todos), len(todos))}}
	}}, nil
}

func doneOf(todos []session.Todo) int {
	n := 0
	for _, t := range todos {
		if t.State == session.TodoDone {
			n++
		}
	}
	return n
}

// QuietRounds is the number of requests without a look at open tasks after which the model is reminded of them.
const QuietRounds = 12

// List is the list of tasks of an agent. It is safe for concurrent use.
type List struct {
	mu    sync.Mutex
	list  []session.Todo
	quiet int // requests since the list was changed or recalled
}

// Set replaces the tasks.
func (t *List) Set(list []session.Todo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list, t.quiet = list, 0
}

// Now returns the tasks, in order.
func (t *List) Now() []session.Todo {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}

// Reminder returns the open tasks as a note for the model if it has not touched the list for long, "" otherwise. It is called
// once for each request.
func (t *List) Reminder() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) == 0 || doneOf(t.list) == len(t.list) {
		return ""
	}
	if t.quiet++; t.quiet < QuietRounds {
		return ""
	}
	t.quiet = 0
	return "You have not updated your list of tasks for a while. Bring it up to date with TodoWrite if it is out of date; do not " +
		"mention this to the user. It stands so:\n" + lines(t.list)
}

// lines returns a list of tasks as lines for the model.
func lines(list []session.Todo) string {
	var b strings.Builder
	for _, t := range list {
		fmt.Fprintf(&b, "- [%s] %s\n", t.State, t.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
