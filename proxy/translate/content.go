package translate

import (
	"fmt"
	"strings"
)

// part is a piece of a user message in both APIs: text, an image or a file.
type part struct {
	text  string
	image string // a data URL
	file  string // a data URL
	name  string // of the file
}

// userTurn is a parsed message of the user: in the other APIs the results of tools come first.
type userTurn struct {
	results []toolResult
	parts   []part
}

type toolResult struct {
	callID string
	text   string
}

// userTurn parses a message of the user. Images and files within results become parts of the message after them,
// because neither API is known to accept anything but text there.
func (c *conversion) userTurn(m message, path string) (userTurn, error) {
	var t userTurn
	var own []part
	for i, b := range m.Content {
		at := fmt.Sprintf("%s.content.%d", path, i)
		if b.Type != "tool_result" {
			parts, err := c.parts(b, at)
			if err != nil {
				return t, err
			}
			own = append(own, parts...)
			continue
		}
		r := toolResult{callID: callID(b.ToolUseID)}
		var texts []string
		var seen []part
		for j, inner := range b.Content {
			parts, err := c.parts(inner, fmt.Sprintf("%s.content.%d", at, j))
			if err != nil {
				return t, err
			}
			for _, p := range parts {
				if p.image == "" && p.file == "" {
					texts = append(texts, p.text)
				} else {
					seen = append(seen, p)
				}
			}
		}
		r.text = resultText(texts, len(seen), b.IsError)
		if len(seen) > 0 {
			t.parts = append(t.parts, part{text: "What the tool call " + r.callID + " returned:"})
			t.parts = append(t.parts, seen...)
		}
		t.results = append(t.results, r)
	}
	t.parts = append(t.parts, own...)
	return t, nil
}

// resultText returns the text of a tool result. The other APIs have no field for a failure and refuse empty results.
func resultText(texts []string, attached int, failed bool) string {
	text := strings.Join(texts, "\n")
	switch {
	case text != "":
	case attached > 0:
		text = "(see the attachment below)"
	default:
		text = "(no output)"
	}
	if failed {
		text = "The tool failed: " + text
	}
	return text
}

// parts translates a block that may be in a message of the user or in a result.
func (c *conversion) parts(b block, path string) ([]part, error) {
	switch b.Type {
	case "text":
		if b.Text == "" {
			return nil, nil
		}
		return []part{{text: b.Text}}, nil
	case "image":
		return c.image(b, path)
	case "document":
		return c.document(b, path)
	case "search_result":
		texts := []string{b.Title}
		if b.Source != nil {
			texts = append(texts, b.Source.URL)
		}
		for _, inner := range b.Content {
			texts = append(texts, inner.Text)
		}
		return []part{{text: strings.TrimSpace(strings.Join(texts, "\n"))}}, nil
	case "tool_reference":
		return []part{{text: "Tool: " + b.ToolName}}, nil
	}
	c.drop(b.Type + " block")
	return nil, nil
}

func (c *conversion) image(b block, path string) ([]part, error) {
	switch {
	case b.Source == nil || b.Source.Type != "base64" || b.Source.Data == "":
		return nil, refuse(path, "images must be sent as base64, not by URL or file id")
	case !c.model.Vision:
		c.drop("image")
		return []part{{text: "[An image stands here, which " + c.model.ID + " cannot see.]"}}, nil
	}
	return []part{{image: dataURL(b.Source)}}, nil
}

func (c *conversion) document(b block, path string) ([]part, error) {
	s := b.Source
	if s == nil {
		return nil, refuse(path+".source", "Field required")
	}
	switch {
	case s.Type == "text":
		return []part{{text: strings.TrimSpace(b.Title + "\n" + s.Data)}}, nil
	case s.Type == "content":
		var out []part
		for i, inner := range s.Content {
			parts, err := c.parts(inner, fmt.Sprintf("%s.source.content.%d", path, i))
			if err != nil {
				return nil, err
			}
			out = append(out, parts...)
		}
		return out, nil
	case s.Type != "base64":
		return nil, refuse(path, "documents must be sent as base64 or text, not by URL or file id")
	case !c.model.PDF:
		return nil, refuse(path, "the model %s cannot read %s documents; send the text, or choose a Claude model",
			c.model.ID, s.MediaType)
	}
	name := b.Title
	if name == "" {
		name = "document.pdf"
	}
	return []part{{file: dataURL(s), name: name}}, nil
}

func dataURL(s *source) string { return "data:" + s.MediaType + ";base64," + s.Data }

// saying is a piece of an assistant message: text, a call, or reasoning to send back.
type saying struct {
	text    string
	call    *block
	thought *sealed
	words   string // of the reasoning, as the client saw it
}

// sayings parses a message of the assistant.
func (c *conversion) sayings(m message) []saying {
	var out []saying
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			if b.Text != "" {
				out = append(out, saying{text: b.Text})
			}
		case "tool_use":
			out = append(out, saying{call: &b})
		case "thinking":
			s, ok := unsign(c.api, c.model.ID, b.Signature)
			if !ok {
				c.drop("thinking of another model")
			} else if s.Content != "" || c.api == apiChat {
				out = append(out, saying{thought: &s, words: b.Thinking})
			}
		default:
			c.drop(b.Type + " block")
		}
	}
	return out
}

// trimThoughts removes reasoning at the end of a list: the Responses API refuses reasoning that nothing follows.
func trimThoughts(list []saying) []saying {
	for len(list) > 0 && list[len(list)-1].thought != nil {
		list = list[:len(list)-1]
	}
	return list
}
