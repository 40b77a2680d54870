package clienttools

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

func TestAsk(t *testing.T) {
	for input, want := range map[string]string{
		`{"question":"Which?","options":["a","b","a",""],"multiple":true}`: "The user answered: a, b\nNote: mind c\nThe user also says: thanks",
		`{"question":" "}`: "question is empty",
		`{}`:               "question is empty",
		``:                 "question is empty",
		`[]`:               "does not fit",
		`{"question":"x","options":["1","2","3","4","5","6","7"]}`: "there are 7 options",
	} {
		r, err := Ask.Call(t.Context(), session.ClientCall{Input: []byte(input), Ask: func(_ context.Context, q session.QuestionAsk) session.Answer {
			if one := q.Questions[0]; len(q.Questions) != 1 || len(one.Options) != 2 || !one.Multi || !one.Free {
				t.Errorf("asked %+v", q)
			}
			return session.Answer{Decision: session.Allow, Message: "thanks", Choices: map[string][]string{"Which?": {"a", "b"}}, Notes: map[string]string{"Which?": "mind c"}}
		}})
		got := r.Text
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, not %q", input, got, want)
		}
	}
	for _, tc := range []struct {
		a    session.Answer
		want string
	}{
		{session.Answer{Decision: session.Cancel}, session.Unanswered},
		{session.Answer{Decision: session.Allow}, session.Unanswered},
		{session.Answer{Decision: session.Deny, Message: session.UnattendedReason}, unansweredSay + session.UnattendedReason},
	} {
		if got := answered("Which?", tc.a); got != tc.want {
			t.Errorf("%+v: %q", tc.a, got)
		}
	}
}

func TestSearch(t *testing.T) {
	var asked Search
	found, problem := []Found(nil), error(nil)
	search := searcher(func(_ context.Context, q Search) ([]Found, error) { asked = q; return found, problem },
		session.OpenOptions{Session: "mine", Dir: "/p"})
	call := func(input string) string {
		r, err := search.Call(t.Context(), session.ClientCall{Input: []byte(input)})
		if err != nil {
			return "error: " + err.Error()
		}
		return r.Text
	}
	if got := call(`{"words":"jitter upload"}`); got != "No earlier session in this directory has these words." {
		t.Error(got)
	}
	if (asked != Search{Words: "jitter upload", Dir: "/p", Session: "mine", Most: mostFound}) || !search.Private {
		t.Errorf("looked for %+v", asked)
	}
	found = []Found{{Meta: session.Meta{ID: "s1", Agent: "claude", First: "fix the jitter\nplease", Updated: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)},
		Passages: []string{"one", "two", "three", "four", "five"}}}
	want := "2026-01-02 03:04 · claude · fix the jitter · session s1\n  one\n  two\n  three\n  four\n"
	if got := call(`{"words":"jitter"}`); got != want {
		t.Errorf("%q", got)
	}
	problem = context.DeadlineExceeded
	if got := call(`{"words":"jitter"}`); got != want+"The search took too long: older sessions were not looked at.\n" {
		t.Errorf("%q", got)
	}
	problem = errors.New("disk")
	if got := call(`{"words":"jitter"}`); got != "error: search earlier sessions: disk" {
		t.Errorf("%q", got)
	}
	if got := call(`{}`); !strings.Contains(got, "words is empty") {
		t.Error(got)
	}
}

// Notifications need no permission: they come one at a time, as one line that drives nothing.
func TestNotify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown []string
		notify := notifier(func(_ context.Context, title, text string) error {
			shown = append(shown, title+": "+text)
			return nil
		})
		call := func(input string) error {
			_, err := notify.Call(t.Context(), session.ClientCall{Input: []byte(input)})
			return err
		}
		if err := call(`{"message":"\u001b]0;x\u0007 done\n now"}`); err != nil {
			t.Error(err)
		}
		if err := call(`{"message":"again"}`); err == nil || !strings.Contains(err.Error(), "a moment ago") {
			t.Error(err)
		}
		time.Sleep(noticePause)
		if err := call(`{"message":"` + strings.Repeat("x", 1000) + `"}`); err != nil {
			t.Error(err)
		}
		if err := call(`{"message":" \u0007 "}`); err == nil {
			t.Error("an empty notification")
		}
		if len(shown) != 2 || shown[0] != "parley: ]0;x done now" || len([]rune(shown[1])) > maxNotice+20 {
			t.Errorf("%q", shown)
		}
	})
}

// owner has a tool in place of one.
type owner struct{ session.Agent }

func (owner) OwnsTool(name string) bool { return name == notifyName }

func TestKit(t *testing.T) {
	o := Options{Search: func(context.Context, Search) ([]Found, error) { return nil, nil }, Notify: func(context.Context, string, string) error { return nil }}
	for _, tc := range []struct {
		off   []string
		agent session.Agent
		want  string
	}{{nil, nil, "ask_user notify session_search"}, {nil, owner{}, "ask_user session_search"}, {[]string{"session_search"}, nil, "ask_user notify"}, {[]string{"all"}, nil, ""}} {
		o.Off = tc.off
		var got []string
		for _, t := range New(o).For(tc.agent, session.OpenOptions{}) {
			got = append(got, t.Name)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("without %q: %q", tc.off, got)
		}
	}
	o = Options{Diff: func(context.Context, session.ID, string, []string) (string, error) { return "", nil }, Open: func(context.Context, string, int) error { return nil },
		Lookup: func(o session.OpenOptions) (session.ClientTool, bool) {
			return session.ClientTool{Name: lookupName}, o.Dir == "/go"
		}}
	for dir, want := range map[string]int{"/go": 4, "/text": 3} {
		if got := New(o).For(nil, session.OpenOptions{Dir: dir}); len(got) != want {
			t.Errorf("%d tools in %s", len(got), dir)
		}
	}
	if err := CheckOff([]string{"all", "notify", "bash"}); err == nil || !strings.Contains(err.Error(), `"bash": take ask_user, `) {
		t.Error(err)
	}
	for _, list := range [][]string{{"*"}, {"notify"}, {"mcp__parley"}, {"mcp__parley__notify"}, {"parley/*"}, {"parley/notify"}} {
		if !Names(list, "notify") {
			t.Errorf("%q does not name it", list)
		}
	}
	if Names([]string{"Read", "mcp__other", "notify_all"}, "notify") {
		t.Error("named by other names")
	}
}
