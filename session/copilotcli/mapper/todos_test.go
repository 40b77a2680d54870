package mapper

import (
	"fmt"
	"strings"
	"testing"
)

func TestQueriesChangeTheTaskList(t *testing.T) {
	lists := newTodoList()
	const table = "2 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | One | done |\n| c | Three | pending |"
	for _, c := range []struct{ query, result, want string }{
		{"INSERT INTO todos (id, title, status) VALUES ('a', 'It''s one', 'pending'), ('b', 'Two', 'in_progress');", "", "It's one pending, Two in_progress"},
		{"UPDATE todos SET status = 'done', updated_at = datetime('now') WHERE id = 'a'", "", "It's one completed, Two in_progress"},
		{"update todos set status='blocked' where id in ('b', 'x') and status != 'done'", "", "It's one completed, Two pending"},
		{"UPDATE todos SET status='done' WHERE id LIKE 'b%'", "", "It's one completed, Two pending"}, // not understood
		{"SELECT * FROM todos WHERE status = 'done'", table, "It's one completed, Two pending"},
		{"SELECT * FROM todos ORDER BY id", table, "One completed, Three pending"},
		{"-- note\nINSERT OR IGNORE INTO todos (id, title) VALUES ('a', 'Other'); INSERT OR REPLACE INTO todos (id, title) VALUES ('c', 'New')", "", "One completed, New pending"},
		{"DELETE FROM todos WHERE id = 'a'", "", "New pending"},
		{"INSERT INTO todo_deps VALUES ('a', 'b')", "", "New pending"},
		{"DELETE FROM todos", "", ""},
	} {
		lists.run(c.query, c.result)
		var words []string
		for _, todo := range lists.list() {
			words = append(words, fmt.Sprint(todo.Text, " ", todo.State))
		}
		if got := strings.Join(words, ", "); got != c.want {
			t.Errorf("after %s: %s, want %s", c.query, got, c.want)
		}
	}
	if got := fmt.Sprint(checklist("- [ ] one\n- [x] two\n * [>] three\nno\n- []\n")); got != "[{one  pending} {two  completed} {three  in_progress}]" {
		t.Error(got)
	}
}

// FuzzQuery runs queries of any form.
func FuzzQuery(f *testing.F) {
	f.Add("INSERT INTO todos (id) VALUES ('a');UPDATE todos SET id='b' WHERE id IN ('a'", "| id | title | status |")
	f.Fuzz(func(t *testing.T, query, result string) {
		l := newTodoList()
		l.run(query, result)
		if n := len(l.list()); n > maxTodos {
			t.Errorf("%d tasks", n)
		}
	})
}
