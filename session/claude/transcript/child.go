package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
)

// Child is the transcript of a child agent.
type Child struct {
	Agent string // its id
	// Type, Description and Call are from the file beside the transcript: the kind of agent, its task, and the tool call that
	// started it, which versions before 2.1.197 leave out.
	Type, Description, Call string
	// Prompt is its first prompt.
	Prompt  string
	Entries []Entry
}

// Children reads the child agents of the session with the transcript at path, in order of their start. It returns the
// readable ones together with the error of the others.
func Children(ctx context.Context, path string) ([]Child, error) {
	root := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents")
	var out []Child
	var broken []error
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				broken = append(broken, err)
			}
			return nil
		}
		id, ok := agentID(d.Name())
		if d.IsDir() || !ok {
			return ctx.Err()
		}
		c, err := readChild(ctx, name, id)
		if err != nil {
			broken = append(broken, err)
			return ctx.Err()
		}
		if len(c.Entries) > 0 {
			out = append(out, c)
		}
		return ctx.Err()
	})
	slices.SortStableFunc(out, func(a, b Child) int { return a.Entries[0].Time.Compare(b.Entries[0].Time) })
	return out, errors.Join(append(broken, err)...)
}

func agentID(name string) (string, bool) {
	id, ok := strings.CutPrefix(name, "agent-")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(id, ".jsonl")
}

func readChild(ctx context.Context, path, id string) (Child, error) {
	c := Child{Agent: id}
	f := Open(path)
	if _, err := f.Update(ctx); err != nil {
		return c, err
	}
	c.Entries = f.sidechain()
	if len(c.Entries) > 0 && c.Entries[0].Type == "user" {
		for _, b := range c.Entries[0].Blocks {
			c.Prompt += b.Text
		}
	}
	var meta struct {
		AgentType   string `json:"agentType"`
		Description string `json:"description"`
		ToolUseID   string `json:"toolUseId"`
	}
	// The description is optional.
	if data, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".meta.json"); err == nil && json.Unmarshal(data, &meta) == nil {
		c.Type, c.Description, c.Call = meta.AgentType, meta.Description, meta.ToolUseID
	}
	return c, nil
}

// Call is a call that started a child agent.
type Call struct {
	ID     string // of the tool call
	Prompt string // of the agent
	Agent  string // its id in the stored result; may be empty
	Text   string // of the result
}

// trailing matches the id of the agent in the text of a result.
var trailing = lazyregexp.New(`(?m)^agentId: ([A-Za-z0-9_-]+)`)

// Link returns the children by the call that started them. It compares, in this order: the call's id beside the child's
// transcript, the agent's id in the stored result, then in the text of the result, then the prompt. A call has one child,
// and a child one call; several with one prompt are linked in order.
func Link(calls []Call, children []Child) map[string]int {
	out := map[string]int{}
	taken := make([]bool, len(children))
	pass := func(same func(Call, Child) bool) {
		for _, call := range calls {
			if _, done := out[call.ID]; done {
				continue
			}
			for i, child := range children {
				if !taken[i] && same(call, child) {
					out[call.ID], taken[i] = i, true
					break
				}
			}
		}
	}
	pass(func(a Call, b Child) bool { return b.Call == a.ID })
	pass(func(a Call, b Child) bool { return b.Call == "" && b.Agent == a.Agent })
	pass(func(a Call, b Child) bool {
		m := trailing.FindStringSubmatch(a.Text)
		return b.Call == "" && m != nil && m[1] == b.Agent
	})
	pass(func(a Call, b Child) bool {
		return b.Call == "" && a.Agent == "" && a.Prompt != "" && a.Prompt == b.Prompt
	})
	return out
}
