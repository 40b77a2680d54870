package mapper

import (
	"encoding/json"
	"slices"
	"testing"

	"parley/session"
)

func TestTodoList(t *testing.T) {
	todo := func(text, active string, state session.TodoStatus) session.Todo {
		return session.Todo{Text: text, Active: active, State: state}
	}
	type step struct {
		tool, input, result string
		changed             bool
	}
	create := step{"TaskCreate", `{"activeForm":"Mending"}`, `{"task":{"id":"1","subject":"Mend"}}`, true}
	for name, c := range map[string]struct {
		steps []step
		want  []session.Todo
	}{
		"created":       {[]step{create}, []session.Todo{todo("Mend", "Mending", session.TodoPending)}},
		"created twice": {[]step{create, {create.tool, create.input, create.result, false}}, []session.Todo{todo("Mend", "Mending", session.TodoPending)}},
		"without an id": {[]step{{"TaskCreate", `{}`, `{"task":{}}`, false}}, nil},
		"updated": {[]step{create, {"TaskUpdate", `{"taskId":"1","status":"completed","subject":"Mended"}`, `{}`, true}},
			[]session.Todo{todo("Mended", "Mending", session.TodoDone)}},
		"updated to the same": {[]step{create, {"TaskUpdate", `{"taskId":"1","status":"pending"}`, `{}`, false}},
			[]session.Todo{todo("Mend", "Mending", session.TodoPending)}},
		"update of another": {[]step{create, {"TaskUpdate", `{"taskId":"2","status":"completed"}`, `{}`, false}},
			[]session.Todo{todo("Mend", "Mending", session.TodoPending)}},
		"deleted": {[]step{create, {"TaskUpdate", `{"taskId":"1","status":"deleted"}`, `{}`, true}}, nil},
		"listed keeps the active form": {[]step{create, {"TaskList", `{}`, `{"tasks":[{"id":"2","subject":"New","status":"pending"},{"id":"1","subject":"Mend","status":"in_progress"}]}`, true}},
			[]session.Todo{todo("New", "", session.TodoPending), todo("Mend", "Mending", session.TodoActive)}},
		"listed the same": {[]step{create, {"TaskList", `{}`, `{"tasks":[{"id":"1","subject":"Mend","status":"pending"}]}`, false}},
			[]session.Todo{todo("Mend", "Mending", session.TodoPending)}},
		"malformed":    {[]step{create, {"TaskList", `{}`, `7`, false}, {"TaskUpdate", `7`, `{}`, false}}, []session.Todo{todo("Mend", "Mending", session.TodoPending)}},
		"another tool": {[]step{{"Read", `{}`, `{"task":{"id":"1","subject":"Mend"}}`, false}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var l todoList
			for i, s := range c.steps {
				if got := l.apply(s.tool, json.RawMessage(s.input), json.RawMessage(s.result)); got != s.changed {
					t.Errorf("step %d: changed %v, want %v", i, got, s.changed)
				}
			}
			if got := l.list(); !slices.Equal(got, c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestTodosOfTodoWrite(t *testing.T) {
	for input, want := range map[string][]session.Todo{
		`{"todos":[{"content":"Mend","activeForm":"Mending","status":"in_progress"}]}`: {{Text: "Mend", Active: "Mending", State: session.TodoActive}},
		`{"todos":[]}`: {},
		`{"todos":7}`:  nil,
	} {
		if got := todosOf(json.RawMessage(input)); !slices.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%s: %+v, want %+v", input, got, want)
		}
	}
}
