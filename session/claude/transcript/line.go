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

// rawLine is what the order of a conversation depends on, and where the rest stands. The slices lie in the bytes read.
type rawLine struct {
	kind      kind
	uuid      string
	parent    string
	logical   string // of a compact boundary: what came before it
	messageID string // of an assistant's message, one for all its blocks
	source    string // of a tool result: the line of the call
	sidechain bool
	meta      bool
	boundary  bool // a compact boundary
	data      []byte
}

// firstType is how a line begins that says its type first, as all do that are no part of the conversation.
var firstType = []byte(`{"type":"`)

// scanLine reads what rawLine holds. It reports false for what is no line of a conversation, and whether that is because
// the line is damaged.
func scanLine(data []byte) (l rawLine, ok, damaged bool) {
	if rest, found := bytes.CutPrefix(data, firstType); found {
		if n := bytes.IndexByte(rest, '"'); n >= 0 && kinds[string(rest[:n])] == other && bytes.IndexByte(rest[:n], '\\') < 0 {
			return l, false, false // records of requests are many times longer than what they are about
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

// messageID takes the id out of a message. It stands behind the content, which is passed over.
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
	Time    time.Time // zero if the line does not say, or not in a way that is understood
	// Sidechain lines are those of a child agent. Meta lines were made up by the runtime.
	Sidechain, Meta bool
	// Summary says that the text is what the runtime made of the conversation when it compacted it.
	Summary bool
	// Failed says that an assistant line stands for a failed request; Error is the kind of failure in the runtime's word
	// and Status the status of the answer, 0 for none.
	Failed bool
	Error  string
	Status int
	// Mode is the permission mode of a prompt, Cwd and Branch where it was given.
	Mode, Cwd, Branch string
	// Agent is the id of the child agent that a line of its own transcript belongs to.
	Agent string
	// MessageID, Model, StopReason and Usage are those of an assistant's message; the blocks of one message are lines of
	// their own with the same id and usage.
	MessageID, Model, StopReason string
	Usage                        Usage
	// Blocks are the content; a content that is a plain string is one text block.
	Blocks []Block
	// Result is what the runtime keeps of a tool result beside the text for the model, as JSON; nil if there is none.
	Result []byte
	// Compact are the numbers of a compact boundary, Attachment the content of an attachment line, Content the text of a
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

// decode reads a whole line. The raw JSON in it is a copy, so that the bytes read can be let go.
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
			e.Time, _ = time.Parse(time.RFC3339, c.text()) // one that cannot be read is unknown
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

// Blocks decodes the content of a message: a list of blocks, or a string, which counts as one text block. Anything else
// has none.
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
