package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// tool is one tool of the agent.
type tool struct {
	name        string
	kind        toolview.Kind
	description string
	schema      string // JSON Schema of the input, an object
	// prepare checks the input and returns the job. Its error goes to the model. It opens no file, because nothing has
	// been decided yet.
	prepare func(w *workspace, input json.RawMessage) (*job, error)
}

// job is one call that is ready to run.
type job struct {
	// ask is what the user would be asked, with Command or Path if they apply.
	ask session.PermissionAsk
	// place is the location of ask.Path, for tools that use one.
	place place
	// look, if set, reads what the call would change and fills in ask.Edit. It runs after the policy and before the
	// user is asked. Its error goes to the model if that may read the file, otherwise only to the user.
	look func(ctx context.Context) error
	// run does the work, after look. live receives output as it comes, in order.
	run func(ctx context.Context, id session.CallID, live func(text string)) outcome
	// put, if set, is put to the user in place of run.
	put *form
	// message is what the user said when they allowed the call.
	message string
}

// toolParam is a tool in a request of the Messages API.
type toolParam struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema"`
	CacheControl *CacheControl   `json:"cache_control,omitempty"`
}

// tools are all tools, in the order the model sees them. The list is the same in every mode.
var tools = []*tool{readTool, globTool, grepTool, editTool, writeTool, bashTool, questionTool, planTool}

var toolParams = func() []toolParam {
	out := make([]toolParam, len(tools))
	for i, t := range tools {
		out[i] = toolParam{Name: t.name, Description: t.description, InputSchema: json.RawMessage(t.schema)}
	}
	return out
}()

func toolNamed(name string) *tool {
	for _, t := range tools {
		if t.name == name {
			return t
		}
	}
	return nil
}

func toolNames() []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.name)
	}
	return names
}

// decodeInput decodes a call's input into v, a pointer to a struct. It ignores unknown fields, which models sometimes
// add, and returns errors for wrong types and missing fields, which the model reads.
func decodeInput(input json.RawMessage, v any, required ...string) error {
	var fields map[string]json.RawMessage
	dec := json.NewDecoder(strings.NewReader(string(input)))
	if err := dec.Decode(&fields); err != nil || fields == nil {
		return errTool("The input is not a JSON object: %.200s", input)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errTool("The input has something after its JSON object.")
	}
	for _, name := range required {
		if _, ok := fields[name]; !ok {
			return errTool("The input lacks %q.", name)
		}
	}
	if err := json.Unmarshal(input, v); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return errTool("%q must be of type %s, not %s.", wrong.Field, jsonType(wrong.Type), wrong.Value)
		}
		return errTool("The input cannot be read: %v", err)
	}
	return nil
}

// jsonType returns the name of a type as the schema of an input calls it, where that differs from Go.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "object"
	case reflect.Slice:
		return "array"
	}
	return t.String()
}
