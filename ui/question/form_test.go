package question

import (
	"reflect"
	"testing"

	"parley/session"
)

const personSchema = `{"properties":{
	"name":{"type":"string","title":"Name","minLength":2},
	"age":{"type":"integer","minimum":1,"maximum":150},
	"tags":{"type":"array","items":{"enum":["x","y"]},"default":["x"]},
	"agree":{"type":"boolean"}},"required":["name"]}`

func personForm() *Form {
	return elicitationForm(&session.ElicitationAsk{Schema: []byte(personSchema)})
}

// A schema becomes fields in its order, with what each answer must look like.
func TestSchemaBecomesFields(t *testing.T) {
	f := personForm()
	type seen struct {
		key, tab, note string
		options        int
		multi, free    bool
		chosen         []string
	}
	var got []seen
	for _, fd := range f.Fields {
		got = append(got, seen{fd.Key, fd.Tab, fd.Expects, len(fd.Options), fd.Multi, fd.Free, fd.Chosen})
	}
	want := []seen{{"name", "Name", "at least 2 characters", 0, false, true, nil}, {"age", "age", "a whole number from 1 to 150, optional", 0, false, true, nil},
		{"tags", "tags", "optional", 2, true, false, []string{"x"}}, {"agree", "agree", "optional", 2, false, false, nil}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Keys fill a form in, and a required field that is missing is gone to before anything is sent.
func TestFormFromKeys(t *testing.T) {
	f := personForm()
	press := func(names ...string) (a session.Answer, done bool) {
		for _, n := range names {
			typed := n
			if len(n) > 1 {
				typed = ""
			}
			a, done = f.Key(n, typed)
		}
		return a, done
	}
	if press("A", "enter"); f.Trouble() == "" || f.At != 0 {
		t.Fatalf("a name that is too short: step %d, %q", f.At, f.Trouble())
	}
	press("d", "a", "enter", "0", "enter")
	if f.At != 1 || f.Trouble() != "not a number from 1 to 150" {
		t.Fatalf("an age out of range: step %d, %q", f.At, f.Trouble())
	}
	press("backspace", "7", "enter")
	f.Choose("2")
	press("enter")
	f.Choose("1")
	if press("enter"); !f.Reviewing() {
		t.Fatalf("step %d is not the review", f.At)
	}
	a, done := press("enter")
	want := map[string][]string{"name": {"Ada"}, "age": {"7"}, "tags": {"x", "y"}, "agree": {"true"}}
	if !done || a.Decision != session.Allow || !reflect.DeepEqual(a.Choices, want) {
		t.Errorf("%v %+v, want %v", done, a, want)
	}
	f = personForm()
	f.Enter(len(f.Fields))
	if _, done := f.Send(); done || f.At != 0 || f.Trouble() == "" {
		t.Errorf("a form without its required field: sent %v, step %d, %q", done, f.At, f.Trouble())
	}
}

// Lines fill a field in by number, label or free text.
func TestFieldFromLine(t *testing.T) {
	for _, tt := range []struct {
		multi, free bool
		line        string
		want        []string
		trouble     string
	}{
		{false, false, "2", []string{"blue"}, ""},
		{false, false, "RED", []string{"red"}, ""},
		{false, false, "3", nil, "there is no 3"},
		{true, false, "2, 1", []string{"red", "blue"}, ""},
		{false, true, "green", []string{"green"}, ""},
		{false, false, "", nil, ""},
	} {
		fd := Field{Options: []session.QuestionOption{{Label: "red"}, {Label: "blue"}}, Multi: tt.multi, Free: tt.free}
		if trouble := fd.Line(tt.line); trouble != tt.trouble || !reflect.DeepEqual(fd.Answer(), tt.want) {
			t.Errorf("%q: %q %v, want %q %v", tt.line, trouble, fd.Answer(), tt.trouble, tt.want)
		}
	}
}

// The first choice of every question is selected: a yes for once to what is ordinary, else one that lets nothing happen.
func TestFirstChoiceIsSelected(t *testing.T) {
	for name, tt := range map[string]struct {
		a    session.Asked
		want session.Decision
	}{
		"permission": {session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "ls", Rules: []session.Rule{{Label: "ls"}}}}, session.Allow},
		"plan":       {session.Asked{Plan: &session.PlanAsk{Plan: "one"}}, session.Allow},
		"page":       {session.Asked{Elicitation: &session.ElicitationAsk{URL: "https://example.com"}}, session.Deny},
		"unknown":    {session.Asked{}, session.Deny},
	} {
		q := New(&session.Ask{Asked: tt.a}, Options{Opens: true})
		if c := q.Choices[q.At]; q.At != 0 || c.Do != Answers || c.Answer.Decision != tt.want || c.Answer.Rule != nil {
			t.Errorf("%s: %+v is selected", name, c)
		}
	}
	q := Trust(Directory{Items: []session.RepositoryItem{{Kind: "hooks", Name: "x"}}}, "/h")
	if c := q.Choices[q.At]; c.Do != DecideLate || !q.Summoned {
		t.Errorf("trust: %+v is selected, summoned %v", c, q.Summoned)
	}
}
