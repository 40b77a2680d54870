package mapper

import (
	"slices"
	"strings"

	"parley/session"
)

// todoRow is a row of the table of tasks.
type todoRow map[string]string

// list returns the tasks in their order.
func (l *todoList) list() []session.Todo {
	todos := make([]session.Todo, 0, len(l.rows))
	for _, r := range l.rows {
		t := session.Todo{Text: r["title"], State: session.TodoPending}
		if t.Text == "" {
			t.Text = r["id"]
		}
		switch r["status"] {
		case "done", "completed":
			t.State = session.TodoDone
		case "in_progress":
			t.State = session.TodoActive
		}
		todos = append(todos, t)
	}
	return todos
}

// maxTodos bounds the rows of the table, and maxQuery the query that is read, in bytes.
const (
	maxTodos = 1000
	maxQuery = 1 << 20
)

// run applies the statements of a query that it understands to the table of tasks, and reports whether one did. result is the
// output of the last statement. A statement of another form changes nothing here.
func (l *todoList) run(query, result string) bool {
	if len(query) > maxQuery {
		return false
	}
	any := false
	for _, statement := range statements(query) {
		s := &sqlReader{tokens: statement}
		switch {
		case s.word("insert"):
			any = l.insert(s) || any
		case s.word("replace"):
			any = l.insert(s) || any
		case s.word("update"):
			any = l.update(s) || any
		case s.word("delete"):
			any = l.remove(s) || any
		case s.word("select"):
			any = l.adopt(s, result) || any
		}
	}
	return any
}

// insert reads "INTO todos (columns) VALUES (…), (…)".
func (l *todoList) insert(s *sqlReader) bool {
	ignore := false
	if s.word("or") {
		ignore = s.word("ignore")
		if !ignore && !s.word("replace") {
			return false
		}
	}
	if !s.word("into") || !s.word("todos") {
		return false
	}
	columns := []string{"id", "title", "description", "status"}
	if s.is("(") {
		var ok bool
		if columns, ok = s.values(); !ok {
			return false
		}
	}
	if !s.word("values") {
		return false
	}
	for {
		values, ok := s.values()
		if !ok || len(values) > len(columns) || len(l.rows) >= maxTodos {
			return false
		}
		row := todoRow{}
		for i, v := range values {
			row[strings.ToLower(columns[i])] = v
		}
		switch at := l.index(row["id"]); {
		case at < 0:
			l.rows = append(l.rows, row)
		case !ignore:
			l.rows[at] = row
		}
		if !s.is(",") {
			return true
		}
		s.next()
	}
}

// update reads "todos SET column = value, … WHERE …".
func (l *todoList) update(s *sqlReader) bool {
	if !s.word("todos") || !s.word("set") {
		return false
	}
	set := todoRow{}
	for {
		column := strings.ToLower(s.next().text)
		if !s.is("=") {
			return false
		}
		s.next()
		value, ok := s.value()
		if !ok {
			return false
		}
		set[column] = value
		if !s.is(",") {
			break
		}
		s.next()
	}
	where, ok := s.where()
	if !ok {
		return false
	}
	for i, r := range l.rows {
		if where(r) {
			n := todoRow{}
			for k, v := range r {
				n[k] = v
			}
			for k, v := range set {
				n[k] = v
			}
			l.rows[i] = n
		}
	}
	return true
}

// remove reads "FROM todos WHERE …".
func (l *todoList) remove(s *sqlReader) bool {
	if !s.word("from") || !s.word("todos") {
		return false
	}
	where, ok := s.where()
	if ok {
		l.rows = slices.DeleteFunc(l.rows, where)
	}
	return ok
}

// adopt takes the whole table from the output of "SELECT * FROM todos", with or without an order.
func (l *todoList) adopt(s *sqlReader, result string) bool {
	if !s.is("*") {
		return false
	}
	s.next()
	if !s.word("from") || !s.word("todos") || !s.done() && !s.word("order") {
		return false
	}
	rows, ok := tableRows(result)
	if ok {
		l.rows = rows
	}
	return ok
}

func (l *todoList) index(id string) int {
	return slices.IndexFunc(l.rows, func(r todoRow) bool { return id != "" && r["id"] == id })
}

// tableRows reads a table in markdown that has the columns of tasks.
func tableRows(text string) (rows []todoRow, ok bool) {
	var columns []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case columns == nil:
			columns = cells
			ok = slices.Contains(columns, "id") && slices.Contains(columns, "title") && slices.Contains(columns, "status")
		case strings.HasPrefix(cells[0], "---"):
		case len(cells) != len(columns) || len(rows) >= maxTodos:
			return nil, false // a cell with a bar or a line break in it
		default:
			row := todoRow{}
			for i, c := range columns {
				row[c] = cells[i]
			}
			rows = append(rows, row)
		}
	}
	return rows, ok
}
