//go:build contract

package claude

import (
	"os"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
)

// askedForm waits for what the server asks in the turn of a prompt.
func (w *whole) askedForm(prompt session.PromptID) session.Asked {
	w.t.Helper()
	return w.until("form", func(e session.Event) bool {
		a, ok := e.(session.Asked)
		return ok && a.Turn == session.TurnID(prompt) && a.Kind == session.AskElicitation
	}).(session.Asked)
}

// reply answers an ask as the screen does.
func (w *whole) reply(a session.Asked, answer session.Answer) {
	w.t.Helper()
	if err := w.s.Answer(a.Ask, answer); err != nil {
		w.t.Fatal(err)
	}
}

// withForms returns a runtime with the server, where tools are allowed and no form is answered.
func (w *whole) withForms() (heard string) {
	w.t.Helper()
	heard = w.useForms()
	w.answers(func(a session.Asked) (session.Answer, bool) { return yes, a.Kind == session.AskPermission })
	w.completes("hello", "You said: hello")
	w.eventually("the server to be connected", func() bool {
		return strings.Contains(w.mcpStatus(), `"status":"connected"`)
	})
	return heard
}

// mcpStatus is what the runtime says of its servers.
func (w *whole) mcpStatus() string {
	w.t.Helper()
	status, err := w.engine().p.(*driver.Process).Control(w.t.Context(), "mcp_status", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(status)
}

// form lets an MCP server ask for fields, which are filled in, declined, and left open until the session is closed.
func (w *whole) form() {
	heard := w.withForms()
	id := w.send("fill the form")
	a := w.askedForm(id)
	if e := a.Elicitation; e.Server != "forms" || e.Message != "Who are you?" || e.URL != "" {
		w.t.Errorf("asked %+v", e)
	}
	// The order of the fields is the server's, and so are defaults and choices.
	for rest, words := string(a.Elicitation.Schema), []string{`"name"`, `"minLength":2`, `"enum":["red","blue"]`, `"default":"blue"`, `"age"`,
		`"default":30`, `"sure"`, `"maximum":9.5`, `"title":"Large"`, `"enumNames":["Alpha","Beta"]`, `"default":["mon"]`, `"title":"Why"`}; len(words) > 0; words = words[1:] {
		_, after, ok := strings.Cut(rest, words[0])
		if !ok {
			w.t.Fatalf("no %s in %s", words[0], rest)
		}
		rest = after
	}
	if schema := string(a.Elicitation.Schema); !strings.Contains(schema, `"required":["name","colour"]`) {
		w.t.Errorf("nothing is required: %s", schema)
	}
	w.reply(a, session.Answer{Decision: session.Allow, Choices: map[string][]string{
		"name": {"Ada"}, "colour": {"red"}, "age": {"36"}, "sure": {"true"}, "weight": {"1.5"}, "size": {"l"}, "old": {"b"},
		"days": {"mon", "wed"}, "tags": {"y"}}})
	w.ends(id)
	const filledIn = `{"action":"accept","content":{"age":36,"colour":"red","days":["mon","wed"],"name":"Ada","old":"b","size":"l","sure":true,` +
		`"tags":["y"],"weight":1.5}}`
	if got := w.wrote(session.TurnID(id)); !strings.Contains(got, filledIn) {
		w.t.Errorf("the server was told %q", got)
	}

	id = w.send("fill the form")
	w.reply(w.askedForm(id), session.Answer{Decision: session.Deny})
	w.ends(id)
	if got := w.wrote(session.TurnID(id)); !strings.Contains(got, `{"action":"decline"}`) {
		w.t.Errorf("the server was told %q", got)
	}
	w.linkByItself(told(w, heard))
	w.askedForm(w.send("fill the form")) // with which it is closed
}

// linkByItself lets the server ask for a page to be opened without failing a call. Up to 2.1.197 runtimes do not say that
// they can do that, and refuse it.
func (w *whole) linkByItself(told string) {
	w.t.Helper()
	if strings.Contains(told, `"elicitation":{}`) {
		w.completes("open the link", "does not support URL-mode")
		return
	}
	if !strings.Contains(told, `"elicitation":{"form":{},"url":{}}`) && !strings.Contains(told, `"elicitation":{"url":{},"form":{}}`) {
		w.t.Errorf("the runtime says something else of what it can do now: %s", told)
	}
	id := w.send("open the link")
	a := w.askedForm(id)
	if e := a.Elicitation; e.Server != "forms" || e.Message != "Sign in" || e.URL != "https://example.com/sign-in" {
		w.t.Errorf("asked %+v", e)
	}
	w.reply(a, session.Answer{Decision: session.Allow})
	w.ends(id)
	if got := w.wrote(session.TurnID(id)); !strings.Contains(got, `{"action":"accept"`) {
		w.t.Errorf("the server was told %q", got)
	}
}

// link lets an MCP server ask for a page to be opened, as the error of a call, which the runtime repeats afterwards.
func (w *whole) link() {
	w.withForms()
	id := w.send("go through the gate")
	a := w.askedForm(id)
	if e := a.Elicitation; e.Server != "forms" || e.Message != "Sign in" || e.URL != "https://example.com/sign-in" {
		w.t.Errorf("asked %+v", e)
	}
	w.reply(a, session.Answer{Decision: session.Allow})
	w.ends(id)
	if got := w.wrote(session.TurnID(id)); !strings.Contains(got, "the gate is open") {
		w.t.Errorf("it ended with %q", got)
	}
}

// formInterrupted interrupts a turn while a form waits.
func (w *whole) formInterrupted() {
	heard := w.withForms()
	id := w.send("fill the form")
	a := w.askedForm(id)
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled || end.Problem != nil {
		w.t.Errorf("%+v", end)
	}
	w.until("the form to be settled", func(e session.Event) bool {
		s, ok := e.(session.Settled)
		return ok && s.Ask == a.Ask && s.How == session.SettledCancelled
	})
	if err := w.s.Answer(a.Ask, yes); session.KindOf(err) != session.KindNotFound {
		w.t.Errorf("a late answer: %v", err)
	}
	// It was not declined.
	w.eventually("the server to hear of it", func() bool { return strings.Contains(told(w, heard), `{"action":"cancel"}`) })
	w.completes("hello again", "You said: hello again")
	// 2.1.112 connects to the server again after this, and then cancels its forms without asking.
	id = w.send("fill the form")
	w.until("form, or its end", func(e session.Event) bool {
		a, asked := e.(session.Asked)
		if asked && a.Turn == session.TurnID(id) && a.Kind == session.AskElicitation {
			w.reply(a, session.Answer{Decision: session.Deny})
		}
		_, ended := e.(session.TurnEnded)
		return ended && e.Header().Turn == session.TurnID(id)
	})
}

// told returns what the server was told.
func told(w *whole, heard string) string {
	w.t.Helper()
	data, err := os.ReadFile(heard)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}
