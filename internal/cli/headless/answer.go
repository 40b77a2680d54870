package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/live"
)

// MaxSchema bounds a schema, in bytes: it is part of the prompt.
const MaxSchema = 256 << 10

// Schema is the JSON Schema that an answer has to satisfy.
type Schema struct {
	text     string
	resolved *jsonschema.Resolved
}

// ParseSchema reads a schema, draft 7 or 2020-12, which refers to nothing outside of itself.
func ParseSchema(text []byte) (*Schema, error) {
	if len(text) > MaxSchema {
		return nil, fmt.Errorf("it is larger than %d KiB", MaxSchema>>10)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("it is not a JSON Schema: %w", err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("it is not a usable JSON Schema: %w", err)
	}
	return &Schema{text: compact.String(), resolved: resolved}, nil
}

// instruct returns the prompt with what the model has to know about its answer.
func (s *Schema) instruct(prompt string) string {
	return prompt + "\n\nYour final answer must be a single JSON value and nothing else: no words before or after it, no code fence. " +
		"A program reads it and checks it against this JSON Schema:\n" + s.text
}

// complain returns the prompt that asks for another answer.
func complain(err error) string {
	return fmt.Sprintf("Your answer does not satisfy the JSON Schema: %v. Answer again with the whole corrected JSON value and "+
		"nothing else. Do not repeat the work.", err)
}

// Read returns the JSON of an answer. The error says what is wrong with it, for the model.
func (s *Schema) Read(answer string) (json.RawMessage, error) {
	text := bare(answer)
	if text == "" {
		return nil, errors.New("the answer is empty")
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if err := s.resolved.Validate(v); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_ = json.Compact(&b, []byte(text)) // it was read above
	return b.Bytes(), nil
}

var fence = lazyregexp.New("(?s)```[a-zA-Z]*\r?\n(.*?)\n?```")

// bare returns an answer without the code fence that many models put around JSON, and without the words around that.
func bare(answer string) string {
	text := strings.TrimSpace(answer)
	if json.Valid([]byte(text)) {
		return text
	}
	if all := fence.FindAllStringSubmatch(text, -1); len(all) > 0 {
		return strings.TrimSpace(all[len(all)-1][1])
	}
	return text
}

// tries bounds the answers of a model until one satisfies the schema.
const tries = 3

// Ask sends a prompt and waits for its answer, and for agents that it left in the background with what comes of them. With a schema, an answer that does not satisfy it is asked for again with what
// is wrong, and at last becomes a failed turn. The error is that of [live.Session.Ask].
func Ask(ctx context.Context, s *live.Session, p *Printer, schema *Schema, prompt string) (session.TurnEnded, json.RawMessage, error) {
	if schema != nil {
		s.Shape(schema.text)
		prompt = schema.instruct(prompt)
	}
	for try := 1; ; try++ {
		ended, err := s.Ask(ctx, session.Prompt{Text: prompt})
		if err != nil {
			return ended, nil, err
		}
		ended = p.settle(ctx, p.Judge(ended))
		if schema == nil || ended.Outcome != session.TurnCompleted {
			return ended, nil, nil
		}
		structured, wrong := schema.Read(p.Words())
		if wrong == nil {
			return ended, structured, nil
		}
		if try == tries {
			ended.Outcome, ended.Problem = session.TurnFailed, &session.Problem{Kind: session.KindInvalid,
				What: fmt.Sprintf("The answer does not satisfy the JSON Schema after %d tries: %v.", tries, wrong),
				Next: "Simplify the schema, or choose another model."}
			return ended, nil, nil
		}
		prompt = complain(wrong)
	}
}
