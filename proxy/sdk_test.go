package proxy_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/proxy"
)

// house is everything between an Anthropic client and the service, which is simulated.
type house struct {
	sim         *sim.Server
	url, bearer string
}

func newHouse(t *testing.T) house {
	t.Helper()
	file, err := os.Open("testdata/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rules, err := script.Parse(file, "contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sim, err := sim.Start(sim.Options{Script: rules})
	if err != nil {
		t.Fatal(err)
	}
	client, err := copilot.New(copilot.Options{
		Credential:   login.Credential{Token: login.NewSecret(sim.Token()), Host: "github.com"},
		GitHubAPIURL: sim.GitHubURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server, err := proxy.Start(proxy.Options{Upstream: client})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Close(ctx); err != nil {
			t.Error(err)
		}
		client.Close()
		_ = sim.Close()
	})
	bearer, err := server.Open("contract")
	if err != nil {
		t.Fatal(err)
	}
	return house{sim, server.URL(), bearer}
}

// posts counts the message requests that reached the service.
func (h house) posts() int {
	n := 0
	for _, r := range h.sim.Requests() {
		if r.Path == "/v1/messages" {
			n++
		}
	}
	return n
}

// sdk is the official Go SDK, told nothing but where the proxy is.
func (h house) sdk(t *testing.T, more ...option.RequestOption) anthropic.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	options := []option.RequestOption{option.WithBaseURL(h.url), option.WithAuthToken(h.bearer),
		option.WithHTTPClient(&http.Client{Transport: transport})}
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"} {
		t.Setenv(name, "")
		_ = os.Unsetenv(name) // Setenv puts it back afterwards
	}
	t.Setenv("HOME", t.TempDir())
	return anthropic.NewClient(append(options, more...)...)
}

func ask(words string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "claude-opus-4-6", MaxTokens: 4096,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(words))},
	}
}

// adaptive lets the model think as much as it likes, and shows it.
func adaptive() anthropic.ThinkingConfigParamUnion {
	return anthropic.ThinkingConfigParamUnion{OfAdaptive: &anthropic.ThinkingConfigAdaptiveParam{Display: "summarized"}}
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// collect streams one message to its end.
func collect(t *testing.T, client anthropic.Client, params anthropic.MessageNewParams, opts ...option.RequestOption) (anthropic.Message, error) {
	t.Helper()
	stream := client.Messages.NewStreaming(testContext(t), params, opts...)
	defer func() { _ = stream.Close() }()
	var m anthropic.Message
	for stream.Next() {
		if err := m.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	return m, stream.Err()
}

func textOf(m anthropic.Message) string {
	var b strings.Builder
	for _, block := range m.Content {
		b.WriteString(block.Text)
	}
	return b.String()
}

// Words arrive while the model still speaks.
func TestContractGoStreams(t *testing.T) {
	h := newHouse(t)
	client := h.sdk(t)
	stream := client.Messages.NewStreaming(testContext(t), ask("wait for it"))
	defer func() { _ = stream.Close() }()
	var m anthropic.Message
	released := false
	for stream.Next() {
		if err := m.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
		if !released && textOf(m) == "First." {
			released = true
			h.sim.Release("later")
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	if !released || textOf(m) != "First. Then more." || m.Model != "claude-opus-4-6" || m.StopReason != "end_turn" ||
		m.Usage.OutputTokens == 0 {
		t.Errorf("released %v: %s", released, m.RawJSON())
	}
}

func TestContractGoWholeMessage(t *testing.T) {
	h := newHouse(t)
	client := h.sdk(t)
	for _, model := range []anthropic.Model{"claude-opus-4-6", "claude-opus-4.6", "claude-opus-4-6-20260115", "claude-haiku-4-5-20251001"} {
		params := ask("hello")
		params.Model = model
		m, err := client.Messages.New(testContext(t), params)
		if err != nil {
			t.Fatal(err)
		}
		want := "claude-opus-4-6"
		if strings.Contains(string(model), "haiku") {
			want = "claude-haiku-4-5"
		}
		if textOf(*m) != "You said: hello" || string(m.Model) != want || m.Usage.OutputTokens == 0 {
			t.Errorf("%s: %s", model, m.RawJSON())
		}
	}
}

func TestContractGoThinks(t *testing.T) {
	h := newHouse(t)
	params := ask("think")
	params.Thinking = adaptive()
	m, err := collect(t, h.sdk(t), params)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Content) != 2 || m.Content[0].Thinking != "Let me see." || m.Content[0].Signature == "" || m.Content[1].Text != "Done thinking." {
		t.Errorf("%+v", m.Content)
	}
}

// The usual loop: the model asks for tools, gets their results with its own words sent back, and answers.
func TestContractGoToolLoop(t *testing.T) {
	h := newHouse(t)
	client := h.sdk(t)
	params := ask("compare the files")
	params.Thinking = adaptive()
	params.System = []anthropic.TextBlockParam{{Text: "Be brief.", CacheControl: anthropic.NewCacheControlEphemeralParam()}}
	params.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
		Name: "read_file", Description: anthropic.String("Reads a file"),
		InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"path": map[string]any{"type": "string"}}, Required: []string{"path"}},
	}}}
	var paths []string
	for range 5 {
		m, err := collect(t, client, params)
		if err != nil {
			t.Fatal(err)
		}
		params.Messages = append(params.Messages, m.ToParam())
		if m.StopReason != anthropic.StopReasonToolUse {
			if m.StopReason != "end_turn" || !strings.HasPrefix(textOf(m), "The tool said: ") {
				t.Errorf("%s %q", m.StopReason, textOf(m))
			}
			break
		}
		var results []anthropic.ContentBlockParamUnion
		for _, block := range m.Content {
			if use, ok := block.AsAny().(anthropic.ToolUseBlock); ok {
				var input struct{ Path string }
				if err := json.Unmarshal(use.Input, &input); err != nil {
					t.Fatal(err)
				}
				paths = append(paths, input.Path)
				results = append(results, anthropic.NewToolResultBlock(use.ID, "words of "+input.Path, false))
			}
		}
		params.Messages = append(params.Messages, anthropic.NewUserMessage(results...))
	}
	if !slices.Equal(paths, []string{"a.txt", `b "quoted" é.txt`}) || len(params.Messages) != 4 {
		t.Errorf("tools were called with %q, %d messages", paths, len(params.Messages))
	}
}

