package compact

import (
	"parley/session"
	"parley/session/builtin/wire"
)

const (
	// bytesPerToken is assumed until the service has counted a request.
	bytesPerToken = 4.0
	// mediaBytes is the size of an image or a page in an estimate, as bytes of text: about 1,600 tokens.
	mediaBytes = 6400
	// blockBytes is the size of a block beside its text.
	blockBytes = 40
)

// Gauge estimates the tokens of requests from their size and from what the service counted. The zero value is ready. It is not
// safe for concurrent use.
type Gauge struct {
	model string
	ratio float64 // bytes per token, 0 if unknown
}

// Observe takes the tokens that the service counted in a request of size bytes.
func (g *Gauge) Observe(model string, size int, tokens int64) {
	if size <= 0 || tokens <= 0 {
		return
	}
	// A count that no text can have is of another kind: a service that counts nothing, or a summary of its own.
	if r := float64(size) / float64(tokens); r > 0.5 && r < 12 {
		g.model, g.ratio = model, r
	}
}

// Tokens estimates the tokens of size bytes for a model. Where only another model has counted, it assumes a little more.
func (g *Gauge) Tokens(model string, size int) int64 {
	ratio := g.ratio
	switch {
	case ratio == 0:
		ratio = bytesPerToken
	case g.model != model:
		ratio = min(ratio, bytesPerToken) * 0.9
	}
	return int64(float64(size) / ratio)
}

// Bytes estimates the size of a number of tokens.
func (g *Gauge) Bytes(model string, tokens int64) int {
	return int(float64(tokens) * 1000 / float64(max(g.Tokens(model, 1000), 1)))
}

// Room is the room that a model has for a prompt, in tokens. A zero value means that it is unknown.
type Room struct {
	// Most is the longest prompt, Start the length from which the conversation is made shorter.
	Most, Start int64
}

// RoomOf returns the room for prompts whose answers may have up to answer tokens, thinking included.
func RoomOf(m session.Model, answer int64) Room {
	most := m.MaxPrompt
	if w := m.ContextWindow - answer; m.ContextWindow > 0 && (most == 0 || w < most) {
		most = w
		if m.MaxPrompt > 0 { // the window of many models is their longest prompt
			most = max(w, min(m.MaxPrompt, m.ContextWindow)*7/10)
		}
	}
	if most <= 0 {
		most = m.ContextWindow / 2
	}
	if most <= 0 {
		return Room{}
	}
	// What is left covers the error of the estimate and the results of one answer.
	return Room{Most: most, Start: most - max(most/12, min(4000, most/4))}
}

// Size returns the size of a request in bytes of text; images count like text of their tokens.
func Size(r wire.Request) int {
	n := 0
	for _, c := range r.System {
		n += sizeOf(c)
	}
	for _, t := range r.Tools {
		n += len(t.Name) + len(t.Description) + len(t.InputSchema) + blockBytes
	}
	for _, m := range r.Messages {
		for _, c := range m.Content {
			n += sizeOf(c)
		}
	}
	return n
}

// SizeOf returns the size of a piece.
func SizeOf(p wire.Piece) int {
	n := 0
	for _, c := range p.Blocks {
		n += sizeOf(c)
	}
	return n
}

func sizeOf(c wire.Content) int {
	n := blockBytes + len(c.Text) + len(c.Name) + len(c.Input) + len(c.Signature)
	if c.Thinking != nil {
		n += len(*c.Thinking)
	}
	switch {
	case c.Source != nil:
		n += mediaOf(c.Source)
	case len(c.Blocks) > 0:
		for _, b := range c.Blocks {
			n += sizeOf(b)
		}
	default:
		n += len(c.Content)
	}
	return n
}

// mediaOf returns what an image or a document counts. The pages of a document are not known; it has about one in 50 KB.
func mediaOf(s *wire.Source) int { return mediaBytes * (1 + len(s.Data)/(500<<10)) }
