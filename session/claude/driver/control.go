package driver

import (
	"encoding/json"
	"errors"
)

// controlLine is a control message in either direction.
type controlLine struct {
	Type      string          `json:"type"`
	RequestID string          `json:"request_id"`
	Request   json.RawMessage `json:"request"`
	Response  controlResponse `json:"response"`
}

// controlResponse is the answer to a control request.
type controlResponse struct {
	Subtype   string          `json:"subtype"`
	RequestID string          `json:"request_id"`
	Response  json.RawMessage `json:"response"`
	Error     string          `json:"error"`
}

// Types of control messages.
const (
	typeRequest  = "control_request"
	typeResponse = "control_response"
	typeCancel   = "control_cancel_request"
	typeAlive    = "keep_alive"
)

var errNoRequest = errors.New("a control message without its id or subtype")

// parseControl decodes a control message, with the subtype of a request.
func parseControl(line []byte) (c controlLine, subtype string, err error) {
	if err := json.Unmarshal(line, &c); err != nil {
		return c, "", err
	}
	switch c.Type {
	case typeRequest:
		var r struct {
			Subtype string `json:"subtype"`
		}
		if err := json.Unmarshal(c.Request, &r); err != nil {
			return c, "", err
		}
		subtype = r.Subtype
		if c.RequestID == "" {
			return c, "", errNoRequest
		}
	case typeCancel:
		if c.RequestID == "" {
			return c, "", errNoRequest
		}
	}
	return c, subtype, nil
}

// requestLine returns a control request with the fields and the subtype.
func requestLine(id, subtype string, fields map[string]any) ([]byte, error) {
	request := make(map[string]any, len(fields)+1)
	for k, v := range fields {
		request[k] = v
	}
	request["subtype"] = subtype
	return marshalLine(map[string]any{"type": typeRequest, "request_id": id, "request": request})
}

// replyLine returns a successful answer.
func replyLine(id string, response any) ([]byte, error) {
	return marshalLine(map[string]any{"type": typeResponse,
		"response": map[string]any{"subtype": "success", "request_id": id, "response": response}})
}

// refusalLine returns an answer with an error.
func refusalLine(id, message string) ([]byte, error) {
	return marshalLine(map[string]any{"type": typeResponse,
		"response": map[string]any{"subtype": "error", "request_id": id, "error": message}})
}

// userLine returns a message of the user. The runtime ends at any other role.
func userLine(m UserMessage) ([]byte, error) {
	if len(m.Content) == 0 {
		return nil, errors.New("a message without content")
	}
	line := map[string]any{"type": "user", "session_id": "", "parent_tool_use_id": nil,
		"message": map[string]any{"role": "user", "content": m.Content}}
	if m.UUID != "" {
		line["uuid"] = m.UUID
	}
	if m.Priority != "" {
		line["priority"] = m.Priority
	}
	return marshalLine(line)
}

// marshalLine returns one line of JSON. The runtime ends at a malformed line.
func marshalLine(v any) ([]byte, error) {
	// Marshal compacts raw messages, so they contain no line break.
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
