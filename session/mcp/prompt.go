package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxPrompts bounds the prompts of one server.
	maxPrompts = 200
	// askTime bounds the wait for a prompt or a resource.
	askTime = 30 * time.Second
)

// Prompt is a prompt that a server offers to the user.
type Prompt struct {
	Server string
	// Name is the server's own name. Arguments are those that it takes, in its order.
	Name, About string
	Arguments   []Argument
}

// Argument is one that a prompt takes.
type Argument struct {
	Name     string
	Required bool
}

// Prompts returns the prompts of all connected servers, in the order in which their names hold.
func (p *Pool) Prompts() []Prompt {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Prompt
	for _, s := range p.servers {
		if s.conn != nil {
			out = append(out, s.prompts...)
		}
	}
	return out
}

// listPrompts lists the prompts of a server. One that cannot list them has none.
func (s *server) listPrompts(ctx context.Context, conn *sdk.ClientSession) []Prompt {
	if caps := conn.InitializeResult().Capabilities; caps == nil || caps.Prompts == nil {
		return nil
	}
	var out []Prompt
	for one, err := range conn.Prompts(ctx, nil) {
		if err != nil || len(out) == maxPrompts {
			break
		}
		if !typable(one.Name) {
			continue
		}
		made := Prompt{Server: s.spec.Name, Name: one.Name, About: cut(one.Description, maxAbout)}
		for _, a := range one.Arguments {
			if a != nil && typable(a.Name) {
				made.Arguments = append(made.Arguments, Argument{a.Name, a.Required})
			}
		}
		out = append(out, made)
	}
	return out
}

// typable reports whether a name can be typed in one word.
func typable(name string) bool {
	return name != "" && len(name) <= 64 && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r == 0x7f || r > 0x7e || r == ':' || r == '/' || r == '@'
	})
}

// connection returns a server and its connection.
func (p *Pool) connection(name string) (*server, *sdk.ClientSession, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.named(name)
	switch {
	case s == nil:
		return nil, nil, fmt.Errorf("the MCP server %s is not there any more", name)
	case s.conn == nil:
		return nil, nil, fmt.Errorf("the MCP server %s is %s. Go on without it, or try again later", name, s.state.Words())
	}
	return s, s.conn, nil
}

// Ask returns the text of a prompt with the values of its arguments.
func (p *Pool) Ask(ctx context.Context, one Prompt, values map[string]string) (string, error) {
	_, conn, err := p.connection(one.Server)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	r, err := conn.GetPrompt(ctx, &sdk.GetPromptParams{Name: one.Name, Arguments: values})
	if err != nil {
		return "", fmt.Errorf("the MCP server %s gave no prompt: %s", one.Server, cut(err.Error(), 500))
	}
	var texts []string
	for _, m := range r.Messages {
		if m == nil || m.Content == nil {
			continue
		}
		text := resultOf(&sdk.CallToolResult{Content: []sdk.Content{m.Content}}).Text
		if m.Role == "assistant" {
			text = "(said by the assistant) " + text
		}
		texts = append(texts, text)
	}
	return middle(strings.Join(texts, "\n\n"), maxText), nil
}

// Read returns the text of a resource of a server.
func (p *Pool) Read(ctx context.Context, server, uri string) (string, error) {
	_, conn, err := p.connection(server)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	r, err := conn.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return "", fmt.Errorf("the MCP server %s gave no resource %s: %s", server, cut(uri, 200), cut(err.Error(), 500))
	}
	var content []sdk.Content
	for _, c := range r.Contents {
		content = append(content, &sdk.EmbeddedResource{Resource: c})
	}
	return resultOf(&sdk.CallToolResult{Content: content}).Text, nil
}

// HasServer reports whether a usable server has a name.
func (p *Pool) HasServer(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.servers, func(s *server) bool { return s.spec.Name == name && s.spec.Why == "" })
}
