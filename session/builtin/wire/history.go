package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
)

// Message is a message of a request of the Messages API.
type Message struct {
	Role    string    `json:"role"` // "user" or "assistant"
	Content []Content `json:"content"`

	Model string `json:"-"` // of an answer: the model that gave it, empty if unknown
}

// Content is one content block of a request. Type decides which fields are used.
type Content struct {
	Type         string          `json:"type"`
	Text         string          `json:"text,omitempty"`
	Thinking     *string         `json:"thinking,omitempty"`
	Signature    string          `json:"signature,omitempty"`
	ID           string          `json:"id,omitempty"`
	Name         string          `json:"name,omitempty"`
	Input        json.RawMessage `json:"input,omitempty"`
	ToolUseID    string          `json:"tool_use_id,omitempty"`
	Content      string          `json:"content,omitempty"`
	IsError      bool            `json:"is_error,omitempty"`
	Source       *Source         `json:"source,omitempty"`
	CacheControl *CacheControl   `json:"cache_control,omitempty"`

	// Blocks replace Content in a result with images or documents.
	Blocks []Content `json:"-"`

	raw   json.RawMessage // replaces all of the above
	model string          // of thinking: the model that produced it
}

// Source holds an image or a document.
type Source struct {
	Type      string `json:"type"` // "base64"
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"`
}

// CacheControl marks the end of what the service should cache for the next request.
type CacheControl struct {
	Type string `json:"type"` // "ephemeral"
}

// MarshalJSON writes a raw block byte for byte.
func (c Content) MarshalJSON() ([]byte, error) {
	if c.raw != nil {
		return c.raw, nil
	}
	type plain Content
	if len(c.Blocks) == 0 {
		return EncodeJSON(plain(c))
	}
	return EncodeJSON(struct {
		plain
		Content []Content `json:"content"`
	}{plain(c), c.Blocks})
}

func (c Content) isThinking() bool { return c.Type == "thinking" || c.Type == "redacted_thinking" }

// The texts that the model reads in place of something that did not finish. The tag shows that the user did not write
// them.
const (
	// InterruptedNote ends a turn that the user interrupted.
	InterruptedNote = "<system-reminder>The user interrupted the previous turn before it was finished.</system-reminder>"
	continueNote    = "<system-reminder>Go on where you stopped.</system-reminder>"
)

// Piece is a run of blocks of one role, "user" or "assistant". Several pieces make a message.
type Piece struct {
	Role   string
	Blocks []Content
	// Turn is the turn that the piece belongs to. Answer is 0 for its prompt, and counts its answers from 1; what follows an
	// answer has the number of the answer.
	Turn   session.TurnID
	Answer int
	// Model is the model that gave the answer, empty if unknown.
	Model string
	// Compaction changes what is sent of the pieces before it, see [Resolve]. Such a piece has no blocks.
	Compaction *session.Compacted
}

// Pieces returns the content of turns. If running, the last turn continues and its open calls may still end.
func Pieces(turns []*session.Turn, running bool) []Piece {
	var out []Piece
	for i, turn := range turns {
		last := i == len(turns)-1
		answers := answersOf(turn.Entries)
		if turn.ID == "" || unanswered(turn, answers) || printed(turn) {
			out = append(out, compactions(answers)...)
			continue
		}
		first := len(out)
		if blocks := PromptBlocks(turn.Prompt); len(blocks) > 0 {
			out = append(out, Piece{Role: "user", Blocks: blocks})
		}
		out = append(out, answers...)
		if turn.Outcome == session.TurnCancelled || turn.Outcome == "" && !(last && running) {
			out = append(out, Piece{Role: "user", Blocks: []Content{{Type: "text", Text: InterruptedNote}}})
		}
		Number(out[first:], turn.ID)
	}
	return out
}

