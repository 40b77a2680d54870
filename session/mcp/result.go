package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/session"
)

const (
	// maxText bounds the text of a result, in bytes: about 25,000 tokens.
	maxText = 100_000
	// maxImage bounds an image, maxImages all images of a result, in bytes.
	maxImage  = 5 << 20
	maxImages = 10 << 20
)

// imageTypes are those that models read.
var imageTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// resultOf returns what a model and a person read of a result.
func resultOf(r *sdk.CallToolResult) Result {
	out := Result{Failed: r.IsError}
	var texts []string
	size := 0
	for _, c := range r.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			texts = append(texts, c.Text)
		case *sdk.ImageContent:
			if size += len(c.Data); !imageTypes[c.MIMEType] || len(c.Data) > maxImage || size > maxImages {
				texts = append(texts, fmt.Sprintf("[left out: an image of type %s with %d bytes]", cut(c.MIMEType, 60), len(c.Data)))
				continue
			}
			out.Media = append(out.Media, session.Media{MediaType: c.MIMEType, Data: c.Data})
		case *sdk.AudioContent:
			texts = append(texts, fmt.Sprintf("[left out: audio of type %s]", cut(c.MIMEType, 60)))
		case *sdk.ResourceLink:
			texts = append(texts, strings.TrimSpace(fmt.Sprintf("%s %s %s", c.URI, c.Name, c.Description)))
		case *sdk.EmbeddedResource:
			if c.Resource == nil {
				continue
			}
			if c.Resource.Blob != nil {
				texts = append(texts, fmt.Sprintf("%s\n[left out: %d bytes of type %s]", c.Resource.URI, len(c.Resource.Blob), cut(c.Resource.MIMEType, 60)))
				continue
			}
			texts = append(texts, c.Resource.URI+"\n"+c.Resource.Text)
		}
	}
	if len(texts) == 0 && r.StructuredContent != nil {
		if data, err := json.Marshal(r.StructuredContent); err == nil {
			texts = append(texts, string(data))
		}
	}
	out.Text = middle(strings.ToValidUTF8(strings.Join(texts, "\n"), "\uFFFD"), maxText)
	return out
}

// middle cuts the middle out of a text that is too long, and says how much that is.
func middle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := n/2, len(s)-n/2
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[left out: %d bytes; ask the tool for less at once]\n%s", s[:head], tail-head, s[tail:])
}
