package cli

import (
	"strings"
	"testing"
)

// shaped says which requests want an answer that follows a schema.
const shaped = `rules:
  - name: refused
    when: {prompt: "refuse it", format: true}
    reply: [fault: {kind: status, status: 400, message: "output_config.format: this schema is too complex"}]
  - name: held
    when: {prompt: "how many", format: true}
    reply:
      - schema:
  - name: free
    when: {format: false}
    reply: '{"n": 7}'
  - name: never
    reply: "it must not be asked for in this way"
`

// TestTheServiceHoldsAnswersToTheSchema asks for an answer at each API of the service, with schemas that each takes and that it
// does not take.
func TestTheServiceHoldsAnswersToTheSchema(t *testing.T) {
	const strict = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`
	w := newWorld(t).signIn(shaped)
	for _, model := range []string{"claude-sonnet-4.6", "gpt-5.4", "gemini-3-pro"} {
		for _, tt := range []struct{ schema, prompt, want string }{
			{strict, "how many", `{"n":`},
			{strings.Replace(strict, `,"additionalProperties":false`, "", 1), "how many", `{"n":7}`},
			{strings.Replace(strict, `"integer"`, `"integer","minimum":3`, 1), "how many", `{"n":7}`},
			{strict, "refuse it", `{"n":7}`},
		} {
			o := w.run("-p", "-m", model, "--json-schema", tt.schema, tt.prompt)
			if o.code != 0 || !strings.HasPrefix(o.out, tt.want) || (tt.want == `{"n":7}`) != (o.out == `{"n":7}`+"\n") {
				t.Errorf("%s: %s, %q: exit %d, %s%s", model, tt.schema, tt.prompt, o.code, o.out, o.err)
			}
		}
	}
}