func TestContractGoListsModels(t *testing.T) {
	h := newHouse(t)
	client := h.sdk(t)
	want := []string{"claude-fable-5", "claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6", "claude-sonnet-5", "claude-sonnet-4-6", "claude-haiku-4-5",
		"gpt-5.4", "gpt-5-mini", "gemini-3-pro"}
	for _, limit := range []int64{0, 1, 2, 7, 1000} {
		params := anthropic.ModelListParams{}
		if limit > 0 {
			params.Limit = anthropic.Int(limit)
		}
		var ids []string
		pager := client.Models.ListAutoPaging(testContext(t), params)
		for pager.Next() {
			m := pager.Current()
			ids = append(ids, m.ID)
			if m.DisplayName == "" || m.Type != "model" || m.CreatedAt.Unix() != 0 {
				t.Errorf("%+v", m)
			}
		}
		if err := pager.Err(); err != nil || !slices.Equal(ids, want) {
			t.Errorf("limit %d: %q, %v", limit, ids, err)
		}
	}
	m, err := client.Models.Get(testContext(t), "claude-opus-4-6", anthropic.ModelGetParams{})
	if err != nil || m.ID != "claude-opus-4-6" || m.MaxInputTokens != 936000 || m.MaxTokens != 64000 {
		t.Errorf("%+v, %v", m, err)
	}
	_, err = client.Models.Get(testContext(t), "claude-none-1", anthropic.ModelGetParams{})
	if status(err) != 404 {
		t.Errorf("an unknown model: %v", err)
	}
}

func status(err error) int {
	var e *anthropic.Error
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}

// What the service does not know of goes by without harm.
func TestContractGoUnknownEvents(t *testing.T) {
	h := newHouse(t)
	m, err := collect(t, h.sdk(t), ask("odd"))
	if err != nil || textOf(m) != "before, after" {
		t.Errorf("%q, %v", textOf(m), err)
	}
}

// The SDK sees the service's own errors, and sends a request again only where that can help.
func TestContractGoErrors(t *testing.T) {
	tests := []struct {
		fault  script.Fault
		status int
		posts  int // with one retry allowed
	}{
		{script.Fault{Kind: script.FaultStatus, Status: 400, Times: -1}, 400, 1},
		{script.Fault{Kind: script.FaultStatus, Status: 402, Times: -1}, 402, 1},
		{script.Fault{Kind: script.FaultStatus, Status: 404, Times: -1}, 404, 1},
		{script.Fault{Kind: script.FaultStatus, Status: 429, RetryAfter: "0.001", Times: -1}, 429, 2},
		{script.Fault{Kind: script.FaultStatus, Status: 529, Times: -1}, 529, 2},
		{script.Fault{Kind: script.FaultCut, Times: -1}, 502, 2},
	}
	for _, test := range tests {
		h := newHouse(t)
		if err := h.sim.Inject(test.fault); err != nil {
			t.Fatal(err)
		}
		_, err := collect(t, h.sdk(t, option.WithMaxRetries(1)), ask("hello"))
		if status(err) != test.status || h.posts() != test.posts {
			t.Errorf("%s %d: %v after %d requests", test.fault.Kind, test.fault.Status, err, h.posts())
		}
	}

	h := newHouse(t)
	client := h.sdk(t)
	m, err := collect(t, client, ask("break"))
	if err == nil || !strings.Contains(err.Error(), "no capacity") || textOf(m) != "This will not" {
		t.Errorf("an error within the stream: %q, %v", textOf(m), err)
	}
	_, err = client.Messages.CountTokens(testContext(t), anthropic.MessageCountTokensParams{Model: "claude-opus-4-6",
		Messages: ask("x").Messages})
	if status(err) != 501 || h.posts() != 1 {
		t.Errorf("counting tokens: %v", err)
	}
	_, err = collect(t, client, ask("x"), option.WithAuthToken("wrong.contract"))
	if status(err) != 401 || h.posts() != 1 {
		t.Errorf("a wrong bearer: %v", err)
	}
}

// A client that has heard enough leaves, and the service is told.
func TestContractGoLeaves(t *testing.T) {
	h := newHouse(t)
	client := h.sdk(t)
	ctx, cancel := context.WithCancel(testContext(t))
	defer cancel()
	stream := client.Messages.NewStreaming(ctx, ask("wait for it"))
	if !stream.Next() {
		t.Fatal(stream.Err())
	}
	cancel()
	_ = stream.Close()
	err := h.sim.Wait(testContext(t), func(all []sim.Request) bool {
		return slices.ContainsFunc(all, func(r sim.Request) bool { return r.Ended == sim.EndedClientClosed })
	})
	if err != nil {
		t.Error(err)
	}
}
