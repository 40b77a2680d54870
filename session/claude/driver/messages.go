package driver

import (
	"context"
	"encoding/json"
	"sync"

	"parley/internal/crash"
)

// toolMessage is the request with which the runtime speaks to parley's MCP server.
const toolMessage = "mcp_message"

// messages are the messages for parley's MCP server whose answers are being made. It is safe for concurrent use.
type messages struct {
	mu   sync.Mutex
	open map[string]context.CancelFunc // by the id of the request
}

func (m *messages) begin(id string) context.Context {
	ctx, end := context.WithCancel(context.Background())
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open == nil {
		m.open = map[string]context.CancelFunc{}
	}
	m.open[id] = end
	return ctx
}

// end ends the work on a message, if there is any.
func (m *messages) end(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if end := m.open[id]; end != nil {
		end()
		delete(m.open, id)
	}
}

// message answers a message for parley's MCP server in another goroutine, and reports false for one that is for another server. The
// answer is written once, and not at all if the runtime takes the request back.
func (p *Process) message(r *Request) bool {
	var in struct {
		Server  string          `json:"server_name"`
		Message json.RawMessage `json:"message"`
	}
	if p.o.Message == nil || p.o.ToolServer == "" || json.Unmarshal(r.Raw, &in) != nil || in.Server != p.o.ToolServer {
		return false
	}
	id := r.ID
	ctx := p.messages.begin(id)
	reply, later := p.o.Message(ctx, in.Message)
	crash.Go(func() {
		defer p.messages.end(id)
		if later != nil {
			reply = later()
		}
		if err := p.Reply(id, map[string]any{"mcp_response": reply}); err != nil {
			p.log.Debug("the answer to a message was not written", "error", err)
		}
	})
	return true
}
