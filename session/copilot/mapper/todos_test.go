package mapper

import (
	"fmt"
	"testing"
)

func TestChecklist(t *testing.T) {
	if got := fmt.Sprint(checklist("- [ ] one\n- [x] two\n * [>] three\nno\n- []\n")); got != "[{one  pending} {two  completed} {three  in_progress}]" {
		t.Error(got)
	}
}

func TestTodoOf(t *testing.T) {
	for _, tt := range []struct{ id, title, status, want string }{
		{"a", "One", "done", "{One  completed}"}, {"a", "", "in_progress", "{a  in_progress}"}, {"a", "One", "blocked", "{One  pending}"},
	} {
		if got := fmt.Sprint(TodoOf(tt.id, tt.title, tt.status)); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
