package transcript

import (
	"bytes"
	"time"
)

// kind is the type of a line that belongs to a conversation.
type kind uint8

const (
	other kind = iota
	user
	assistant
	system
	attachment
	progress
	title // custom-title or ai-title
)

var kinds = map[string]kind{
	"user": user, "assistant": assistant, "system": system, "attachment": attachment, "progress": progress,
	"custom-title": title, "ai-title": title,
}

// rawLine holds the fields that decide the order of a conversation, and the raw rest. Its slices refer to the bytes read.
type rawLine struct {
	kind      kind
	uuid      string
	parent    string
	logical   string // of a compact boundary: the line before it
	messageID string // of an assistant's message, one for all its blocks
	source    string // of a tool result: the line of the call
	sidechain bool
	meta      bool
	boundary  bool // a compact boundary
	data      []byte
}

// firstType begins a line with its type first, as in all lines outside of the conversation.
var firstType = []byte(`{"type":"`)

// scanLine reads a rawLine. It reports false for a line that is not part of a conversation, and whether it is damaged.
func scanLine(data []byte) (l rawLine, ok, damaged bool) {
	if rest, found := bytes.CutPrefix(data, firstType); found {
		if n := bytes.IndexByte(rest, '"'); n >= 0 && kinds[string(rest[:n])] == other && bytes.IndexByte(rest[:n], '\\') < 0 {
			return l, false, false // records of requests are much longer than messages
		}
	}
	c := newCursor(data)
	if !c.open('{') {
		return l, false, true
	}
	l.data = data
	subtype := ""
	for {
		key, more := c.key()
		if !more {
			break
		}
		switch key {
		case "type":
			l.kind = kinds[c.text()]
		case "subtype":
			subtype = c.text()
		case "uuid":
			l.uuid = c.text()
		case "parentUuid":
			l.parent = c.text()
		case "logicalParentUuid":
			l.logical = c.text()
		case "sourceToolAssistantUUID":
			l.source = c.text()
		case "isSidechain":
			l.sidechain = c.truth()
		case "isMeta":
			l.meta = c.truth()
		case "message":
			l.messageID = messageID(c)
		default:
			c.skip()
		}
	}
	if !c.ended() {
		return l, false, true
	}
	l.boundary = l.kind == system && subtype == "compact_boundary"
	return l, l.kind == title || l.kind != other && l.uuid != "", false
}

// messageID returns the id of a message. It comes after the content, which is skipped.
func messageID(c *cursor) string {
	id := ""
	if !c.into('{') {
		return ""
	}
	for {
		key, more := c.key()
		if !more {
			return id
		}
		if key == "id" {
			id = c.text()
		} else {
			c.skip()
		}
	}
}

// Entry is one line of a conversation.
type Entry struct {
	Type    string // user, assistant, system, attachment, progress, custom-title or ai-title
	Subtype string // of a system line
	UUID    string
	Parent  string
	Time    time.Time // zero if missing or malformed
	// Sidechain marks lines of a child agent, Meta lines that the runtime made up.
	Sidechain, Meta bool
	// Summary marks the summary of a compaction.
	Summary bool
	// Failed marks the assistant line of a failed request. Error is the runtime's kind of failure, Status the HTTP status, 0
	// for none.
	Failed bool
	Error  string
	Status int
	// Mode is the permission mode of a prompt, Cwd and Branch are its directory and branch.
	Mode, Cwd, Branch string
	// Agent is the id of the child agent whose transcript has the line.
	Agent string
	// MessageID, Model, StopReason and Usage are those of an assistant's message. Each block of a message is one line with
	// the same id and usage.
	MessageID, Model, StopReason string
	Usage                        Usage
	// Blocks are the content; a string counts as one text block.
	Blocks []Block
	// Result is the tool's own result beside the text for the model, as JSON; nil for none.
	Result []byte
	// Compact is the metadata of a compact boundary, Attachment the content of an attachment line, Content the text of a
	// system line, as JSON.
	Compact, Attachment, Content []byte
	// Title is the title of a title line.
	Title string
}

// Usage counts the tokens of one request.
type Usage struct{ Input, Output, CacheRead, CacheWrite int64 }

