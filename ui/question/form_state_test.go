package question

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"parley/session"
)

// play presses keys in a form, separated by blanks: names of keys, "type:words", "act:letter", "choose:digit", "move:down".
func play(f *Form, keys string) (a session.Answer, done bool) {
	for _, k := range strings.Fields(keys) {
		what, arg, _ := strings.Cut(k, ":")
		switch what {
		case "type":
			for _, r := range arg {
				f.Key(string(r), string(r))
			}
		case "act":
			a, done = f.Act(arg)
		case "choose":
			f.Choose(arg)
		case "down":
			f.Move(1)
		default:
			a, done = f.Key(k, "")
		}
		if done {
			return a, done
		}
	}
	return a, done
}

func twoQuestions() *Form {
	return questionForm(&session.QuestionAsk{Questions: []session.Question{
		{Text: "Which?", Free: true, Options: []session.QuestionOption{{Label: "a", Preview: "x"}, {Label: "b"}}},
		{Text: "What?", Multi: true, Options: []session.QuestionOption{{Label: "c"}, {Label: "d"}}}}})
}

// What is answered, noted, skipped and taken back in questions is what is sent.
func TestQuestionStates(t *testing.T) {
	no, open := session.Answer{Decision: session.Deny}, session.Answer{}
	yes := func(notes map[string]string, choices map[string][]string) session.Answer {
		return session.Answer{Decision: session.Allow, Choices: choices, Notes: notes}
	}
	for keys, want := range map[string]session.Answer{
		"enter choose:2 enter enter":                     yes(nil, map[string][]string{"Which?": {"a"}, "What?": {"d"}}),
		"down enter enter enter":                         yes(nil, map[string][]string{"Which?": {"b"}, "What?": {"c"}}),
		"tab enter enter":                                yes(nil, map[string][]string{"What?": {"c"}}),
		"enter tab enter":                                yes(nil, map[string][]string{"Which?": {"a"}}),
		"enter shift+tab backspace tab tab enter":        no,
		"tab tab enter":                                  no,
		"esc":                                            no,
		"down down enter type:own enter tab enter":       yes(nil, map[string][]string{"Which?": {"own"}}),
		"down down enter type:own esc enter tab enter":   open,
		"act:n type:why enter enter tab enter":           yes(map[string]string{"Which?": "why"}, map[string][]string{"Which?": {"a"}}),
		"act:n type:why esc enter tab enter":             yes(nil, map[string][]string{"Which?": {"a"}}),
		"act:n type:why enter tab tab enter":             {Decision: session.Deny, Message: "why"},
		"tab act:n type:x enter enter enter":             yes(map[string]string{"What?": "x"}, map[string][]string{"What?": {"c"}}),
		"act:p esc enter tab enter":                      yes(nil, map[string][]string{"Which?": {"a"}}),
		"act:p act:p enter tab enter":                    yes(nil, map[string][]string{"Which?": {"a"}}),
		"act:p choose:2 down enter enter tab enter":      yes(nil, map[string][]string{"Which?": {"a"}}),
		"tab tab choose:1 down enter choose:1 tab enter": yes(nil, map[string][]string{"Which?": {"b"}, "What?": {"c"}}),
		"act:d":                   open,
		"down act:p":              open, // no preview
		"enter tab esc esc":       no,
		"type:nothing enter tab":  open,
		"act:n esc esc":           no,
		"act:n type:a tab tab":    open,
		"down down enter esc esc": no,
	} {
		a, done := play(twoQuestions(), keys)
		if done != (want.Decision != "") || done && !reflect.DeepEqual(a, want) {
			t.Errorf("%s: %v %+v, want %+v", keys, done, a, want)
		}
	}
}