// Number sets the turn and the numbers of the answers of the pieces of one turn, or of one child.
func Number(pieces []Piece, turn session.TurnID) {
	n := 0
	for i := range pieces {
		if pieces[i].Role == "assistant" && len(pieces[i].Blocks) > 0 {
			n++
		}
		pieces[i].Turn, pieces[i].Answer = turn, n
	}
}

// ChildPieces returns the content of what a child agent did. Its prompts are among it.
func ChildPieces(c *session.Child) []Piece { return answersOf(c.Entries) }

// LastWords returns the text of the newest answer among the entries of one agent that has any.
func LastWords(entries []session.Entry) string {
	for _, p := range slices.Backward(answersOf(entries)) {
		var words []string
		for _, b := range p.Blocks {
			if p.Role == "assistant" && b.Type == "text" {
				words = append(words, b.Text)
			}
		}
		if len(words) > 0 {
			return strings.Join(words, "\n\n")
		}
	}
	return ""
}

// unanswered reports a turn that failed, was refused or was too long before the model answered. It is left out: with the next
// prompt it would fail again, or be answered too. A user who still wants an answer sends the prompt again.
func unanswered(t *session.Turn, answers []Piece) bool {
	tooLong := t.Outcome == session.TurnLimit && t.Problem != nil && t.Problem.Kind == session.KindTooLong
	if t.Outcome != session.TurnFailed && t.Outcome != session.TurnRefused && !tooLong {
		return false
	}
	for _, p := range answers {
		if p.Role == "assistant" && slices.ContainsFunc(p.Blocks, func(c Content) bool { return !c.isThinking() }) {
			return false
		}
	}
	return true
}

// answersOf returns the model's answers among the entries of one agent, each followed by the results of its calls.
func answersOf(entries []session.Entry) []Piece {
	var out []Piece
	var said, results []Content
	n, model := 0, "" // of the answer being collected
	flush := func() {
		out = append(out, Piece{Role: "assistant", Blocks: said, Model: model}, Piece{Role: "user", Blocks: results})
		said, results, model = nil, nil, ""
	}
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Part:
			if e.Retracted {
				continue
			}
			block, o := partBlock(e)
			// A part without its end belongs to an answer that a kill cut off. It begins a new answer if calls precede
			// it.
			if o.N != 0 && n != 0 && o.N != n || o.N == 0 && len(results) > 0 {
				flush()
			}
			if o.N != 0 {
				n, model = o.N, o.Model
			}
			if block != nil {
				said = append(said, *block)
			}
		case *session.Tool:
			if !e.Ready {
				continue // its input is incomplete: it was never called
			}
			said = append(said, Content{Type: "tool_use", ID: string(e.Call), Name: e.Name, Input: inputObject(e.Input)})
			results = append(results, resultBlock(e))
		case *session.Mark:
			if c, ok := e.Event.(session.Compacted); ok {
				flush()
				out = append(out, Piece{Compaction: &c})
			} else if blocks := betweenBlocks(e); len(blocks) > 0 {
				flush()
				out = append(out, Piece{Role: "user", Blocks: blocks})
			}
		}
	}
	flush()
	return out
}

// betweenBlocks returns what a mark between two answers puts before the model: a reminder or a steered prompt.
func betweenBlocks(m *session.Mark) []Content {
	switch e := m.Event.(type) {
	case session.Reminded:
		if e.Facts {
			return nil
		}
		return []Content{{Type: "text", Text: e.Text}}
	case session.Steered:
		if m.Prompt != nil {
			return PromptBlocks(*m.Prompt)
		}
	}
	return nil
}

// partBlock returns the block of a part, nil if it cannot be sent.
func partBlock(p *session.Part) (*Content, Opaque) {
	var o Opaque
	_ = json.Unmarshal(p.Opaque, &o) // zero if missing or of another agent
	text := p.Text()
	switch {
	case p.Kind == session.PartText && strings.TrimSpace(text) != "":
		return &Content{Type: "text", Text: text}, o
	case o.Type == "thinking" && o.Signature != "":
		return &Content{Type: "thinking", Thinking: &text, Signature: o.Signature, model: o.Model}, o
	case o.Type == "redacted_thinking" && json.Valid(o.Block):
		return &Content{Type: "redacted_thinking", raw: o.Block, model: o.Model}, o
	}
	return nil, o
}

