package builtin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/todo"
)

const openTodos = `{"todos":[{"content":"Find  the\nteapot","status":"in_progress","activeForm":"Finding it"},{"content":"Fill it","status":"pending"}]}`

// A list reaches the user, and the model is reminded of open tasks once it has not looked at them for long, also after a restart.
func TestTodos(t *testing.T) {
	s := newService(t, callsReply([3]string{"t1", "TodoWrite", openTodos}), says("ok"))
	ch := openChat(t, s, mode(session.ModePlan))
	ch.send("x")
	want := []session.Todo{{Text: "Find the teapot", Active: "Finding it", State: session.TodoActive}, {Text: "Fill it", State: session.TodoPending}}
	if diff := cmp.Diff(want, ch.transcript().Todos); diff != "" {
		t.Error(diff)
	}
	next := openChat(t, s, history(ch.transcript()), func(_ *Options, open *session.OpenOptions) { open.Dir = ch.dir })
	for i := range todo.QuietRounds + 2 {
		s.add(callsReply([3]string{fmt.Sprint("g", i), "Glob", fmt.Sprintf(`{"pattern":"%d"}`, i)}))
	}
	s.add(says("done"))
	next.sendAs("t2", session.Prompt{Text: "go on"})
	reminders := eventsOf[session.Reminded](next)
	if len(reminders) != 1 || !strings.Contains(reminders[0].Text, "- [in_progress] Find the teapot\n- [pending] Fill it") {
		t.Errorf("%+v", reminders)
	}
	checkShape(t, s.messages(len(s.requests())-1))
}

func TestTodosThatAreWrong(t *testing.T) {
	many := strings.Repeat(`{"content":"x","status":"pending"},`, todo.Most) + `{"content":"x","status":"pending"}`
	for input, want := range map[string]string{
		`{}`: `lacks "todos"`, `{"todos":[{"content":" ","status":"pending"}]}`: "Task 1 has no content",
		`{"todos":[{"content":"x","status":"done"}]}`: "pending, in_progress or completed", `{"todos":[` + many + `]}`: "100 are the most",
		`{"todos":"x"}`: "must be of type array",
	} {
		s := newService(t, callsReply([3]string{"t1", "TodoWrite", input}), says("ok"))
		ch := openChat(t, s)
		ch.send("x")
		if got := ch.ended()["t1"]; got.Outcome != session.ToolFailed || !strings.Contains(got.Result.Text, want) {
			t.Errorf("%s: %+v", input, got)
		}
	}
}

// Nothing reminds of a list that is done, and a child's list is not the session's.
func TestTodosOfOthers(t *testing.T) {
	var l todo.List
	l.Set([]session.Todo{{Text: "x", State: session.TodoDone}})
	for range 3 * todo.QuietRounds {
		if got := l.Reminder(); got != "" {
			t.Error(got)
		}
	}
	s := newService(t, callsReply(task("c1", "look", "")), callsReply([3]string{"t1", "TodoWrite", openTodos}), says("seen"), says("ok"))
	ch := openChat(t, s)
	ch.send("x")
	if ends := ch.ended(); len(eventsOf[session.TodosChanged](ch)) != 0 || ends["t1"].Outcome != session.ToolOK {
		t.Errorf("%+v", ends)
	}
}
