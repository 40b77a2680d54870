//go:build contract

package translate

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

// TestContractSDKReadsRequests has the official SDK decode every golden request and encode it again: a field with a wrong name,
// place or type is lost on the way.
func TestContractSDKReadsRequests(t *testing.T) {
	for _, path := range goldens(t, "requests") {
		in := readArchive(t, path).get("in.json")
		for _, model := range []Model{gpt, gemini, old} {
			for _, a := range []api{apiResponses, apiChat} {
				t.Run(filepath.Base(path)+"/"+model.ID+"/"+string(a), func(t *testing.T) { judgeRequest(t, a, in, model) })
			}
		}
	}
}

func judgeRequest(t *testing.T, a api, in []byte, model Model) {
	do, params, choice := RequestToResponses, any(&responses.ResponseNewParams{}), any(&responses.ToolChoiceFunctionParam{})
	if a == apiChat {
		do, params, choice = RequestToChat, &openai.ChatCompletionNewParams{}, &openai.ChatCompletionNamedToolChoiceParam{}
	}
	r, err := do(in, model)
	if re := (*RequestError)(nil); errors.As(err, &re) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	var ours m
	if err := json.Unmarshal(r.Body, &ours); err != nil {
		t.Fatal(err)
	}
	delete(ours, "stream") // the SDK adds it when it sends
	delete(ours, "thinking_budget")
	for _, msg := range list(ours["messages"]) {
		delete(msg.(m), "reasoning_opaque")
		delete(msg.(m), "reasoning_text")
	}
	for _, item := range list(ours["input"]) {
		if item := item.(m); item["type"] == nil {
			item["type"] = "message" // optional; the SDK writes messages without it and reads only those that have it
		}
	}
	if named, ok := ours["tool_choice"].(m); ok { // which the SDK takes for another kind of choice, unless it is told
		sameToSDK(t, named, choice)
		delete(ours, "tool_choice")
	}
	sameToSDK(t, ours, params)
}

// sameToSDK decodes a value into a type of the SDK and expects it to come back.
func sameToSDK(t *testing.T, ours m, sdk any) {
	t.Helper()
	var theirs m
	if err := json.Unmarshal([]byte(asJSON(ours)), sdk); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(asJSON(sdk)), &theirs); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ours, theirs); diff != "" {
		t.Errorf("-ours +the SDK's:\n%s", diff)
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// TestContractSDKReadsAnswers compares what is read of an answer with what the official SDK reads of it.
func TestContractSDKReadsAnswers(t *testing.T) {
	const text = `{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"usage":{"input_tokens":70,` +
		`"input_tokens_details":{"cached_tokens":20,"cache_write_tokens":7},"output_tokens":9,"total_tokens":79},"output":[` +
		`{"type":"reasoning","id":"rs_1","encrypted_content":"E","summary":[{"type":"summary_text","text":"one"},` +
		`{"type":"summary_text","text":"two"}],"content":[{"type":"reasoning_text","text":"raw"}]},` +
		`{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi",` +
		`"annotations":[]},{"type":"refusal","refusal":"No"}]},` +
		`{"type":"function_call","id":"f","call_id":"c","name":"read","arguments":"{\"a\":1}"}]}`
	var want responses.Response
	var got responsesFinal
	if err := errors.Join(json.Unmarshal([]byte(text), &want), json.Unmarshal([]byte(text), &got)); err != nil {
		t.Fatal(err)
	}
	check := func(name string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, the SDK reads %v", name, got, want)
		}
	}
	check("status", got.Status, string(want.Status))
	check("reason", string(got.Incomplete.Reason), want.IncompleteDetails.Reason)
	check("usage", got.Usage.usage(), usage{
		input:     want.Usage.InputTokens - want.Usage.InputTokensDetails.CachedTokens - want.Usage.InputTokensDetails.CacheWriteTokens,
		cacheRead: want.Usage.InputTokensDetails.CachedTokens, cacheWrite: want.Usage.InputTokensDetails.CacheWriteTokens,
		output: want.Usage.OutputTokens,
	})
	check("items", len(got.Output), len(want.Output))

	var thought responsesThought
	var message responsesMessage
	var call responsesCall
	if err := errors.Join(json.Unmarshal(got.Output[0], &thought), json.Unmarshal(got.Output[1], &message),
		json.Unmarshal(got.Output[2], &call)); err != nil {
		t.Fatal(err)
	}
	wantThought, wantMessage, wantCall := want.Output[0].AsReasoning(), want.Output[1].AsMessage(), want.Output[2].AsFunctionCall()
	check("reasoning id", string(thought.ID), wantThought.ID)
	check("encrypted content", string(thought.EncryptedContent), wantThought.EncryptedContent)
	for i, s := range wantThought.Summary {
		check("summary", string(thought.Summary.value[i].Text), s.Text)
	}
	check("reasoning text", string(thought.Content.value[0].Text), wantThought.Content[0].Text)
	check("text", string(message.Content.value[0].Text), wantMessage.Content[0].Text)
	check("refusal", string(message.Content.value[1].Refusal), wantMessage.Content[1].Refusal)
	check("call", [3]string{string(call.CallID), string(call.Name), string(call.Arguments)},
		[3]string{wantCall.CallID, wantCall.Name, wantCall.Arguments})
}

// TestContractSDKReadsChatAnswers does the same for Chat Completions.
func TestContractSDKReadsChatAnswers(t *testing.T) {
	const text = `{"choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":"Hi","refusal":"No",` +
		`"tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":"{}"}}]}}],"usage":{"prompt_tokens":70,` +
		`"prompt_tokens_details":{"cached_tokens":20,"cache_write_tokens":7},"completion_tokens":9,"total_tokens":79}}`
	var want openai.ChatCompletion
	var got chatChunk
	if err := errors.Join(json.Unmarshal([]byte(text), &want), json.Unmarshal([]byte(text), &got)); err != nil {
		t.Fatal(err)
	}
	ours, theirs := got.Choices[0], want.Choices[0]
	details := want.Usage.PromptTokensDetails
	for _, pair := range [][2]any{
		{ours.Reason, theirs.FinishReason}, {ours.Message.Content, theirs.Message.Content},
		{ours.Message.Refusal, theirs.Message.Refusal}, {ours.Message.Calls[0].ID, theirs.Message.ToolCalls[0].ID},
		{ours.Message.Calls[0].Function.Name, theirs.Message.ToolCalls[0].Function.Name},
		{ours.Message.Calls[0].Function.Arguments, theirs.Message.ToolCalls[0].Function.Arguments},
		{got.Usage.usage(), usage{
			input:     want.Usage.PromptTokens - details.CachedTokens - details.CacheWriteTokens,
			cacheRead: details.CachedTokens, cacheWrite: details.CacheWriteTokens, output: want.Usage.CompletionTokens,
		}},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%v, the SDK reads %v", pair[0], pair[1])
		}
	}
}
