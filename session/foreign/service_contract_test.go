//go:build contract

package foreign

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The conversation that programs are recorded with: a prompt that is answered after a command, and one that is answered at once.
const (
	promptOne = "Which module is this? Look into go.mod."
	promptTwo = "Thanks. Now say it in one word."
	thought   = "The file names it."
	answerOne = "The module is **example.com/hello**."
	answerTwo = "hello"
	command   = "cat go.mod"
)

// object is a value of JSON.
type object = map[string]any

// service is a model that speaks the protocols of OpenAI and Gemini and knows the conversation.
func service(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		var asked object
		_ = json.Unmarshal(body, &asked) // other requests get an empty object
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/responses"):
			events(w, "response", responses(asked))
		case strings.HasSuffix(path, "/chat/completions"):
			events(w, "", completions(asked))
			io.WriteString(w, "data: [DONE]\n\n")
		case strings.HasSuffix(path, ":streamGenerateContent"):
			events(w, "", gemini3(asked))
		default:
			io.WriteString(w, "{}")
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// events writes server-sent events, with their types as names if named is set.
func events(w http.ResponseWriter, named string, all []object) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range all {
		data, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		if named != "" {
			fmt.Fprintf(w, "event: %s\n", e["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

// next returns whether the model calls the command now, and what it answers if not. last is the newest message.
func next(last any) (calls bool, answer string) {
	text, err := json.Marshal(last)
	if err != nil {
		panic(err)
	}
	switch {
	case strings.Contains(string(text), promptTwo):
		return false, answerTwo
	case strings.Contains(string(text), promptOne):
		return true, ""
	}
	return false, answerOne
}

// newest returns the last message of a request.
func newest(asked object, field string) any {
	all, _ := asked[field].([]any)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

func responses(asked object) []object {
	calls, answer := next(newest(asked, "input"))
	item := object{"type": "message", "role": "assistant", "id": "msg_1", "content": []object{{"type": "output_text", "text": answer, "annotations": []any{}}}}
	if calls {
		item = object{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "exec_command", "arguments": `{"cmd":"` + command + `"}`}
	}
	usage := object{"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
	return []object{{"type": "response.created", "response": object{"id": "r1"}},
		{"type": "response.output_item.done", "output_index": 0, "item": object{"type": "reasoning", "id": "rs_1", "summary": []object{{"type": "summary_text", "text": thought}}, "encrypted_content": "AAAA"}},
		{"type": "response.output_item.done", "output_index": 1, "item": item},
		{"type": "response.completed", "response": object{"id": "r1", "usage": usage}}}
}

func completions(asked object) []object {
	chunk := func(delta object, finish any) object {
		return object{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "model", "choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
			"usage": object{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}
	}
	if asked["tools"] == nil {
		return []object{chunk(object{"role": "assistant", "content": "Name of the module"}, nil), chunk(object{}, "stop")}
	}
	calls, answer := next(newest(asked, "messages"))
	if !calls {
		return []object{chunk(object{"role": "assistant", "content": answer}, nil), chunk(object{}, "stop")}
	}
	call := object{"index": 0, "id": "call_1", "type": "function", "function": object{"name": "bash", "arguments": `{"command":"` + command + `","description":"Reads it"}`}}
	return []object{chunk(object{"role": "assistant", "reasoning_content": thought}, nil), chunk(object{"tool_calls": []object{call}}, nil), chunk(object{}, "tool_calls")}
}

func gemini3(asked object) []object {
	chunk := func(part object, finish string) object {
		c := object{"index": 0, "content": object{"role": "model", "parts": []object{part}}}
		if finish != "" {
			c["finishReason"] = finish
		}
		return object{"candidates": []object{c}, "usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}, "modelVersion": "model", "responseId": "r1"}
	}
	last := newest(asked, "contents")
	calls, answer := next(last)
	if text, _ := json.Marshal(last); calls && !strings.Contains(string(text), "functionResponse") {
		return []object{chunk(object{"text": "**Looking** " + thought, "thought": true}, ""),
			chunk(object{"functionCall": object{"name": "run_shell_command", "args": object{"command": command, "description": "Reads it"}}}, "STOP")}
	}
	return []object{chunk(object{"text": answer}, "STOP")}
}