// resultBlock returns the result of a call as the model read it. What a call in the background did later is told elsewhere,
// so that nothing that was sent changes.
func resultBlock(t *session.Tool) Content {
	c := Content{Type: "tool_result", ToolUseID: string(t.Call)}
	result, outcome := t.Result, t.Outcome
	if t.Handover != nil {
		result, outcome = *t.Handover, session.ToolOK
	}
	switch {
	case !t.Ended, outcome == session.ToolCancelled && result.Text == "" && result.Sent == "":
		c.Content, c.IsError = tool.Interrupted, true
		return c
	case result.Sent != "":
		c.Content = result.Sent
	default:
		c.Content = result.Text
	}
	if strings.TrimSpace(c.Content) == "" {
		c.Content = tool.NoOutput
	}
	c.IsError = outcome != session.ToolOK
	if len(result.Media) > 0 {
		c.Blocks = append([]Content{{Type: "text", Text: c.Content}}, mediaBlocks(result.Media)...)
	}
	return c
}

// inputObject returns the input if it is an object, because the service accepts nothing else.
func inputObject(raw json.RawMessage) json.RawMessage {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil || !bytes.HasPrefix(compact.Bytes(), []byte("{")) {
		return json.RawMessage("{}")
	}
	return compact.Bytes()
}

// Join builds the messages of a request to a model from pieces.
func Join(pieces []Piece, model string) []Message {
	var out []Message
	carryOn := Message{Role: "user", Content: []Content{{Type: "text", Text: continueNote}}}
	for _, p := range pieces {
		blocks := p.Blocks
		if p.Role == "assistant" {
			blocks = sendable(blocks, model)
		}
		if len(blocks) == 0 {
			continue
		}
		last := len(out) - 1
		switch {
		case p.Role == "assistant" && last < 0:
			out = append(out, carryOn, Message{p.Role, blocks, p.Model})
		case p.Role == "assistant" && out[last].Role == "assistant":
			// An answer that paused and continued stays two messages, because thinking of two answers must not be
			// mixed.
			out = append(out, carryOn, Message{p.Role, blocks, p.Model})
		case last >= 0 && out[last].Role == p.Role:
			out[last].Content = append(out[last].Content[:len(out[last].Content):len(out[last].Content)], blocks...)
		default:
			out = append(out, Message{p.Role, blocks, p.Model})
		}
	}
	if n := len(out); n > 0 && out[n-1].Role == "assistant" {
		out = append(out, carryOn)
	}
	return out
}

// sendable removes the thinking of other models, and answers that contain nothing but thinking.
func sendable(blocks []Content, model string) []Content {
	var out []Content
	words := false
	for _, b := range blocks {
		if b.isThinking() && b.model != model {
			continue
		}
		words = words || !b.isThinking()
		out = append(out, b)
	}
	if !words {
		return nil
	}
	return out
}

// EncodeJSON is json.Marshal without escaping characters for browsers.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Opaque is the data of a part that later requests need. Thinking is accepted only with its signature, and only by the model
// that produced it. N separates the answers of a turn. The type [PrintedType] marks what no model said.
type Opaque struct {
	N         int             `json:"n"`
	Type      string          `json:"type,omitempty"`
	Model     string          `json:"model,omitempty"`
	Signature string          `json:"signature,omitempty"`
	Block     json.RawMessage `json:"block,omitempty"`
}

// Encode returns the value as a part's end has it, nil for a block that cannot be sent back.
func (o Opaque) Encode() json.RawMessage {
	raw, err := json.Marshal(o)
	if err != nil {
		return nil // a raw block that is not JSON
	}
	return raw
}
