package mcptest

//lint:file-ignore SA1019 the newest revision of the protocol drops sampling; servers of the older ones ask for it

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Variable makes a test binary serve instead of testing; see [ServeIfAsked]. Its value is "plain", "samples" for one that also asks a model, "twenty" and "many" for 20 and 107 tools, "silent"
// for a server that never answers, "dies" for one that ends at once with a word on standard error, or "once" for one that ends
// in its second call. [hostile] has those that break the protocol.
const Variable = "PARLEY_TEST_MCP"

// ServeIfAsked serves over standard input and output and ends the process if [Variable] is set.
func ServeIfAsked() {
	kind := os.Getenv(Variable)
	switch kind {
	case "":
		return
	case "silent":
		select {} //nolint:revive // until it is killed
	case "dies":
		fmt.Fprintln(os.Stderr, "no licence found")
		os.Exit(3)
	}
	if does := hostile[kind]; does != nil {
		serveHostile(does)
		os.Exit(0)
	}
	_ = New(kind).Run(context.Background(), &sdk.StdioTransport{})
	os.Exit(0)
}

func object(properties string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":` + properties + `}`)
}

// text returns a result of one text.
func text(s string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s}}}
}

// New returns a server of a kind; see [Variable].
func New(kind string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	add := func(name, about string, schema any, do func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error)) {
		s.AddTool(&sdk.Tool{Name: name, Description: about, InputSchema: schema}, do)
	}
	var answered atomic.Bool
	add("echo", "Says what it is told", object(`{"words":{"type":"string"}}`), func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if kind == "once" && answered.Swap(true) {
			os.Exit(1)
		}
		return text("echo " + string(r.Params.Arguments)), nil
	})
	add("env", "Says what a variable has", object(`{"name":{"type":"string"}}`), func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in struct{ Name string }
		_ = json.Unmarshal(r.Params.Arguments, &in)
		dir, _ := os.Getwd()
		return text(os.Getenv(in.Name) + " in " + dir), nil
	})
	add("fail", "Fails", object(`{}`), func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		r := text("it went wrong")
		r.IsError = true
		return r, nil
	})
	add("wait", "Waits until it is cancelled", object(`{}`), func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		select { // a service may learn late that a call was given up
		case <-ctx.Done():
		case <-time.After(3 * time.Second):
		}
		return nil, ctx.Err()
	})
	add("flood", "Says a lot", object(`{}`), func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text(strings.Repeat("0123456789", 100_000)), nil
	})
	add("picture", "Shows a picture", object(`{}`), func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "here"}, &sdk.ImageContent{MIMEType: "image/png", Data: []byte("png")},
			&sdk.ImageContent{MIMEType: "image/tiff", Data: []byte("tiff")}}}, nil
	})
	add("steps", "Says how far it is", object(`{}`), func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 2, Message: "half"})
		return text("done"), errors.Join(err, r.Session.Ping(ctx, nil)) // a client may handle what came just before the end of a call after it
	})
	add("ask", "Asks the user", object(`{}`), func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		a, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Which port?", RequestedSchema: object(`{"port":{"type":"integer"}}`)})
		if err != nil {
			return nil, err
		}
		return text(fmt.Sprintf("%s %v", a.Action, a.Content["port"])), nil
	})
	add("grow", "Gets another tool", object(`{}`), func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		add("grown", "Came later", object(`{}`), func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return text("new"), nil })
		return text("grown"), nil
	})
	if kind == "samples" {
		add("sample", "Asks a model", object(`{"tokens":{"type":"integer"},"picture":{"type":"boolean"},"stubborn":{"type":"boolean"}}`), func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var in struct {
				Tokens  int64
				Picture bool
				// Stubborn goes on asking when the call is given up.
				Stubborn bool
			}
			_ = json.Unmarshal(r.Params.Arguments, &in)
			if in.Stubborn {
				ctx = context.WithoutCancel(ctx)
			}
			p := &sdk.CreateMessageParams{MaxTokens: in.Tokens, SystemPrompt: "Be brief.", StopSequences: []string{"END"},
				Messages:         []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "What is six times seven?"}}},
				ModelPreferences: &sdk.ModelPreferences{Hints: []*sdk.ModelHint{{Name: "gemini-9"}, {Name: "haiku"}}}}
			if in.Picture {
				p.Messages[0].Content = &sdk.ImageContent{MIMEType: "image/png", Data: []byte("png")}
			}
			got, err := r.Session.CreateMessage(ctx, p)
			if err != nil {
				return text("refused: " + err.Error()), nil
			}
			words, _ := got.Content.(*sdk.TextContent)
			return text(fmt.Sprintf("%s says %q, %s", got.Model, words.Text, got.StopReason)), nil
		})
	}
	s.AddPrompt(&sdk.Prompt{Name: "review", Description: "Reviews a change", Arguments: []*sdk.PromptArgument{{Name: "branch", Required: true}, {Name: "what"}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			if r.Params.Arguments["branch"] == "" {
				return nil, errors.New("branch is missing")
			}
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{
				Text: fmt.Sprintf("Review %s for %s.", r.Params.Arguments["branch"], r.Params.Arguments["what"])}}}}, nil
		})
	s.AddResource(&sdk.Resource{URI: "test://notes", Name: "notes", MIMEType: "text/plain"},
		func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "test://notes", Text: "Remember the milk."}}}, nil
		})
	if more := map[string]int{"twenty": 11, "many": 98}[kind]; more > 0 {
		for i := range more {
			add(fmt.Sprintf("tool_%d", i), fmt.Sprintf("Handles the things of department %d. %s", i, strings.Repeat("It is described at length. ", 8)),
				object(`{"what":{"type":"string"},"how":{"type":"string"}}`),
				func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return text("handled"), nil })
		}
	}
	return s
}