// Block is one content block.
type Block struct {
	Type string // text, thinking, tool_use, tool_result, image, ...
	Text string // of text and thinking
	// ID, Name and Input are those of a tool_use.
	ID, Name string
	Input    []byte
	// ToolUseID, Content and IsError are those of a tool_result; Content is JSON.
	ToolUseID string
	Content   []byte
	IsError   bool
	// MediaType and Data are those of an image, Data in base64.
	MediaType, Data string
}

// decode decodes a line. Its raw JSON is copied, so that the bytes read can be freed.
func decode(data []byte) Entry {
	var e Entry
	c := newCursor(data)
	c.open('{')
	for {
		key, more := c.key()
		if !more {
			return e
		}
		switch key {
		case "type":
			e.Type = c.text()
		case "subtype":
			e.Subtype = c.text()
		case "uuid":
			e.UUID = c.text()
		case "parentUuid":
			e.Parent = c.text()
		case "timestamp":
			e.Time, _ = time.Parse(time.RFC3339, c.text()) // a malformed time is unknown
		case "isSidechain":
			e.Sidechain = c.truth()
		case "isMeta":
			e.Meta = c.truth()
		case "isCompactSummary":
			e.Summary = c.truth()
		case "isApiErrorMessage":
			e.Failed = c.truth()
		case "error":
			e.Error = c.text()
		case "apiErrorStatus":
			e.Status = int(c.number())
		case "permissionMode":
			e.Mode = c.text()
		case "cwd":
			e.Cwd = c.text()
		case "gitBranch":
			e.Branch = c.text()
		case "agentId":
			e.Agent = c.text()
		case "customTitle", "aiTitle":
			e.Title = c.text()
		case "toolUseResult":
			e.Result = bytes.Clone(c.skip())
		case "compactMetadata":
			e.Compact = bytes.Clone(c.skip())
		case "attachment":
			e.Attachment = bytes.Clone(c.skip())
		case "content":
			e.Content = bytes.Clone(c.skip())
		case "message":
			e.message(c)
		default:
			c.skip()
		}
	}
}

func (e *Entry) message(c *cursor) {
	if !c.into('{') {
		return
	}
	for {
		key, more := c.key()
		if !more {
			return
		}
		switch key {
		case "id":
			e.MessageID = c.text()
		case "model":
			e.Model = c.text()
		case "stop_reason":
			e.StopReason = c.text()
		case "usage":
			e.Usage = usageOf(c)
		case "content":
			e.Blocks = blocks(c)
		default:
			c.skip()
		}
	}
}

func usageOf(c *cursor) Usage {
	var u Usage
	if !c.into('{') {
		return u
	}
	for {
		key, more := c.key()
		if !more {
			return u
		}
		switch key {
		case "input_tokens":
			u.Input = c.number()
		case "output_tokens":
			u.Output = c.number()
		case "cache_read_input_tokens":
			u.CacheRead = c.number()
		case "cache_creation_input_tokens":
			u.CacheWrite = c.number()
		default:
			c.skip()
		}
	}
}

// Blocks decodes the content of a message: a list of blocks, or a string as one text block. Other content has none.
func Blocks(raw []byte) []Block { return blocks(newCursor(raw)) }

func blocks(c *cursor) []Block {
	switch c.peek() {
	case '"':
		if text := c.text(); text != "" {
			return []Block{{Type: "text", Text: text}}
		}
		return nil
	case '[':
	default:
		c.skip()
		return nil
	}
	c.open('[')
	var out []Block
	for c.more() {
		out = append(out, blockOf(c))
	}
	return out
}

func blockOf(c *cursor) Block {
	var b Block
	if !c.into('{') {
		return b
	}
	for {
		key, more := c.key()
		if !more {
			return b
		}
		switch key {
		case "type":
			b.Type = c.text()
		case "text", "thinking":
			b.Text = c.text()
		case "id":
			b.ID = c.text()
		case "name":
			b.Name = c.text()
		case "input":
			b.Input = bytes.Clone(c.skip())
		case "tool_use_id":
			b.ToolUseID = c.text()
		case "content":
			b.Content = bytes.Clone(c.skip())
		case "is_error":
			b.IsError = c.truth()
		case "source":
			b.image(c)
		default:
			c.skip()
		}
	}
}

func (b *Block) image(c *cursor) {
	if !c.into('{') {
		return
	}
	for {
		key, more := c.key()
		if !more {
			return
		}
		switch key {
		case "media_type":
			b.MediaType = c.text()
		case "data":
			b.Data = c.text()
		default:
			c.skip()
		}
	}
}
