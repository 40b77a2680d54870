package builtin

import (
	"strings"
	"testing"

	"parley/session"
)

// Input that a model wrote badly runs as it was meant, is asked and shown so, and is what the model is sent back; also after
// a resume.
func TestInputIsRepaired(t *testing.T) {
	const want = `{"file_path":"a","content":"1\n2"}`
	for name, input := range map[string]string{"right": want, "cased": `{"filePath":"a","content":"1\n2"}`, "line end": "{\"file_path\":\"a\",\"content\":\"1\n2\"}",
		"fence": "```json\n" + want + "\n```", "string": inputJSON(want), "comma": `{"file_path":"a","content":"1\n2",}`} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, callsReply([3]string{"w", "Write", input}), says("done"), says("more"))
			ch := openChat(t, s)
			ch.answerAll(session.Answer{Decision: session.Allow})
			ch.send("x")
			if got := ch.content("a"); got != "1\n2" {
				t.Errorf("%q", got)
			}
			if got := eventsOf[session.Asked](ch)[0].Permission.Input; string(got) != want {
				t.Errorf("asked with %s", got)
			}
			if got := s.messages(1)[1].Content[0].Input; string(got) != want {
				t.Errorf("sent back %s", got)
			}
			resumed := openChat(t, s, in(ch.dir), history(ch.transcript()))
			resumed.send("y")
			first, second := s.requests()[1], s.requests()[2]
			if got := s.messages(2)[1].Content[0].Input; string(got) != want {
				t.Errorf("sent back %s after a resume", got)
			}
			if calls := `"name":"Write","input":` + want; !strings.Contains(first, calls) || !strings.Contains(second, calls) {
				t.Error("the call differs after a resume")
			}
		})
	}
}