// Fields are checked when they are left: enter stays, tab goes on and leaves a mark, and nothing is sent that is wrong.
func TestFieldsAreCheckedWhenTheyAreLeft(t *testing.T) {
	form := func() *Form {
		return elicitationForm(&session.ElicitationAsk{Schema: []byte(`{"required":["n","l"],"properties":{"n":{"type":"integer","minimum":1},
			"m":{"type":"string","format":"email"},"l":{"type":"array","items":{"enum":["x","y","z"]},"maxItems":2},"o":{"type":"array","items":{"enum":["x"]},"minItems":1}}}`)})
	}
	f := form()
	play(f, "type:0 enter")
	if f.At != 0 || f.Trouble() != "not a number from 1" {
		t.Fatalf("enter: step %d, %q", f.At, f.Trouble())
	}
	play(f, "tab")
	if f.At != 1 || f.Fields[0].Trouble == "" || f.Trouble() != "" {
		t.Fatalf("tab does not leave: step %d, %q", f.At, f.Fields[0].Trouble)
	}
	play(f, "type:x tab choose:1 choose:2 choose:3 tab tab")
	if !f.Reviewing() || f.Fields[1].Trouble != "not an e-mail address" || f.Fields[2].Trouble != "too many: pick at most 2" {
		t.Fatalf("step %d, %+v", f.At, f.Fields)
	}
	if _, done := play(f, "enter"); done || f.At != 0 || f.Trouble() == "" {
		t.Fatalf("it is sent as it is: %v, step %d", done, f.At)
	}
	play(f, "backspace type:7 tab backspace tab choose:3 tab tab")
	a, done := play(f, "enter")
	if want := map[string][]string{"n": {"7"}, "l": {"x", "y"}}; !done || !reflect.DeepEqual(a.Choices, want) {
		t.Errorf("%v %v, want %v", done, a.Choices, want)
	}
	f = form()
	a, done = play(f, "type:1 tab tab tab tab enter")
	if want := map[string][]string{"n": {"1"}, "l": {}}; !done || !reflect.DeepEqual(a.Choices, want) {
		t.Errorf("an empty list that is required: %v %v", done, a.Choices)
	}
}

// A form of a server is declined or closed, and one escape loses nothing.
func TestLeavingAServersForm(t *testing.T) {
	for keys, want := range map[string]session.Decision{
		"esc": "", "esc esc": session.Cancel, "esc act:d": session.Deny, "esc enter type:b esc enter enter": session.Allow, "esc act:n": "", "esc tab": "",
	} {
		f := elicitationForm(&session.ElicitationAsk{Schema: []byte(`{"properties":{"n":{"type":"string"}}}`)})
		play(f, "type:a")
		a, done := play(f, keys)
		if done != (want != "") || a.Decision != want || want == session.Allow && a.Choices["n"][0] != "ab" {
			t.Errorf("%s: %v %+v", keys, done, a)
		}
	}
}

// FuzzForms presses any keys in questions and in forms: nothing panics, and what is sent answers what was asked.
func FuzzForms(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, false)
	f.Add([]byte{0, 9, 9, 12, 0, 0, 3, 3}, true)
	names := []string{"enter", "esc", "tab", "shift+tab", "left", "right", "backspace", "delete", "x", "1"}
	f.Fuzz(func(t *testing.T, keys []byte, server bool) {
		form := twoQuestions()
		if server {
			form = elicitationForm(&session.ElicitationAsk{Schema: json.RawMessage(personSchema)})
		}
		known := map[string]bool{}
		for _, fd := range form.Fields {
			known[fd.Key] = true
		}
		for _, k := range keys {
			var a session.Answer
			done := false
			switch {
			case int(k) < len(names):
				typed := ""
				if n := names[k]; len(n) == 1 {
					typed = n
				}
				a, done = form.Key(names[k], typed)
			case k%4 == 0:
				a, done = form.Act(string("npdm"[k/4%4]))
			case k%4 == 1:
				form.Choose(string("123 "[k/4%4]))
			case k%4 == 2:
				form.Move(int(k/4%3) - 1)
			default:
				form = form.Copy()
			}
			if !done {
				continue
			}
			for key := range a.Choices {
				if !known[key] || a.Decision != session.Allow {
					t.Fatalf("%+v", a)
				}
			}
			return
		}
	})
}
