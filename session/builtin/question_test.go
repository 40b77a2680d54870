package builtin

import (
	"reflect"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/form"
)

const (
	askColor = `{"question":"Which color?","header":"Color","multiSelect":false,"options":[` +
		`{"label":"red","description":"warm","preview":"# red"},{"label":"blue","description":"cold"}]}`
	askSizes = `{"question":"Which sizes?","header":"Sizes","multiSelect":true,"options":[` +
		`{"label":"S","description":"small"},{"label":"M","description":"middle"},{"label":"L","description":"large"}]}`
)

var aQuestion = [3]string{"q1", form.Question.Name, `{"questions":[` + askColor + `,` + askSizes + `]}`}

func TestAnswersToQuestions(t *testing.T) {
	all := map[string][]string{"Which color?": {"a dark green"}, "Which sizes?": {"S", "L"}}
	for name, c := range map[string]struct {
		answer  session.Answer
		outcome session.ToolOutcome
		says    []string
	}{
		"all": {session.Answer{Decision: session.Allow, Choices: all, Notes: map[string]string{"Which sizes?": "L last"}}, session.ToolOK,
			[]string{"Which color?\nAnswer: a dark green\n", "Which sizes?\nAnswer: S, L\nNote: L last\n"}},
		"some": {session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which color?": {"red"}, "Unasked?": {"x"}}, Message: "hurry"}, session.ToolOK,
			[]string{"Which color?\nAnswer: red\n", "Which sizes?\nAnswer: (not answered)\n", "The user also says: hurry"}},
		"only a note": {session.Answer{Decision: session.Allow, Notes: map[string]string{"Which color?": "any"}}, session.ToolOK,
			[]string{"Answer: (not answered)\nNote: any\n"}},
		"nothing":    {session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which color?": {" "}, "Which sizes?": {}}}, session.ToolDenied, []string{"closed the question without answering"}},
		"closed":     {session.Answer{Decision: session.Deny}, session.ToolDenied, []string{"closed the question without answering"}},
		"refused":    {session.Answer{Decision: session.Deny, Message: "decide yourself", Choices: all}, session.ToolDenied, []string{"did not answer the question and says: decide yourself"}},
		"unattended": {session.Answer{Decision: session.Deny, Message: session.UnattendedReason}, session.ToolDenied, []string{session.UnattendedReason}},
	} {
		for _, m := range []session.Mode{session.ModeDefault, session.ModePlan, session.ModeBypass} {
			s := newService(t, callsReply(aQuestion), says("done"))
			ch := openChat(t, s, mode(m))
			ch.answerAll(c.answer)
			ch.send("x")
			result := s.messages(1)[2].Content[0]
			for _, want := range c.says {
				if !strings.Contains(result.Content, want) {
					t.Errorf("%s, %s: %q lacks %q", name, m, result.Content, want)
				}
			}
			if got := ch.ended()["q1"]; got.Outcome != c.outcome || name == "unattended" && got.Result.Text != session.UnattendedReason || strings.Contains(result.Content, "Unasked") {
				t.Errorf("%s, %s: %+v", name, m, got)
			}
			if how := eventsOf[session.Settled](ch); len(how) != 1 || (how[0].How == session.SettledUnattended) != (name == "unattended") {
				t.Errorf("%s, %s: %+v", name, m, how)
			}
		}
	}
}

func TestQuestionReachesTheUserWhole(t *testing.T) {
	s := newService(t, callsReply(aQuestion), says("done"))
	ch := openChat(t, s)
	ch.answerAll(session.Answer{Decision: session.Deny})
	ch.send("x")
	asked := eventsOf[session.Asked](ch)[0]
	want := []session.Question{
		{Text: "Which color?", Header: "Color", Free: true, Options: []session.QuestionOption{{Label: "red", Description: "warm", Preview: "# red"}, {Label: "blue", Description: "cold"}}},
		{Text: "Which sizes?", Header: "Sizes", Free: true, Multi: true, Options: []session.QuestionOption{{Label: "S", Description: "small"}, {Label: "M", Description: "middle"}, {Label: "L", Description: "large"}}},
	}
	if asked.Kind != session.AskQuestion || asked.Call != "q1" || asked.Permission != nil || !reflect.DeepEqual(asked.Question.Questions, want) {
		t.Errorf("%+v", asked.Question)
	}
}

func TestWrongQuestions(t *testing.T) {
	with := func(questions ...string) string { return `{"questions":[` + strings.Join(questions, ",") + `]}` }
	of := func(options string) string { return with(`{"question":"Q?","header":"H","options":` + options + `}`) }
	for input, want := range map[string]string{
		`{}`:               `lacks "questions"`,
		`{"questions":[]}`: "asks 1 to 4 questions, not 0",
		`{"questions":{}}`: `"questions" must be of type array, not object`,
		with(askColor, askSizes, askColor, askSizes, askColor): "not 5",
		with(askColor, askColor):                               "Question 2 is asked twice",
		with(`"Which?"`):                                       `must be of type object, not string`,
		with(`{"header":"H"}`):                                 "Question 1 has no text",
		with(askColor, `{"question":"Q?","header":" "}`):       "Question 2 has no header",
		of(`[]`): "has 0 options",
		of(`[{"label":"a"},{"label":"b"},{"label":"c"},{"label":"d"},{"label":"e"}]`): "has 5 options",
		of(`["a","b"]`):                           "must be of type object, not string",
		of(`[{"label":"a"},{"label":" "}]`):       "an option without a label",
		of(`[{"label":"a"},{"label":"a"}]`):       `the option "a" twice`,
		of(`[{"label":"a"},{"label":"b"}],"x":1`): "",
	} {
		s := newService(t, callsReply([3]string{"q1", form.Question.Name, input}), says("done"))
		ch := openChat(t, s, mode(session.ModeBypass))
		ch.answerAll(session.Answer{Decision: session.Deny})
		ch.send("x")
		got := ch.ended()["q1"]
		if asked := len(eventsOf[session.Asked](ch)); asked != 0 != (want == "") || !strings.Contains(got.Result.Text, want) {
			t.Errorf("%s: asked %d times, %+v", input, asked, got)
		}
		if want != "" && got.Outcome != session.ToolFailed {
			t.Errorf("%s: %s", input, got.Outcome)
		}
	}
}
